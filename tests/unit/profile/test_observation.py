from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ethos_memory.profile.observation import (
    MAX_OBSERVATION_CHARS,
    Kind,
    Observation,
    canonical,
    section_of,
    unmarked,
)

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "line", ["- User likes tea", " * User likes tea ", "• User likes tea"]
)
def test_an_observation_is_a_line_without_its_bullet(line: str) -> None:
    one = Observation(line, at=AT)
    assert (one.text, one.line) == ("User likes tea", "- User likes tea")


@pytest.mark.parametrize(
    "text",
    ["", "  ", "- ", "a\nb", "a\x0bb", "a\u2028b", "x" * (MAX_OBSERVATION_CHARS + 1)],
)
def test_more_or_less_than_a_line_is_refused_without_being_told(text: str) -> None:
    with pytest.raises(ValueError, match="one line of 1 to 240") as caught:
        Observation(text, at=AT)
    assert "xxx" not in str(caught.value)


@pytest.mark.parametrize("text", ["User <!-- x", "User --> x"])
def test_a_comment_could_forge_what_is_known_of_a_line(text: str) -> None:
    with pytest.raises(ValueError, match="no comment"):
        Observation(text, at=AT)


def test_the_text_is_in_no_repr() -> None:
    assert "tea" not in repr(Observation("User likes tea", at=AT))


def test_times_are_aware_and_kept_in_utc() -> None:
    abroad = AT.astimezone(timezone(timedelta(hours=5)))
    assert Observation("User x", at=abroad).at.utcoffset() == timedelta(0)
    with pytest.raises(ValueError, match="aware"):
        Observation("User x", at=AT.replace(tzinfo=None))


def test_an_observation_was_seen_at_least_once() -> None:
    with pytest.raises(ValueError, match="once or more"):
        Observation("User x", at=AT, seen=0)


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert Observation("User \ud800", at=AT).text == "User \ufffd"


def test_case_blanks_and_end_marks_do_not_make_another_signal() -> None:
    assert canonical("User  likes Tea.") == canonical("user likes tea")
    assert canonical("User likes tea") != canonical("User likes teas")


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("User is an expert in Go", "Expertise Notes"),
        ("User prefers short answers", "Communication Adaptations"),
        ("User pushes back on over-engineering", "Relationship Context"),
        ("User prefers pathlib over os.path", "User Preferences"),
    ],
)
def test_a_line_finds_its_section(text: str, section: str) -> None:
    assert section_of(text) == section
    assert Observation(text, at=AT).section == section


def test_expertise_is_expertise_whatever_its_words() -> None:
    kind: Kind = "expertise"
    assert Observation("User x", kind, at=AT).section == "Expertise Notes"


def test_a_line_without_a_bullet_is_unmarked_already() -> None:
    assert unmarked("-no bullet") == "-no bullet"
