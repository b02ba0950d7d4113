"""A consistent copy of a database that is in use."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ethos_memory.errors import NotWrittenError, UnsafePathError
from ethos_memory.sessions.place import parse_path, sync

if TYPE_CHECKING:
    from ethos_memory.sessions.database import Database

__all__ = ["copy_database"]


def copy_database(database: Database, destination: str | os.PathLike[str]) -> None:
    """Write one file that holds everything, readable by its owner alone.

    An earlier file of that name is replaced in one step. The store stays in use.

    Raises:
        NotWrittenError: When the copy could not be made. What was there before stays.
        UnsafePathError: When a folder, link, pipe or device stands there.
        ValueError: When the copy would replace the store itself.
    """
    path = parse_path(destination)
    is_there = path.exists() and database.path.exists()
    if path == database.path or (is_there and path.samefile(database.path)):
        msg = "a backup needs another name than the store's own"
        raise ValueError(msg)
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise UnsafePathError(str(path), "not a regular file")
    failure = None
    try:
        _replace(database, path)
    except OSError as error:
        failure = error
    except sqlite3.Error:
        failure = OSError("the copy failed")
    if failure:
        raise NotWrittenError(str(path), cause=failure)


def _replace(database: Database, path: Path) -> None:
    # Unpredictable, exclusive and 0600 from the start.
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        _copy(database, temporary)
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _copy(database: Database, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        database.read(lambda source: source.backup(copy))
        # Nothing of the copy may lie in a file beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
