"""Conversations of a home's file, put into PostgreSQL as they are.

Sessions first, then every message in the order in which they were said, whoever said
them: a list then shows what it showed in the home. Each step is a transaction of its
own; what is there already is left out, so that a copy that broke off goes on.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.sessions.postgres_reading import query
from ethos_memory.sessions.postgres_rows import ADD_MESSAGE, NEW_SESSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ethos_memory.pg import Database
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.postgres_source import (
        HomeSessions,
        OutgoingMessage,
        OutgoingSession,
    )

__all__ = ["SessionDifference", "compare_sessions", "write_sessions"]

#: Sessions that are compared in one question.
_AT_ONCE: Final = 500

#: In place of a number, until all of a session's messages are there.
_UNFINISHED: Final = -1

# What was taken back since is not brought back.
_THERE: Final = """
    select id, place, born, batch is not null, was_shared from sessions
    where id = any(%(ids)s) or place = any(%(places)s)
"""
_SAID: Final = """
    select session_id, array_agg(id order by seq) from messages
    where session_id = any(%(ids)s) group by session_id
"""
_NUMBERS: Final = "select id, seq from messages where id = any(%(ids)s)"
_ADD_SESSION: Final = f"""
    insert into sessions ({NEW_SESSION}) values (
        %(id)s, %(owned)s, %(place)s, %(owner)s, %(key)s, %(platform)s, %(model)s,
        %(provider)s, %(working_dir)s, %(personality_id)s, %(parent_session_id)s,
        %(title)s, %(metadata)s, %(pinned)s, %(was_shared)s, %(usage)s,
        %(message_count)s, %(turn_count)s, %(born)s, %(created_at)s, %(updated_at)s
    ) on conflict do nothing
"""  # noqa: S608 - constants
# A title or a pin may have been changed since the copy began: that stays.
_FINISH: Final = """
    update sessions set
        born = %(born)s,
        message_count = %(message_count)s,
        turn_count = %(turn_count)s,
        usage = %(usage)s,
        was_shared = was_shared or %(was_shared)s,
        updated_at = greatest(updated_at, %(updated_at)s)
    where id = %(id)s
"""


@frozen
class SessionDifference:
    """What a database lacks of a home's conversations.

    Attributes:
        missing: Sessions that are not there at all.
        behind: Sessions that are there with the first of their messages.
        equal: How many are there with all of them.
        differing: Ids of sessions in whose place something else is.
        damaged: Ids of sessions that cannot be read.
        message_count: Messages that are to be copied.
        last: The home's number of the last of them.
    """

    missing: tuple[OutgoingSession, ...] = ()
    behind: tuple[OutgoingSession, ...] = ()
    equal: int = 0
    differing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    message_count: int = 0
    last: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether all that can be copied is there."""
        return not (self.missing or self.behind)


@frozen
class _There:
    """What a database has in the places of some sessions."""

    places: Mapping[str, bytes] = field(factory=dict)
    unfinished: frozenset[str] = frozenset()
    undone: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    said: Mapping[str, list[str]] = field(factory=dict)

    def is_free(self, session: OutgoingSession) -> bool:
        return (
            session.id not in self.places and session.place not in self.places.values()
        )

    def lacks_mark(self, session: OutgoingSession) -> bool:
        """Tell whether a session ran shared since it was copied."""
        return session.columns["was_shared"] and session.id not in self.shared

    def is_start_of(self, session: OutgoingSession, ids: Sequence[str]) -> bool:
        said = self.said.get(session.id, [])
        is_it = self.places.get(session.id) == session.place
        is_it = is_it and session.id not in self.undone
        return is_it and list(ids[: len(said)]) == said


def compare_sessions(
    source: HomeSessions, connection: Connection | None
) -> SessionDifference:
    """Compare a home's conversations with a database's.

    Args:
        source: The home's.
        connection: To the database; `None` for one that is empty.
    """
    survey = source.survey()
    missing, behind, differing = [], [], []
    equal = to_copy = 0
    for part in _parts(survey.sessions):
        there = _There() if connection is None else _look(connection, part)
        for session in part:
            ids = survey.ids.get(session.id, ())
            lacks = len(ids) - len(there.said.get(session.id, ()))
            if there.is_free(session):
                missing.append(session)
            elif not there.is_start_of(session, ids):
                differing.append(session.id)
                continue
            elif lacks or session.id in there.unfinished or there.lacks_mark(session):
                behind.append(session)
            else:
                equal += 1
            to_copy += lacks
    return SessionDifference(
        tuple(missing),
        tuple(behind),
        equal,
        tuple(differing),
        survey.damaged,
        message_count=to_copy,
        last=survey.last,
    )


