"""Conversations in PostgreSQL: for hosts on more than one machine."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import SessionNotFoundError, UnsupportedError
from ethos_memory.pg import DEFAULT_SCHEMA, Database
from ethos_memory.sessions.encoding import exact
from ethos_memory.sessions.labels import default_redact
from ethos_memory.sessions.postgres_bound import PostgresSessions
from ethos_memory.sessions.postgres_reading import export, query
from ethos_memory.sessions.postgres_rows import Bound

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from typing import Self

    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.record import SessionExport

__all__ = ["PostgresSessionStore"]

_COUNT: Final = "select count(*) from sessions where owned = %(owned)s"
_IDS: Final = "select id from sessions where owned = %(owned)s order by seq"
_ERASE: Final = "delete from sessions where owned = %(owned)s"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class PostgresSessionStore:
    """Conversations in PostgreSQL, for any number of threads, processes and machines.

    It means what `SQLiteSessionStore` means: titles, labels and metadata are stored
    without credentials, messages as they were said, and a change is durable when the
    call returns. Owners are kept apart in every question. A search ranks the newest
    5,000 messages that hold the words.

    Args:
        dsn: A connection string, or an open `pg.Database`, which stays open.
        schema: Where the tables are, when `dsn` is a string.
        redact: Takes credentials out of a text; by default the guard's own rules.
        clock: Tells the time, aware.

    Raises:
        EthosMemoryError: As `pg.Database` does.
        ValueError: When the connection string or schema is not valid.
    """

    def __init__(
        self,
        dsn: str | Database,
        *,
        schema: str = DEFAULT_SCHEMA,
        redact: Callable[[str], str] = default_redact,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._owned = None
        if not isinstance(dsn, Database):
            dsn = self._owned = Database(dsn, schema=schema)
        self._database = dsn
        self._redact = redact
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def for_owner(self, owner: str) -> PostgresSessions:
        """Return the conversations of one owner; every call is bound to it.

        Args:
            owner: ``user:<id>`` for a person, ``<platform>:<chat_id>`` for a room;
                compared exactly.

        Raises:
            InvalidNameError: When the owner is empty or not valid text.
        """
        return self._sessions(_bound(owner))

    def unsafe_everyone(self) -> PostgresSessions:
        """Return everybody's conversations, for an operator. It does all but create."""
        return self._sessions(Bound(None))

    def _sessions(self, bound: Bound) -> PostgresSessions:
        return PostgresSessions(
            self._database, bound, redact=self._redact, clock=self._clock
        )

    def count_owner(self, owner: str) -> int:
        """Return how many conversations an owner has."""
        bound = _bound(owner)
        return self._database.read(partial(_count, bound=bound))

    def export_owner(self, owner: str) -> Iterator[SessionExport]:
        """Yield every conversation of an owner whole, in the order they began.

        Each is read in one step. One that is deleted meanwhile is left out.
        """
        bound = _bound(owner)
        asked = {"owned": bound.owned}
        ids = self._database.read(lambda connection: query(connection, _IDS, asked))
        for (id,) in ids:
            with suppress(SessionNotFoundError):
                yield self._database.snapshot(partial(export, bound=bound, id=id))

    def erase_owner(self, owner: str) -> int:
        """Erase every conversation of an owner for good. Can be repeated.

        The server's files hold the bytes until their place is used again, or
        ``vacuum full`` rewrites them; its log and backups for as long as they are kept.

        Returns:
            How many conversations went.
        """
        bound = _bound(owner)

        def work(transaction: Transaction) -> int:
            asked = {"owned": bound.owned}
            return transaction.connection.execute(_ERASE, asked).rowcount

        return self._database.transact(
            work, settle=lambda connection: not _count(connection, bound=bound)
        )

    def backup(self, destination: str | os.PathLike[str]) -> None:
        """Raise: a server is copied by its own means.

        Raises:
            UnsupportedError: Always; `pg_dump` makes a consistent copy.
        """
        msg = f"not into {destination!s}: copy the server with pg_dump"
        raise UnsupportedError(msg)

    def close(self) -> None:
        """Close the database, unless it was passed in open. Can be repeated."""
        if self._owned is not None:
            self._owned.close()


def _bound(owner: str) -> Bound:
    return Bound(exact(owner, what="owner"))


def _count(connection: Connection, *, bound: Bound) -> int:
    [(number,)] = query(connection, _COUNT, {"owned": bound.owned})
    return int(number)
