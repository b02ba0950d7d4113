"""Lines at the end of a journal: whole, and never glued to half a line."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from attrs import frozen

from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.disk.opening import OPEN_JOURNAL, flush
from ethos_memory.disk.replace import (
    FILE_MODE,
    file_status,
    replace,
    through,
    write_all,
    writing,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.disk.folder import Folder

__all__ = ["Appended", "append_line", "overwrite", "truncate"]


@frozen
class Appended:
    """Where a line of a journal stands, in bytes.

    Attributes:
        start: The journal's size before.
        end: Its size after, with the line's end.
    """

    start: int
    end: int


def append_line(folder: Folder, name: str, data: bytes, *, synced: bool) -> Appended:
    """Append a line to a journal, after a line end when the last one has none.

    Args:
        folder: Locked by the caller.
        name: The journal; it is made when it is not there.
        data: The line, without its line end.
        synced: Whether to wait for the disk.

    Returns:
        Where the line stands, for `truncate` and `overwrite`.

    Raises:
        NotWrittenError: When the disk refuses; no half line is left.
        UnsafePathError: When something else than a file stands there.
    """
    with through(folder, name) as (home, leaf), writing(home.label_of(leaf)):
        status = file_status(home, leaf)
        if status is None:
            refuse_other_casing(home.fd, (home.label, leaf))
        elif status.st_nlink > 1:
            _unshare(home, leaf, size=status.st_size)
        create = os.O_CREAT | os.O_EXCL if status is None else 0
        fd = os.open(
            leaf, OPEN_JOURNAL | os.O_APPEND | create, FILE_MODE, dir_fd=home.fd
        )
        try:
            if status is None:
                os.fchmod(fd, FILE_MODE)
            appended = _append(fd, data, synced=synced)
        finally:
            os.close(fd)
        if synced and status is None:
            flush(home.fd)
        return appended


def truncate(folder: Folder, name: str, size: int) -> None:
    """Take back what was appended to a journal.

    Args:
        folder: Locked by the caller since `append_line`.
        name: The journal.
        size: Its size before, as `append_line` returned it.

    Raises:
        NotWrittenError: When the disk refuses.
    """
    with _in_place(folder, name) as fd:
        os.ftruncate(fd, size)


def overwrite(folder: Folder, name: str, data: bytes, *, at: int) -> None:
    """Exchange bytes in the last line of a journal, without waiting for the disk.

    Args:
        folder: Locked by the caller since `append_line`.
        name: The journal.
        data: The new bytes, as many as the old.
        at: Where they begin.

    Raises:
        NotWrittenError: When the disk refuses.
    """
    with _in_place(folder, name) as fd:
        os.pwrite(fd, data, at)


@contextmanager
def _in_place(folder: Folder, name: str) -> Iterator[int]:
    with through(folder, name) as (home, leaf), writing(home.label_of(leaf)):
        fd = os.open(leaf, OPEN_JOURNAL, dir_fd=home.fd)
        try:
            yield fd
        finally:
            os.close(fd)


def _append(fd: int, data: bytes, *, synced: bool) -> Appended:
    size = os.fstat(fd).st_size
    # After a crash the last line may be half a line; the next must not join it.
    gap = b"\n" if size and os.pread(fd, 1, size - 1) != b"\n" else b""
    try:
        write_all(fd, b"%b%b\n" % (gap, data))
        if synced:
            flush(fd)
    except OSError:
        with suppress(OSError):
            os.ftruncate(fd, size)
        raise
    return Appended(size, size + len(gap) + len(data) + 1)


def _unshare(folder: Folder, name: str, *, size: int) -> None:
    """Break a hard link, as backup tools make them: appending would change both."""
    stored = folder.read(name, max_bytes=size)
    if stored is not None:
        replace(folder, name, stored.data)
