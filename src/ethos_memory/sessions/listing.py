"""Lists of conversations, as the store was when the first page was asked for."""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import log
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.reading import cursor_key
from ethos_memory.sessions.record import Page, Session
from ethos_memory.sessions.rows import SESSION_COLUMNS, Boundary, session, sort_out
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

__all__ = ["ListFilters", "sessions"]

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

#: Okapi BM25's usual constants, the same as SQLite's full-text search.
_K1: Final = 1.2
_B: Final = 0.75

#: A word in a title weighs as much as in this many messages.
_TITLE_WEIGHT: Final = 3

#: How much the best single message weighs beside the session as a whole: an answer
#: often stands in one message of a long talk about other things. Tuned on LoCoMo and
#: on generated sets (`tests/bench/bench_sessions.py`), where 0.5 to 2 are alike.
_MESSAGE_WEIGHT: Final = 1.0


@frozen
class ListFilters:
    """What a list is narrowed to; `since` in microseconds. `None` narrows nothing."""

    key_prefix: str | None = None
    since: int | None = None

    def scope(self) -> tuple[str, ...]:
        """Return what a cursor is bound to."""
        return (repr(self.key_prefix), repr(self.since))


@frozen
class _Candidate:
    """One session on its way into a list; the largest of these stands first."""

    group: int
    rank: float
    seq: int
    id: str

    def order(self) -> tuple[int, float, int]:
        return (self.group, self.rank, self.seq)


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
    scope = ("sessions", repr(boundary.owner), q, *filters.scope())
    after = None if cursor is None else unseal(key, scope, cursor)
    if not limit:
        return Page((), None)
    state = after or _now(connection)
    wanted = parse_wanted(q)
    if q.strip() and not wanted:
        return Page((), None)
    listed = _listed(connection, boundary, wanted, filters, state)
    if after:
        passed = (after.group, after.rank, after.seq)
        listed = [candidate for candidate in listed if candidate.order() < passed]
    sealed = partial(seal, key, scope)
    return _page(connection, listed, limit=limit, state=state, sealed=sealed)


def _now(connection: Connection) -> Place:
    messages, sessions = connection.execute(_NEWEST).fetchone()
    return Place(newest_message=messages, newest_session=sessions)


def _page(
    connection: Connection,
    listed: list[_Candidate],
    *,
    limit: int,
    state: Place,
    sealed: Callable[[Place], str],
) -> Page[Session]:
    """Read the first rows of a list; damaged ones do not count."""
    items: list[Session] = []
    damaged: list[str] = []
    for index, candidate in enumerate(listed, 1):
        rows = connection.execute(_ROW, (candidate.seq,))
        good, unreadable = sort_out(rows, session)
        items.extend(good)
        damaged.extend(unreadable)
        if len(items) == limit and index < len(listed):
            place = evolve(
                state,
                group=candidate.group,
                rank=candidate.rank,
                seq=candidate.seq,
            )
            return Page(tuple(items), sealed(place), unreadable=tuple(damaged))
    return Page(tuple(items), None, unreadable=tuple(damaged))


def _listed(
    connection: Connection,
    boundary: Boundary,
    wanted: Wanted,
    filters: ListFilters,
    state: Place,
) -> list[_Candidate]:
    """Return every session of the list, in its order."""
    prefix = filters.key_prefix
    rows = connection.execute(
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
    if wanted:
        found = _ranked(connection, boundary, wanted, rows, state)
        if not found and wanted.phrases and wanted.words:
            found = _ranked(connection, boundary, wanted.unquoted(), rows, state)
    else:
        found = [_Candidate(pinned, last, seq, id) for seq, id, pinned, last, _ in rows]
    return sorted(found, key=_Candidate.order, reverse=True)


def _ranked(
    connection: Connection,
    boundary: Boundary,
    wanted: Wanted,
    rows: list[tuple[Any, ...]],
    state: Place,
) -> list[_Candidate]:
    """Score sessions over this caller's sessions alone.

    Each by BM25 as one text, and by the words that its best message holds together.
    """
    seqs = {id: seq for seq, id, *_ in rows}
    mean = sum(row[-1] for row in rows) / max(1, len(rows)) or 1.0
    norms = {row[1]: _K1 * (1 - _B + _B * row[-1] / mean) for row in rows}
    scores: Counter[str] = Counter()
    held: Counter[str] = Counter()
    together: dict[tuple[str, int], float] = {}
    must = set(seqs)
    for piece in dict.fromkeys((*wanted.units, *wanted.pieces)):
        is_phrase = piece in wanted.phrases
        found = _holders(connection, boundary, piece, state, is_exact=is_phrase)
        counts = Counter(id for id, _ in found if id in seqs)
        weight = _weight(len(counts), len(rows))
        for id, count in counts.items():
            scores[id] += weight * count * (_K1 + 1) / (count + norms[id])
            held[id] += piece in wanted.units
        alone = _weight(len(found), state.newest_message)
        for holder in set(found):
            together[holder] = together.get(holder, 0.0) + alone
        if is_phrase:
            must &= set(counts)
    best: dict[str, float] = {}
    for (id, _), weight in together.items():
        best[id] = max(weight, best.get(id, 0.0))
    return [
        _Candidate(
            held[id] == len(wanted.units),
            score + _MESSAGE_WEIGHT * best[id],
            seqs[id],
            id,
        )
        for id, score in scores.items()
        if id in must
    ]


def _weight(holders: int, total: int) -> float:
    """Return how telling a word is: the rarer, the larger; never below 0."""
    return log(1 + max(0, total - holders) / (holders + 0.5) + 0.5 / (holders + 0.5))


def _holders(
    connection: Connection,
    boundary: Boundary,
    piece: tuple[str, ...],
    state: Place,
    *,
    is_exact: bool,
) -> list[tuple[str, int]]:
    """Return the session and number of each message that holds a word.

    A title counts as several messages, all of the number 0.
    """
    asked = {
        "expression": quoted(piece),
        "owner": boundary.owner,
        "newest_message": state.newest_message,
    }
    phrases = [piece] if is_exact else []
    if is_exact:
        rows = connection.execute(boundary.within(_HOLDERS_WITH_TEXT), asked)
        found = [(id, seq) for id, seq, text in rows if is_phrase_in(text, phrases)]
    else:
        found = connection.execute(boundary.within(_HOLDERS), asked).fetchall()
    for id, title in connection.execute(boundary.within(_TITLES), asked):
        if is_phrase_in(title, phrases):
            found.extend([(id, 0)] * _TITLE_WEIGHT)
    return found
