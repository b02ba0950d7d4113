"""Single sessions, pages of messages and exports, in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import SessionNotFoundError
from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.postgres_rows import (
    MESSAGE_COLUMNS,
    Bound,
    message,
    session,
)
from ethos_memory.sessions.record import Message, Page
from ethos_memory.sessions.rows import SESSION_COLUMNS, exported, sort_out

if TYPE_CHECKING:
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.record import SessionExport

__all__ = ["cursor_key", "export", "messages", "query", "require"]

# The turns are counted down from the newest; one more than asked tells if there is
# another page.
_STARTS: Final = """
    select m.seq from messages as m
    where m.session_id = %(id)s and m.seq < %(before)s and m.role = 'user'
    order by m.seq desc limit %(turns)s
"""
_MESSAGES: Final = (
    f"select {MESSAGE_COLUMNS} from messages as m "  # noqa: S608 - constants
    "where m.session_id = %(id)s and m.seq >= %(first)s and m.seq < %(before)s "
    "order by m.seq"
)
_ALL: Final = (
    f"select {MESSAGE_COLUMNS} from messages as m "  # noqa: S608 - constants
    "where m.session_id = %(id)s order by m.seq"
)

#: Larger than any row number.
_END: Final = 2**63 - 1

#: The most turns that PostgreSQL takes as a limit, with room for one more.
_MOST: Final = 2**31


def query(
    connection: Connection,
    statement: str | bytes,
    asked: dict[str, Any],
    *,
    is_planned_anew: bool = False,
) -> list[tuple[Any, ...]]:
    """Return the rows of an answer, in binary.

    Args:
        connection: To the server.
        statement: The question.
        asked: Its values.
        is_planned_anew: Whether the best way hangs on the values. A plan for any value
            that may be null uses no index: thirty times as slow for a rare word.
    """
    data = statement.encode() if isinstance(statement, str) else statement
    with connection.cursor(binary=True) as cursor:
        prepare = False if is_planned_anew else None
        return cursor.execute(data, asked, prepare=prepare).fetchall()


def require(
    connection: Connection, bound: Bound, id: str, columns: str, *, lock: bool = False
) -> tuple[Any, ...]:
    """Return columns of a session that the caller may see.

    Raises:
        SessionNotFoundError: When there is none, or it is somebody else's.
    """
    statement = (
        f"select {columns} from sessions as s "  # noqa: S608 - constants
        "where s.id = %(id)s and owned = %(owned)s"
    )
    rows = query(
        connection,
        bound.within(f"{statement} for update" if lock else statement),
        {"id": id, "owned": bound.owned},
    )
    if not rows:
        raise SessionNotFoundError("no such session")
    return rows[0]


def cursor_key(connection: Connection) -> bytes:
    """Return the key that this store seals its cursors with."""
    [(key,)] = query(connection, "select cursor_key from store", {})
    return bytes(key)


def messages(
    connection: Connection, bound: Bound, id: str, *, before: str | None, turns: int
) -> Page[Message]:
    """Return the newest whole turns older than a cursor."""
    require(connection, bound, id, "s.seq")
    key, scope = cursor_key(connection), ("messages", id)
    end = _END if before is None else unseal(key, scope, before).seq
    if not turns:
        return Page((), None)
    asked = {"id": id, "before": end, "turns": min(turns, _MOST) + 1, "first": 0}
    starts = [seq for (seq,) in query(connection, _STARTS, asked)]
    cursor = None
    if len(starts) > turns:
        asked["first"] = starts[turns - 1]
        cursor = seal(key, scope, Place(seq=starts[turns - 1]))
    good, damaged = sort_out(query(connection, _MESSAGES, asked), message)
    return Page(good, cursor, unreadable=damaged)


def export(connection: Connection, bound: Bound, id: str) -> SessionExport:
    """Return one conversation whole."""
    row = require(connection, bound, id, SESSION_COLUMNS)
    said = query(connection, _ALL, {"id": id})
    return exported(row, session, sort_out(said, message))
