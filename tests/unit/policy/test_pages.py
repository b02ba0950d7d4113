"""Which pages are about a person."""

from __future__ import annotations

import pytest

from ethos_memory.policy.pages import is_personal, is_record

RECORD = f"record-{'0f' * 16}.md"


@pytest.mark.parametrize("key", ["USER.md", "IDENTITY.md", "OBSERVATIONS.md", RECORD])
def test_pages_about_a_person(key: str) -> None:
    """Whatever scope they are in."""
    assert is_personal(key)
    assert is_record(key) == (key == RECORD)


@pytest.mark.parametrize(
    "key", ["MEMORY.md", "notes.md", "record-1.md", RECORD.upper(), f"a-{RECORD}"]
)
def test_all_other_pages_are_not(key: str) -> None:
    """They are found, read and written as before."""
    assert not is_personal(key)
    assert not is_record(key)
