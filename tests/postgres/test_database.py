"""Connections, the schema's versions, and what becomes of the server's errors."""

from __future__ import annotations

import errno
import os
import pickle
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    MissingExtraError,
    NewerFormatError,
    NotWrittenError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.pg import Database, driver
from ethos_memory.pg.address import parse_dsn
from ethos_memory.pg.schema import VERSION
from postgres.lossy import TERMINATE, answer_lost, lossy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from postgres.server import Server

RAISE = "do $$ begin raise exception 'SECRET row' using errcode = '{}'; end $$"


@pytest.fixture
def database(postgres: Server) -> Iterator[Database]:
    """Return a database that waits for a short time only."""
    with Database(postgres.dsn, schema="tested", size=2, wait_seconds=0.3) as opened:
        opened.transact(lambda work: work.connection.execute("delete from scopes"))
        yield opened


def one(connection: Connection) -> int:
    """Ask for a number."""
    row = connection.execute("select 1").fetchone()
    assert row is not None
    return int(row[0])


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something holds, but not for ever."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def run(database: Database, statement: bytes, *, is_change: bool) -> None:
    """Run a statement."""
    if is_change:
        database.transact(lambda work: work.connection.execute(statement))
    else:
        database.read(lambda connection: connection.execute(statement))


def setting(database: Database, name: str) -> str:
    """Return a setting of the session."""
    row = database.read(
        lambda connection: connection.execute(
            "select current_setting(%s)", (name,)
        ).fetchone()
    )
    assert row is not None
    return str(row[0])


def add_scope(name: str) -> Callable[[Transaction], str]:
    """Return work that inserts a row."""

    def work(transaction: Transaction) -> str:
        insert = "insert into scopes (scope, folded) values (%s, %s)"
        transaction.connection.execute(insert, (name, name))
        return name

    return work


def scopes(database: Database) -> list[str]:
    """Return the rows that `add_scope` made."""
    rows = database.read(
        lambda connection: connection.execute(
            "select scope from scopes order by scope"
        ).fetchall()
    )
    return [name for (name,) in rows]


@pytest.mark.parametrize(
    ("dsn", "label"),
    [
        ("postgresql://me:SECRET@db:5433/ethos?sslmode=require", "db:5433/ethos"),
        ("host=db user=me password=SECRET", "db"),
        ("hostaddr=10.0.0.1 dbname=x", "10.0.0.1/x"),
        ("user=me", "localhost"),
    ],
)
def test_a_label_shows_no_secret(dsn: str, label: str) -> None:
    """Neither user, password nor options."""
    assert parse_dsn(dsn)[1] == f"postgresql://{label}"


def test_our_defaults_give_way_to_the_connection_string() -> None:
    """A replica is refused unless it is asked for."""
    assert "target_session_attrs='read-write'" in parse_dsn("host=db")[0].replace(
        "=read-write", "='read-write'"
    )
    assert "target_session_attrs=any" in parse_dsn("target_session_attrs=any")[0]


def test_what_is_no_connection_string_is_not_quoted() -> None:
    """It may hold a password all the same."""
    with pytest.raises(ValueError, match="not a connection string") as caught:
        Database("pasword=SECRET")
    assert "SECRET" not in repr(caught.value)
    assert caught.value.__context__ is None


