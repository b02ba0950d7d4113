"""How random a value looks."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials.values import (
    is_generated,
    is_mixed,
    is_name,
    is_strong,
    is_token_like,
    segments,
)


@pytest.mark.parametrize(
    ("value", "parts"),
    [("a-b_c.d", ["a", "b", "c", "d"]), ("...", []), ("", []), ("ab12", ["ab12"])],
)
def test_segments_are_letters_and_digits(value: str, parts: list[str]) -> None:
    """Everything else parts them."""
    assert segments(value) == parts


def test_mixed_needs_a_digit_and_a_letter() -> None:
    """Of any script."""
    assert is_mixed("a1")
    assert is_mixed("я1")
    assert not is_mixed("ab")
    assert not is_mixed("12")


@pytest.mark.parametrize(
    "value", ["a1b2", "QwErTyUiOpAsDfGhJk", "qW-eR-tY-uI-oP-aS-dF-gH"]
)
def test_what_changes_case_at_random_is_generated(value: str) -> None:
    """Digits, or letters that change case at about every second step."""
    assert is_generated(value)


@pytest.mark.parametrize(
    "value",
    [
        "requiredCharacteristicTypes",
        "alllowercaseletters",
        "ALLUPPERCASELETTERS",
        "QwErTy",
        "ÀéÎõÜàÉîÕüÀéÎõÜàÉîÕü",
        "",
    ],
)
def test_names_are_not_generated(value: str) -> None:
    """Names change case at one step in five; short runs say nothing."""
    assert not is_generated(value)


@pytest.mark.parametrize("value", ["Quince!77", "hunter-A1", "abc123!"])
def test_a_strong_password_mixes_three_kinds(value: str) -> None:
    """Letters of two cases, digits, symbols: three of the four."""
    assert is_strong(value)


@pytest.mark.parametrize("value", ["SHA-256", "hunter22", "Hunter", "user-2", "12:30"])
def test_two_kinds_are_not_strong(value: str) -> None:
    """Names of algorithms, words with a number."""
    assert not is_strong(value)


@pytest.mark.parametrize(
    "value", ["PKCS12PrivateKeyTypes", "ed25519.Ed25519PrivateKey"]
)
def test_names_in_code_are_names(value: str) -> None:
    """Words with inner capitals, among them a number."""
    assert is_name(value)


@pytest.mark.parametrize(
    "value",
    [
        "aB3dE6gH9jK2mN5p",
        "JBSWY3DPEHPK3PXP",
        "Hunter22",
        "lowercase_only_name",
        "squ_12345678ABCDEFHabc",
        "With-Marks-In-It",
    ],
)
def test_what_no_program_is_written_with_is_no_name(value: str) -> None:
    """Random letters, one case, long numbers, other characters."""
    assert not is_name(value)


@pytest.mark.parametrize(
    ("value", "is_explicit", "expected"),
    [
        ("a1b2c3d4", True, True),
        ("a1b2c3", True, False),
        ("color-blue-500", True, False),
        ("tok-demo-8841-plum", True, True),
        ("rk-demo-41-tansy-ridge", True, True),
        ("claude-3-5-sonnet-20241022", True, False),
        ("abcdefghijkl", True, False),
        ("aB3dE6gH9jK2mN5p", False, True),
        ("aB3dE6gH", False, False),
        ("a1b2c3d4" * 4, False, False),
        ("telegram:88001122:1A", False, False),
        ("Report-Version-2024-A", False, False),
    ],
)
def test_a_token_looks_generated(value: str, is_explicit: bool, expected: bool) -> None:
    """A bare "key" asks more of its value than "API key" does."""
    assert is_token_like(value, is_explicit=is_explicit) is expected
