"""Case B15: "database is locked", and the file next to the database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

import pytest
from typing_extensions import override

from ethos_memory.errors import (
    CorruptFileError,
    NotWrittenError,
    StoreLockedError,
    UnsafePathError,
    UnsupportedError,
)
from ethos_memory.sessions import SQLiteSessionStore
from session_store import open_store, plain, say, texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


#: How long a store waits that is told nothing else.
DEFAULT_SECONDS: Final = 5.0


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Return another program's connection, which can hold the file."""
    open_store(tmp_path).close()
    path = tmp_path / "memory-sessions.db"
    with closing(
        sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    ) as connection:
        yield connection


def test_a_writer_that_holds_the_file_is_waited_for(
    tmp_path: Path, writer: sqlite3.Connection
) -> None:
    """And readers do not wait at all, not even those of the same store."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        writer.execute("BEGIN IMMEDIATE")
        done = threading.Event()

        def append() -> None:
            sessions.append(id, "user", "waited")
            done.set()

        thread = threading.Thread(target=append)
        thread.start()
        # A reader that waited would wait in vain, and raise.
        assert sessions.messages(id).items == ()
        assert not done.wait(0.1)
        writer.execute("ROLLBACK")
        thread.join(30)
        assert texts(sessions.messages(id).items) == ["waited"]


def test_a_writer_that_stays_is_an_error_in_time_and_the_next_append_works(
    tmp_path: Path, writer: sqlite3.Connection
) -> None:
    """Of our own, naming the file, for threads that queue up as well."""
    with open_store(tmp_path, busy_seconds=0.4) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        writer.execute("BEGIN IMMEDIATE")
        waits: list[float] = []

        def append() -> None:
            started = time.monotonic()
            with pytest.raises(StoreLockedError) as caught:
                sessions.append(id, "user", "lost")
            waits.append(time.monotonic() - started)
            assert "memory-sessions.db" in str(caught.value)
            assert caught.value.path == str(tmp_path / "memory-sessions.db")
            assert caught.value.waited_seconds < DEFAULT_SECONDS

        threads = [threading.Thread(target=append) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(waits) == 3
        assert all(0.3 < wait < DEFAULT_SECONDS for wait in waits)
        writer.execute("ROLLBACK")
        sessions.append(id, "user", "kept")
        assert texts(sessions.messages(id).items) == ["kept"]


def test_after_close_the_main_file_has_everything(tmp_path: Path) -> None:
    """A copy of it alone opens and is complete; nothing lies beside it."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        say(sessions, id, *(f"user: m{number}" for number in range(20)))
    assert _names(tmp_path) == {"memory-sessions.db"}
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(tmp_path / "memory-sessions.db", copy)
    with open_store(copy) as store:
        assert len(store.for_owner("user:ana").messages(id).items) == 20


def test_a_backup_is_whole_while_the_store_is_in_use(tmp_path: Path) -> None:
    """One private file; an earlier one is replaced, the store goes on."""
    target = tmp_path / "backups"
    target.mkdir()
    path = target / "memory-sessions.db"
    path.write_bytes(b"last week's")
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        say(sessions, id, "user: before")
        old = os.umask(0)
        try:
            store.backup(path)
        finally:
            os.umask(old)
        say(sessions, id, "user: after")
    assert _names(target) == {"memory-sessions.db"}
    assert _mode(path) == 0o600
    with open_store(target) as store:
        copied = store.for_owner("user:ana")
        assert texts(copied.messages(id).items) == ["before"]
        assert len(copied.search("before")) == 1


def test_journal_delete_is_honored_for_a_new_and_for_an_existing_file(
    tmp_path: Path,
) -> None:
    """Nothing is left beside the file, also not while it is open."""
    with open_store(tmp_path, journal="wal") as store:
        id = store.for_owner("user:ana").create("k").id
        assert "memory-sessions.db-wal" in _names(tmp_path)
    with open_store(tmp_path, journal="delete") as store:
        say(store.for_owner("user:ana"), id, "user: hello")
        assert _names(tmp_path) == {"memory-sessions.db"}
    with open_store(tmp_path, journal="wal") as store:
        say(store.for_owner("user:ana"), id, "user: again")
        assert "memory-sessions.db-wal" in _names(tmp_path)
        assert len(store.for_owner("user:ana").messages(id).items) == 2


