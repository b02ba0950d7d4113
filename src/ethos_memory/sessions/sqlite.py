"""Conversations in one SQLite file."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, Self

from ethos_memory.sessions.backup import copy_database
from ethos_memory.sessions.bound import SQLiteSessions
from ethos_memory.sessions.database import JOURNALS, Database
from ethos_memory.sessions.encoding import exact
from ethos_memory.sessions.labels import default_redact
from ethos_memory.sessions.lazy import LazyDatabase
from ethos_memory.sessions.place import parse_path
from ethos_memory.sessions.reading import all_messages
from ethos_memory.sessions.rows import SESSION_COLUMNS, Boundary, exported, session
from ethos_memory.sessions.upgrade import upgrade
from ethos_memory.sessions.writing import erase

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from sqlite3 import Connection
    from types import TracebackType

    from ethos_memory.sessions.database import Journal
    from ethos_memory.sessions.record import SessionExport

__all__ = ["DEFAULT_BUSY_SECONDS", "SQLiteSessionStore"]

#: Long enough for a backup's checkpoint on a slow disk, short enough for a person.
DEFAULT_BUSY_SECONDS: Final = 5.0

#: SQLite counts the wait in milliseconds, as a 32-bit number; a day is plenty.
_MOST_BUSY_SECONDS: Final = 86_400.0

_COUNT: Final = "SELECT count(*) FROM sessions WHERE owner = ?"
_IDS: Final = "SELECT id FROM sessions WHERE owner = ? ORDER BY seq"
_EXPORT: Final = (
    f"SELECT {SESSION_COLUMNS} FROM sessions AS s "  # noqa: S608 - constants
    "WHERE s.id = ? AND s.owner = ?"
)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class SQLiteSessionStore:
    """Conversations in one SQLite file, for any number of threads and processes.

    Every answer and every change is of one consistent state, and a change is durable
    when the call returns. Titles, labels and metadata are stored without credentials;
    messages are kept as they were said. A process that was forked may go on with the
    same object.

    Args:
        path: The file; it is made, for its owner alone, when it is missing. Its
            folder must exist. Links are not followed.
        journal: ``"wal"``, or ``"delete"`` for file systems on which processes cannot
            share memory. Honored for an existing file as well, or refused.
        busy_seconds: How long a call waits for other threads and processes before it
            raises `StoreLockedError`.
        lazily: Open the file when it is there and needed, and make it, with its
            folder, at the first change. What opening raises, a call raises then.
        redact: Takes credentials out of a text; by default the guard's own rules.
        clock: Tells the time, aware.

    Raises:
        CorruptFileError: When the file is not a database, or another program's.
        NewerFormatError: When a newer release wrote the file.
        NotWrittenError: When the file can be neither opened nor made.
        StoreLockedError: When others kept it busy for too long, or a change of
            `journal` was refused because it is in use.
        UnsafePathError: When a link, folder, pipe or device stands there.
        UnsupportedError: When the file system cannot do write-ahead logging.
        ValueError: When an argument is out of range.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        journal: Journal = "wal",
        busy_seconds: float = DEFAULT_BUSY_SECONDS,
        lazily: bool = False,
        redact: Callable[[str], str] = default_redact,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        if journal not in JOURNALS:
            msg = f"journal is one of {', '.join(JOURNALS)}"
            raise ValueError(msg)
        if not (math.isfinite(busy_seconds) and busy_seconds >= 0):
            msg = "busy_seconds must be a number of seconds, 0 or more"
            raise ValueError(msg)
        self._redact = redact
        self._clock = clock
        self._database = (LazyDatabase if lazily else Database)(
            parse_path(path),
            journal=journal,
            busy_seconds=min(busy_seconds, _MOST_BUSY_SECONDS),
            upgrade=upgrade,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def for_owner(self, owner: str) -> SQLiteSessions:
        """Return the conversations of one owner; every call is bound to it.

        Args:
            owner: ``user:<id>`` for a person, ``<platform>:<chat_id>`` for a room;
                compared exactly.

        Raises:
            InvalidNameError: When the owner is empty or not valid text.
        """
        return self._bound(exact(owner, what="owner"))

    def unsafe_everyone(self) -> SQLiteSessions:
        """Return everybody's conversations, for an operator. It does all but create."""
        return self._bound(None)

    def count_owner(self, owner: str) -> int:
        """Return how many conversations an owner has."""
        whose = exact(owner, what="owner")

        def count(database: Connection) -> int:
            (number,) = database.execute(_COUNT, (whose,)).fetchone()
            return int(number)

        return self._database.read(count)

    def export_owner(self, owner: str) -> Iterator[SessionExport]:
        """Yield every conversation of an owner whole, in the order they began.

        Each is read in one step. One that is deleted meanwhile is left out.
        """
        whose = exact(owner, what="owner")
        ids = self._database.read(
            lambda database: database.execute(_IDS, (whose,)).fetchall()
        )
        for (id,) in ids:
            found = self._database.read(partial(_export, id=id, owner=whose))
            if found is not None:
                yield found

    def erase_owner(self, owner: str) -> int:
        """Erase every conversation of an owner for good. Can be repeated.

        Messages, search terms and titles are overwritten in the file, and in the log
        beside it as soon as nobody reads from it.

        Returns:
            How many conversations went.
        """
        whose = exact(owner, what="owner")
        gone = self._database.write(lambda database: erase(database, whose))
        self._database.tidy()
        return gone

    def backup(self, destination: str | os.PathLike[str]) -> None:
        """Write a consistent copy, one file of mode 0600, while the store is in use.

        Args:
            destination: The copy. An earlier one is replaced in one step.

        Raises:
            NotWrittenError: When the copy could not be made.
            UnsafePathError: When a folder, link, pipe or device stands there.
            ValueError: When the copy would replace the store itself.
        """
        copy_database(self._database, destination)

    def close(self) -> None:
        """Write everything into the main file and let go of it. Can be repeated.

        Another process that has the file open keeps its log beside it until it closes
        as well.
        """
        self._database.close()

    def _bound(self, owner: str | None) -> SQLiteSessions:
        return SQLiteSessions(
            self._database,
            Boundary(owner),
            redact=self._redact,
            clock=self._clock,
        )


def _export(database: Connection, *, id: str, owner: str) -> SessionExport | None:
    row = database.execute(_EXPORT, (id, owner)).fetchone()
    if row is None:
        return None
    return exported(row, session, all_messages(database, id))
