"""Homes as values, for the checks."""

from __future__ import annotations

import errno
import stat
from typing import TYPE_CHECKING, Any

from ethos_memory.cli.doctor.view import Home, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ethos_memory.cli.doctor.problem import Problem

FOLDER = stat.S_IFDIR | 0o700
FILE = stat.S_IFREG | 0o600
LINK = stat.S_IFLNK | 0o777
PIPE = stat.S_IFIFO | 0o600


def node(path: str, mode: int = FILE, **options: Any) -> Node:
    return Node(tuple(path.split("/")) if path else (), mode=mode, **options)


def home(
    nodes: Iterable[Node] = (),
    files: Mapping[str, bytes] | None = None,
    **options: Any,
) -> Home:
    """A home of these nodes, and of files that can be read; folders come with them."""
    data = {tuple(path.split("/")): text for path, text in (files or {}).items()}
    listed = [*nodes]
    for parts, text in data.items():
        listed.append(Node(parts, mode=FILE, size=len(text)))
    known = {one.parts for one in listed}
    above = {one.parts[:depth] for one in listed for depth in range(len(one.parts))}
    listed += [Node(parts, mode=FOLDER) for parts in above - known]

    def read(parts: tuple[str, ...]) -> bytes:
        if parts not in data:
            raise PermissionError(errno.EACCES, "Permission denied")
        return data[parts]

    listed.sort(key=lambda one: (len(one.parts), one.parts))
    return Home("/home", tuple(listed), read=read, **options)


def found(
    check: Callable[[Home], Iterator[Problem]], seen: Home
) -> list[tuple[str, str]]:
    """Kinds and places that a check names."""
    return [(one.kind.id, one.path) for one in check(seen)]
