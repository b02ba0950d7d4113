"""A label is chosen by whoever holds the account, and made harmless."""

from __future__ import annotations

import pytest

from ethos_memory.identity_map.label import (
    MAX_LABEL_CHARACTERS,
    clean_label,
    default_label,
)


@pytest.mark.parametrize(
    ("label", "clean"),
    [
        ("Ros (owner) ", "Ros (owner)"),
        ("two\nlines\r\nand\u2028more\ttabs", "two lines and more tabs"),
        ("\x1b[31mred\x00\x7f\x9b", "[31mred"),
        ("\u202egnp.exe\u2066", "gnp.exe"),
        ("Iker \U0001f527", "Iker \U0001f527"),
        ("\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
        ("half \ud83d", "half \ufffd"),
        ("whole \ud83d\ude00", "whole \U0001f600"),
        (' "quoted" \\ ', '"quoted" \\'),
        ("\n \t", ""),
        ("x" * 10_000, "x" * MAX_LABEL_CHARACTERS),
        ("x" * (MAX_LABEL_CHARACTERS - 1) + " y", "x" * (MAX_LABEL_CHARACTERS - 1)),
    ],
)
def test_a_label_becomes_one_short_line(label: str, clean: str) -> None:
    """Control characters go, blanks join, and what is left is cut."""
    assert clean_label(label, str) == clean


def _no_key(text: str) -> str:
    return text.replace("KEY" * 50, "[gone]")


def test_a_credential_is_replaced_before_the_cut() -> None:
    """A key that the cut would halve is still recognised as one."""
    assert clean_label("x" * 100 + "KEY" * 50, _no_key) == "x" * 100 + "[gone]"


def test_a_control_character_hides_no_credential() -> None:
    """The key that a reader would see is the one that is screened."""
    assert clean_label("KEY\x00" * 50, _no_key) == "[gone]"


def test_a_huge_label_is_not_screened_whole() -> None:
    """What cannot reach the kept part costs nothing."""
    seen: list[int] = []

    def redact(text: str) -> str:
        seen.append(len(text))
        return text

    clean_label("x" * 1_000_000, redact)
    assert seen == [4096]


def test_the_default_label_shows_no_account() -> None:
    """Ethos's own default holds the account id (W-33)."""
    assert default_label("telegram", "a1b2c3d4e5f6") == "telegram:a1b2c3d4e5f6"
