"""What is refused before a database is asked; `test_bound` asks through one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ethos_memory.errors import InvalidScopeError
from ethos_memory.sessions import SessionChanges
from ethos_memory.sessions import writing as sqlite
from ethos_memory.sessions.arguments import (
    ListFilters,
    changed_fields,
    count,
    instant_or_none,
    parse_draft,
    session_fields,
)

NOTHING: dict[str, Any] = dict.fromkeys(
    (
        "tool_calls",
        "tool_call_id",
        "tool_name",
        "content_blocks",
        "usage",
        "trace_id",
    )
)


def test_a_count_is_a_whole_number_that_a_database_takes() -> None:
    """Truth is no number, and what is too large means all."""
    assert count(0, what="limit") == 0
    assert count(10**30, what="limit") == 2**31
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="limit must be a whole number"):
            count(wrong, what="limit")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="turns must not be below 0"):
        count(-1, what="turns")


def test_a_time_may_be_left_out() -> None:
    """Otherwise it is one, with an offset."""
    assert instant_or_none(None) is None
    assert instant_or_none(datetime(1970, 1, 2, tzinfo=UTC)) == 86_400_000_000
    with pytest.raises(ValueError, match="offset"):
        instant_or_none("2026-01-01T00:00:00")


def test_a_draft_names_every_column_that_is_stored_of_it() -> None:
    """Texts are clean, and what is more than text is JSON."""
    draft = parse_draft(
        "user", "a\ud800", **{**NOTHING, "usage": {"in": 1}, "tool_calls": ({"a": 1},)}
    )
    assert draft.columns() == {
        **NOTHING,
        "role": "user",
        "content": "a\ufffd",
        "tool_calls": '[{"a":1}]',
        "usage": '{"in":1}',
    }
    assert "a\ufffd" not in repr(draft)


@pytest.mark.parametrize("wrong", [{"role": "robot"}, {"usage": {"in": float("nan")}}])
def test_a_message_that_cannot_be_stored_is_refused(wrong: dict[str, Any]) -> None:
    """Before anything is asked."""
    with pytest.raises(ValueError, match=r"one of|must be JSON"):
        parse_draft(**{"role": "user", "content": "", **NOTHING, **wrong})


def test_fields_are_checked_and_lose_their_secrets() -> None:
    """Each in its own way."""
    fields = session_fields(
        {
            "title": " a  key ",
            "metadata": None,
            "personality_id": None,
            "pinned": 1,
            "working_dir": None,
            "model": "key",
        },
        lambda text: text.replace("key", "[gone]"),
    )
    assert fields == {
        "title": "a [gone]",
        "metadata": "{}",
        "personality_id": None,
        "pinned": True,
        "working_dir": None,
        "model": "[gone]",
    }
    with pytest.raises(InvalidScopeError):
        session_fields({"personality_id": "../x"}, str)
    with pytest.raises(TypeError):
        session_fields({"platform": None}, str)


def test_only_what_can_change_is_changed() -> None:
    """Every field that can has its column."""
    assert changed_fields({"was_shared": True}, str) == {"was_shared": True}
    with pytest.raises(TypeError, match="no field id, key to update"):
        changed_fields({"key": "k", "id": "i", "title": "t"}, str)
    assert sqlite.CHANGES.keys() == SessionChanges.__annotations__.keys()


def test_a_cursor_belongs_to_one_list() -> None:
    """Another owner, query or filter is another list."""
    scopes = [
        filters.cursor_scope(owner, q)
        for filters in (ListFilters(), ListFilters("None"), ListFilters(since=0))
        for owner in (None, "None")
        for q in ("", "tea")
    ]
    assert len(set(scopes)) == len(scopes)
