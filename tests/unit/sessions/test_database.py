from __future__ import annotations

import errno
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from ethos_memory.errors import (
    CorruptFileError,
    NotWrittenError,
    SessionNotFoundError,
    StoreLockedError,
    UnsafePathError,
)
from ethos_memory.sessions import database as module
from session_store import open_store, say, texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import SQLiteSessionStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteSessionStore]:
    """Return a store with one conversation."""
    with open_store(tmp_path, busy_seconds=0.3) as store:
        sessions = store.for_owner("user:ana")
        say(sessions, sessions.create("k").id, "user: hello")
        yield store


def test_a_full_disk_is_said_and_nothing_is_half_stored(
    store: SQLiteSessionStore,
) -> None:
    """SQLite takes the change back by itself; the store goes on."""
    sessions = store.for_owner("user:ana")
    (session,) = sessions.list().items
    writer = store._database._channels[0].connection
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotWrittenError) as caught:
        sessions.append(session.id, "user", "words " * 100_000)
    assert caught.value.errno == errno.ENOSPC
    assert "memory-sessions.db" in str(caught.value)
    assert "words" not in str(caught.value)
    writer.execute("PRAGMA max_page_count = 1000000")
    assert sessions.get(session.id) == session
    say(sessions, session.id, "user: goes on")
    assert texts(sessions.messages(session.id).items) == ["hello", "goes on"]


def test_tables_that_another_makes_meanwhile_are_no_other_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose file it is and what is in it are asked of one state."""

    def make() -> None:
        with open_store(tmp_path) as store:
            store.for_owner("user:ana").create("k")

    other = threading.Thread(target=make)

    class Slow(sqlite3.Connection):
        @override
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "PRAGMA user_version" and not other.ident:
                other.start()
                # As long as it takes where nothing holds it up.
                other.join(0.5)
            return super().execute(statement, *values)

    real = sqlite3.connect

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        return real(*args, **options, factory=Slow)

    monkeypatch.setattr(sqlite3, "connect", connect)
    with open_store(tmp_path) as store:
        other.join()
        assert [one.key for one in store.for_owner("user:ana").list().items] == ["k"]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, StoreLockedError),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreLockedError),
        (sqlite3.SQLITE_LOCKED, StoreLockedError),
        (sqlite3.SQLITE_CORRUPT, CorruptFileError),
        (sqlite3.SQLITE_NOTADB, CorruptFileError),
        (sqlite3.SQLITE_IOERR_FSYNC, NotWrittenError),
        (sqlite3.SQLITE_READONLY, NotWrittenError),
        (sqlite3.SQLITE_CANTOPEN, NotWrittenError),
        (sqlite3.SQLITE_CONSTRAINT, sqlite3.OperationalError),
    ],
)
def test_every_fault_of_the_database_has_its_error(
    tmp_path: Path, code: int, kind: type[Exception]
) -> None:
    """Ours name the file; what cannot happen stays what it is."""
    fault = sqlite3.OperationalError("as SQLite says it")
    fault.sqlite_errorcode = code
    found = module.translated(fault, tmp_path / "s.db", 1.23456)
    assert type(found) is kind
    assert ("s.db" in str(found)) == (kind is not sqlite3.OperationalError)
    if isinstance(found, StoreLockedError):
        assert found.waited_seconds == 1.235


def test_an_error_of_ours_brings_none_of_sqlites_along(
    tmp_path: Path, store: SQLiteSessionStore
) -> None:
    """Neither as cause nor as context."""
    other = sqlite3.connect(tmp_path / "memory-sessions.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLockedError) as caught:
        store.for_owner("user:ana").create("other")
    other.close()
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_a_thread_waits_for_another_no_longer_than_it_may(
    store: SQLiteSessionStore,
) -> None:
    """Work that does not end does not hold everybody else up for ever."""
    entered, leave = threading.Event(), threading.Event()

    def work(_: sqlite3.Connection) -> None:
        entered.set()
        leave.wait(30)

    thread = threading.Thread(target=store._database.read, args=(work,))
    thread.start()
    assert entered.wait(30)
    started = time.monotonic()
    with pytest.raises(StoreLockedError) as caught:
        store.count_owner("user:ana")
    # Of the 30 s that the work takes, and of the 5 s that are the default.
    assert 0.2 < time.monotonic() - started < 5
    assert caught.value.waited_seconds == 0.3
    leave.set()
    thread.join(10)
    assert store.count_owner("user:ana") == 1


def test_an_error_of_the_work_undoes_it(store: SQLiteSessionStore) -> None:
    """Also one that nobody expects."""

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM sessions")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store._database.write(work)
    assert store.count_owner("user:ana") == 1


def test_a_change_that_sqlite_took_back_by_itself_is_not_taken_back_twice(
    store: SQLiteSessionStore,
) -> None:
    """As it may do when the disk fails; the fault that is told is the disk's."""

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM sessions")
        connection.execute("ROLLBACK")
        raise OSError(errno.EIO, "the fault")

    with pytest.raises(OSError, match="the fault"):
        store._database.write(work)
    assert store.count_owner("user:ana") == 1


