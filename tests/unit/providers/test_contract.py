"""What the contract asks of every provider alike."""

from __future__ import annotations

import pytest

from ethos_memory.errors import InvalidScopeError, UnknownScopeError
from ethos_memory.providers.contract import (
    NOT_SEARCHED,
    ROLLING_PAGES,
    UNNAMED,
    check_limit,
    other_casing,
    parse_scope,
)
from ethos_memory.scope import PAGES, ScopeId


def test_a_limit_is_none_or_not_below_nothing() -> None:
    """Nothing is a limit too."""
    for limit in (None, 0, 1):
        check_limit(limit)
    with pytest.raises(ValueError, match="limit must not be below 0"):
        check_limit(-1)


def test_a_scope_needs_a_place() -> None:
    """The kinds that have one are named."""
    known = ("personality", "user")
    assert parse_scope("user:a", known) == ScopeId("user", "a")
    assert parse_scope(ScopeId("user", "a"), known) == ScopeId("user", "a")
    with pytest.raises(UnknownScopeError, match="known kinds: personality, user"):
        parse_scope("team:a", known)
    with pytest.raises(InvalidScopeError):
        parse_scope("user:../a", known)


def test_its_pages_are_pages_and_no_writer_counts_as_a_person() -> None:
    """What nobody signs is not taken for what a person wrote."""
    assert {*ROLLING_PAGES, NOT_SEARCHED} <= set(PAGES)
    assert not UNNAMED.is_human


def test_a_name_in_another_casing_says_what_to_do() -> None:
    """It is the one that is there, or none."""
    error = other_casing("user:a A.md")
    assert "user:a A.md" in str(error)
    assert "use that" in str(error)
