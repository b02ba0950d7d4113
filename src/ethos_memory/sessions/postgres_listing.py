"""Lists of conversations in PostgreSQL, as they were when the first page was asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.sessions.cursor import Place, seal, unseal
from ethos_memory.sessions.postgres_reading import cursor_key, query
from ethos_memory.sessions.postgres_rows import (
    Bound,
    count_of,
    session,
    stem_hashes,
    stems_of,
    text,
)
from ethos_memory.sessions.postgres_search import plain
from ethos_memory.sessions.ranking import (
    TITLE_WEIGHT,
    Candidate,
    Holders,
    listed,
)
from ethos_memory.sessions.record import Page, Session
from ethos_memory.sessions.rows import SESSION_COLUMNS, sort_out
from ethos_memory.sessions.wanted import Wanted, is_phrase_in, parse_wanted

if TYPE_CHECKING:
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.arguments import ListFilters

__all__ = ["sessions"]

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
    scope = filters.cursor_scope(bound.owner, q)
    after = None if cursor is None else unseal(key, scope, cursor)
    wanted = parse_wanted(q)
    if not limit or (q.strip() and not wanted):
        return Page((), None)
    state = after or _now(connection)
    rows = _considered(connection, bound, filters, state)
    find = partial(_holders, connection, bound, state, rows)
    found = listed(rows, wanted, find, state=state, after=after)
    shown, left = found[:limit], found[limit:]
    good, damaged = _read(connection, shown)
    if not left:
        return Page(good, None, unreadable=damaged)
    cursor = seal(key, scope, shown[-1].place(state))
    return Page(good, cursor, unreadable=damaged)


def _now(connection: Connection) -> Place:
    [(messages, sessions)] = query(connection, _NEWEST, {})
    return Place(newest_message=messages, newest_session=sessions)


def _read(
    connection: Connection, shown: list[Candidate]
) -> tuple[tuple[Session, ...], tuple[str, ...]]:
    seqs = [candidate.seq for candidate in shown]
    rows = {row[-1]: row for row in query(connection, _ROWS, {"seqs": seqs})}
    return sort_out([rows[seq] for seq in seqs], session)


def _considered(
    connection: Connection, bound: Bound, filters: ListFilters, state: Place
) -> list[tuple[Any, ...]]:
    prefix = filters.key_prefix
    asked = {
        "owned": bound.owned,
        "newest_message": state.newest_message,
        "newest_session": state.newest_session,
        "since": filters.since,
        "prefix": None if prefix is None else prefix.encode(),
    }
    return query(connection, bound.within(_CONSIDERED), asked)


def _holders(
    connection: Connection,
    bound: Bound,
    state: Place,
    rows: list[tuple[Any, ...]],
    wanted: Wanted,
) -> Holders:
    """Return the messages that hold each word; see `Holders`."""
    sought = list(zip(wanted.sought, plain(wanted.sought), strict=True))
    asked = {
        "owned": bound.owned,
        "newest_message": state.newest_message,
        "most": MAX_HOLDERS,
        "any": stem_hashes(stem for _, stems in sought for stem in stems),
    }
    holders = query(connection, bound.within(_HOLDERS), asked, is_planned_anew=True)
    texts = [(id, seq, content.decode(), 1) for id, seq, content in holders]
    texts += [(row[1], 0, text(row[5]) or "", TITLE_WEIGHT) for row in rows if row[5]]
    found: dict[tuple[str, ...], list[tuple[str, int]]]
    found = {word: [] for word in wanted.sought}
    for id, seq, content, times in texts:
        stems = stems_of(content)
        for word, plain_word in sought:
            is_exact = word in wanted.phrases
            if count_of(stems, plain_word) and (
                not is_exact or is_phrase_in(content, [word])
            ):
                found[word] += [(id, seq)] * times
    return found
