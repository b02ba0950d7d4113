from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.profile.render import expertise_line, rendered
from ethos_memory.profile.speech import cues_for

if TYPE_CHECKING:
    from ethos_memory.profile.observation import Kind

ENGLISH = cues_for("the")


@pytest.mark.parametrize(
    ("clause", "line"),
    [
        ("I prefer tabs over spaces", "User prefers tabs over spaces"),
        (
            "I really like to see my own notes",
            "User really likes to see their own notes",
        ),
        (
            "I never want emojis in my commits",
            "User never wants emojis in their commits",
        ),
        (
            "I only try small fixes by myself",
            "User only tries small fixes by themselves",
        ),
        (
            "I'd rather read the diff you made",
            "User would rather read the diff you made",
        ),
        ("I should see the plan at first", "User should see the plan at first"),
        ("I try fixes in small steps", "User tries fixes in small steps"),
        ("I can read code quite well", "User can read code quite well"),
        ("I have a style of mine", "User has a style of theirs"),
        ("I do prefer my own setup anyway", "User prefers their own setup anyway"),
        ("I fix the bugs I've made first", "User fixes the bugs they have made first"),
        ("I play it as I'd play it live", "User plays it as they would play it live"),
        ("I'm more of a terminal person", "User is more of a terminal person"),
        (
            "Show me all that I'll need here",
            "User wants: show them all that they will need here",
        ),
        (
            "SQL in capitals in all my files",
            "User wants: SQL in capitals in all their files",
        ),
        (
            "in I/O code I'm for async code",
            "User wants: in I/O code they are for async code",
        ),
    ],
)
def test_english_is_told_in_the_third_person(clause: str, line: str) -> None:
    assert rendered(clause, ENGLISH, "preference") == line


@pytest.mark.parametrize(
    "clause",
    ["", "x" * 141, "hide <!-- this in it all", "the way Odalys likes her code"],
)
def test_what_may_not_be_told_is_not(clause: str) -> None:
    assert rendered(clause, ENGLISH, "preference") is None


def test_a_short_wish_has_one_canonical_line() -> None:
    lines = {
        rendered(said, ENGLISH, "preference")
        for said in ("Keep it short.", "be brief", "shorter, please")
    }
    assert lines == {"User prefers short answers"}


@pytest.mark.parametrize(
    ("clause", "kind", "line"),
    [
        ("too clever for my taste here", "pushback", "User pushes back: too clever for their taste here"),
        ("don't add a new layer here", "pushback", "User wants: don't add a new layer here"),
        ("too clever for my taste here", "correction", "User wants: too clever for their taste here"),
    ],
)  # fmt: skip
def test_a_complaint_is_told_as_one(clause: str, kind: Kind, line: str) -> None:
    assert rendered(clause, ENGLISH, kind) == line


def test_other_languages_keep_their_words() -> None:
    german = cues_for("bitte nicht und")
    said = "Bitte immer Beispiele in Bezeichnern"
    assert rendered(said, german, "preference") == f"User wants: {said}"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("the HNSW index code", "User knows HNSW index code"),
        ("most of our PostgreSQL code and all the rest of it", "User knows PostgreSQL"),
        ("six of them", None),
        ("a cold frame wants its glazing at a slope of it", "User knows cold frame"),
        ("Odalys", None),
        ("HNSW by Odalys", "User knows HNSW"),
    ],
)
def test_expertise_names_a_subject_and_nobody(said: str, line: str | None) -> None:
    assert expertise_line("knows", said) == line