def test_a_reader_cannot_write(store: SQLiteSessionStore) -> None:
    """A mistake in a query cannot change a conversation."""
    with pytest.raises(NotWrittenError):
        store._database.read(lambda connection: connection.execute("DELETE FROM store"))


def test_a_failed_call_leaves_no_state_of_the_file_behind(
    store: SQLiteSessionStore,
) -> None:
    """An error that somebody keeps must not keep an old view of the store alive."""
    sessions = store.for_owner("user:ana")
    (session,) = sessions.list().items
    kept: list[BaseException] = []
    for call in (
        lambda: sessions.messages(session.id, before="x"),
        lambda: sessions.get("nobody"),
        lambda: sessions.list(cursor="x"),
    ):
        with pytest.raises((ValueError, SessionNotFoundError)) as caught:
            call()
        kept.append(caught.value)
    say(sessions, session.id, "user: new")
    assert texts(sessions.messages(session.id).items) == ["hello", "new"]
    assert len(kept) == 3


def test_in_another_process_the_connections_are_opened_anew(
    store: SQLiteSessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the parent's are let alone, not closed."""
    inherited: list[sqlite3.Connection] = []
    monkeypatch.setattr(module, "_INHERITED", inherited)
    old = [channel.connection for channel in store._database._channels]
    store._database._pid = -1
    assert store.count_owner("user:ana") == 1
    assert inherited == old
    for connection in old:
        assert connection.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
    new = [channel.connection for channel in store._database._channels]
    store._database._pid = -1
    store.close()
    assert inherited == old + new
    with pytest.raises(ValueError, match="closed"):
        store.count_owner("user:ana")
    for connection in inherited:
        connection.close()


def test_only_one_thread_of_a_new_process_opens_it(
    store: SQLiteSessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other waits and uses what was opened."""
    inherited: list[sqlite3.Connection] = []
    monkeypatch.setattr(module, "_INHERITED", inherited)
    store._database._pid = -1
    threads = []
    with store._database._opening:
        for _ in range(2):
            thread = threading.Thread(target=store.count_owner, args=("user:ana",))
            thread.start()
            threads.append(thread)
        time.sleep(0.05)
    for thread in threads:
        thread.join(10)
    assert len(inherited) == 2
    for connection in inherited:
        connection.close()


def test_a_file_that_is_replaced_while_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was checked must be what was opened; nothing stays open."""
    path = tmp_path / "memory-sessions.db"
    connect = module.Database._connect

    def swap(
        self: module.Database, opened: list[sqlite3.Connection], started: float
    ) -> None:
        connect(self, opened, started)
        path.unlink()
        if not (tmp_path / "gone").exists():
            path.symlink_to(tmp_path / "elsewhere")

    monkeypatch.setattr(module.Database, "_connect", swap)
    with pytest.raises(UnsafePathError, match="replaced"):
        open_store(tmp_path)
    path.unlink()
    (tmp_path / "gone").touch()
    with pytest.raises(UnsafePathError, match="replaced"):
        open_store(tmp_path)
