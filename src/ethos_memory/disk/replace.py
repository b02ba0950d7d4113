"""Atomic and durable: a reader sees the old bytes or the new, also after a power cut.

Temporary file in the same folder, synced, renamed, folder synced: of the shorter ways
each lost the last acknowledged write, or left an empty file, in simulated power cuts.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NoReturn, Self, TypeAlias, get_args

from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.disk.lock import LOCK_SECONDS, locked, temporary_name
from ethos_memory.disk.opening import CREATE, describe, flush, release
from ethos_memory.errors import (
    DurabilityUnknownError,
    EthosMemoryError,
    NotWrittenError,
    UnsafePathError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ethos_memory.disk.folder import Folder

__all__ = [
    "FILE_MODE",
    "Durability",
    "Staged",
    "file_status",
    "flush_folder",
    "parse_durability",
    "raise_not_written",
    "remove",
    "remove_from",
    "replace",
    "through",
    "write_all",
    "writing",
]

#: "full" waits for the disk; "fast" leaves that to the system, and a power cut may
#: take the last writes. Either way no reader ever sees half a file.
Durability: TypeAlias = Literal["full", "fast"]
_DURABILITIES: Final = get_args(Durability)

#: A new file's permissions, whatever the umask.
FILE_MODE: Final = 0o600


class Staged:
    """New bytes of a file, written beside it and not yet in its place.

    For a `with` block inside the folder's lock: `flush` has the disk confirm them,
    `commit` puts them in place, and a block that ends without it leaves no trace.

    Args:
        folder: Locked by the caller.
        name: The file.
        data: All of its new bytes.
        durability: Whether to wait for the disk.
        mode: Permission bits of the new file; by default those of the file it
            replaces, or 0600.
        replaced: The status of the file it replaces when the caller has it open,
            `None` when it knows that there is none.
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
        "_fd",
        "_folder",
        "_mode",
        "_name",
        "_replaced",
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
        replaced: os.stat_result | Literal["look"] | None = "look",
        beside: Folder | None = None,
    ) -> None:
        self._folder = folder
        self._replaced = replaced
        self._beside = beside or folder
        self._name = name
        self._data = data
        self._durability = durability
        self._mode = mode
        self._temporary = ""
        self._fd = -1

    def __enter__(self) -> Self:
        folder, name = self._folder, self._name
        try:
            replaced = self._replaced
            if replaced == "look":
                replaced = file_status(folder, name)
            if replaced is None:
                refuse_other_casing(folder.fd, (folder.label, name))
            self._write(replaced)
        except OSError as error:
            self._discard()
            raise_not_written(folder.label_of(name), error)
        return self

    def __exit__(self, *_: object) -> None:
        self._discard()

    def _write(self, replaced: os.stat_result | None) -> None:
        name = temporary_name()
        self._fd = os.open(name, CREATE, FILE_MODE, dir_fd=self._beside.fd)
        self._temporary = name
        _give(self._fd, replaced, self._mode)
        write_all(self._fd, self._data)

    def _discard(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            release(fd)
        if self._temporary:
            with suppress(OSError):
                os.unlink(self._temporary, dir_fd=self._beside.fd)
            self._temporary = ""

    def flush(self) -> None:
        """Have the disk confirm the bytes, as far as the durability asks for it.

        Raises:
            NotWrittenError: When it does not.
        """
        try:
            if self._durability == "full":
                flush(self._fd)
            fd, self._fd = self._fd, -1
            os.close(fd)
        except OSError as error:
            raise_not_written(self._folder.label_of(self._name), error)

    def commit(self) -> None:
        """Put the bytes in place, and flush them before if that was not done.

        Raises:
            NotWrittenError: When the disk refuses; the old file is intact.
            DurabilityUnknownError: When they are in place, and the disk did not
                confirm it.
        """
        if self._fd >= 0:
            self.flush()
        folder, name = self._folder, self._name
        try:
            os.rename(
                self._temporary, name, src_dir_fd=self._beside.fd, dst_dir_fd=folder.fd
            )
        except OSError as error:
            raise_not_written(folder.label_of(name), error)
        self._temporary = ""
        if self._durability == "full":
            flush_folder(folder, name)


def parse_durability(value: Durability) -> Durability:
    """Return it when it is one: a slip of the pen must not mean "do not wait".

    Raises:
        ValueError: When it is not.
    """
    if value not in _DURABILITIES:
        msg = f"durability is one of {', '.join(_DURABILITIES)}"
        raise ValueError(msg)
    return value


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
    with writing(partial(folder.label_of, name)):
        if file_status(home, leaf) is None:
            return False
        os.unlink(leaf, dir_fd=home.fd)
        if home is not folder:
            os.unlink(name, dir_fd=folder.fd)
    if durability == "full":
        flush_folder(home, leaf)
        if home is not folder:
            flush_folder(folder, name)
    return True


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


class writing:  # noqa: N801 - reads like the statement it is
    """Say "not written" when the system refuses something inside a `with` block.

    Args:
        path: What was to be written, for the error: text, or what makes it.

    Raises:
        NotWrittenError: In place of any other `OSError`.
    """

    __slots__ = ("_path",)

    def __init__(self, path: str | Callable[[], str]) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: object
    ) -> None:
        if isinstance(error, OSError) and not isinstance(error, EthosMemoryError):
            path = self._path if isinstance(self._path, str) else self._path()
            raise NotWrittenError(path, cause=error) from error


def raise_not_written(path: str, error: OSError) -> NoReturn:
    """Raise an error as `writing` would: for steps that every write takes.

    Raises:
        NotWrittenError: In place of a system's own error; ours is raised as it is.
    """
    if isinstance(error, EthosMemoryError):
        raise error
    raise NotWrittenError(path, cause=error) from error


def file_status(folder: Folder, name: str) -> os.stat_result | None:
    """Look at a file that is to be written; `None` when there is none.

    Raises:
        UnsafePathError: When something else than a file stands there.
    """
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
    if wanted != stat.S_IMODE(own.st_mode):
        os.fchmod(fd, wanted)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, however many the system takes at once."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def flush_folder(folder: Folder, name: str) -> None:
    """Have the disk confirm what was renamed or removed in a folder.

    Raises:
        DurabilityUnknownError: When it does not; it names the file `name`.
    """
    try:
        flush(folder.fd)
    except OSError as error:
        raise DurabilityUnknownError(folder.label_of(name), cause=error) from error
