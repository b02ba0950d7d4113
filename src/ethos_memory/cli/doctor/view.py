"""A home as it lies on disk, for looking at: names and status, never changed.

The walk is `disk`'s own, so that it cannot be led astray. It goes where memory is kept
and nowhere else: the root, the folders of users and personalities, the scopes in them.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH208

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.cli.doctor.problem import reason_of
from ethos_memory.disk import Root, ignores_case
from ethos_memory.disk.mounts import NETWORK_VOLUMES, volume_type
from ethos_memory.scope import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.disk import Folder

__all__ = ["PAGE_DEPTH", "Home", "Node", "look"]

#: The most that is read of one file: a map of a million accounts is smaller.
MAX_READ_BYTES: Final = 512 * 2**20

#: Parts of a page's path below the root: place, scope, page.
PAGE_DEPTH: Final = 3

_WANTED: Final = frozenset({"config.yaml", *LAYOUT.values()})


@frozen
class Node:
    """A name in a home.

    Attributes:
        parts: Its path below the root; none for the root itself.
        mode: Type and permission bits, of the link when it is one.
        uid: Whose it is.
        size: Bytes.
        mtime: When it was last written, in seconds since 1970.
        target: Where a link leads, as it is written; else ``""``.
        is_trusted: Whether a link leads into a folder that the caller trusts.
    """

    parts: tuple[str, ...]
    mode: int = field(kw_only=True)
    uid: int = field(default=0, kw_only=True)
    size: int = field(default=0, kw_only=True)
    mtime: float = field(default=0.0, kw_only=True)
    target: str = field(default="", kw_only=True)
    is_trusted: bool = field(default=False, kw_only=True)

    @property
    def path(self) -> str:
        """The path below the root, as text."""
        return "/".join(self.parts)

    @property
    def name(self) -> str:
        """The last part; ``""`` for the root."""
        return self.parts[-1] if self.parts else ""

    @property
    def is_link(self) -> bool:
        """Whether it is a link."""
        return stat.S_ISLNK(self.mode)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, and no link to one."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, and no link to one."""
        return stat.S_ISREG(self.mode)


@frozen
class Home:
    """What a look at a home has seen.

    Attributes:
        path: The root.
        nodes: Every name that was looked at, a folder before what is in it.
        unlisted: Folders that could not be listed, and why.
        read: Gives a file's bytes by its parts; raises `OSError` when it cannot.
        ignores_case: Whether the disk takes ``a`` and ``A`` for one name.
        network: The network file system that the root lies on; ``""`` for a disk.
        fault: Why the home cannot be opened; ``""`` when it can.
        now: When the look was taken, in seconds since 1970.
    """

    path: str
    nodes: tuple[Node, ...]
    unlisted: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    read: Callable[[tuple[str, ...]], bytes] = field(kw_only=True, repr=False)
    ignores_case: bool = field(default=False, kw_only=True)
    network: str = field(default="", kw_only=True)
    fault: str = field(default="", kw_only=True)
    now: float = field(default=0.0, kw_only=True)

    @property
    def exists(self) -> bool:
        """Whether there is a home, be it one that cannot be opened."""
        return bool(self.nodes or self.unlisted)

    def level(self, depth: int) -> tuple[Node, ...]:
        """Return the nodes at a depth: 0 root, 1 places, 2 scopes, 3 pages."""
        return tuple(node for node in self.nodes if len(node.parts) == depth)

    def named(self, *parts: str) -> Node | None:
        """Return the node at a path, if there is one."""
        return next((node for node in self.nodes if node.parts == parts), None)


def look(
    path: str,
    *,
    trusted_links: Iterable[str] = (),
    probe: Callable[[int, str], bool] = ignores_case,
    volume: Callable[[int, str], str | None] = volume_type,
) -> Home:
    """Look at a home. Nothing in it is changed, and a broken one is no error.

    Args:
        path: The root.
        trusted_links: Folders that links below the root may lead into.
        probe: Tells whether a disk ignores case; see `ignores_case`.
        volume: Tells the type of a disk; see `volume_type`.

    Returns:
        What was seen; no nodes when there is no home, or it cannot be opened.

    Raises:
        UnsupportedError: On Windows.
    """
    root = Root(path, probe=probe, volume=volume)
    walk = _Walk(root, tuple(os.path.realpath(one) for one in trusted_links))
    closed = Home(str(root.path), (), read=walk.read)
    try:
        with root.folder() as folder:
            if folder is None:
                return closed
            first = _node((), os.fstat(folder.fd))
            is_ignoring = _asked(folder, probe)
            type_ = volume(folder.fd, folder.label) or ""
    except OSError as error:
        return evolve(closed, unlisted=(("", reason_of(error)),))
    places = [one for one in walk.children(first) if one.name in _WANTED]
    scopes = [one for place in places for one in walk.children(place)]
    pages = [one for scope in scopes for one in walk.children(scope)]
    return Home(
        str(root.path),
        (first, *places, *scopes, *pages),
        unlisted=tuple(walk.unlisted),
        read=walk.read,
        ignores_case=is_ignoring,
        network=type_ if type_ in NETWORK_VOLUMES else "",
        now=time.time(),
    )


def _asked(folder: Folder, probe: Callable[[int, str], bool]) -> bool:
    names = (name for name in os.listdir(folder.fd) if name.swapcase() != name)
    name = next(names, None)
    return name is not None and probe(folder.fd, name)


class _Walk:
    """Lists and reads below a root, and remembers what could not be listed."""

    def __init__(self, root: Root, trusted: tuple[str, ...]) -> None:
        self._root = root
        self._trusted = trusted
        self.unlisted: list[tuple[str, str]] = []

    def children(self, node: Node) -> tuple[Node, ...]:
        if not node.is_folder:
            return ()
        try:
            with self._root.folder(*node.parts) as folder:
                return () if folder is None else tuple(self._listed(folder, node))
        except OSError as error:
            reason = reason_of(error)
        self.unlisted.append((node.path, reason))
        return ()

    def read(self, parts: tuple[str, ...]) -> bytes:
        with self._root.folder(*parts[:-1]) as folder:
            if folder is None:
                return b""
            stored = folder.read(parts[-1], max_bytes=MAX_READ_BYTES)
        return b"" if stored is None else stored.data

    def _listed(self, folder: Folder, node: Node) -> Iterator[Node]:
        for name in sorted(os.listdir(folder.fd)):
            status = folder.status(name)
            if status is None:
                continue
            child = _node((*node.parts, name), status)
            if child.is_link:
                target = os.readlink(name, dir_fd=folder.fd)
                is_trusted = self._trusts(folder.label_of(name))
                child = evolve(child, target=target, is_trusted=is_trusted)
            yield child

    def _trusts(self, link: str) -> bool:
        real = os.path.realpath(link)
        return any(
            real.startswith(one.rstrip(os.sep) + os.sep) for one in self._trusted
        )


def _node(parts: tuple[str, ...], status: os.stat_result) -> Node:
    return Node(
        parts,
        mode=status.st_mode,
        uid=status.st_uid,
        size=status.st_size,
        mtime=status.st_mtime,
    )