def test_without_psycopg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not a dependency of the core."""

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(driver, "import_module", missing)
    with pytest.raises(MissingExtraError, match="postgres"):
        Database("host=db")


@pytest.mark.parametrize("schema", ["", "a b", 'x"; drop', "A", "1", "x" * 64])
def test_a_schema_is_a_plain_name(schema: str) -> None:
    """It stands in SQL as it is."""
    with pytest.raises(ValueError, match="schema"):
        Database("host=db", schema=schema)


def test_a_server_that_is_not_there_is_said_at_once(postgres: Server) -> None:
    """As is a database."""
    with pytest.raises(NotWrittenError, match="no connection") as caught:
        Database("host=/nowhere password=SECRET")
    assert caught.value.errno == errno.ECONNREFUSED
    assert "SECRET" not in str(pickle.dumps(caught.value))
    with pytest.raises(NotWrittenError):
        Database(postgres.dsn.replace("dbname=postgres", "dbname=nothing"))


def test_another_encoding_is_refused(postgres: Server) -> None:
    """It could not hold every name."""
    postgres.execute(
        "drop database if exists latin",
        "create database latin encoding 'LATIN1' template template0",
    )
    with pytest.raises(UnsupportedError, match="LATIN1"):
        Database(postgres.dsn.replace("dbname=postgres", "dbname=latin"))


def test_a_schema_of_somebody_else_is_left_alone(postgres: Server) -> None:
    """With any table that is not ours, or with a store that says nothing."""
    other, empty = postgres.schema(), postgres.schema()
    postgres.execute(
        f"create schema {other}",
        f"create table {other}.guests (name text)",
        f"create schema {empty}",
        f"create table {empty}.store (id int, version int, cursor_key bytea)",
    )
    for schema in (other, empty):
        with pytest.raises(CorruptFileError, match=schema):
            Database(postgres.dsn, schema=schema)


def test_a_newer_schema_is_left_alone(postgres: Server) -> None:
    """This release does not know what it means."""
    schema = postgres.schema()
    Database(postgres.dsn, schema=schema).close()
    postgres.execute(f"update {schema}.store set version = 99")
    with pytest.raises(NewerFormatError) as caught:
        Database(postgres.dsn, schema=schema)
    assert (caught.value.found, caught.value.supported) == (99, VERSION)


def test_many_may_open_an_empty_schema_at_once(postgres: Server) -> None:
    """One makes the tables, and the others find them."""
    schema = postgres.schema()
    failures: list[BaseException] = []

    def open_it() -> None:
        try:
            Database(postgres.dsn, schema=schema).close()
        except BaseException as error:  # noqa: BLE001 - shown below
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_role_needs_no_more_than_rows(postgres: Server) -> None:
    """The operator makes the tables; the bot reads and writes rows."""
    schema = postgres.schema()
    postgres.execute(
        "drop role if exists bot", "create role bot login", f"create schema {schema}"
    )
    bot = postgres.dsn.replace("user=postgres", "user=bot")
    with pytest.raises(NotWrittenError, match="may not") as caught:
        Database(bot, schema=schema)
    assert caught.value.errno == errno.EACCES
    Database(postgres.dsn, schema=schema).close()
    rights = f"in schema {schema} to bot"
    postgres.execute(
        f"grant usage on schema {schema} to bot",
        f"grant select, insert, update, delete on all tables {rights}",
        f"grant usage on all sequences {rights}",
    )
    with Database(bot, schema=schema) as database:
        database.transact(add_scope("user:a"))
        assert scopes(database) == ["user:a"]
    postgres.execute(f"drop schema {schema} cascade", "drop role bot")


def test_a_change_waits_for_the_disk_whatever_the_server_says(postgres: Server) -> None:
    """The test server is set to be fast, as a role may be."""
    with Database(postgres.dsn, schema="tested") as database:
        assert setting(database, "synchronous_commit") == "on"
    with Database(postgres.dsn, schema="tested", durability="fast") as database:
        assert setting(database, "synchronous_commit") == "off"


@pytest.mark.parametrize(
    ("code", "kind", "number"),
    [
        ("25006", NotWrittenError, errno.EROFS),
        ("42501", NotWrittenError, errno.EACCES),
        ("53100", NotWrittenError, errno.ENOSPC),
        ("53200", NotWrittenError, errno.EAGAIN),
        ("28P01", NotWrittenError, errno.EACCES),
        ("22012", NotWrittenError, errno.EIO),
        ("57P03", NotWrittenError, errno.ECONNREFUSED),
        ("57014", StoreLockedError, None),
        ("55P03", StoreLockedError, None),
        ("XX001", CorruptFileError, None),
        ("42P01", CorruptFileError, None),
    ],
)
def test_an_error_of_the_server_is_ours(
    code: str, kind: type[Exception], number: int | None, database: Database
) -> None:
    """By its code; what it quotes is neither in the message nor in the context."""
    statement = RAISE.format(code).encode()
    for is_change in (False, True):
        with pytest.raises(kind) as caught:
            run(database, statement, is_change=is_change)
        assert getattr(caught.value, "errno", None) == number
        assert "SECRET" not in repr(caught.value)
        assert caught.value.__context__ is None
    assert database.read(one) == 1


def test_an_error_of_the_caller_undoes_the_transaction(database: Database) -> None:
    """And the connection can be used again."""

    def work(transaction: Transaction) -> None:
        add_scope("user:a")(transaction)
        raise KeyError

    with pytest.raises(KeyError):
        database.transact(work)
    assert scopes(database) == []


def test_a_lost_transaction_is_run_again(database: Database) -> None:
    """Until it wins, or has lost too often."""
    runs: list[int] = []

    def work(transaction: Transaction) -> int:
        runs.append(len(runs))
        if len(runs) < 4:
            transaction.connection.execute(RAISE.format("40001").encode())
        return len(runs)

    assert database.transact(work) == 4
    with pytest.raises(StoreLockedError):
        database.transact(
            lambda work: work.connection.execute(RAISE.format("40P01").encode())
        )


def test_a_lock_is_not_waited_for_for_ever(
    database: Database, postgres: Server
) -> None:
    """The caller is told how long it was."""
    holder = Database(postgres.dsn, schema="tested")
    locked, done = threading.Event(), threading.Event()

    def hold(transaction: Transaction) -> None:
        add_scope("user:a")(transaction)
        locked.set()
        done.wait(10)

    thread = threading.Thread(target=holder.transact, args=(hold,))
    thread.start()
    assert locked.wait(10)
    with pytest.raises(StoreLockedError) as caught:
        database.transact(add_scope("user:a"))
    assert caught.value.waited_seconds == 0.3
    done.set()
    thread.join()
    holder.close()


def test_connections_are_limited(database: Database) -> None:
    """A third one is waited for, and not made."""

    def nested(connection: Connection, depth: int) -> int:
        if not depth:
            return one(connection)
        return database.read(lambda another: nested(another, depth - 1))

    assert database.read(lambda connection: nested(connection, 1)) == 1
    with pytest.raises(StoreLockedError):
        database.read(lambda connection: nested(connection, 2))
    assert database.read(one) == 1


@pytest.mark.parametrize("breaks", [False, True])
def test_who_waits_is_given_what_comes_back(breaks: bool, postgres: Server) -> None:
    """A connection that was lent, or room for another one when that one broke."""
    with Database(postgres.dsn, schema="tested", size=1) as database:
        pool = database._pool
        lent = pool.take()
        taken: list[Connection] = []
        waiter = threading.Thread(target=lambda: taken.append(pool.take()))
        waiter.start()
        wait_for(lambda: pool._waiting == 1)
        if breaks:
            lent.close()
        pool.give_back(lent)
        waiter.join()
        assert (taken[0] is lent) == (not breaks)
        assert one(taken[0]) == 1
        pool.give_back(taken[0])
        assert (pool._open, pool._waiting) == (1, 0)


def test_who_waits_is_told_when_it_is_closed(postgres: Server) -> None:
    """And opens no connection that nobody would close."""
    database = Database(postgres.dsn, schema="tested", size=1)
    pool = database._pool
    lent = pool.take()
    failures: list[str] = []

    def wait() -> None:
        try:
            pool.take()
        except ValueError as error:
            failures.append(str(error))

    waiter = threading.Thread(target=wait)
    waiter.start()
    wait_for(lambda: pool._waiting == 1)
    database.close()
    pool.give_back(lent)
    waiter.join()
    assert failures == ["the database was closed"]
    assert lent.closed
    assert pool._open == 0


def test_a_closed_database_says_so(postgres: Server) -> None:
    """What is lent when it is closed is closed as it comes back."""
    database = Database(postgres.dsn, schema="tested")
    lent: list[Connection] = []

    def close(connection: Connection) -> None:
        lent.append(connection)
        database.close()

    database.read(close)
    assert lent[0].closed
    database.close()
    with pytest.raises(ValueError, match="closed"):
        database.read(one)


def test_a_dead_connection_is_replaced(database: Database, postgres: Server) -> None:
    """As after a restart of the server."""
    assert database.read(one) == 1
    postgres.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where application_name = 'ethos-memory'"
    )
    assert database.read(one) == 1
    with pytest.raises(NotWrittenError, match="no connection"):
        database.read(lambda connection: connection.execute(TERMINATE))


def test_a_change_that_broke_off_is_made_once(database: Database) -> None:
    """Before the commit was asked for, it cannot have happened."""
    runs: list[int] = []

    def work(transaction: Transaction) -> None:
        runs.append(1)
        add_scope("user:a")(transaction)
        if len(runs) == 1:
            transaction.connection.execute(TERMINATE)

    database.transact(work, settle=lambda _: pytest.fail("there is no doubt"))
    assert (len(runs), scopes(database)) == (2, ["user:a"])


@pytest.mark.parametrize("happens", [True, False])
def test_a_lost_answer_is_found_out(happens: bool, database: Database) -> None:
    """The change happens once, whether or not the server had made it."""
    runs: list[int] = []

    def work(transaction: Transaction) -> str:
        runs.append(1)
        return add_scope("user:a")(transaction)

    with answer_lost(database, happens=happens):
        answer = database.transact(
            work,
            settle=lambda connection: bool(
                connection.execute("select from scopes").fetchall()
            ),
        )
    assert answer == "user:a"
    assert len(runs) == (1 if happens else 2)
    assert scopes(database) == ["user:a"]


def test_an_outcome_that_nobody_can_tell_is_said(database: Database) -> None:
    """The server did not come back in time: it may have happened."""
    take = database._pool.take
    calls: list[int] = []

    def lossy_then_gone() -> Any:
        calls.append(1)
        if len(calls) == 1:
            return lossy(database, take(), happens=True)
        raise NotWrittenError("label", cause=OSError(errno.ECONNREFUSED, "gone"))

    database._pool.take = lossy_then_gone  # type: ignore[method-assign]
    with pytest.raises(DurabilityUnknownError):
        database.transact(add_scope("user:a"), settle=lambda _: True)
    assert len(calls) > 2


def test_the_other_end_is_waited_for(database: Database, postgres: Server) -> None:
    """It may be about to commit what was sent before the connection was lost."""
    lent: list[Connection] = []

    def lend(connection: Connection) -> None:
        lent.append(connection)

    with Database(postgres.dsn, schema="tested") as other:
        other.read(lend)
        database._backends[lent[0]] = other._backends[lent[0]]
        with pytest.raises(DurabilityUnknownError):
            database._is_settled(lent[0], lambda _: True)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            assert database._is_settled(lent[0], lambda _: True)
        except DurabilityUnknownError:
            continue
        break
    assert time.monotonic() < deadline


def test_a_child_process_makes_connections_of_its_own(database: Database) -> None:
    """Two processes on one connection would read each other's answers."""

    def backend(connection: Connection) -> int:
        row = connection.execute("select pg_backend_pid()").fetchone()
        assert row is not None
        return int(row[0])

    ours = database.read(backend)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - another process
        os.write(writing, str(database.read(backend)).encode())
        database.close()
        os._exit(0)
    os.close(writing)
    theirs = os.read(reading, 20)
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0
    assert int(theirs) != ours
    assert database.read(backend) == ours


def test_what_a_parent_has_open_is_left_alone(postgres: Server) -> None:
    """As a child process sees it: closing would end the parent's session."""
    database = Database(postgres.dsn, schema="tested")
    pool = database._pool
    (inherited,) = pool._idle
    pool._pid = 0
    assert database.read(one) == 1
    assert not inherited.closed
    assert inherited not in pool._idle
    idle = pool._idle
    # Another thread of the child that saw the fork as well, but later.
    pool._after_fork()
    assert pool._idle is idle
    pool._pid = 0
    database.close()
    assert not pool._idle[0].closed
    pool._pid = os.getpid()
    database.close()
    inherited.close()
