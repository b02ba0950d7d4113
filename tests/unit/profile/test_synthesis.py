from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ethos_memory.profile.document import problems_of, read_document
from ethos_memory.profile.observation import Kind, Observation
from ethos_memory.profile.synthesis import merge_observations, supersedes

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


def seen(*texts: str, kind: Kind = "preference", times: int = 1) -> list[Observation]:
    return [
        Observation(text, kind, at=AT + timedelta(minutes=number), seen=times)
        for number, text in enumerate(texts)
    ]


def bullets(document: str) -> dict[str, tuple[str, ...]]:
    assert problems_of(document) == ()
    read = read_document(document)
    names = (
        "User Preferences",
        "Communication Adaptations",
        "Expertise Notes",
        "Relationship Context",
    )
    return {name: read.bullets(name) for name in names}  # type: ignore[arg-type]


def test_an_observation_becomes_a_preference_one_can_act_on() -> None:
    text = merge_observations(
        "", seen("User prefers pathlib", "User wants: show diffs")
    )
    assert bullets(text)["User Preferences"] == ("Wants: show diffs", "Prefers pathlib")


def test_what_was_confirmed_stands_before_what_is_new() -> None:
    often = seen("User likes rebase merges", times=4)
    text = merge_observations("", [*often, *seen("User likes fish shell")])
    assert bullets(text)["User Preferences"][0] == "Likes rebase merges"


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Prefers tea.", "prefers  Tea"),
        ("Prefers short answers", "Wants long, detailed explanations"),
        ("Prefers spaces over tabs", "Prefers tabs over spaces"),
        ("Wants: never use semicolons", "Wants: always use semicolons"),
        ("Prefers metric units", "Likes imperial measures"),
    ],
)
def test_a_newer_line_takes_the_place_of_an_older_one(newer: str, older: str) -> None:
    assert supersedes(newer, older)
    old = merge_observations("", seen(f"User {older[0].lower()}{older[1:]}"))
    text = merge_observations(old, seen(f"User {newer[0].lower()}{newer[1:]}"))
    found = [one for part in bullets(text).values() for one in part]
    assert found == [newer]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers tea", "Prefers coffee"),
        ("Wants it", "Always not"),
        ("Likes Go", "Likes Rust and Go"),
    ],
)
def test_other_lines_stay(one: str, other: str) -> None:
    assert not supersedes(one, other)


def test_expertise_is_gathered_by_level_and_the_newest_level_holds() -> None:
    old = merge_observations(
        "", seen("User is learning Rust", "User is an expert in Go", kind="expertise")
    )
    assert bullets(old)["Expertise Notes"] == ("Expert: Go", "Learning: Rust")
    new = merge_observations(
        old,
        seen(
            "User is an expert in Rust",
            "User is at an intermediate level in React",
            "User has deep knowledge of HNSW",
            "User teaches counterpoint",
            kind="expertise",
        ),
    )
    assert bullets(new)["Expertise Notes"] == (
        "Expert: Rust, Go",
        "Intermediate: React",
        "Deep knowledge of HNSW",
        "Teaches counterpoint",
    )
    again = merge_observations(new, seen("User is learning rust", kind="expertise"))
    assert "Learning: rust" in bullets(again)["Expertise Notes"]
    assert "Deep knowledge of HNSW" in bullets(again)["Expertise Notes"]


def test_hand_edits_survive_as_far_as_the_rules_allow() -> None:
    old = merge_observations("", seen("User prefers pathlib"))
    edited = old.replace("- Prefers pathlib", "- Prefers pathlib\n- My own line")
    text = merge_observations(edited + "\nloose words\n", seen("User likes fish"))
    assert bullets(text)["User Preferences"] == (
        "Likes fish",
        "Prefers pathlib",
        "My own line",
    )
    assert bullets(text)["Relationship Context"] == ("loose words",)


def test_the_last_bullets_of_the_fullest_section_fall_off() -> None:
    """Never in the middle of a line, and three stay while others have more."""
    many = seen(*(f"User likes {chr(97 + n) * 90}" for n in range(20)))
    short = seen(*(f"User values {chr(97 + n) * 9} more" for n in range(3)))
    text = merge_observations("", [*many, *short])
    found = bullets(text)
    assert len(found["Relationship Context"]) == 3
    assert 3 <= len(found["User Preferences"]) <= 7
    assert all(len(one) == len("Likes ") + 90 for one in found["User Preferences"])


def test_a_line_that_fills_the_page_by_itself_is_left_out() -> None:
    text = merge_observations("# User Identity\n" + "x" * 990, seen("User likes tea"))
    assert bullets(text)["User Preferences"] == ("Likes tea",)


def test_when_three_each_are_too_much_they_are_fewer() -> None:
    sides = ("likes", "values", "prefers answers", "knows")
    many = seen(
        *(f"User {side} {chr(97 + n) * 180}" for side in sides for n in range(3))
    )
    assert len(merge_observations("", many)) < 1_000


def test_the_same_input_gives_the_same_document() -> None:
    given = seen("User likes a b", "User likes c d", "User is learning Go")
    assert merge_observations("", given) == merge_observations("", given)
    once = merge_observations("", given)
    assert merge_observations(once, given) == once
    assert merge_observations(once, []) == once


def test_a_line_that_is_not_about_the_user_keeps_its_words() -> None:
    text = merge_observations("", seen("n5", "The user's tests are typed"))
    assert set(bullets(text)["User Preferences"]) == {"N5", "Tests are typed"}
