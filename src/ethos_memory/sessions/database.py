"""Two connections to one SQLite file: one writes, one reads.

Each is used by one thread at a time. A reader never waits for a writer of this
process, and in write-ahead mode for no other's either.
"""

from __future__ import annotations

import errno
import functools
import logging
import os
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from attrs import field, frozen

from ethos_memory.errors import (
    CorruptFileError,
    NewerFormatError,
    NotWrittenError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.sessions.place import check_same, prepare, tighten
from ethos_memory.sessions.schema import APPLICATION_ID, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["JOURNALS", "Database", "Journal", "translated"]

_T = TypeVar("_T")

#: How SQLite makes a change all or nothing. ``delete`` is for file systems on which
#: processes cannot share memory (network and virtual-machine shares).
Journal: TypeAlias = Literal["wal", "delete"]
JOURNALS: Final[tuple[Journal, ...]] = ("wal", "delete")

#: How long to wait before asking again for a switch of mode, which SQLite refuses at
#: once, whatever its busy timeout.
_RETRY_SECONDS: Final = 0.01

#: SQLite's primary result codes, and the system's error that each stands for.
_DISK_ERRORS: Final = {
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
}
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

#: Connections of a parent process. They are never closed here: closing would tidy up
#: files that the parent still uses.
_INHERITED: Final[list[sqlite3.Connection]] = []

_logger = logging.getLogger("ethos_memory")

#: Reads text that is not UTF-8 with replacement characters instead of failing.
_LENIENT: Final = functools.partial(str, encoding="utf-8", errors="replace")


def _primary(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def translated(error: sqlite3.Error, path: Path, waited_seconds: float) -> Exception:
    """Return the library's own error for one of SQLite's, or the same one."""
    code = _primary(error)
    if code in _BUSY:
        return StoreLockedError(str(path), waited_seconds=round(waited_seconds, 3))
    if code in _DAMAGED:
        return CorruptFileError(str(path), "not a sound SQLite database")
    if code in _DISK_ERRORS:
        number = _DISK_ERRORS[code]
        return NotWrittenError(str(path), cause=OSError(number, os.strerror(number)))
    return error


def _is_undecodable(error: sqlite3.Error) -> bool:
    # Python's own complaint, which quotes the text: it must not get any further.
    return _primary(error) == 0 and "decode to UTF-8" in str(error)


@frozen(eq=False)
class _Channel:
    connection: sqlite3.Connection
    begin: str
    lock: threading.Lock = field(factory=threading.Lock)

    def transact(
        self, work: Callable[[sqlite3.Connection], _T], wait_seconds: float
    ) -> _T:
        """Run `work` in one transaction: all of it, or nothing."""
        connection = self.connection
        connection.execute(f"PRAGMA busy_timeout = {int(wait_seconds * 1000)}")
        connection.execute(self.begin)
        try:
            answer = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return answer


class Database:
    """A SQLite file, opened by the rules of DESIGN section 10.

    Args:
        path: From `place.parse_path`.
        journal: Of `JOURNALS`; honored for an existing file as well, or refused.
        busy_seconds: The longest wait for another thread or process, in all.
        upgrade: Brings the tables up to date inside a transaction.

    Raises:
        CorruptFileError: When the file is not a database, or another program's.
        NewerFormatError: When a newer release wrote it. It is left as it is.
        NotWrittenError: When it can be neither opened nor made.
        StoreLockedError: When others kept it busy for longer than `busy_seconds`.
        UnsafePathError: When a link, folder, pipe or device stands there.
        UnsupportedError: When the file system cannot do write-ahead logging.
    """

    def __init__(
        self,
        path: Path,
        *,
        journal: Journal,
        busy_seconds: float,
        upgrade: Callable[[sqlite3.Connection, int], None],
    ) -> None:
        self.path = path
        self._journal = journal
        self._busy_seconds = busy_seconds
        self._upgrade = upgrade
        self._opening = threading.Lock()
        self._is_closed = False
        self._open()

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` on one consistent state of the file.

        Raises:
            StoreLockedError: When the store stayed busy for too long.
        """
        return self._run(self._here()[1], work)

    def write(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` as one change, durable when this returns; an error undoes it.

        Raises:
            NotWrittenError: When the disk refused. Nothing was changed.
            StoreLockedError: When another writer did not finish in time.
        """
        return self._run(self._here()[0], work)

    def close(self) -> None:
        """Write everything into the main file and let go of it. Can be repeated."""
        with self._opening:
            if self._is_closed:
                return
            self._is_closed = True
            if self._pid != os.getpid():
                self._disown()
                return
            for channel in reversed(self._channels):
                # A thread may still be at work.
                with channel.lock:
                    channel.connection.close()

    def tidy(self) -> None:
        """Overwrite what was deleted, in the main file and beside it, if one may.

        Another process that is reading may delay the second part until it is done.
        """
        writer = self._here()[0]
        with writer.lock:
            writer.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _run(self, channel: _Channel, work: Callable[[sqlite3.Connection], _T]) -> _T:
        started = time.monotonic()
        if not channel.lock.acquire(timeout=self._busy_seconds):
            raise StoreLockedError(str(self.path), waited_seconds=self._busy_seconds)
        try:
            return self._attempt(channel, work, started)
        finally:
            channel.lock.release()

    def _attempt(
        self,
        channel: _Channel,
        work: Callable[[sqlite3.Connection], _T],
        started: float,
    ) -> _T:
        if self._is_closed:
            msg = "the store is closed"
            raise ValueError(msg)
        spent = time.monotonic() - started
        try:
            return channel.transact(work, max(0.0, self._busy_seconds - spent))
        except sqlite3.Error as error:
            failure = error
        # Outside the handler, so that no error of ours drags one of Python's along.
        if _is_undecodable(failure):
            # The frames hold an open query, which would hold this state of the file.
            failure.with_traceback(None)
            _logger.warning("%s: text that is not UTF-8 is shown in part", self.path)
            channel.connection.text_factory = _LENIENT
            return self._attempt(channel, work, started)
        raise translated(failure, self.path, time.monotonic() - started)

    def _here(self) -> tuple[_Channel, _Channel]:
        """Return this process's connections; SQLite's do not survive a fork."""
        if self._pid != os.getpid():
            with self._opening:
                if self._pid != os.getpid() and not self._is_closed:
                    self._disown()
                    self._open()
        return self._channels

    def _disown(self) -> None:
        _INHERITED.extend(channel.connection for channel in self._channels)

    def _open(self) -> None:
        started = time.monotonic()
        found = prepare(self.path)
        opened: list[sqlite3.Connection] = []
        failure: Exception | None = None
        try:
            self._connect(opened, started)
            check_same(self.path, found)
            tighten(self.path)
        except sqlite3.Error as error:
            failure = translated(error, self.path, time.monotonic() - started)
        except Exception as error:  # noqa: BLE001 - raised again below
            failure = error
        if failure:
            for connection in opened:
                connection.close()
            raise failure
        self._pid = os.getpid()
        self._channels = (
            _Channel(opened[0], "BEGIN IMMEDIATE"),
            _Channel(opened[1], "BEGIN"),
        )

    def _connect(self, opened: list[sqlite3.Connection], started: float) -> None:
        for _ in range(2):
            opened.append(self._connection())
            self._set_up(opened[-1])
            if len(opened) == 1:
                self._version(opened[0])
                self._set_journal(opened[0], started)
                self._migrate(opened[0])
        opened[1].execute("PRAGMA query_only = ON")

    def _connection(self) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.path.as_uri()}?mode=rw",
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
        )

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        # What is deleted must not stay readable in the file.
        connection.execute("PRAGMA secure_delete = ON")
        # In the older mode, the folder is synced as well when the journal goes.
        level = "FULL" if self._journal == "wal" else "EXTRA"
        connection.execute(f"PRAGMA synchronous = {level}")

    def _version(self, connection: sqlite3.Connection) -> int:
        # Of one state: another process may be making the tables at this moment.
        channel = _Channel(connection, "BEGIN")
        return channel.transact(self._check_version, self._busy_seconds)

    def _check_version(self, connection: sqlite3.Connection) -> int:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application != APPLICATION_ID and (tables or application or version):
            raise CorruptFileError(str(self.path), "another program's database")
        if version > VERSION:
            raise NewerFormatError(str(self.path), found=version, supported=VERSION)
        return int(version)

    def _set_journal(self, connection: sqlite3.Connection, started: float) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        while mode != self._journal:
            try:
                wanted = f"PRAGMA journal_mode = {self._journal}"
                (mode,) = connection.execute(wanted).fetchone()
            except sqlite3.OperationalError as error:
                waited = time.monotonic() - started
                if _primary(error) not in _BUSY or waited >= self._busy_seconds:
                    raise
                time.sleep(_RETRY_SECONDS)
            else:
                if mode != self._journal:
                    raise UnsupportedError(
                        f"{self.path}: this file system cannot do journal "
                        f"{self._journal!r}; open it with journal='delete'"
                    )

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == VERSION:
            return

        def upgrade(connection: sqlite3.Connection) -> None:
            # Another process may have upgraded it while this one waited.
            self._upgrade(connection, self._check_version(connection))

        connection.text_factory = _LENIENT
        _Channel(connection, "BEGIN IMMEDIATE").transact(upgrade, self._busy_seconds)
        connection.text_factory = str
