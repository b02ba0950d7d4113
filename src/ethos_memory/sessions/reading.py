"""Single sessions and pages of messages."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import SessionNotFoundError
from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.encoding import DAMAGED
from ethos_memory.sessions.record import Message, Page
from ethos_memory.sessions.rows import (
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    Boundary,
    message,
    report,
    sort_out,
)

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["all_messages", "cursor_key", "messages", "require", "session_row"]

_OLDER: Final = (
    f"SELECT {MESSAGE_COLUMNS} FROM messages AS m "  # noqa: S608 - constants
    "WHERE m.session_id = :id AND m.seq < :before ORDER BY m.seq DESC"
)
_HAS_OLDER_TURN: Final = """
    SELECT EXISTS (
        SELECT 1 FROM messages WHERE session_id = ? AND seq < ? AND role = 'user'
    )
"""
_KEY: Final = "(SELECT cursor_key FROM store)"
_ROLE: Final = 1
_SEQ: Final = 4

#: Larger than any row number.
_END: Final = 2**63 - 1


def require(
    connection: Connection, boundary: Boundary, id: str, columns: str = "s.seq"
) -> tuple[Any, ...]:
    """Return columns of a session that the caller may see.

    Raises:
        SessionNotFoundError: When there is none, or it is somebody else's.
    """
    statement = (
        f"SELECT {columns} FROM sessions AS s "  # noqa: S608 - constants
        "WHERE s.id = :id AND s.owner = :owner"
    )
    row: tuple[Any, ...] | None = connection.execute(
        boundary.within(statement), {"id": id, "owner": boundary.owner}
    ).fetchone()
    if row is None:
        raise SessionNotFoundError("no such session")
    return row


def session_row(connection: Connection, boundary: Boundary, id: str) -> tuple[Any, ...]:
    """Return a session's row.

    Raises:
        SessionNotFoundError: When there is none, or it is somebody else's.
    """
    return require(connection, boundary, id, SESSION_COLUMNS)


def cursor_key(connection: Connection) -> bytes:
    """Return the key that this store seals its cursors with."""
    (key,) = connection.execute("SELECT cursor_key FROM store").fetchone()
    return bytes(key)


def messages(
    connection: Connection,
    boundary: Boundary,
    id: str,
    *,
    before: str | None,
    turns: int,
) -> Page[Message]:
    """Return the newest whole turns older than a cursor."""
    (key,) = require(connection, boundary, id, _KEY)
    scope = ("messages", id)
    start = _END if before is None else unseal(key, scope, before).seq
    if not turns:
        return Page((), None)
    good: list[Message] = []
    damaged: list[str] = []
    cursor = None
    is_readable = False
    asked = {"id": id, "before": start}
    # An unfinished query that outlives this call would hold this state of the file.
    with closing(connection.execute(_OLDER, asked)) as rows:
        for row in rows:
            # One loop and no calls: a page is read on every turn of an agent.
            try:
                good.append(message(row, id))
                is_readable = True
            except DAMAGED:
                damaged.append(row[0])
            if row[_ROLE] == "user":
                turns -= is_readable
                is_readable = False
                if turns <= 0 and _has_older_turn(connection, id, row[_SEQ]):
                    cursor = seal(key, scope, Place(seq=row[_SEQ]))
                    break
    report(damaged)
    return Page(tuple(reversed(good)), cursor, unreadable=tuple(reversed(damaged)))


def _has_older_turn(connection: Connection, id: str, seq: int) -> bool:
    (answer,) = connection.execute(_HAS_OLDER_TURN, (id, seq)).fetchone()
    return bool(answer)


def all_messages(
    connection: Connection, id: str
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """Return every message of a session in order, and the ids of damaged rows."""
    statement = (
        f"SELECT {MESSAGE_COLUMNS} FROM messages AS m "  # noqa: S608 - constants
        "WHERE m.session_id = ? ORDER BY m.seq"
    )
    rows = connection.execute(statement, (id,))
    return sort_out(rows, partial(message, session_id=id))
