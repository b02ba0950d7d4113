"""A home as it lies on disk, for looking at: names and status, never changed.

The walk is `disk`'s own, so that it cannot be led astray. It goes where memory is kept
and nowhere else: the root, the folders of users, personalities and teams, the scopes in
them, and what their histories keep.
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
from ethos_memory.disk.journal import BLOBS
from ethos_memory.disk.mounts import NETWORK_VOLUMES, volume_type
from ethos_memory.home import SESSIONS_FILE
from ethos_memory.providers.layout import HOME, TEAMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.disk import Folder

__all__ = ["PLACES", "Home", "Node", "look"]

#: The most that is read of one file: a map of a million accounts is smaller.
MAX_READ_BYTES: Final = 512 * 2**20

#: Which kind of scope lies in a folder of the root, and how a page's folder goes on
#: below the scope's own.
PLACES: Final = {
    above[0]: (kind, below)
    for layout in (HOME, TEAMS)
    for kind, (above, below) in layout.places.items()
}

_WANTED: Final = frozenset({"config.yaml", SESSIONS_FILE, *PLACES})


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
    def depth_in_scope(self) -> int:
        """How far below a folder of pages it lies: 0 the folder, 1 a page; else -1."""
        if not self.parts or self.parts[0] not in PLACES:
            return -1
        below = PLACES[self.parts[0]][1]
        depth = 2 + len(below)
        is_below = self.parts[2:depth] == below
        return max(-1, len(self.parts) - depth) if is_below else -1

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
        personality_faults: Settings of personalities that cannot be used, and why.
        sessions_fault: Why its conversations cannot be used; ``""`` when they can.
        now: When the look was taken, in seconds since 1970.
    """

    path: str
    nodes: tuple[Node, ...]
    unlisted: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    read: Callable[[tuple[str, ...]], bytes] = field(kw_only=True, repr=False)
    ignores_case: bool = field(default=False, kw_only=True)
    network: str = field(default="", kw_only=True)
    fault: str = field(default="", kw_only=True)
    personality_faults: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    sessions_fault: str = field(default="", kw_only=True)
    now: float = field(default=0.0, kw_only=True)

    @property
    def exists(self) -> bool:
        """Whether there is a home, be it one that cannot be opened."""
        return bool(self.nodes or self.unlisted)

    def level(self, depth: int) -> tuple[Node, ...]:
        """Return the nodes at a depth: 0 root, 1 places, 2 scopes."""
        return tuple(node for node in self.nodes if len(node.parts) == depth)

    def in_scopes(self, depth: int) -> tuple[Node, ...]:
        """Return the nodes below the folders of pages: 1 pages, 2 kept earlier ones."""
        return tuple(node for node in self.nodes if node.depth_in_scope == depth)

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
    return Home(
        str(root.path),
        tuple(walk.all_below(first)),
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

    def all_below(self, first: Node) -> Iterator[Node]:
        level: tuple[Node, ...] = (first,)
        while level:
            yield from level
            level = tuple(one for node in level for one in self.children(node))

    def children(self, node: Node) -> tuple[Node, ...]:
        if not node.is_folder or not _is_entered(node):
            return ()
        try:
            with self._root.folder(*node.parts) as folder:
                found = () if folder is None else tuple(self._listed(folder, node))
                return tuple(one for one in found if _is_wanted(one))
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


def _is_entered(node: Node) -> bool:
    """Tell whether what lies in a folder is of interest."""
    depth = node.depth_in_scope
    return depth < 1 or (depth == 1 and node.name == BLOBS)


def _is_wanted(node: Node) -> bool:
    """Leave out what other programs keep in the root, and in a team's folder."""
    if len(node.parts) == 1:
        return node.name in _WANTED
    below = PLACES[node.parts[0]][1]
    return all(part == wanted for part, wanted in zip(node.parts[2:], below))  # noqa: B905 - as far as both go


def _node(parts: tuple[str, ...], status: os.stat_result) -> Node:
    return Node(
        parts,
        mode=status.st_mode,
        uid=status.st_uid,
        size=status.st_size,
        mtime=status.st_mtime,
    )
