"""One PostgreSQL database: connected to, brought up to date, and asked.

A connection may break at any moment. What only reads is asked once more on a fresh
connection. A change whose answer was lost is looked up before anything is repeated, so
that it happens once.
"""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from ethos_memory.errors import (
    CorruptFileError,
    NewerFormatError,
    NotWrittenError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.pg.address import parse_dsn
from ethos_memory.pg.driver import load_driver
from ethos_memory.pg.faults import is_conflict, translated, unknown_outcome
from ethos_memory.pg.pool import Pool
from ethos_memory.pg.schema import VERSION
from ethos_memory.pg.upgrade import read_version, upgrade

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    import psycopg

    from ethos_memory.pg.driver import Connection

__all__ = [
    "DEFAULT_SCHEMA",
    "DEFAULT_SIZE",
    "DEFAULT_WAIT_SECONDS",
    "Database",
    "Transaction",
]

_T = TypeVar("_T")

#: The library's own schema: its tables meet no other program's.
DEFAULT_SCHEMA: Final = "ethos_memory"

#: Connections of one object. A server allows 100 in all by default.
DEFAULT_SIZE: Final = 8

#: How long a lock, a free connection or a restart of the server is waited for; the
#: same as for a lock on files.
DEFAULT_WAIT_SECONDS: Final = 30.0

#: Between two tries to reach a server that restarts, in seconds.
_RETRY_SECONDS: Final = 0.05

#: How often a transaction that lost against others is run again, and the longest pause
#: before that.
_ATTEMPTS: Final = 64
_PAUSE_MS: Final = 10

#: A plain identifier, so that it stands in SQL as it is. PostgreSQL cuts longer ones.
_SCHEMA: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")

_Durability: TypeAlias = Literal["full", "fast"]

#: Once for each connection. What a role or a database sets is overruled where a
#: promise of ours hangs on it.
_SET_UP: Final = """
    select current_setting('server_encoding'), pg_backend_pid(),
        (select backend_start from pg_stat_activity where pid = pg_backend_pid()),
        set_config('search_path', %s, false),
        set_config('timezone', 'UTC', false),
        set_config('lock_timeout', %s, false),
        set_config('default_transaction_isolation', 'read committed', false),
        set_config(
            'synchronous_commit',
            case
                when %s = 'fast' then 'off'
                when current_setting('synchronous_commit') = 'off' then 'on'
                else current_setting('synchronous_commit')
            end,
            false
        )
"""
_ENCODING: Final = "UTF8"

_SNAPSHOT: Final = "set transaction isolation level repeatable read, read only"
#: As long as the server's end of a lost connection is there, it may be at work.
_IS_AT_WORK: Final = """
    select exists (
        select from pg_stat_activity where pid = %s and backend_start = %s
    )
"""


@define
class Transaction:
    """A change at work.

    Attributes:
        connection: To the server.
        is_open: Whether statements are undone together when one fails.
        promised: The answer, once the change may have happened.
    """

    connection: Connection
    is_open: bool = False
    promised: list[Any] = field(factory=list, repr=False)

    def begin(self) -> None:
        """Let all that follows happen together, or not at all."""
        self.connection.execute("begin")
        self.is_open = True

    def promise(self, answer: object) -> None:
        """Say what the answer is, before the one statement that makes the change.

        For a change of one statement without `begin`; it saves two questions.
        """
        self.promised = [answer]


@define
class _Run(Generic[_T]):
    """One run of some work, and how far it came."""

    work: Callable[[Transaction], _T]
    is_whole: bool
    transaction: Transaction | None = None

    def __call__(self, connection: Connection) -> _T:
        running = self.transaction = Transaction(connection)
        if self.is_whole:
            running.begin()
        try:
            answer = self.work(running)
            if running.is_open:
                # From here on, a lost connection leaves the outcome unknown.
                running.promise(answer)
                connection.execute("commit")
        except BaseException:
            if running.is_open:
                _roll_back(connection)
            raise
        return answer


@frozen
class _Outcome(Generic[_T]):
    """What came of an attempt: one answer, or the driver's error."""

    answers: tuple[_T, ...] = field(default=(), repr=False)
    failure: psycopg.Error | None = field(default=None, repr=False)
    is_dead: bool = False


class Database:
    """A PostgreSQL database, for any number of threads and processes.

    It is connected to, and its schema brought up to date, when the object is made: a
    server that is not there raises then. A process that was forked may go on with the
    same object.

    Args:
        dsn: A connection string, as libpq takes it. It is kept private.
        schema: Where the tables are; ``[a-z_][a-z0-9_]*``.
        durability: ``"full"`` waits until the server's disk has a change, whatever
            the server is set to; ``"fast"`` does not, and a crash of the server may
            then lose the last moments.
        size: The most connections that are open at once.
        wait_seconds: How long a call waits for a lock or a free connection.

    Attributes:
        label: The database for a person, without user and password.
        wait_seconds: As given.

    Raises:
        CorruptFileError: When the schema holds something else.
        MissingExtraError: When psycopg is not installed.
        NewerFormatError: When a newer release brought the schema up to date.
        NotWrittenError: When the server cannot be reached, or the role may not make
            the tables that are missing.
        UnsupportedError: When the database's encoding is not UTF8.
        ValueError: When the dsn, the schema or the durability is not valid.
    """

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = DEFAULT_SCHEMA,
        durability: _Durability = "full",
        size: int = DEFAULT_SIZE,
        wait_seconds: float = DEFAULT_WAIT_SECONDS,
    ) -> None:
        if not _SCHEMA.fullmatch(schema):
            msg = "a schema is named by a-z, 0-9 and _"
            raise ValueError(msg)
        if durability not in {"full", "fast"}:
            raise ValueError("durability is one of full, fast")
        self._driver = load_driver()
        self.label: str
        self._dsn, self.label = parse_dsn(dsn)
        self._schema = schema
        self._durability = durability
        self.wait_seconds = wait_seconds
        #: Which process of the server each connection leads to.
        self._backends: WeakKeyDictionary[Connection, tuple[Any, ...]] = (
            WeakKeyDictionary()
        )
        self._pool = Pool(
            self._connect, size=size, wait_seconds=wait_seconds, label=self.label
        )
        try:
            self._bring_up_to_date()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections. Can be repeated."""
        self._pool.close()

    def read(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work`, which only reads; once more when the connection turns out dead.

        Raises:
            NotWrittenError: When the server cannot be reached.
            StoreLockedError: When something was waited for in vain.
        """
        outcome = self._attempt(work)
        if outcome.is_dead:
            outcome = self._attempt(work)
        if outcome.failure is not None:
            raise self._error(outcome.failure)
        return outcome.answers[0]

    def snapshot(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work`, which reads several times, on one state of the database.

        Raises:
            NotWrittenError: When the server cannot be reached.
            StoreLockedError: When something was waited for in vain.
        """

        def read(transaction: Transaction) -> _T:
            transaction.connection.execute(_SNAPSHOT)
            return work(transaction.connection)

        return self.transact(read)

    def transact(
        self,
        work: Callable[[Transaction], _T],
        *,
        settle: Callable[[Connection], bool] | None = None,
        whole: bool = True,
    ) -> _T:
        """Run `work` as one transaction, which happens once; an error undoes it.

        It is run again when it lost against another transaction, and when the
        connection broke and the change did not happen.

        Args:
            work: What to do. It may be run several times.
            settle: Tells whether the change happened, when the answer to a commit was
                lost: by what the transaction left. `None` for work that may happen
                twice. The server's own number of the transaction tells nothing: after
                a crash it is given to another one.
            whole: False leaves it to `work` to begin the transaction, or to make its
                change in one statement and to promise the answer before that.

        Raises:
            DurabilityUnknownError: When the server went away during the commit, and
                did not come back in time to tell.
            NotWrittenError: When the server refuses or cannot be reached.
            StoreLockedError: When something was waited for in vain.
        """
        for _ in range(_ATTEMPTS):
            run = _Run(work, whole)
            outcome = self._attempt(run)
            failure = outcome.failure
            if failure is None:
                return outcome.answers[0]
            if outcome.is_dead:
                promised = self._settled(run, settle)
                if promised:
                    return promised[0]
            elif not is_conflict(failure):
                raise self._error(failure)
            time.sleep(secrets.randbelow(_PAUSE_MS) / 1000)
        raise StoreLockedError(self.label, waited_seconds=self.wait_seconds)

    def _attempt(self, work: Callable[[Connection], _T]) -> _Outcome[_T]:
        connection = self._pool.take()
        try:
            return _Outcome((work(connection),))
        except self._driver.Error as error:
            is_dead = connection.closed
            if is_dead:
                # The others are most likely dead as well.
                self._pool.drop_idle()
            return _Outcome(failure=error, is_dead=is_dead)
        finally:
            self._pool.give_back(connection)

    def _error(self, failure: psycopg.Error) -> Exception:
        return translated(failure, self.label, waited_seconds=self.wait_seconds)

    def _settled(
        self, run: _Run[_T], settle: Callable[[Connection], bool] | None
    ) -> list[_T]:
        """Return the answer of a run that broke off, if its change happened."""
        running = run.transaction
        if running is None or not running.promised or settle is None:
            return []
        return running.promised if self._is_settled(running.connection, settle) else []

    def _is_settled(
        self, lost: Connection, settle: Callable[[Connection], bool]
    ) -> bool:
        """Find out what became of a change, as soon as the server is there again."""
        backend = self._backends.get(lost)

        def ask(connection: Connection) -> bool | None:
            row = connection.execute(_IS_AT_WORK, backend).fetchone()
            return None if row == (True,) else settle(connection)

        deadline = time.monotonic() + self.wait_seconds
        while time.monotonic() < deadline:
            with suppress(NotWrittenError):
                found = self.read(ask)
                if found is not None:
                    return found
            time.sleep(_RETRY_SECONDS)
        raise unknown_outcome(self.label)

    def _connect(self) -> Connection:
        failure = None
        opened: list[Connection] = []
        encoding = ""
        try:
            opened.append(self._driver.connect(self._dsn, autocommit=True))
            encoding = self._set_up(opened[0])
        except self._driver.Error as error:
            failure = self._error(error)
        if failure is None and encoding != _ENCODING:
            msg = f"{self.label}: the database's encoding is {encoding}, not UTF8"
            failure = UnsupportedError(msg)
        if failure is None:
            return opened[0]
        for connection in opened:
            connection.close()
        raise failure

    def _set_up(self, connection: Connection) -> str:
        wait = f"{int(self.wait_seconds * 1000)}ms"
        asked = (self._schema, wait, self._durability)
        encoding, *backend = connection.execute(_SET_UP, asked).fetchone() or ("",)
        self._backends[connection] = tuple(backend[:2])
        return str(encoding)

    def _bring_up_to_date(self) -> None:
        """Make the tables, or bring them up to date; nothing when they are."""
        found = self.read(partial(read_version, self._schema))
        if found != VERSION:
            found = self.transact(partial(upgrade, schema=self._schema))
        if found > VERSION:
            raise NewerFormatError(self.label, found=found, supported=VERSION)
        if found < 0:
            raise CorruptFileError(self.label, f"schema {self._schema} is not ours")


def _roll_back(connection: Connection) -> None:
    # When even that fails, the connection is closed as it is given back.
    with suppress(Exception):
        connection.execute("rollback")
