"""Lists of conversations in PostgreSQL, as they were when the first page was asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.postgres_reading import cursor_key, query
from ethos_memory.sessions.postgres_rows import (
    SESSION_COLUMNS,
    Bound,
    count_of,
    session,
    stem_hashes,
    stems_of,
    text,
)
from ethos_memory.sessions.postgres_search import plain, weight_of
from ethos_memory.sessions.record import Page, Session
from ethos_memory.sessions.rows import sort_out
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted

if TYPE_CHECKING:
    from ethos_memory.pg.driver import Connection

__all__ = ["ListFilters", "sessions"]

# A session's place is its last message as of the first page, so that one that is
# spoken in meanwhile stays where it was. One without messages stands where it began.
_CONSIDERED: Final = """
    select s.seq, s.id, s.pinned, coalesce(m.seq, s.born), s.message_count, s.title
    from sessions as s left join lateral (
        select max(seq) as seq from messages
        where session_id = s.id and seq <= %(newest_message)s
    ) as m on true
    where owned = %(owned)s and s.seq <= %(newest_session)s
        and (%(since)s::bigint is null or s.updated_at >= %(since)s)
        and (
            %(prefix)s::bytea is null
            or substr(s.key, 1, octet_length(%(prefix)s::bytea)) = %(prefix)s
        )
"""
_ROWS: Final = (
    f"select {SESSION_COLUMNS}, s.seq from sessions as s "  # noqa: S608 - constants
    "where s.seq = any(%(seqs)s)"
)
_NEWEST: Final = """
    select coalesce((select max(seq) from messages), 0),
        coalesce((select max(seq) from sessions), 0)
"""
_HOLDERS: Final = """
    select m.session_id, m.seq, m.content from messages as m
    where owned = %(owned)s and m.stems && %(any)s::bigint[]
        and m.seq <= %(newest_message)s
    order by m.seq desc limit %(most)s
"""

#: The newest messages that hold any of the words are ranked.
MAX_HOLDERS: Final = 20_000

#: Okapi BM25's usual constants, the same as in SQLite.
_K1: Final = 1.2
_B: Final = 0.75

#: A word in a title weighs as much as in this many messages.
_TITLE_WEIGHT: Final = 3


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
    bound: Bound,
    q: str,
    *,
    filters: ListFilters,
    limit: int,
    cursor: str | None,
) -> Page[Session]:
    """Return one page of the sessions a caller may see."""
    key = cursor_key(connection)
    scope = ("sessions", repr(bound.owner), q, *filters.scope())
    after = None if cursor is None else unseal(key, scope, cursor)
    wanted = parse_wanted(q)
    if not limit or (q.strip() and not wanted):
        return Page((), None)
    state = after or _now(connection)
    listed = _listed(connection, bound, wanted, filters, state)
    if after:
        passed = (after.group, after.rank, after.seq)
        listed = [candidate for candidate in listed if candidate.order() < passed]
    shown, left = listed[:limit], listed[limit:]
    good, damaged = _read(connection, shown)
    if not left:
        return Page(good, None, unreadable=damaged)
    last = shown[-1]
    place = evolve(state, group=last.group, rank=last.rank, seq=last.seq)
    return Page(good, seal(key, scope, place), unreadable=damaged)


def _now(connection: Connection) -> Place:
    [(messages, sessions)] = query(connection, _NEWEST, {})
    return Place(newest_message=messages, newest_session=sessions)


def _read(
    connection: Connection, shown: list[_Candidate]
) -> tuple[tuple[Session, ...], tuple[str, ...]]:
    seqs = [candidate.seq for candidate in shown]
    rows = {row[-1]: row for row in query(connection, _ROWS, {"seqs": seqs})}
    return sort_out([rows[seq] for seq in seqs], session)


def _listed(
    connection: Connection,
    bound: Bound,
    wanted: Wanted,
    filters: ListFilters,
    state: Place,
) -> list[_Candidate]:
    """Return every session of the list, in its order."""
    prefix = filters.key_prefix
    asked = {
        "owned": bound.owned,
        "newest_message": state.newest_message,
        "newest_session": state.newest_session,
        "since": filters.since,
        "prefix": None if prefix is None else prefix.encode(),
    }
    rows = query(connection, bound.within(_CONSIDERED), asked)
    if wanted:
        found = _ranked(connection, bound, wanted, rows, state)
        if not found and wanted.phrases and wanted.words:
            found = _ranked(connection, bound, wanted.unquoted(), rows, state)
    else:
        found = [
            _Candidate(pinned, last, seq, id) for seq, id, pinned, last, *_ in rows
        ]
    return sorted(found, key=_Candidate.order, reverse=True)


def _ranked(
    connection: Connection,
    bound: Bound,
    wanted: Wanted,
    rows: list[tuple[Any, ...]],
    state: Place,
) -> list[_Candidate]:
    """Score sessions over this caller's sessions alone.

    Each by BM25 as one text, and by the words that its best message holds together.
    """
    seqs = {row[1]: row[0] for row in rows}
    mean = sum(row[4] for row in rows) / max(1, len(rows)) or 1.0
    norms = {row[1]: _K1 * (1 - _B + _B * row[4] / mean) for row in rows}
    scores: defaultdict[str, float] = defaultdict(float)
    held: Counter[str] = Counter()
    together: defaultdict[tuple[str, int], float] = defaultdict(float)
    must = set(seqs)
    for piece, found in _holders(connection, bound, wanted, rows, state).items():
        counts = Counter(id for id, _ in found if id in seqs)
        weight = weight_of(len(counts), len(rows))
        for id, count in counts.items():
            scores[id] += weight * count * (_K1 + 1) / (count + norms[id])
            held[id] += piece in wanted.units
        alone = weight_of(len(found), state.newest_message)
        for holder in set(found):
            together[holder] += alone
        if piece in wanted.phrases:
            must &= set(counts)
    best: dict[str, float] = {}
    for (id, _), weight in together.items():
        best[id] = max(weight, best.get(id, 0.0))
    return [
        _Candidate(held[id] == len(wanted.units), score + best[id], seqs[id], id)
        for id, score in scores.items()
        if id in must
    ]


def _holders(
    connection: Connection,
    bound: Bound,
    wanted: Wanted,
    rows: list[tuple[Any, ...]],
    state: Place,
) -> dict[tuple[str, ...], list[tuple[str, int]]]:
    """Return the session and number of each message that holds a word, word by word.

    A title counts as several messages, all of the number 0.
    """
    pieces = list(dict.fromkeys((*wanted.units, *wanted.pieces)))
    sought = list(zip(pieces, plain(pieces), strict=True))
    asked = {
        "owned": bound.owned,
        "newest_message": state.newest_message,
        "most": MAX_HOLDERS,
        "any": stem_hashes(stem for _, stems in sought for stem in stems),
    }
    holders = query(connection, bound.within(_HOLDERS), asked, is_planned_anew=True)
    texts = [(id, seq, content.decode(), 1) for id, seq, content in holders]
    texts += [(row[1], 0, text(row[5]) or "", _TITLE_WEIGHT) for row in rows if row[5]]
    found: dict[tuple[str, ...], list[tuple[str, int]]] = {one: [] for one in pieces}
    for id, seq, content, times in texts:
        stems = stems_of(content)
        for piece, plain_piece in sought:
            is_exact = piece in wanted.phrases
            if count_of(stems, plain_piece) and (
                not is_exact or is_phrase_in(content, [piece])
            ):
                found[piece] += [(id, seq)] * times
    return found
