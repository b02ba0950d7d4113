"""One search for many fixed texts."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials.needles import any_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the password", "pass"),
        ("a pin", "pin"),
        ("a.b", "a.b"),
        ("axb", None),
        ("passport", "pass"),
        ("pas", None),
        ("", None),
    ],
)
def test_each_of_them_is_found_and_nothing_else(text: str, found: str | None) -> None:
    """Also those that begin alike, and signs that mean something in a pattern."""
    match = any_of(["pass", "password", "pin", "a.b"]).search(text)
    assert (match.group() if match else None) == found


def test_of_no_texts_none_is_found() -> None:
    """An empty pattern would match everywhere."""
    assert any_of([]).search("anything") is None