def _parts(sessions: Sequence[OutgoingSession]) -> Iterator[Sequence[OutgoingSession]]:
    for first in range(0, len(sessions), _AT_ONCE):
        yield sessions[first : first + _AT_ONCE]


def _look(connection: Connection, part: Sequence[OutgoingSession]) -> _There:
    asked = {"ids": [one.id for one in part], "places": [one.place for one in part]}
    rows = query(connection, _THERE, asked)
    return _There(
        {id: place for id, place, *_ in rows},
        unfinished=frozenset(id for id, _, born, *_ in rows if born == _UNFINISHED),
        undone=frozenset(id for id, *_, is_undone, _ in rows if is_undone),
        shared=frozenset(id for id, *_, is_shared in rows if is_shared),
        said=dict(query(connection, _SAID, asked)),
    )


def write_sessions(database: Database, source: HomeSessions) -> SessionDifference:
    """Put what a database lacks of a home's conversations into it. Can be repeated.

    Returns:
        What it lacked, and has now.

    Raises:
        EthosMemoryError: As `pg.Database.transact` does; what was copied by then stays.
    """
    found = database.snapshot(partial(compare_sessions, source))
    if found.is_whole:
        return found
    wanted = {one.id: one for one in (*found.missing, *found.behind)}
    refused = {*found.differing, *found.damaged}
    database.transact(partial(_add_sessions, sessions=found.missing, refused=refused))
    numbers = _Numbers()
    for said in source.messages(found.last):
        there = database.transact(partial(_add_messages, said=said, wanted=wanted))
        numbers.learn(said, there)
    database.transact(
        partial(_finish, sessions=tuple(wanted.values()), numbers=numbers)
    )
    return found


def _add_sessions(
    transaction: Transaction, sessions: Sequence[OutgoingSession], refused: set[str]
) -> None:
    with transaction.connection.cursor() as cursor:
        cursor.executemany(_ADD_SESSION, [_row(one, refused) for one in sessions])


def _row(session: OutgoingSession, refused: set[str]) -> dict[str, Any]:
    row = {
        **session.columns,
        "owned": session.owned,
        "place": session.place,
        "born": _UNFINISHED,
    }
    if row["parent_session_id"] in refused:
        # It is another session there, or none.
        row["parent_session_id"] = None
    return row


def _add_messages(
    transaction: Transaction,
    said: Sequence[OutgoingMessage],
    wanted: Mapping[str, OutgoingSession],
) -> dict[str, int]:
    """Add those that are wanted and not there yet; return the number of each."""
    connection = transaction.connection
    asked = {"ids": [one.id for one in said]}
    there = dict(query(connection, _NUMBERS, asked))
    rows = [
        one.row(wanted[one.session_id].owned)
        for one in said
        if one.session_id in wanted and one.id not in there
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(ADD_MESSAGE, rows)
        there = dict(query(connection, _NUMBERS, asked))
    return there


class _Numbers:
    """The newest message of the database that was said by some point in the home."""

    def __init__(self) -> None:
        self._home: list[int] = []
        self._newest: list[int] = [0]

    def learn(self, said: Sequence[OutgoingMessage], there: Mapping[str, int]) -> None:
        for one in said:
            self._home.append(one.seq)
            number = there.get(one.id, 0)
            self._newest.append(max(self._newest[-1], number))

    def at(self, seq: int) -> int:
        return self._newest[bisect_right(self._home, seq)]


def _finish(
    transaction: Transaction, sessions: Sequence[OutgoingSession], numbers: _Numbers
) -> None:
    rows = [{**one.columns, "born": numbers.at(one.born)} for one in sessions]
    with transaction.connection.cursor() as cursor:
        cursor.executemany(_FINISH, rows)
