"""A database whose file is made at the first change; until then it is an empty one."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from typing_extensions import override

from ethos_memory.disk import Root
from ethos_memory.errors import NotWrittenError, UnsafePathError
from ethos_memory.sessions.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ethos_memory.sessions.database import Journal

__all__ = ["LazyDatabase"]

_T = TypeVar("_T")


class LazyDatabase(Database):
    """A `Database` that creates nothing before there is something to keep.

    While there is no file, work runs on an empty database in memory, so that every
    answer and every error is the one that an empty file would give. The folder is made
    together with the file. What is raised is as for `Database`, by each call.
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
        self._open_file = partial(
            Database, path, journal=journal, busy_seconds=busy_seconds, upgrade=upgrade
        )
        self._run_on_nothing = partial(_run_on_nothing, upgrade)
        self._file: Database | None = None
        self._opening = threading.Lock()
        self._is_closed = False

    @override
    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` on the file, or on an empty database when there is none."""
        file = self._opened()
        return self._run_on_nothing(work)[0] if file is None else file.read(work)

    @override
    def write(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` as one change; make the file when `work` changes an empty one."""
        file = self._opened()
        if file is None:
            answer, is_change = self._run_on_nothing(work)
            if not is_change:
                return answer
            file = self._made()
        return file.write(work)

    @override
    def close(self) -> None:
        """Let go of the file, if it was opened. Can be repeated."""
        with self._opening:
            self._is_closed = True
            if self._file is not None:
                self._file.close()

    @override
    def tidy(self) -> None:
        """Overwrite what was deleted, if there is a file."""
        file = self._opened()
        if file is not None:
            file.tidy()

    def _opened(self) -> Database | None:
        return self._file or (self._made() if self._is_there() else None)

    def _is_there(self) -> bool:
        if self._is_closed:
            msg = "the store is closed"
            raise ValueError(msg)
        try:
            self.path.lstat()
        except FileNotFoundError:
            return False
        except OSError:
            # Nobody knows what is there: opening it says what is wrong.
            return True
        return True

    def _made(self) -> Database:
        with self._opening:
            if self._file is None:
                _make_folder(self.path)
                self._file = self._open_file()
            return self._file


def _make_folder(path: Path) -> None:
    failure = None
    try:
        with Root(path.parent).folder(create=True):
            return
    except UnsafePathError:
        raise
    except OSError as error:
        failure = error
    raise NotWrittenError(str(path), cause=failure)


def _run_on_nothing(
    upgrade: Callable[[sqlite3.Connection, int], None],
    work: Callable[[sqlite3.Connection], _T],
) -> tuple[_T, bool]:
    """Run `work` on an empty database; say as well whether it changed anything."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as nothing:
        nothing.deserialize(_empty(upgrade))
        nothing.execute("PRAGMA foreign_keys = ON")
        before = nothing.total_changes
        answer = work(nothing)
        return answer, nothing.total_changes != before


@cache
def _empty(upgrade: Callable[[sqlite3.Connection, int], None]) -> bytes:
    """Return an empty database as bytes: making the tables takes a millisecond."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        new.execute("BEGIN")
        upgrade(new, 0)
        new.execute("COMMIT")
        return new.serialize()
