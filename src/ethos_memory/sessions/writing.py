"""Everything that changes a conversation. Each function runs inside one transaction."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from attrs import field, frozen

from ethos_memory.errors import (
    MessageOrderError,
    NotPermittedError,
    SessionNotFoundError,
)
from ethos_memory.sessions.reading import require
from ethos_memory.sessions.rows import (
    DAMAGED,
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    Boundary,
    dump,
    load,
    message,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from sqlite3 import Connection

    from ethos_memory.sessions.record import Message

__all__ = [
    "CHANGES",
    "Draft",
    "append",
    "change",
    "create",
    "delete",
    "erase",
    "fork",
    "undo",
]

#: A larger figure is no count of anything, and JSON could not keep it exactly.
_MOST_USED: Final = 2**53

#: After these a tool result may stand.
_BEFORE_RESULT: Final = frozenset({"assistant", "tool_result"})

_CREATE: Final = """
    INSERT INTO sessions (
        id, owner, key, platform, model, provider, working_dir, personality_id,
        parent_session_id, title, title_terms, metadata, pinned, was_shared, usage,
        message_count, turn_count, born, created_at, updated_at
    ) VALUES (
        :id, :owner, :key, :platform, :model, :provider, :working_dir,
        :personality_id, :parent_session_id, :title, :title_terms, :metadata, :pinned,
        :was_shared, '{}', 0, 0, (SELECT coalesce(max(seq), 0) FROM messages),
        :now, :now
    ) ON CONFLICT (owner, key) DO UPDATE
    SET was_shared = max(was_shared, excluded.was_shared)
"""
_APPEND: Final = """
    INSERT INTO messages (
        id, session_id, owner, role, at, tool_call_id, tool_name, trace_id, usage,
        tool_calls, content_blocks, content, length, terms
    ) VALUES (
        :id, :session_id, :owner, :role, :at, :tool_call_id, :tool_name, :trace_id,
        :usage, :tool_calls, :content_blocks, :content, :length, :terms
    )
"""
_STORED: Final = f"SELECT {MESSAGE_COLUMNS} FROM messages AS m WHERE m.seq = ?"  # noqa: S608 - constants
_TOUCH: Final = """
    UPDATE sessions SET
        updated_at = max(updated_at, :at),
        message_count = message_count + 1,
        turn_count = turn_count + (:role = 'user')
    WHERE id = :session_id
"""
_FORK: Final = """
    INSERT INTO sessions (
        id, owner, key, platform, model, provider, working_dir, personality_id,
        parent_session_id, title, title_terms, metadata, pinned, was_shared, usage,
        message_count, turn_count, born, created_at, updated_at
    )
    SELECT
        :new, owner, key || :suffix, platform, model, provider, working_dir,
        personality_id, id, title, title_terms, metadata, pinned, was_shared, usage,
        message_count, turn_count, (SELECT coalesce(max(seq), 0) FROM messages),
        :now, :now
    FROM sessions WHERE id = :id
"""
_FORK_MESSAGES: Final = """
    INSERT INTO messages (
        id, session_id, owner, role, at, tool_call_id, tool_name, trace_id, usage,
        tool_calls, content_blocks, content, length, terms
    )
    SELECT
        lower(hex(randomblob(16))), :new, owner, role, at, tool_call_id, tool_name,
        trace_id, usage, tool_calls, content_blocks, content, length, terms
    FROM messages WHERE session_id = :id ORDER BY seq
"""
_TURN_STARTS: Final = """
    SELECT seq FROM messages WHERE session_id = :id AND role = 'user'
    ORDER BY seq DESC LIMIT :turns
"""
_RECOUNT: Final = """
    UPDATE sessions SET
        updated_at = max(updated_at, :now),
        message_count = (SELECT count(*) FROM messages WHERE session_id = :id),
        turn_count = turn_count - :undone,
        usage = :usage
    WHERE id = :id
"""
_USAGE: Final = """
    SELECT usage FROM messages WHERE session_id = ? AND usage IS NOT NULL
"""

#: The fields that `change` can set, each with how.
CHANGES: Final = {
    "title": "title = :title, title_terms = :title_terms",
    "pinned": "pinned = :pinned",
    "metadata": "metadata = :metadata",
    "was_shared": "was_shared = max(was_shared, :was_shared)",
    "personality_id": "personality_id = :personality_id",
    "model": "model = :model",
    "provider": "provider = :provider",
    "working_dir": "working_dir = :working_dir",
}


@frozen
class Draft:
    """A message that is ready to be stored: checked, cleaned and written as JSON."""

    role: str
    content: str = field(repr=False)
    at: int = field(kw_only=True)
    tool_calls: str | None = field(kw_only=True, repr=False)
    tool_call_id: str | None = field(kw_only=True)
    tool_name: str | None = field(kw_only=True)
    content_blocks: str | None = field(kw_only=True, repr=False)
    usage: str | None = field(kw_only=True, repr=False)
    trace_id: str | None = field(kw_only=True)
    terms: str = field(kw_only=True, repr=False)


def _new_id() -> str:
    return uuid4().hex


def create(
    connection: Connection, boundary: Boundary, values: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Insert a session unless the owner has one with this key; return its row."""
    if boundary.owner is None:
        raise NotPermittedError("a session needs an owner; create it for one")
    if values["parent_session_id"] is not None:
        require(connection, boundary, values["parent_session_id"])
    owned = {"owner": boundary.owner, "key": values["key"]}
    connection.execute(_CREATE, {**values, **owned, "id": _new_id()})
    found = connection.execute(
        f"SELECT {SESSION_COLUMNS} FROM sessions AS s "  # noqa: S608 - constants
        "WHERE s.owner = :owner AND s.key = :key",
        owned,
    )
    row: tuple[Any, ...] = found.fetchone()
    return row


