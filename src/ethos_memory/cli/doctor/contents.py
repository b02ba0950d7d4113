"""Checks on what pages and the identity map hold: readable, whole, of a sound size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.cli.doctor.names import LOOK_ALIKE, is_page
from ethos_memory.cli.doctor.problem import Kind, Problem, reason_of
from ethos_memory.errors import CorruptFileError
from ethos_memory.identity_map.parsing import parse as parse_map
from ethos_memory.providers.cap import CAP_BYTES
from ethos_memory.providers.pages import PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ethos_memory.cli.doctor.view import Home, Node
    from ethos_memory.identity_map.document import Document

__all__ = [
    "check_map",
    "check_map_ids",
    "check_pages",
    "check_unlisted",
    "read_node",
]

UNREADABLE: Final = Kind(
    "unreadable",
    "It cannot be read, so what is in it is missing from every prompt.",
    "Put right what stands beside it. When that is a permission: chown it to the user "
    "that the program runs as, or chmod u+rwX.",
)
UNDECODABLE: Final = Kind(
    "undecodable",
    "The page is not UTF-8. It is read with replacement characters, and nothing can be "
    "written to it.",
    "Save it as UTF-8 from an editor.",
)
NUL_BYTES: Final = Kind(
    "nul-bytes",
    "The page holds NUL bytes, as a power cut leaves them: text may be missing.",
    "Bring back an earlier state from its history or a backup.",
)
OVERSIZED: Final = Kind(
    "oversized",
    "The page is larger than will be read, so it is missing from every prompt.",
    "Move old parts of it to another file.",
)
LARGE: Final = Kind(
    "large",
    "The page is larger than is kept: the next write moves its oldest lines to "
    "memory-archive.md.",
    "Nothing, if that is fine.",
    is_note=True,
)
MAP: Final = Kind(
    "corrupt-map",
    "The identity map cannot be understood. Nobody new is given an id, and nobody is "
    "taken for somebody else, until it is repaired.",
    "Correct it by hand, or copy identity-map.json.bak over it: the last good state.",
)
MAP_MISSING: Final = Kind(
    "missing-map",
    "The identity map is gone and its last good copy is there: everybody would be "
    "given a fresh id, and lose their profile.",
    "Copy identity-map.json.bak to identity-map.json.",
)
MAP_COPY: Final = Kind(
    "corrupt-map-copy",
    "The last good copy of the identity map cannot be understood.",
    "Nothing, while the map itself is whole: the next change of it writes a new copy.",
)

_MAP: Final = ("users", "identity-map.json")
_MAP_COPY: Final = ("users", "identity-map.json.bak")


def check_unlisted(home: Home) -> Iterator[Problem]:
    """Find folders that could not be listed."""
    for path, reason in home.unlisted:
        yield Problem(UNREADABLE, path, reason)


def check_pages(home: Home) -> Iterator[Problem]:
    """Find pages that cannot be read, or hold what no page should."""
    for node in home.nodes:
        if is_page(node) and node.is_file:
            yield from _of_page(home, node)


def _of_page(home: Home, node: Node) -> Iterator[Problem]:
    if node.size > PAGE_BYTES:
        yield Problem(OVERSIZED, node.path, f"{node.size} bytes, at most {PAGE_BYTES}")
        return
    if node.size > CAP_BYTES:
        yield Problem(LARGE, node.path, f"{node.size} bytes, at most {CAP_BYTES}")
    data = yield from read_node(home, node)
    if data is None:
        return
    if b"\0" in data:
        yield Problem(NUL_BYTES, node.path, f"{data.count(0)} of {len(data)} bytes")
    elif not _is_utf8(data):
        yield Problem(UNDECODABLE, node.path)


def check_map(home: Home) -> Iterator[Problem]:
    """Find out whether the identity map and its copy can be understood."""
    node, copy = home.named(*_MAP), home.named(*_MAP_COPY)
    if node is None and copy is not None and copy.is_file:
        yield Problem(MAP_MISSING, "/".join(_MAP))
    for one, kind in ((node, MAP), (copy, MAP_COPY)):
        if one is not None and one.is_file:
            data = yield from read_node(home, one)
            fault = "" if data is None else _map_fault(data, one)
            if fault:
                yield Problem(kind, one.path, fault)


def check_map_ids(home: Home) -> Iterator[Problem]:
    """Find user ids of the map that differ only in case from another, or a folder."""
    node = home.named(*_MAP)
    document = None if node is None else _document(home, node)
    ids = () if document is None else dict.fromkeys(document.user_ids)
    folders = [one.name for one in home.level(2) if one.parts[0] == _MAP[0]]
    seen = {name.lower(): name for name in folders}
    for id in ids:
        other = seen.setdefault(id.lower(), id)
        if other != id:
            path = "/".join(_MAP)
            yield Problem(LOOK_ALIKE, path, f"user id {id}, beside {other}")


def read_node(home: Home, node: Node) -> Generator[Problem, None, bytes | None]:
    """Return what a file holds; `None` after a problem that says why not."""
    try:
        return home.read(node.parts)
    except OSError as error:
        reason = reason_of(error)
    yield Problem(UNREADABLE, node.path, reason)
    return None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _map_fault(data: bytes, node: Node) -> str:
    try:
        parse_map(data, path=node.path)
    except CorruptFileError as error:
        return error.reason
    return ""


def _document(home: Home, node: Node) -> Document | None:
    try:
        return (
            parse_map(home.read(node.parts), path=node.path) if node.is_file else None
        )
    except (CorruptFileError, OSError):
        # `check_map` tells of it.
        return None
