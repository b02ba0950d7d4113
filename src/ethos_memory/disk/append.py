"""Lines at the end of a journal: whole, and never glued to half a line."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from attrs import frozen

from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.disk.opening import OPEN_JOURNAL, describe, flush, release
from ethos_memory.disk.replace import (
    FILE_MODE,
    raise_not_written,
    replace,
    through,
    write_all,
    writing,
)
from ethos_memory.errors import UnsafePathError

if TYPE_CHECKING:
    from typing import Self

    from ethos_memory.disk.folder import Folder

__all__ = ["Appended", "LineFile", "append_line"]


@frozen
class Appended:
    """Where a line of a journal stands, in bytes.

    Attributes:
        start: The journal's size before.
        end: Its size after, with the line's end.
    """

    start: int
    end: int


class LineFile:
    """A journal, open for appending, for a `with` block inside the folder's lock.

    A file that is not there is made. One that shares its bytes with another name, as
    backup tools leave it, is copied first: appending would change both.

    Args:
        folder: Locked by the caller.
        name: The journal.

    Raises:
        NotWrittenError: When the disk refuses.
        UnsafePathError: When something else than a file stands there.
    """

    __slots__ = ("_fd", "_folder", "_is_new", "_name", "_stack")

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder = folder
        self._name = name
        self._stack: ExitStack | None = None
        self._is_new = False
        self._fd = -1

    def __enter__(self) -> Self:
        try:
            self._open()
            self._unshare()
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise_not_written(self.label(), error)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Can be repeated."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            release(fd)
        if self._stack is not None:
            self._stack.close()

    def label(self) -> str:
        """The journal's path, for people and messages."""
        return self._folder.label_of(self._name)

    def _open(self) -> None:
        try:
            self._fd = os.open(self._name, OPEN_JOURNAL, dir_fd=self._folder.fd)
        except FileNotFoundError:
            self._create()
        except OSError:
            status = self._folder.status(self._name)
            if status is None or stat.S_ISREG(status.st_mode):
                raise
            self._follow(status)

    def _create(self) -> None:
        folder = self._folder
        refuse_other_casing(folder.fd, (folder.label, self._name))
        new = OPEN_JOURNAL | os.O_CREAT | os.O_EXCL
        self._fd = os.open(self._name, new, FILE_MODE, dir_fd=folder.fd)
        os.fchmod(self._fd, FILE_MODE)
        self._is_new = True

    def _follow(self, status: os.stat_result) -> None:
        if not stat.S_ISLNK(status.st_mode):
            raise UnsafePathError(
                self.label(), f"{describe(status.st_mode)}, not a file"
            )
        self._stack = ExitStack()
        home, leaf = self._stack.enter_context(through(self._folder, self._name))
        self._folder, self._name = home, leaf
        self._fd = os.open(leaf, OPEN_JOURNAL, dir_fd=home.fd)

    def _unshare(self) -> None:
        status = os.fstat(self._fd)
        if not stat.S_ISREG(status.st_mode):
            raise UnsafePathError(
                self.label(), f"{describe(status.st_mode)}, not a file"
            )
        if status.st_nlink > 1:
            data = os.pread(self._fd, status.st_size, 0)
            replace(self._folder, self._name, data)
            release(self._fd)
            self._fd = -1
            self._fd = os.open(self._name, OPEN_JOURNAL, dir_fd=self._folder.fd)

    def size(self) -> int:
        """Return the journal's size in bytes."""
        return os.lseek(self._fd, 0, os.SEEK_END)

    def head(self, count: int) -> bytes:
        """Return the first bytes, at most `count`."""
        return os.pread(self._fd, count, 0)

    def append(self, data: bytes, *, synced: bool) -> Appended:
        """Append a line, after a line end when the last line has none.

        Args:
            data: The line, without its line end.
            synced: Whether to wait for the disk.

        Returns:
            Where it stands.

        Raises:
            NotWrittenError: When the disk refuses; no half line is left.
        """
        try:
            size = self.size()
            # After a crash the last line may be half a line; the next must not join.
            gap = b"\n" if size and os.pread(self._fd, 1, size - 1) != b"\n" else b""
            line = b"%b%b\n" % (gap, data)
            self._write(line, size, synced=synced)
            if synced and self._is_new:
                flush(self._folder.fd)
                self._is_new = False
        except OSError as error:
            raise_not_written(self.label(), error)
        return Appended(size, size + len(line))

    def _write(self, line: bytes, size: int, *, synced: bool) -> None:
        try:
            write_all(self._fd, line)
            if synced:
                flush(self._fd)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._fd, size)
            raise

    def truncate(self, size: int) -> None:
        """Take back what was appended since the journal had this size.

        Raises:
            NotWrittenError: When the disk refuses.
        """
        with writing(self.label):
            os.ftruncate(self._fd, size)

    def overwrite(self, data: bytes, *, at: int) -> None:
        """Exchange bytes of a line for as many others, without waiting for the disk.

        Raises:
            NotWrittenError: When the disk refuses.
        """
        try:
            os.pwrite(self._fd, data, at)
        except OSError as error:
            raise_not_written(self.label(), error)


def append_line(folder: Folder, name: str, data: bytes, *, synced: bool) -> None:
    """Append one line to a journal; see `LineFile`.

    Args:
        folder: Locked by the caller.
        name: The journal.
        data: The line, without its line end.
        synced: Whether to wait for the disk.

    Raises:
        NotWrittenError: When the disk refuses; no half line is left.
        UnsafePathError: When something else than a file stands there.
    """
    with LineFile(folder, name) as journal:
        journal.append(data, synced=synced)
