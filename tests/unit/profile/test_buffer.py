from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ethos_memory.guard import InjectionGuard
from ethos_memory.profile.buffer import (
    MAX_OBSERVATIONS,
    MAX_SIGHTINGS,
    Buffer,
    Sighting,
    format_buffer,
    noted,
    parse_buffer,
)
from ethos_memory.profile.observation import Observation

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
DIGEST = "0123456789abcdef" * 4


def observation(text: str, at: datetime = AT, seen: int = 1) -> Observation:
    return Observation(text, "correction", at=at, seen=seen)


def parsed(text: str) -> Buffer:
    return parse_buffer(text, read_at=LATER)


def texts(buffer: Buffer) -> list[str]:
    return [one.text for one in buffer.observations]


def test_a_page_tells_everything_again() -> None:
    one = observation("User likes tea", seen=3)
    sighting = Sighting("repetition", AT, digest=DIGEST)
    text = format_buffer(Buffer().with_observation(one).with_sighting(sighting))
    assert text == (
        "- User likes tea <!-- correction; User Preferences; 2026-05-04T09:00:00Z; "
        f"seen 3 -->\n<!-- seen once; repetition; 2026-05-04T09:00:00Z; {DIGEST} -->\n"
    )
    assert parsed(text).observations == (one,)
    assert parsed(text).sightings == (sighting,)


def test_what_a_person_writes_is_an_observation_too() -> None:
    (one,) = parsed("* User likes tea\n").observations
    assert (one.text, one.at, one.seen) == ("User likes tea", LATER, 1)


def test_foreign_lines_keep_their_place_through_every_change() -> None:
    text = "# Mine\n\n- User a\nprose\n\t- User nested\n> - User quoted\n<!-- hello -->"
    buffer = parsed(text)
    assert texts(buffer) == ["User a"]
    assert format_buffer(buffer) == text + "\n"
    changed = buffer.with_observation(observation("User b")).without(
        [observation("User a")]
    )
    lines = format_buffer(changed).splitlines()
    assert lines[:-1] == [line for line in text.splitlines() if line != "- User a"]
    assert lines[-1].startswith("- User b <!-- ")


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert texts(parsed("\ufeff- User a\r\n- User b\r- User c\r\n")) == [
        "User a",
        "User b",
        "User c",
    ]


@pytest.mark.parametrize(
    "facts",
    ["", "nonsense", "correction; Nowhere; 2026-99-99; seen many", ";;;", "seen 0"],
)
def test_facts_that_were_edited_away_are_no_loss(facts: str) -> None:
    (one,) = parsed(f"- User a <!-- {facts} -->").observations
    assert one.text == "User a"
    assert one.seen == 1


def test_a_time_without_a_zone_is_utc() -> None:
    (one,) = parsed("- User a <!-- 2026-05-04T09:00:00 -->").observations
    assert one.at == AT


@pytest.mark.parametrize(
    "line",
    [
        f"<!-- seen once; mystery; 2026-05-04T09:00:00Z; {DIGEST} -->",
        f"<!-- seen once; repetition; yesterday; {DIGEST} -->",
        "<!-- seen once; repetition; 2026-05-04T09:00:00Z; 12 -->",
        "- <!-- nothing but facts -->",
        "- " + "x" * 300,
    ],
)
def test_what_is_not_understood_is_kept_as_it_is(line: str) -> None:
    buffer = parsed(line)
    assert not buffer.observations
    assert not buffer.sightings
    assert format_buffer(buffer) == line + "\n"


def test_the_same_signal_is_counted_and_becomes_the_newest() -> None:
    buffer = parsed("- User a\n- User b\n")
    buffer = buffer.with_observation(observation("user  A.", at=LATER))
    assert texts(buffer) == ["User b", "User a"]
    assert [one.seen for one in buffer.observations] == [1, 2]
    assert buffer.observations[1].at == LATER


