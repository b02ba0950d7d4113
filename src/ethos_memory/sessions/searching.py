"""Messages that answer what a person typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.sessions.hits import HALF, message_hit
from ethos_memory.sessions.reading import require
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from ethos_memory.sessions.arguments import SearchFilters
    from ethos_memory.sessions.record import MessageHit
    from ethos_memory.sessions.rows import Boundary

__all__ = ["search"]

# The boundary and the filters stand inside, so that the limit counts what is left. The
# full-text table sorts by itself (CROSS JOIN keeps it first), and of what it found the
# messages are looked at only until the limit is reached. It ranks whatever it found:
# in one session, no more than what lies between its first and its last message.
_MATCHES: Final = """
    SELECT m.seq, m.session_id, m.id, m.content, m.at, message_search.rank
    FROM message_search CROSS JOIN messages AS m ON m.seq = message_search.rowid
    WHERE message_search MATCH :expression AND m.owner = :owner
        AND (:session_id IS NULL OR m.session_id = :session_id)
        AND message_search.rowid BETWEEN coalesce(
            (SELECT min(seq) FROM messages WHERE session_id = :session_id),
            -9223372036854775808
        ) AND coalesce(
            (SELECT max(seq) FROM messages WHERE session_id = :session_id),
            9223372036854775807
        )
        AND (:since IS NULL OR m.at >= :since)
        AND (:until IS NULL OR m.at <= :until)
    ORDER BY message_search.rank
    LIMIT :most
"""
_CONTENT: Final = 3

#: SQLite's word for no limit.
_ALL: Final = -1


def search(
    connection: Connection,
    boundary: Boundary,
    query: str,
    *,
    filters: SearchFilters,
    limit: int,
) -> tuple[MessageHit, ...]:
    """Return the best matches: first those with every word, then those with any."""
    if filters.session_id is not None:
        require(connection, boundary, filters.session_id)
    wanted = parse_wanted(query)
    if not wanted or not limit:
        return ()
    for asked in wanted.readings():
        hits = _hits(connection, boundary, asked, filters, limit=limit)
        if hits:
            return hits
    return ()


def _hits(
    connection: Connection,
    boundary: Boundary,
    wanted: Wanted,
    filters: SearchFilters,
    *,
    limit: int,
) -> tuple[MessageHit, ...]:
    tiers = dict.fromkeys((wanted.all_of_it(), wanted.any_of_it()))
    hits: dict[int, MessageHit] = {}
    for expression, base in zip(tiers, (HALF, 0.0), strict=False):
        # A phrase is checked after the query: nobody knows how many will do.
        most = _ALL if wanted.phrases else limit + len(hits)
        matches = _matches(connection, boundary, expression, filters, most=most)
        fresh = [
            row
            for row in matches
            if row[0] not in hits and is_phrase_in(row[_CONTENT], wanted.phrases)
        ][: limit - len(hits)]
        for row in fresh:
            seq, session_id, id, content, at, rank = row
            score = base + HALF * rank / fresh[0][-1]
            hits[seq] = message_hit(
                (session_id, id), content, at=at, wanted=wanted, score=score
            )
        if len(hits) == limit:
            break
    return tuple(hits.values())


def _matches(
    connection: Connection,
    boundary: Boundary,
    expression: str,
    filters: SearchFilters,
    *,
    most: int,
) -> Iterable[tuple[Any, ...]]:
    return connection.execute(
        boundary.within(_MATCHES),
        {
            "expression": expression,
            "owner": boundary.owner,
            "session_id": filters.session_id,
            "since": filters.since,
            "until": filters.until,
            "most": most,
        },
    )
