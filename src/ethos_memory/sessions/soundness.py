"""A look at a store's file that changes nothing, for whoever wonders what is wrong."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from ethos_memory.errors import CorruptFileError, UnsafePathError
from ethos_memory.sessions.place import parse_path, refuse_odd
from ethos_memory.sessions.schema import APPLICATION_ID, VERSION

if TYPE_CHECKING:
    import os
    from pathlib import Path

__all__ = ["find_fault"]


def find_fault(path: str | os.PathLike[str]) -> str:
    """Tell why a store's conversations cannot be used.

    A program that uses the file at the same time is not disturbed, and nothing is
    changed, not even by what SQLite keeps beside a file. Where a stopped program left
    its log and nothing to read it with, only whose file it is can be told.

    Args:
        path: Of a `SQLiteSessionStore`.

    Returns:
        A few words, nothing of what was said; ``""`` when nothing is wrong, or no file
        is there yet.
    """
    file = parse_path(path)
    try:
        refuse_odd(file, file.lstat())
        return _fault_of(file)
    except FileNotFoundError:
        return ""
    except (CorruptFileError, UnsafePathError) as error:
        return error.reason
    except sqlite3.Error as error:
        return f"SQLite cannot read it ({error.sqlite_errorname})"
    except OSError as error:
        return error.strerror or type(error).__name__


def _fault_of(file: Path) -> str:
    log = file.with_name(f"{file.name}-wal")
    if not log.exists() or not log.stat().st_size:
        # Nobody writes, or all is written: the file alone tells everything.
        return _inspect(file, "immutable=1")
    if file.with_name(f"{file.name}-shm").exists():
        return _inspect(file, "mode=ro")
    # Reading the log would make a file beside it; without it the pages may not match.
    return _inspect(file, "immutable=1", is_whole=False)


def _inspect(file: Path, option: str, *, is_whole: bool = True) -> str:
    address = f"{file.as_uri()}?{option}"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        # Of one state: a program may be making the tables at this moment.
        connection.execute("BEGIN")
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if mark != APPLICATION_ID and (mark or version or tables):
            return "another program's database"
        if version > VERSION:
            return "a newer release wrote it"
        if not is_whole:
            return ""
        (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        return "" if answer == "ok" else "SQLite finds it damaged"