def test_a_clock_that_was_set_back_does_not_make_it_older() -> None:
    buffer = Buffer().with_observation(observation("User a", at=LATER))
    buffer = buffer.with_observation(observation("User a", at=AT))
    assert buffer.observations[0].at == LATER


def test_the_same_line_twice_on_the_page_is_one_observation() -> None:
    text = "- User a\n- User b\n- User A <!-- seen 4 -->\n- User a\n"
    (b, a) = parsed(text).observations
    assert (b.text, a.text, a.seen) == ("User b", "User a", 6)


def test_the_oldest_drop_off_and_foreign_lines_do_not() -> None:
    buffer = parsed("# Mine\n")
    for number in range(25):
        buffer = buffer.with_observation(observation(f"User n{number}"))
    assert texts(buffer) == [f"User n{number}" for number in range(5, 25)]
    assert len(buffer.observations) == MAX_OBSERVATIONS
    assert format_buffer(buffer).startswith("# Mine\n")


def test_a_page_with_too_many_lines_is_cut_when_it_is_read() -> None:
    lines = [f"- User n{number}" for number in range(30)]
    lines += [
        f"<!-- seen once; repetition; 2026-05-04T09:00:00Z; {number:064x} -->"
        for number in range(30)
    ]
    buffer = parsed("\n".join(lines))
    assert len(buffer.observations) == MAX_OBSERVATIONS
    assert buffer.observations[0].text == "User n10"
    assert len(buffer.sightings) == MAX_SIGHTINGS


def test_sightings_are_replaced_dropped_and_capped() -> None:
    buffer = Buffer()
    for number in range(25):
        one = Sighting("repetition", AT, digest=f"{number:064x}")
        buffer = buffer.with_sighting(one).with_sighting(one)
    assert [int(one.digest, 16) for one in buffer.sightings] == list(range(5, 25))
    assert len(buffer.without_sighting(f"{7:064x}").sightings) == MAX_SIGHTINGS - 1


def test_exactly_what_was_given_goes() -> None:
    """What was seen of it since, and what came in meanwhile, stays."""
    given = parsed("- User a\n- User b\n").observations
    buffer = parsed("- User a\n- User b\n- User late\n")
    buffer = buffer.with_observation(observation("User b"))
    left = buffer.without(given)
    assert texts(left) == ["User late", "User b"]
    assert [one.seen for one in left.observations] == [1, 1]
    assert buffer.holds_any(given)
    assert not left.without(left.observations).holds_any(given)


def test_a_page_is_blank_when_nothing_is_left() -> None:
    assert Buffer().is_blank
    assert parsed(" \n\n").is_blank
    assert not parsed("# Mine").is_blank
    assert not parsed("- User a").is_blank


def test_a_plain_line_is_written_as_it_was_given() -> None:
    one = noted("- User likes o1", at=AT)
    buffer = Buffer().with_observation(one, is_plain=True)
    assert format_buffer(buffer) == "- User likes o1\n"
    assert "seen 2" in format_buffer(buffer.with_observation(one, is_plain=True))


@pytest.mark.parametrize("line", ["User likes tea", "- n5", "user's code is typed"])
def test_a_note_is_a_bullet_or_tells_of_the_user(line: str) -> None:
    assert noted(line, at=AT).text == line.removeprefix("- ")


@pytest.mark.parametrize("line", ["I cannot help with that", "{}", ""])
def test_anything_else_is_no_note(line: str) -> None:
    with pytest.raises(ValueError, match="- User"):
        noted(line, at=AT)


def test_the_guard_has_nothing_against_our_own_pages() -> None:
    buffer = Buffer()
    for number in range(25):
        buffer = buffer.with_observation(observation(f"User prefers style {number}"))
        one = Sighting("repetition", AT, digest=f"{number:x}".rjust(64, "b"))
        buffer = buffer.with_sighting(one)
    verdict = InjectionGuard().screen(format_buffer(buffer), "user:x")
    assert verdict.findings == ()


def test_the_text_is_in_no_repr() -> None:
    assert "tea" not in repr(parsed("- User likes tea"))
