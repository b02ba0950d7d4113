"""Lists of conversations, as the store was when the first page was asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.ranking import (
    TITLE_WEIGHT,
    Candidate,
    Holders,
    listed,
)
from ethos_memory.sessions.reading import cursor_key
from ethos_memory.sessions.record import Page, Session
from ethos_memory.sessions.rows import SESSION_COLUMNS, session, sort_out
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

    from ethos_memory.sessions.arguments import ListFilters
    from ethos_memory.sessions.rows import Boundary

__all__ = ["sessions"]

# A session's place is its last message as of the first page, so that one that is
# spoken in meanwhile stays where it was. One without messages stands where it began.
_CONSIDERED: Final = """
    SELECT s.seq, s.id, s.pinned, coalesce(m.seq, s.born), coalesce(m.length, 0)
    FROM sessions AS s LEFT JOIN messages AS m ON m.seq = (
        SELECT max(seq) FROM messages
        WHERE session_id = s.id AND seq <= :newest_message
    )
    WHERE s.owner = :owner AND s.seq <= :newest_session
        AND (:since IS NULL OR s.updated_at >= :since)
        AND (:prefix IS NULL OR substr(s.key, 1, :prefix_length) = :prefix)
"""
_ROW: Final = f"SELECT {SESSION_COLUMNS} FROM sessions AS s WHERE s.seq = ?"  # noqa: S608 - constants
_NEWEST: Final = """
    SELECT coalesce((SELECT max(seq) FROM messages), 0),
        coalesce((SELECT max(seq) FROM sessions), 0)
"""
_HOLDERS: Final = """
    SELECT m.session_id, m.seq
    FROM message_search CROSS JOIN messages AS m ON m.seq = message_search.rowid
    WHERE message_search MATCH :expression AND m.owner = :owner
        AND m.seq <= :newest_message
"""
_HOLDERS_WITH_TEXT: Final = """
    SELECT m.session_id, m.seq, m.content
    FROM message_search CROSS JOIN messages AS m ON m.seq = message_search.rowid
    WHERE message_search MATCH :expression AND m.owner = :owner
        AND m.seq <= :newest_message
"""
_TITLES: Final = """
    SELECT s.id, s.title
    FROM title_search JOIN sessions AS s ON s.seq = title_search.rowid
    WHERE title_search MATCH :expression AND s.owner = :owner
"""


def sessions(
    connection: Connection,
    boundary: Boundary,
    q: str,
    *,
    filters: ListFilters,
    limit: int,
    cursor: str | None,
) -> Page[Session]:
    """Return one page of the sessions a caller may see."""
    key = cursor_key(connection)
    scope = filters.cursor_scope(boundary.owner, q)
    after = None if cursor is None else unseal(key, scope, cursor)
    if not limit:
        return Page((), None)
    state = after or _now(connection)
    wanted = parse_wanted(q)
    if q.strip() and not wanted:
        return Page((), None)
    found = listed(
        _considered(connection, boundary, filters, state),
        wanted,
        partial(_holders, connection, boundary, state),
        state=state,
        after=after,
    )
    sealed = partial(seal, key, scope)
    return _page(connection, found, limit=limit, state=state, sealed=sealed)


def _now(connection: Connection) -> Place:
    messages, sessions = connection.execute(_NEWEST).fetchone()
    return Place(newest_message=messages, newest_session=sessions)


def _page(
    connection: Connection,
    found: list[Candidate],
    *,
    limit: int,
    state: Place,
    sealed: Callable[[Place], str],
) -> Page[Session]:
    """Read the first rows of a list; damaged ones do not count."""
    items: list[Session] = []
    damaged: list[str] = []
    for index, candidate in enumerate(found, 1):
        rows = connection.execute(_ROW, (candidate.seq,))
        good, unreadable = sort_out(rows, session)
        items.extend(good)
        damaged.extend(unreadable)
        if len(items) == limit and index < len(found):
            cursor = sealed(candidate.place(state))
            return Page(tuple(items), cursor, unreadable=tuple(damaged))
    return Page(tuple(items), None, unreadable=tuple(damaged))


def _considered(
    connection: Connection, boundary: Boundary, filters: ListFilters, state: Place
) -> list[tuple[Any, ...]]:
    prefix = filters.key_prefix
    return connection.execute(
        boundary.within(_CONSIDERED),
        {
            "owner": boundary.owner,
            "newest_message": state.newest_message,
            "newest_session": state.newest_session,
            "since": filters.since,
            "prefix": prefix,
            "prefix_length": len(prefix or ""),
        },
    ).fetchall()


def _holders(
    connection: Connection, boundary: Boundary, state: Place, wanted: Wanted
) -> Holders:
    """Return the messages that hold each word; see `Holders`."""
    return {
        word: _holders_of(
            word, connection, boundary, state, is_exact=word in wanted.phrases
        )
        for word in wanted.sought
    }


def _holders_of(
    word: tuple[str, ...],
    connection: Connection,
    boundary: Boundary,
    state: Place,
    *,
    is_exact: bool,
) -> list[tuple[str, int]]:
    asked = {
        "expression": quoted(word),
        "owner": boundary.owner,
        "newest_message": state.newest_message,
    }
    phrases = [word] if is_exact else []
    if is_exact:
        rows = connection.execute(boundary.within(_HOLDERS_WITH_TEXT), asked)
        found = [(id, seq) for id, seq, text in rows if is_phrase_in(text, phrases)]
    else:
        found = connection.execute(boundary.within(_HOLDERS), asked).fetchall()
    for id, title in connection.execute(boundary.within(_TITLES), asked):
        if is_phrase_in(title, phrases):
            found.extend([(id, 0)] * TITLE_WEIGHT)
    return found
