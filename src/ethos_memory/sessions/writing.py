"""Everything that changes a conversation. Each function runs inside one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from ethos_memory.errors import SessionNotFoundError
from ethos_memory.sessions.invariants import (
    check_binding,
    check_order,
    fork_suffix,
    require_owner,
)
from ethos_memory.sessions.reading import require
from ethos_memory.sessions.rows import (
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    Boundary,
    message,
)
from ethos_memory.sessions.usage import is_sound, total_of, total_of_sound

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from ethos_memory.sessions.arguments import Draft
    from ethos_memory.sessions.record import Message

__all__ = [
    "CHANGES",
    "append",
    "change",
    "create",
    "delete",
    "erase",
    "fork",
    "undo",
]

#: The columns of a new session, in the order in which its values are given.
_NEW_SESSION: Final = """
    id, owner, key, platform, model, provider, working_dir, personality_id,
    parent_session_id, title, title_terms, metadata, pinned, was_shared, usage,
    message_count, turn_count, born, created_at, updated_at
"""

#: The same of a new message.
_NEW_MESSAGE: Final = """
    id, session_id, owner, role, at, tool_call_id, tool_name, trace_id, usage,
    tool_calls, content_blocks, content, length, terms
"""

_CREATE: Final = f"""
    INSERT INTO sessions ({_NEW_SESSION}) VALUES (
        :id, :owner, :key, :platform, :model, :provider, :working_dir,
        :personality_id, :parent_session_id, :title, :title_terms, :metadata, :pinned,
        :was_shared, '{{}}', 0, 0, (SELECT coalesce(max(seq), 0) FROM messages),
        :now, :now
    ) ON CONFLICT (owner, key) DO UPDATE
    SET was_shared = max(was_shared, excluded.was_shared)
"""  # noqa: S608 - constants
_APPEND: Final = f"""
    INSERT INTO messages ({_NEW_MESSAGE}) VALUES (
        :id, :session_id, :owner, :role, :at, :tool_call_id, :tool_name, :trace_id,
        :usage, :tool_calls, :content_blocks, :content, :length, :terms
    )
"""  # noqa: S608 - constants
_STORED: Final = f"SELECT {MESSAGE_COLUMNS} FROM messages AS m WHERE m.seq = ?"  # noqa: S608 - constants
_TOUCH: Final = """
    UPDATE sessions SET
        updated_at = max(updated_at, :at),
        message_count = message_count + 1,
        turn_count = turn_count + (:role = 'user')
    WHERE id = :session_id
"""
_FORK: Final = f"""
    INSERT INTO sessions ({_NEW_SESSION})
    SELECT
        :new, owner, key || :suffix, platform, model, provider, working_dir,
        personality_id, id, title, title_terms, metadata, pinned, was_shared, usage,
        message_count, turn_count, (SELECT coalesce(max(seq), 0) FROM messages),
        :now, :now
    FROM sessions WHERE id = :id
"""  # noqa: S608 - constants
_FORK_MESSAGES: Final = f"""
    INSERT INTO messages ({_NEW_MESSAGE})
    SELECT
        lower(hex(randomblob(16))), :new, owner, role, at, tool_call_id, tool_name,
        trace_id, usage, tool_calls, content_blocks, content, length, terms
    FROM messages WHERE session_id = :id ORDER BY seq
"""  # noqa: S608 - constants
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


def _new_id() -> str:
    return uuid4().hex


def create(
    connection: Connection, boundary: Boundary, values: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Insert a session unless the owner has one with this key; return its row."""
    owner = require_owner(boundary.owner)
    if values["parent_session_id"] is not None:
        require(connection, boundary, values["parent_session_id"])
    owned = {"owner": owner, "key": values["key"]}
    connection.execute(_CREATE, {**values, **owned, "id": _new_id()})
    found = connection.execute(
        f"SELECT {SESSION_COLUMNS} FROM sessions AS s "  # noqa: S608 - constants
        "WHERE s.owner = :owner AND s.key = :key",
        owned,
    )
    row: tuple[Any, ...] = found.fetchone()
    return row


def append(
    connection: Connection,
    boundary: Boundary,
    session_id: str,
    draft: Draft,
    *,
    at: int,
    terms: str,
) -> Message:
    """Insert a message, with its search terms, at the end."""
    owner, usage = require(connection, boundary, session_id, "s.owner, s.usage")
    last = connection.execute(
        "SELECT role, length FROM messages WHERE session_id = ? "
        "ORDER BY seq DESC LIMIT 1",
        (session_id,),
    ).fetchone() or (None, 0)
    check_order(draft.role, last[0])
    values = {
        **draft.columns(),
        "id": _new_id(),
        "session_id": session_id,
        "owner": owner,
        "at": at,
        "length": last[1] + terms.count(" ") + bool(terms),
        "terms": terms,
    }
    stored = connection.execute(_APPEND, values)
    connection.execute(_TOUCH, values)
    if draft.usage is not None:
        _add_usage(connection, session_id, usage, draft.usage)
    row = connection.execute(_STORED, (stored.lastrowid,)).fetchone()
    return message(row, session_id)


def _usage(connection: Connection, id: str) -> str:
    """Add up what the messages used; damaged rows count for nothing."""
    rows = connection.execute(_USAGE, (id,)).fetchall()
    return total_of_sound(text for (text,) in rows)


def _add_usage(connection: Connection, id: str, total: str, more: str) -> None:
    # A damaged sum is made anew: the messages are the truth.
    written = total_of([total, more]) if is_sound(total) else _usage(connection, id)
    connection.execute("UPDATE sessions SET usage = ? WHERE id = ?", (written, id))


def fork(
    connection: Connection, boundary: Boundary, id: str, *, now: int
) -> tuple[Any, ...]:
    """Copy a session with its messages; return the copy's row."""
    require(connection, boundary, id)
    new = _new_id()
    values = {"id": id, "new": new, "suffix": fork_suffix(new), "now": now}
    connection.execute(_FORK, values)
    connection.execute(_FORK_MESSAGES, values)
    return require(connection, boundary, new, SESSION_COLUMNS)


def change(
    connection: Connection, boundary: Boundary, id: str, values: dict[str, Any]
) -> tuple[Any, ...]:
    """Set some columns of a session; return its row."""
    (bound,) = require(connection, boundary, id, "s.personality_id")
    check_binding(bound, values)
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
