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
    "key", ["daily/USER.md", "user.md", RECORD[:-3] + " 2.md", "a/" + RECORD.upper()]
)
def test_notes_of_a_vault_are_known_as_well(key: str) -> None:
    """By their last part, in any casing."""
    assert is_personal(key)
    assert not is_record(key)


@pytest.mark.parametrize(
    "key", ["MEMORY.md", "notes.md", "record-1.md", f"a-{RECORD}", RECORD[:-3] + "0.md"]
)
def test_all_other_pages_are_not(key: str) -> None:
    """They are found, read and written as before."""
    assert not is_personal(key)
    assert not is_record(key)
