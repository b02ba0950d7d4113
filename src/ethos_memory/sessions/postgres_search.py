"""Messages in PostgreSQL that answer what a person typed.

The index finds the messages that hold the words in any form; what they are worth, and
whether a phrase stands there as it was quoted, is told from their text. So every script
is found as it is in SQLite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.sessions.hits import HALF, message_hit
from ethos_memory.sessions.postgres_reading import query, require
from ethos_memory.sessions.postgres_rows import Bound, count_of, stem_hashes, stems_of
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted
from ethos_memory.words import stem
from ethos_memory.words.bm25 import K1, norm_of, weight_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.arguments import SearchFilters
    from ethos_memory.sessions.record import MessageHit

__all__ = ["plain", "search"]

#: The newest messages that hold the words are ranked; a person has far fewer.
MAX_CANDIDATES: Final = 5_000

_MATCHES: Final = f"""
    select m.seq, m.session_id, m.id, m.content, m.at
    from messages as m
    where owned = %(owned)s
        and (%(any)s::bigint[] is null or m.stems && %(any)s)
        and m.stems @> %(all)s::bigint[]
        and (%(session_id)s::text is null or m.session_id = %(session_id)s)
        and (%(since)s::bigint is null or m.at >= %(since)s)
        and (%(until)s::bigint is null or m.at <= %(until)s)
    order by m.seq desc limit {MAX_CANDIDATES}
"""  # noqa: S608 - constants


@frozen
class _Found:
    """A message that holds some of the words.

    Attributes:
        seq: Its number.
        row: As it was read.
        text: What was said.
        counts: How often it holds each of the words.
        length: How many words it has.
    """

    seq: int
    row: tuple[Any, ...] = field(repr=False)
    text: str = field(repr=False)
    counts: tuple[int, ...] = field(repr=False)
    length: int


def plain(words: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return words with each of their terms in its plain form."""
    return [tuple(stem(term) for term in word) for word in words]


def search(
    connection: Connection,
    bound: Bound,
    text: str,
    *,
    filters: SearchFilters,
    limit: int,
) -> tuple[MessageHit, ...]:
    """Return the best matches: first those with every word, then those with any."""
    if filters.session_id is not None:
        require(connection, bound, filters.session_id, "s.seq")
    wanted = parse_wanted(text)
    if not wanted or not limit:
        return ()
    for asked in wanted.readings():
        hits = _hits(connection, bound, asked, filters, limit=limit)
        if hits:
            return hits
    return ()


def _hits(
    connection: Connection,
    bound: Bound,
    wanted: Wanted,
    filters: SearchFilters,
    *,
    limit: int,
) -> tuple[MessageHit, ...]:
    every = _found(connection, bound, wanted, filters, any_of=None)
    every = [found for found in every if all(found.counts)]
    hits = _ranked(every, wanted, HALF)[:limit]
    if len(hits) < limit and wanted.pieces:
        seen = {found.seq for found in every}
        some = [
            found
            for found in _found(
                connection, bound, wanted, filters, any_of=wanted.pieces
            )
            if found.seq not in seen and any(found.counts)
        ]
        hits += _ranked(some, wanted, 0.0)[: limit - len(hits)]
    return tuple(hits)


def _found(
    connection: Connection,
    bound: Bound,
    wanted: Wanted,
    filters: SearchFilters,
    *,
    any_of: tuple[tuple[str, ...], ...] | None,
) -> list[_Found]:
    """Return the messages that hold all units, or all phrases and any of the pieces."""
    words = wanted.units if any_of is None else (*wanted.phrases, *any_of)
    must = plain(wanted.units if any_of is None else wanted.phrases)
    may = None if any_of is None else stem_hashes(sum(plain(any_of), ()))
    asked = {
        "owned": bound.owned,
        "all": stem_hashes(sum(must, ())),
        "any": None if may is None or wanted.phrases else may,
        "session_id": filters.session_id,
        "since": filters.since,
        "until": filters.until,
    }
    found = []
    sought = plain(words)
    rows = query(connection, bound.within(_MATCHES), asked, is_planned_anew=True)
    for row in rows:
        text = row[3].decode()
        if is_phrase_in(text, wanted.phrases):
            stems = stems_of(text)
            counts = tuple(count_of(stems, word) for word in sought)
            found.append(_Found(row[0], row, text, counts, len(stems)))
    return found


def _ranked(found: list[_Found], wanted: Wanted, base: float) -> list[MessageHit]:
    """Sort by BM25, the newest first among equals, and show the places."""
    if not found:
        return []
    mean = sum(one.length for one in found) / len(found) or 1.0
    weights = [
        weight_of(sum(1 for count in column if count), len(found))
        for column in zip(*(one.counts for one in found), strict=True)
    ]
    scored = []
    for one in found:
        norm = norm_of(one.length, mean)
        score = sum(
            weight * count * (K1 + 1) / (count + norm)
            for weight, count in zip(weights, one.counts, strict=True)
        )
        scored.append((score, one.seq, one))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    best = scored[0][0]
    return [_hit(one, wanted, base + HALF * score / best) for score, _, one in scored]


def _hit(found: _Found, wanted: Wanted, score: float) -> MessageHit:
    _, session_id, id, _, at = found.row
    ids = (session_id, id)
    return message_hit(ids, found.text, at=at, wanted=wanted, score=score)
