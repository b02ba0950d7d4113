"""Links that the operator allowed: where one leads, walked without following any.

The path that the system resolves is only a hint. The target is reached by walking
from the trusted folder's own descriptor, so a link that is swapped meanwhile leads
nowhere.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH114, PTH116, PTH118, PTH206

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ethos_memory.disk.opening import LINK_ERRORS, OPEN_FOLDER, refuse_link, release
from ethos_memory.errors import UnsafePathError
from ethos_memory.scope import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["TrustedLinks"]

#: Where scopes are kept below a home; a team's pages stand one folder further down.
_KIND_FOLDERS: Final = (*LAYOUT.values(), "teams")
_TEAM_FOLDER: Final = "memory"


class TrustedLinks:
    """The folders that links below a root may lead into."""

    __slots__ = ("_folders", "_root", "_unshared")

    def __init__(self, folders: Iterable[str | os.PathLike[str]], *, root: str) -> None:
        self._folders = tuple(os.path.realpath(folder) for folder in folders)
        self._root = root
        self._unshared: set[tuple[str, str]] = set()

    def open_parent(self, link: str) -> tuple[int, str, str]:
        """Open the folder that holds what a link leads to.

        Args:
            link: The link's path.

        Returns:
            A descriptor, which the caller closes; the folder's path; the name in it,
            ``"."`` when the link leads to a trusted folder itself.

        Raises:
            UnsafePathError: When the link is not allowed, dangles, runs in a circle,
                or leads to another place below the root.
        """
        if not self._folders:
            raise refuse_link(link)
        target = self._resolve(link)
        if _is_below(target, self._root):
            raise UnsafePathError(link, "a link from one scope into another")
        trusted = next((one for one in self._folders if _is_below(target, one)), None)
        if trusted is None:
            raise refuse_link(link)
        self._check_unshared(link, target)
        steps = os.path.relpath(target, trusted).split(os.sep)
        fd = self._walk(trusted, steps[:-1], link)
        return fd, os.path.normpath(os.path.join(trusted, *steps[:-1])), steps[-1]

    def _check_unshared(self, link: str, target: str) -> None:
        """Refuse a target that another scope's link leads to, or into, as well.

        Every link of the home is looked at, once for each link that is followed.
        """
        if (link, target) in self._unshared:
            return
        own = self._scope_of(link)
        for other in _links_below(self._root):
            if self._scope_of(other) == own or _is_below(other, link):
                continue
            place = os.path.realpath(other)
            if _is_below(place, target) or _is_below(target, place):
                raise UnsafePathError(link, f"a link to what {other} leads to as well")
        self._unshared.add((link, target))

    def _scope_of(self, path: str) -> list[str]:
        return os.path.relpath(path, self._root).split(os.sep)[:2]

    def _resolve(self, link: str) -> str:
        try:
            return os.path.realpath(link, strict=True)
        except OSError as error:
            problem = error.strerror
        raise UnsafePathError(link, f"a link that leads nowhere ({problem})")

    def _walk(self, trusted: str, steps: list[str], link: str) -> int:
        fd = _enter(trusted, link, None)
        for step in steps:
            parent = fd
            try:
                fd = _enter(step, link, parent)
            finally:
                release(parent)
            self._check_outside(fd, link)
        return fd

    def _check_outside(self, fd: int, link: str) -> None:
        """Refuse the root under another name, such as a bind mount."""
        try:
            is_root = os.path.samestat(os.fstat(fd), os.stat(self._root))
        except FileNotFoundError:
            return
        if is_root:
            release(fd)
            raise UnsafePathError(link, "a link from one scope into another")


def _enter(name: str, link: str, parent: int | None) -> int:
    try:
        return os.open(name, OPEN_FOLDER, dir_fd=parent)
    except OSError as error:
        if error.errno not in LINK_ERRORS:
            raise
    raise UnsafePathError(link, "a link whose target changed while it was followed")


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _links_below(root: str) -> Iterator[str]:
    """Yield the links that stand where a kind, a scope or a page could."""
    for kind in _KIND_FOLDERS:
        folder = os.path.join(root, kind)
        if os.path.islink(folder):
            yield folder
        for scope in _entries(folder):
            if scope.is_symlink():
                yield scope.path
            for below in _entries(scope.path):
                if below.is_symlink():
                    yield below.path
                if below.name == _TEAM_FOLDER:
                    yield from (
                        page.path for page in _entries(below.path) if page.is_symlink()
                    )


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