def test_a_change_of_journal_is_refused_while_the_file_is_in_use(
    tmp_path: Path,
) -> None:
    """Loudly, in time, and without harm to who is using it."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        with pytest.raises(StoreLockedError):
            open_store(tmp_path, journal="delete", busy_seconds=0.2)
        say(sessions, id, "user: hello")
        assert len(sessions.messages(id).items) == 1


def test_a_file_system_without_write_ahead_logging_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite answers with another mode instead of an error."""

    class Stubborn(sqlite3.Connection):
        @override
        def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
            if sql.startswith("PRAGMA journal_mode ="):
                sql = "PRAGMA journal_mode"
            return super().execute(sql, *rest)  # type: ignore[arg-type]

    connect = sqlite3.connect
    monkeypatch.setattr(
        "sqlite3.connect", lambda *a, **k: connect(*a, factory=Stubborn, **k)
    )
    with pytest.raises(UnsupportedError, match="journal='delete'"):
        open_store(tmp_path)


def test_an_unknown_journal_or_a_strange_wait_is_refused(tmp_path: Path) -> None:
    """Before a file is made."""
    for options in (
        {"journal": "off"},
        {"journal": "WAL"},
        {"busy_seconds": -1},
        {"busy_seconds": float("nan")},
        {"busy_seconds": float("inf")},
    ):
        with pytest.raises(ValueError):
            open_store(tmp_path, **options)
    assert _names(tmp_path) == set()


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    """And is made private, whoever made it."""
    path = tmp_path / "memory-sessions.db"
    path.touch(0o666)
    path.chmod(0o666)
    with open_store(tmp_path) as store:
        store.for_owner("user:ana").create("k")
        assert _mode(path) == 0o600


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    """The folder is not made."""
    with pytest.raises(NotWrittenError) as caught:
        SQLiteSessionStore(tmp_path / "no" / "s.db")
    assert "no/s.db" in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert _names(tmp_path) == set()


@pytest.mark.parametrize("kind", ["folder", "link", "dangling link", "pipe"])
def test_what_is_no_file_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    """No hang, nothing followed, nothing made at the other end of a link."""
    path = tmp_path / "memory-sessions.db"
    target = tmp_path / "target.db"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        if kind == "link":
            SQLiteSessionStore(target, redact=plain).close()
        path.symlink_to(target)
    with pytest.raises(UnsafePathError):
        open_store(tmp_path)
    assert target.exists() == (kind == "link")


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        b"not a database at all" * 99,
        bytes(500),
        b"SQLite format 3\0",
        bytes(8192),
    ],
)
def test_what_is_no_database_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    """Also a file of zeros, as a power cut leaves it."""
    path = tmp_path / "memory-sessions.db"
    path.write_bytes(content)
    with pytest.raises(CorruptFileError):
        open_store(tmp_path)
    assert path.read_bytes() == content
    assert _names(tmp_path) == {"memory-sessions.db"}


def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """Ethos's own `sessions.db` has the same version number as our first."""
    path = tmp_path / "memory-sessions.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY)")
        other.execute("PRAGMA user_version = 1")
        other.commit()
    before = path.read_bytes()
    with pytest.raises(CorruptFileError, match="another program"):
        open_store(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o777])
def test_every_file_is_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    """The database, its log and the memory that processes share."""
    old = os.umask(mask)
    try:
        with open_store(tmp_path) as store:
            store.for_owner("user:ana").create("k")
            assert {path.name: _mode(path) for path in tmp_path.iterdir()} == {
                "memory-sessions.db": 0o600,
                "memory-sessions.db-wal": 0o600,
                "memory-sessions.db-shm": 0o600,
            }
    finally:
        os.umask(old)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_link_beside_the_database_is_not_followed(
    tmp_path: Path, suffix: str
) -> None:
    """Nobody can have the log written into another file."""
    open_store(tmp_path).close()
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    (tmp_path / f"memory-sessions.db{suffix}").symlink_to(target)
    with pytest.raises((NotWrittenError, UnsafePathError)):
        open_store(tmp_path)
    assert target.read_bytes() == b"precious"
    assert _mode(target) != 0o600
