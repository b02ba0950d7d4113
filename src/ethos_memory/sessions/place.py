"""Where the database is: created private, and never reached through a link.

A descriptor of a database that is open is never closed here: POSIX drops every lock
that the process holds on a file when any descriptor of it is closed.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from ethos_memory.errors import CorruptFileError, NotWrittenError, UnsafePathError
from ethos_memory.scope import plain_text

__all__ = ["check_same", "parse_path", "prepare", "refuse_odd", "sync", "tighten"]

#: Conversations are private, whatever the umask.
_MODE: Final = 0o600
_OTHERS: Final = 0o077

#: A database is at least one page, and a page at least this many bytes.
_SMALLEST: Final = 512

#: What SQLite keeps beside a database while it is open.
_COMPANIONS: Final = ("", "-wal", "-shm", "-journal")


def parse_path(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a database; links in its folder are resolved once.

    Raises:
        TypeError: When `path` is no text path.
        ValueError: When it names no file.
    """
    given = Path(plain_text(os.fspath(path), what="path"))
    if given.name in {"", ".."} or "\0" in str(given):
        msg = "a path to a file is needed"
        raise ValueError(msg)
    return Path(os.path.realpath(given.parent)) / given.name


def refuse_odd(path: Path, found: os.stat_result) -> None:
    """Refuse what cannot be a database.

    Raises:
        CorruptFileError: When the file is too short to be one.
        UnsafePathError: When it is no regular file.
    """
    if stat.S_ISLNK(found.st_mode):
        raise UnsafePathError(str(path), "a link; name the file it leads to instead")
    if not stat.S_ISREG(found.st_mode):
        raise UnsafePathError(str(path), "not a regular file")
    # SQLite takes a file of one byte for an empty one, and writes over it.
    if 0 < found.st_size < _SMALLEST:
        raise CorruptFileError(str(path), "too short for a SQLite database")


def _create(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE)
    try:
        os.fchmod(descriptor, _MODE)
    finally:
        os.close(descriptor)
    sync(path.parent)


def sync(path: Path) -> None:
    """Make a file's bytes, or a folder's names, durable. For no open database."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _found(path: Path) -> os.stat_result | OSError:
    try:
        if not os.path.lexists(path):
            # Another process may create it at this very moment, as it should be.
            with suppress(FileExistsError):
                _create(path)
        return path.lstat()
    except OSError as error:
        return error


def prepare(path: Path) -> os.stat_result:
    """Make sure that a private, regular file is there; an empty one is a new database.

    Returns:
        What the system says of the file, for `check_same`.

    Raises:
        CorruptFileError: When the file is too short to be a database.
        NotWrittenError: When the folder is missing or cannot be written to.
        UnsafePathError: When a link, folder, pipe or device stands there.
    """
    found = _found(path)
    if isinstance(found, OSError):
        raise NotWrittenError(str(path), cause=found)
    refuse_odd(path, found)
    tighten(path)
    return found


def check_same(path: Path, before: os.stat_result) -> None:
    """Refuse when another file stands at `path` now.

    Raises:
        UnsafePathError: When the name leads elsewhere than before.
    """
    now = path.lstat() if os.path.lexists(path) else None
    if now is None or not os.path.samestat(now, before):
        raise UnsafePathError(str(path), "replaced while it was being opened")


def tighten(path: Path) -> None:
    """Take everybody else's rights from a database and what lies beside it.

    Only from files of one's own: where another user owns the file, that user decided
    who may read it.
    """
    for name in (path.with_name(path.name + suffix) for suffix in _COMPANIONS):
        with suppress(FileNotFoundError):
            found = name.lstat()
            is_open_to_others = bool(found.st_mode & _OTHERS)
            is_ours = found.st_uid == os.geteuid()
            if stat.S_ISREG(found.st_mode) and is_open_to_others and is_ours:
                _chmod(name)


def _chmod(path: Path) -> None:
    if sys.platform != "linux" or os.chmod in os.supports_follow_symlinks:
        path.chmod(_MODE, follow_symlinks=False)
        return
    # Linux: a descriptor for the name alone, which holds no locks to be dropped.
    descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW)
    try:
        Path(f"/proc/self/fd/{descriptor}").chmod(_MODE)
    finally:
        os.close(descriptor)
