"""A path that cannot leave: folders are walked from one kept descriptor.

A checked path can be exchanged before it is used, so no path is checked here. Each
component is opened below the descriptor of the one before, and links are refused by
the system itself (`O_NOFOLLOW`). Against a process that keeps swapping a folder and a
link, this held in every one of a million tries; resolving first lost thousands.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH102, PTH112, PTH116, PTH118, PTH120

from __future__ import annotations

import errno
import logging
import os
import stat
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, overload

from ethos_memory.disk.folder import Absent, Folder
from ethos_memory.disk.links import TrustedLinks
from ethos_memory.disk.mounts import NETWORK_VOLUMES, volume_type
from ethos_memory.disk.opening import (
    LINK_ERRORS,
    OPEN_FOLDER,
    describe,
    flush,
    release,
)
from ethos_memory.errors import UnsafePathError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Root", "ignores_case", "refuse_other_casing"]

#: A folder's permissions: nobody else reads another person's memory.
FOLDER_MODE: Final = 0o700

#: A folder may be erased between being made and being opened, but hardly this often.
_ATTEMPTS: Final = 8

_logger = logging.getLogger("ethos_memory")

_OTHER_CASING: Final = "differs only in case from one that is there; use that"


def ignores_case(fd: int, name: str) -> bool:
    """Ask a volume whether it takes an existing name in another casing for the same.

    Args:
        fd: The folder that holds `name`.
        name: An existing name with at least one letter.
    """
    try:
        other = os.stat(name.swapcase(), dir_fd=fd, follow_symlinks=False)
        return os.path.samestat(os.stat(name, dir_fd=fd, follow_symlinks=False), other)
    except FileNotFoundError:
        return False


class _Kept:
    """A descriptor that closes with its last user.

    Another thread may still walk from a root that was exchanged; closing its number
    under it would let the walk begin at whatever is opened next.
    """

    __slots__ = ("_close", "fd", "identity")

    def __init__(self, fd: int) -> None:
        self._close = os.close
        self.fd = fd
        status = os.fstat(fd)
        self.identity = (status.st_dev, status.st_ino)

    def __del__(self) -> None:
        try:  # noqa: SIM105 - names of modules may be gone when Python ends
            self._close(self.fd)
        except OSError:
            pass


class Root:
    """The folder below which everything is kept.

    Args:
        path: The root. When it is a link, it is resolved here, once. It need not
            exist yet. ``~`` is not expanded.
        trusted_links: Folders that links below the root may lead into.
        probe: Tells whether a volume ignores case; see `ignores_case`.
        volume: Tells the type of a volume; see `volume_type`. A network volume is
            warned of in the log, once.

    Attributes:
        path: The root, absolute, for people and messages.

    Raises:
        UnsupportedError: On Windows, which has no descriptor-relative calls.
    """

    __slots__ = (
        "_ignores_case",
        "_is_closed",
        "_kept",
        "_probe",
        "_text",
        "_trusted",
        "_volume",
    )

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        trusted_links: Iterable[str | os.PathLike[str]] = (),
        probe: Callable[[int, str], bool] = ignores_case,
        volume: Callable[[int, str], str | None] = volume_type,
    ) -> None:
        if sys.platform == "win32":
            raise UnsupportedError("memory on disk needs Linux or macOS")
        self._text = os.path.realpath(path)
        self._trusted = TrustedLinks(trusted_links, root=self._text)
        self._probe = probe
        self._volume = volume
        self._ignores_case: bool | None = None
        self._kept: _Kept | None = None
        self._is_closed = False

    @property
    def path(self) -> Path:
        """The root, absolute, for people and messages."""
        return Path(self._text)

    @property
    def label(self) -> str:
        """The root's path as text."""
        return self._text

    def close(self) -> None:
        """Let go of the root. Can be repeated; nothing opens from it any more."""
        self._is_closed = True
        self._kept = None

    @overload
    def folder(self, *names: str, create: Literal[True]) -> Folder: ...
    @overload
    def folder(
        self, *names: str, create: bool = False, remake: bool = False
    ) -> Folder | Absent: ...
    def folder(
        self, *names: str, create: bool = False, remake: bool = False
    ) -> Folder | Absent:
        """Open a folder below the root, for a `with` block.

        Args:
            names: One component each, checked by the caller; none for the root.
            create: Make what is missing (0700, durably), the root included.
            remake: Make it again when it is there now, and gone once it is locked.

        Returns:
            The folder; without `create` the block may get `None`.

        Raises:
            UnsafePathError: When a link or file stands in the way, or another casing
                of a name is taken.
            ValueError: When the root was closed.
            OSError: When the disk refuses.
        """
        fd = self._walk(names, create=create)
        if fd is None:
            return Absent()
        walk = partial(self._walk, names, create=create or remake)
        return Folder(self, fd, path=(self._text, *names), walk=walk)

    def _walk(self, names: tuple[str, ...], *, create: bool) -> int | None:
        kept = self._current(create=create)
        if kept is None:
            return None
        if not names:
            # A copy of the descriptor would share its lock with every other copy.
            return os.open(".", OPEN_FOLDER, dir_fd=kept.fd)
        fd = kept.fd
        path: tuple[str, ...] = (self._text,)
        for name in names:
            path = (*path, name)
            parent = fd
            try:
                child = self.enter(parent, path, create=create)
            finally:
                if parent != kept.fd:
                    release(parent)
            if child is None:
                return None
            fd = child
        return fd

    def _current(self, *, create: bool) -> _Kept | None:
        """Return the root's descriptor, opened anew when another folder took its name."""
        if self._is_closed:
            msg = "the root was closed"
            raise ValueError(msg)
        try:
            status = os.stat(self._text, follow_symlinks=False)
        except FileNotFoundError:
            if not create:
                return None
            _make_parents(self._text)
            status = os.stat(self._text, follow_symlinks=False)
        kept = self._kept
        if kept is None or kept.identity != (status.st_dev, status.st_ino):
            if not stat.S_ISDIR(status.st_mode):
                raise UnsafePathError(
                    self._text, f"{describe(status.st_mode)}, not a folder"
                )
            kept = self._kept = _Kept(os.open(self._text, OPEN_FOLDER))
            self._judge_volume(kept.fd)
        return kept

    def _judge_volume(self, fd: int) -> None:
        kind = self._volume(fd, self._text)
        if kind in NETWORK_VOLUMES:
            _logger.warning(
                "%s is on a network volume (%s), where two machines may hold one lock "
                "and lose each other's writes; use PostgreSQL for several machines",
                ascii(self._text),
                kind,
            )

    def enter(self, parent: int, path: tuple[str, ...], *, create: bool) -> int | None:
        """Open the folder `path[-1]` in the open folder `parent`.

        Returns:
            A descriptor, which the caller closes; `None` when there is no folder.

        Raises:
            UnsafePathError: When something else stands there.
        """
        is_ours = False
        for _ in range(_ATTEMPTS):
            try:
                fd = os.open(path[-1], OPEN_FOLDER, dir_fd=parent)
            except FileNotFoundError:
                if not create:
                    return None
                is_ours = _make(parent, path)
                continue
            except OSError as error:
                if error.errno not in LINK_ERRORS:
                    raise
                return self._follow(parent, path)
            if is_ours and os.fstat(fd).st_mode & 0o777 != FOLDER_MODE:
                os.fchmod(fd, FOLDER_MODE)
            if self._ignores_case is not False:
                self.check_casing(parent, path, fd)
            return fd
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), _text(path))

    def check_casing(self, parent: int, path: tuple[str, ...], fd: int) -> None:
        """Close `fd` and refuse it when it is stored under another casing."""
        if self._ignores_case is None:
            self._ignores_case = self._probe(parent, path[-1])
        if self._ignores_case and path[-1] not in os.listdir(parent):
            release(fd)
            raise UnsafePathError(_text(path), _OTHER_CASING)

    def _follow(self, parent: int, path: tuple[str, ...]) -> int:
        label = _text(path)
        status = os.stat(path[-1], dir_fd=parent, follow_symlinks=False)
        if not stat.S_ISLNK(status.st_mode):
            raise UnsafePathError(label, f"{describe(status.st_mode)}, not a folder")
        fd, _, leaf = self._trusted.open_parent(label)
        try:
            return os.open(leaf, OPEN_FOLDER, dir_fd=fd)
        except NotADirectoryError:
            pass
        finally:
            release(fd)
        raise UnsafePathError(label, "a link that leads to no folder")

    def target(self, link: str) -> tuple[Folder, str]:
        """Follow a linked page to the folder that holds it.

        Returns:
            The folder, which the caller closes, and the page's name in it.

        Raises:
            UnsafePathError: When the link is not allowed, dangles or circles.
        """
        fd, path, leaf = self._trusted.open_parent(link)

        def walk() -> int:
            return self._trusted.open_parent(link)[0]

        return Folder(self, fd, path=(path,), walk=walk, follows=False), leaf