def append(
    connection: Connection, boundary: Boundary, session_id: str, draft: Draft
) -> Message:
    """Insert a message at the end."""
    owner, usage = require(connection, boundary, session_id, "s.owner, s.usage")
    last = connection.execute(
        "SELECT role, length FROM messages WHERE session_id = ? "
        "ORDER BY seq DESC LIMIT 1",
        (session_id,),
    ).fetchone() or ("", 0)
    if draft.role == "tool_result" and last[0] not in _BEFORE_RESULT:
        raise MessageOrderError(
            "a tool_result must follow an assistant message or another tool_result"
        )
    values = {
        "id": _new_id(),
        "session_id": session_id,
        "owner": owner,
        "role": draft.role,
        "at": draft.at,
        "tool_call_id": draft.tool_call_id,
        "tool_name": draft.tool_name,
        "trace_id": draft.trace_id,
        "usage": draft.usage,
        "tool_calls": draft.tool_calls,
        "content_blocks": draft.content_blocks,
        "content": draft.content,
        "length": last[1] + draft.terms.count(" ") + bool(draft.terms),
        "terms": draft.terms,
    }
    stored = connection.execute(_APPEND, values)
    connection.execute(_TOUCH, values)
    if draft.usage is not None:
        _add_usage(connection, session_id, usage, draft.usage)
    row = connection.execute(_STORED, (stored.lastrowid,)).fetchone()
    return message(row, session_id)


def _total(written: Iterable[str]) -> str:
    """Add up what was used, name by name, as JSON text.

    Raises:
        ValueError: When one of the texts is damaged.
    """
    total: dict[str, float] = {}
    for text in written:
        for name, value in load(text, dict).items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if is_number and -_MOST_USED <= value <= _MOST_USED:
                total[name] = total.get(name, 0) + value
    return dump(total, what="usage")


def _usage(connection: Connection, id: str) -> str:
    """Add up what the messages used; damaged rows count for nothing."""
    rows = connection.execute(_USAGE, (id,)).fetchall()
    return _total(text for (text,) in rows if _is_sound(text))


def _is_sound(text: str) -> bool:
    with suppress(*DAMAGED):
        return bool(_total([text]))
    return False


def _add_usage(connection: Connection, id: str, total: str, more: str) -> None:
    # A damaged sum is made anew: the messages are the truth.
    written = _total([total, more]) if _is_sound(total) else _usage(connection, id)
    connection.execute("UPDATE sessions SET usage = ? WHERE id = ?", (written, id))


def fork(
    connection: Connection, boundary: Boundary, id: str, *, now: int
) -> tuple[Any, ...]:
    """Copy a session with its messages; return the copy's row."""
    require(connection, boundary, id)
    new = _new_id()
    # The id is in the key, so that two forks within one clock tick have two keys.
    values = {"id": id, "new": new, "suffix": f":fork:{new[:12]}", "now": now}
    connection.execute(_FORK, values)
    connection.execute(_FORK_MESSAGES, values)
    return require(connection, boundary, new, SESSION_COLUMNS)


def change(
    connection: Connection, boundary: Boundary, id: str, values: dict[str, Any]
) -> tuple[Any, ...]:
    """Set some columns of a session; return its row."""
    (bound,) = require(connection, boundary, id, "s.personality_id")
    if bound is not None and values.get("personality_id", bound) != bound:
        raise NotPermittedError("the session is bound to another personality")
    columns = [CHANGES[name] for name in CHANGES if name in values]
    if columns:
        connection.execute(
            f"UPDATE sessions SET {', '.join(columns)}, "  # noqa: S608 - constants
            "updated_at = max(updated_at, :now) WHERE id = :id",
            {**values, "id": id},
        )
    return require(connection, boundary, id, SESSION_COLUMNS)


def undo(
    connection: Connection, boundary: Boundary, id: str, *, turns: int, now: int
) -> int:
    """Delete the last turns; return how many there were."""
    require(connection, boundary, id)
    starts = connection.execute(_TURN_STARTS, {"id": id, "turns": turns}).fetchall()
    if starts:
        connection.execute(
            "DELETE FROM messages WHERE session_id = ? AND seq >= ?",
            (id, starts[-1][0]),
        )
        usage = _usage(connection, id)
        connection.execute(
            _RECOUNT, {"id": id, "now": now, "undone": len(starts), "usage": usage}
        )
    return len(starts)


def delete(connection: Connection, boundary: Boundary, id: str) -> None:
    """Delete a session; messages and search rows go with it."""
    statement = "DELETE FROM sessions WHERE id = :id AND owner = :owner"
    done = connection.execute(
        boundary.within(statement), {"id": id, "owner": boundary.owner}
    )
    if not done.rowcount:
        raise SessionNotFoundError("no such session")


def erase(connection: Connection, owner: str) -> int:
    """Delete all of an owner's sessions; return how many there were."""
    done = connection.execute("DELETE FROM sessions WHERE owner = ?", (owner,))
    if done.rowcount:
        # Deleted words stay in an index until its parts are merged.
        for index in ("message_search", "title_search"):
            connection.execute(
                f"INSERT INTO {index} ({index}) VALUES ('optimize')"  # noqa: S608 - constants
            )
    return done.rowcount
