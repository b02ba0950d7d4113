"""Messages that answer what a person typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ethos_memory.sessions.reading import require
from ethos_memory.sessions.record import MessageHit
from ethos_memory.sessions.rows import Boundary, moment
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, locate, parse_wanted
from ethos_memory.words import snippet

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

__all__ = ["Filters", "search"]

# The boundary and the filters stand inside, so that the limit counts what is left. The
# full-text table sorts by itself (CROSS JOIN keeps it first), and of what it found the
# messages are looked at only until the limit is reached.
_MATCHES: Final = """
    SELECT m.seq, m.session_id, m.id, m.content, m.at, message_search.rank
    FROM message_search CROSS JOIN messages AS m ON m.seq = message_search.rowid
    WHERE message_search MATCH :expression AND m.owner = :owner
        AND (:session_id IS NULL OR m.session_id = :session_id)
        AND (:since IS NULL OR m.at >= :since)
        AND (:until IS NULL OR m.at <= :until)
    ORDER BY message_search.rank
    LIMIT :most
"""
_CONTENT: Final = 3

#: A score is a share of the best hit's, to this many digits. BM25's own figure would
#: tell how frequent a word is in conversations that the caller may not see.
_SCORE_DIGITS: Final = 3

#: What holds every word scores above this, everything else at most this.
_HALF: Final = 0.5

#: SQLite's word for no limit.
_ALL: Final = -1


@frozen
class Filters:
    """What a search is narrowed to; `None` narrows nothing. Times in microseconds."""

    session_id: str | None = None
    since: int | None = None
    until: int | None = None


def search(
    connection: Connection,
    boundary: Boundary,
    query: str,
    *,
    filters: Filters,
    limit: int,
) -> tuple[MessageHit, ...]:
    """Return the best matches: first those with every word, then those with any."""
    if filters.session_id is not None:
        require(connection, boundary, filters.session_id)
    wanted = parse_wanted(query)
    if not wanted or not limit:
        return ()
    hits = _hits(connection, boundary, wanted, filters, limit=limit)
    if not hits and wanted.phrases and wanted.words:
        hits = _hits(connection, boundary, wanted.unquoted(), filters, limit=limit)
    return tuple(hits)


def _hits(
    connection: Connection,
    boundary: Boundary,
    wanted: Wanted,
    filters: Filters,
    *,
    limit: int,
) -> Iterable[MessageHit]:
    tiers = dict.fromkeys((wanted.all_of_it(), wanted.any_of_it()))
    hits: dict[int, MessageHit] = {}
    for expression, base in zip(tiers, (_HALF, 0.0), strict=False):
        # A phrase is checked after the query: nobody knows how many will do.
        most = _ALL if wanted.phrases else limit + len(hits)
        matches = _matches(connection, boundary, expression, filters, most=most)
        fresh = [
            row
            for row in matches
            if row[0] not in hits and is_phrase_in(row[_CONTENT], wanted.phrases)
        ][: limit - len(hits)]
        for row in fresh:
            hits[row[0]] = _hit(row, wanted, base + _HALF * row[-1] / fresh[0][-1])
        if len(hits) == limit:
            break
    return hits.values()


def _matches(
    connection: Connection,
    boundary: Boundary,
    expression: str,
    filters: Filters,
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


def _hit(row: tuple[Any, ...], wanted: Wanted, score: float) -> MessageHit:
    _, session_id, id, content, at, _ = row
    start, end = locate(content, wanted)
    return MessageHit(
        session_id,
        id,
        snippet=snippet(content, start, end),
        score=round(score, _SCORE_DIGITS),
        at=moment(at),
    )