def _make(parent: int, path: tuple[str, ...]) -> bool:
    """Make a folder durably, unless another casing of its name is taken.

    Returns:
        Whether it was made here, and not by somebody else at the same time.
    """
    refuse_other_casing(parent, path)
    try:
        os.mkdir(path[-1], FOLDER_MODE, dir_fd=parent)
    except FileExistsError:
        is_ours = False
    else:
        is_ours = True
    # Somebody else may have made the other casing since the first look.
    refuse_other_casing(parent, path, undo=is_ours)
    flush(parent)
    return is_ours


def _text(path: tuple[str, ...]) -> str:
    return os.path.join(*path)


def refuse_other_casing(
    parent: int, path: tuple[str, ...], *, undo: bool = False
) -> None:
    """Refuse a new name that differs only in case from one in the same folder.

    Args:
        parent: The open folder.
        path: The new name, and what it stands in, for the error.
        undo: Remove the folder of the new name first.

    Raises:
        UnsafePathError: When there is such a name.
    """
    name = path[-1]
    folded = name.lower()
    if all(one == name or one.lower() != folded for one in os.listdir(parent)):
        return
    if undo:
        os.rmdir(name, dir_fd=parent)
    raise UnsafePathError(_text(path), _OTHER_CASING)


def _make_parents(path: str) -> None:
    missing = [path]
    while not os.path.isdir(parent := os.path.dirname(missing[-1])):
        missing.append(parent)
    for folder in reversed(missing):
        try:
            os.mkdir(folder, FOLDER_MODE)
        except FileExistsError:
            continue
        fd = os.open(os.path.dirname(folder), OPEN_FOLDER)
        try:
            flush(fd)
        finally:
            release(fd)
