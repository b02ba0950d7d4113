"""Atomic and durable: a reader sees the old bytes or the new, also after a power cut.

Temporary file in the same folder, synced, renamed, folder synced: of the shorter ways
each lost the last acknowledged write, or left an empty file, in simulated power cuts.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias

from attrs import frozen

from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.disk.lock import LOCK_SECONDS, locked, temporary_name
from ethos_memory.disk.opening import CREATE, OPEN_JOURNAL, describe, flush
from ethos_memory.errors import (
    DurabilityUnknownError,
    EthosMemoryError,
    NotWrittenError,
    UnsafePathError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.disk.folder import Folder

__all__ = [
    "Appended",
    "Durability",
    "Staged",
    "append_line",
    "flush_folder",
    "overwrite",
    "remove",
    "remove_from",
    "replace",
    "through",
    "truncate",
    "writing",
]

#: "full" waits for the disk; "fast" leaves that to the system, and a power cut may
#: take the last writes. Either way no reader ever sees half a file.
Durability: TypeAlias = Literal["full", "fast"]

#: A new file's permissions, whatever the umask.
FILE_MODE: Final = 0o600


class Staged:
    """New bytes of a file, written and synced beside it, not yet in its place.

    For a `with` block inside the folder's lock: `commit` puts them in place, and a
    block that ends without it leaves no trace.

    Args:
        folder: Locked by the caller.
        name: The file.
        data: All of its new bytes.
        durability: Whether to wait for the disk.
        mode: Permission bits of the new file; by default those of the file it
            replaces, or 0600.
        beside: Where the temporary file stands instead, in the same volume: a locked
            folder, whose lock sweeps it after a crash.

    Raises:
        NotWrittenError: When the disk refuses; there is no trace.
        UnsafePathError: When a link, a folder or a device stands there, or a file
            whose name differs only in case.
    """

    __slots__ = (
        "_beside",
        "_data",
        "_durability",
        "_folder",
        "_mode",
        "_name",
        "_temporary",
    )

    def __init__(
        self,
        folder: Folder,
        name: str,
        data: bytes,
        *,
        durability: Durability = "full",
        mode: int | None = None,
        beside: Folder | None = None,
    ) -> None:
        self._folder = folder
        self._beside = beside or folder
        self._name = name
        self._data = data
        self._durability = durability
        self._mode = mode
        self._temporary = ""

    def __enter__(self) -> Self:
        folder, name = self._folder, self._name
        try:
            with writing(folder.label_of(name)):
                replaced = _file_status(folder, name)
                if replaced is None:
                    refuse_other_casing(folder.fd, (folder.label, name))
                self._write(replaced)
        except OSError:
            self._discard()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._discard()

    def _write(self, replaced: os.stat_result | None) -> None:
        name = temporary_name()
        fd = os.open(name, CREATE, FILE_MODE, dir_fd=self._beside.fd)
        self._temporary = name
        try:
            _give(fd, replaced, self._mode)
            _write_all(fd, self._data)
            if self._durability == "full":
                flush(fd)
        finally:
            os.close(fd)

    def _discard(self) -> None:
        if self._temporary:
            with suppress(OSError):
                os.unlink(self._temporary, dir_fd=self._beside.fd)
            self._temporary = ""

    def commit(self) -> None:
        """Put the bytes in place.

        Raises:
            NotWrittenError: When the disk refuses; the old file is intact.
            DurabilityUnknownError: When they are in place, and the disk did not
                confirm it.
        """
        folder, name = self._folder, self._name
        with writing(folder.label_of(name)):
            os.rename(
                self._temporary, name, src_dir_fd=self._beside.fd, dst_dir_fd=folder.fd
            )
        self._temporary = ""
        if self._durability == "full":
            flush_folder(folder, name)


def replace(
    folder: Folder,
    name: str,
    data: bytes,
    *,
    durability: Durability = "full",
    mode: int | None = None,
) -> None:
    """Put a file's new bytes in its place, or make the file.

    Args:
        folder: Locked by the caller.
        name: The file.
        data: All of its new bytes.
        durability: Whether to wait for the disk.
        mode: Permission bits; by default those of the file it replaces, or 0600.

    Raises:
        NotWrittenError: When the disk refuses; the old file is intact.
        DurabilityUnknownError: When the new bytes are in place, and the disk did not
            confirm it.
        UnsafePathError: When something else than a file stands there, or another
            casing of the name.
    """
    with (
        through(folder, name) as (home, leaf),
        Staged(home, leaf, data, durability=durability, mode=mode) as staged,
    ):
        staged.commit()


def remove(folder: Folder, name: str, *, durability: Durability = "full") -> bool:
    """Remove a file.

    Args:
        folder: Locked by the caller.
        name: The file.
        durability: Whether to wait for the disk.

    Returns:
        False when there is none.

    Raises:
        NotWrittenError: When the disk refuses; the file is still there.
        DurabilityUnknownError: When it is gone, and the disk did not confirm it.
        UnsafePathError: When something else than a file stands there.
    """
    with through(folder, name) as (home, leaf):
        return remove_from(home, leaf, link=(folder, name), durability=durability)


def remove_from(
    home: Folder, leaf: str, *, link: tuple[Folder, str], durability: Durability
) -> bool:
    """Remove a file inside a `through` block.

    Args:
        home: The folder that holds the file, as `through` gave it.
        leaf: The file's name there.
        link: What `through` was asked for. A link there goes as well: alone it would
            be a page that can be neither read nor made.
        durability: Whether to wait for the disk.

    Returns:
        False when there is none.

    Raises:
        NotWrittenError: When the disk refuses; the file is still there.
        DurabilityUnknownError: When it is gone, and the disk did not confirm it.
        UnsafePathError: When something else than a file stands there.
    """
    folder, name = link
    with writing(folder.label_of(name)):
        if _file_status(home, leaf) is None:
            return False
        os.unlink(leaf, dir_fd=home.fd)
        if home is not folder:
            os.unlink(name, dir_fd=folder.fd)
    if durability == "full":
        flush_folder(home, leaf)
        if home is not folder:
            flush_folder(folder, name)
    return True


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
        status = _file_status(home, leaf)
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
        _write_all(fd, b"%b%b\n" % (gap, data))
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


@contextmanager
def through(
    folder: Folder, name: str, *, timeout_seconds: float = LOCK_SECONDS
) -> Iterator[tuple[Folder, str]]:
    """Find where a file is really kept: beyond a link that the root trusts.

    Args:
        folder: Locked by the caller.
        name: The file.
        timeout_seconds: How long to wait for the lock of a linked file's folder.

    Yields:
        The folder that holds it, locked, and its name there; `folder` and `name`
        themselves when there is no link.

    Raises:
        UnsafePathError: When a link is not allowed, dangles or circles.
        ScopeLockedError: When another writer holds the target's folder.
    """
    status = folder.status(name)
    if status is None or not stat.S_ISLNK(status.st_mode):
        yield folder, name
        return
    home, leaf = folder.target(name)
    with home, locked(home, timeout_seconds=timeout_seconds):
        yield home, leaf


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Say "not written" when the system refuses something inside the block.

    Args:
        path: What was to be written, for the error.

    Raises:
        NotWrittenError: In place of any other `OSError`.
    """
    try:
        yield
    except EthosMemoryError:
        raise
    except OSError as error:
        raise NotWrittenError(path, cause=error) from error


def _file_status(folder: Folder, name: str) -> os.stat_result | None:
    status = folder.status(name)
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise UnsafePathError(
            folder.label_of(name), f"{describe(status.st_mode)}, not a file"
        )
    return status


def _give(fd: int, replaced: os.stat_result | None, mode: int | None) -> None:
    """Give the new file the owner and the mode of the one it replaces."""
    if replaced is None:
        os.fchmod(fd, FILE_MODE if mode is None else mode)
        return
    wanted = stat.S_IMODE(replaced.st_mode) & 0o777 if mode is None else mode
    own = os.fstat(fd)
    if (own.st_uid, own.st_gid) != (replaced.st_uid, replaced.st_gid):
        try:
            os.fchown(fd, replaced.st_uid, replaced.st_gid)
        except PermissionError:
            # The group's bits were meant for another group.
            wanted &= ~0o070
    os.fchmod(fd, wanted)


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def flush_folder(folder: Folder, name: str) -> None:
    """Have the disk confirm what was renamed or removed in a folder.

    Raises:
        DurabilityUnknownError: When it does not; it names the file `name`.
    """
    try:
        flush(folder.fd)
    except OSError as error:
        raise DurabilityUnknownError(folder.label_of(name), cause=error) from error
