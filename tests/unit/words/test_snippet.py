"""The text around a hit."""

from __future__ import annotations

import pytest

from ethos_memory.words import snippet

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def test_a_short_text_is_shown_whole() -> None:
    """There is nothing to cut, and line ends become blanks."""
    assert snippet("say\r\n  hello there\n", 7, 12) == "say hello there"


def test_the_hit_is_in_the_middle_of_a_long_text() -> None:
    """Both ends are cut between words, and say so."""
    text = f"{'before ' * 50}needle{' after' * 50}"
    at = text.index("needle")
    shown = snippet(text, at, at + 6, width=60)
    assert shown == "…before before before needle after after after after…"


@pytest.mark.parametrize(("at", "shown"), [(0, "needle aa…"), (94, "…aa needle")])
def test_a_hit_at_an_end_gets_the_whole_room(at: int, shown: str) -> None:
    """What is not needed on one side goes to the other."""
    words = ["aa"] * 32
    words[0 if at == 0 else -1] = "needle"
    text = " ".join(words)
    start = text.index("needle")
    assert snippet(text, start, start + 6, width=9) == shown


def test_a_text_without_spaces_is_cut_between_characters() -> None:
    """A joined emoji is shown whole or not at all."""
    text = f"{FAMILY * 10}x{FAMILY * 10}"
    at = text.index("x")
    assert snippet(text, at, at + 1, width=14) == f"…{FAMILY}x{FAMILY}…"


def test_flags_are_not_torn_apart() -> None:
    """Where a flag begins is found from the beginning of the row."""
    text = "🇩🇪" * 20 + "x"
    at = len(text) - 1
    assert snippet(text, at, at + 1, width=6) == "…🇩🇪🇩🇪x"


def test_a_hit_longer_than_the_width_is_cut_at_its_end() -> None:
    """Its beginning is what a person looks for."""
    text = "a" * 500
    assert snippet(text, 100, 400, width=20) == f"…{'a' * 20}…"
    assert snippet("e\u0301" * 50, 0, 100, width=5) == "e\u0301e\u0301…"


def test_a_character_wider_than_the_room_is_left_out() -> None:
    """Nothing is shown rather than half of it."""
    text = f"x{FAMILY}{FAMILY}"
    assert snippet(text, 0, 1, width=3) == "x…"
    assert snippet(f"{FAMILY}x", 5, 6, width=3) == "…x"
