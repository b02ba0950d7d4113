"""One open folder: everything in it is reached through its descriptor."""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH116, PTH118

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, Self, overload

from ethos_memory.disk.opening import (
    LINK_ERRORS,
    OPEN_PAGE,
    Signature,
    Stored,
    describe,
    load,
    refuse_link,
    release,
    signature_of,
)
from ethos_memory.errors import UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.disk.confine import Root

__all__ = ["Absent", "Folder"]

#: A link, or a socket, which cannot be opened at all.
_NO_PAGE_ERRORS: Final = LINK_ERRORS | {errno.ENXIO, errno.EOPNOTSUPP}


def _is_text(name: str) -> bool:
    """Tell whether a name on disk could be decoded."""
    return name.isascii() or not any("\ud800" <= part <= "\udfff" for part in name)


class Absent:
    """In place of a folder that is not there: a `with` block gets `None`."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


class Folder:
    """One open folder. Names are the caller's to check: one component, no path.

    Attributes:
        fd: Its descriptor, for calls that take a `dir_fd`.
        root: What it was opened from.
    """

    __slots__ = ("_follows", "_path", "_walk", "fd", "root")

    def __init__(
        self,
        root: Root,
        fd: int,
        *,
        path: tuple[str, ...],
        walk: Callable[[], int | None],
        follows: bool = True,
    ) -> None:
        self.root: Root = root
        self.fd: int = fd
        self._path = path
        self._walk = walk
        self._follows = follows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor. Can be repeated."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            release(fd)

    @property
    def label(self) -> str:
        """The folder's path, for people and messages."""
        return os.path.join(*self._path)

    def label_of(self, name: str) -> str:
        """Return the path of a file in it, for people and messages."""
        return os.path.join(*self._path, name)

    def rewalk(self) -> bool:
        """Open the folder again by its name, in place of the open descriptor.

        Returns:
            False when nothing stands there any more; the old descriptor then stays.

        Raises:
            UnsafePathError: When a link or something else stands there now.
        """
        fresh = self._walk()
        if fresh is None:
            return False
        stale, self.fd = self.fd, fresh
        release(stale)
        return True

    def is_current(self) -> bool:
        """Tell whether the folder's name still leads to the open descriptor."""
        if self._follows and self._is_named():
            return True
        fresh = self._walk()
        if fresh is None:
            return False
        try:
            return os.path.samestat(os.fstat(fresh), os.fstat(self.fd))
        finally:
            release(fresh)

    def _is_named(self) -> bool:
        """Tell by one look whether the path leads to the open descriptor.

        What it finds is compared and not opened, so it does no harm that the look may
        follow a link on its way. False may mean that one of the names is a link.
        """
        try:
            found = os.stat("/".join(self._path), follow_symlinks=False)
        except OSError:
            return False
        held = os.fstat(self.fd)
        return found.st_ino == held.st_ino and found.st_dev == held.st_dev

    @overload
    def folder(self, name: str, *, create: Literal[True]) -> Folder: ...
    @overload
    def folder(self, name: str, *, create: bool = False) -> Folder | Absent: ...
    def folder(self, name: str, *, create: bool = False) -> Folder | Absent:
        """Open a folder in this one, for a `with` block.

        Args:
            name: One component.
            create: Make it (0700, durably) when it is not there.

        Returns:
            The folder; without `create` the block may get `None`.

        Raises:
            UnsafePathError: When a link or a file stands there.
        """
        path = (*self._path, name)

        def walk() -> int | None:
            return self.root.enter(self.fd, path, create=create)

        fd = walk()
        return Absent() if fd is None else Folder(self.root, fd, path=path, walk=walk)

    def open(
        self, name: str, *, on_link: Callable[[], int | None] | None = None
    ) -> int | None:
        """Open a page for reading; links as the root allows.

        Args:
            name: The page.
            on_link: Opens it instead when a link stands there.

        Returns:
            A descriptor, which the caller closes and whose kind `load` checks; `None`
            when there is no such file.

        Raises:
            UnsafePathError: When a link or socket stands there, or the page is stored
                under another casing.
        """
        try:
            fd = os.open(name, OPEN_PAGE, dir_fd=self.fd)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno not in _NO_PAGE_ERRORS:
                raise
            return self._open_other(name, on_link)
        self.root.check_casing(self.fd, (*self._path, name), fd)
        return fd

    def _open_other(
        self, name: str, on_link: Callable[[], int | None] | None = None
    ) -> int | None:
        status = self.status(name)
        if status is None:
            return None
        if stat.S_ISLNK(status.st_mode):
            if on_link is not None:
                return on_link()
            folder, leaf = self.target(name)
            with folder:
                return folder.open(leaf)
        raise UnsafePathError(
            self.label_of(name), f"{describe(status.st_mode)}, not a page"
        )

    def target(self, name: str) -> tuple[Folder, str]:
        """Follow a link in this folder, if the root trusts where it leads.

        Returns:
            The folder of the page it leads to, which the caller closes, and the
            page's name there.

        Raises:
            UnsafePathError: When it does not.
        """
        if not self._follows:
            # Where a link led to there was no link when it was resolved.
            raise refuse_link(self.label_of(name))
        return self.root.target(self.label_of(name))

    def status(self, name: str) -> os.stat_result | None:
        """Look at a name without following a link; `None` when nothing is there."""
        try:
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def signature(self, name: str) -> Signature | None:
        """Return what changes when the page does; of the target when it is a link.

        Returns:
            `None` when there is no such file.

        Raises:
            UnsafePathError: When it is no page, or a link that is not allowed.
        """
        status = self.status(name)
        if status is None:
            return None
        if stat.S_ISREG(status.st_mode):
            return signature_of(status)
        fd = self._open_other(name)
        if fd is None:
            return None
        try:
            return signature_of(os.fstat(fd))
        finally:
            release(fd)

    def read(self, name: str, *, max_bytes: int) -> Stored | None:
        """Read a page whole.

        Returns:
            Its bytes and status, `None` when there is no such file.

        Raises:
            UnsafePathError: When it is no regular file.
            PageTooLargeError: When it holds more than `max_bytes`.
            OSError: When the disk cannot read it.
        """
        fd = self.open(name)
        if fd is None:
            return None
        try:
            return load(fd, partial(self.label_of, name), max_bytes=max_bytes)
        finally:
            release(fd)

    def scan(self) -> dict[str, Signature | None]:
        """Look at every file at once, for callers that would ask for each.

        Returns:
            The signature of each file by name; `None` for a link, which `signature`
            judges.
        """
        found: dict[str, Signature | None] = {}
        with os.scandir(self.fd) as entries:
            for entry in entries:
                is_link = entry.is_symlink()
                if not (is_link or entry.is_file(follow_symlinks=False)):
                    continue
                if not _is_text(entry.name):
                    continue
                # A writer's temporary file is gone at any moment.
                with suppress(FileNotFoundError):
                    found[entry.name] = (
                        None
                        if is_link
                        else signature_of(entry.stat(follow_symlinks=False))
                    )
        return found

    def names(self) -> tuple[str, ...]:
        """Return the names of files and links, sorted; folders and devices are none."""
        with os.scandir(self.fd) as entries:
            found = [
                entry.name
                for entry in entries
                if (entry.is_file(follow_symlinks=False) or entry.is_symlink())
                and _is_text(entry.name)
            ]
        return tuple(sorted(found))
