"""Checks on what a home's names say: links, look-alikes, copies, leftovers. Pure."""

# Lexical only: `pathlib` would ask the disk.
# ruff: noqa: PTH118, PTH206

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from ethos_memory.cli.doctor.problem import Kind, Problem
from ethos_memory.cli.doctor.view import PLACES
from ethos_memory.errors import InvalidKeyError, InvalidScopeError
from ethos_memory.scope import ScopeId, is_sync_copy, parse_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ethos_memory.cli.doctor.view import Home, Node

__all__ = [
    "check_copies",
    "check_leftovers",
    "check_links",
    "check_look_alikes",
    "check_names",
    "check_special_files",
    "is_page",
]

LINK: Final = Kind(
    "link",
    "A link below the root is refused: what it leads to is neither read nor written.",
    "Put the file or folder itself there, or have the program name the folder that "
    "the link leads into in trusted_links. A link into another scope is always refused.",
)
SPECIAL: Final = Kind(
    "special-file",
    "A pipe, socket, device or folder stands where a page should: it is not read.",
    "Move it away.",
)
LOOK_ALIKE: Final = Kind(
    "look-alike",
    "Two names look alike. A person reads them as one, a disk that ignores case takes "
    "them for one, and this library keeps them apart.",
    "Decide which is meant. Move the text into that one by hand, then remove the other.",
)
NO_SCOPE: Final = Kind(
    "no-scope-name",
    "No scope can have this name, so nothing in the folder is read.",
    "Rename it to letters, digits, '_' and '-', at most 64 of them, or leave it.",
    is_note=True,
)
NO_PAGE: Final = Kind(
    "no-page-name",
    "No page can have this name, so the file is not read as memory.",
    "Rename it to letters, digits, '_', '.' and '-', ending in '.md', or leave it.",
    is_note=True,
)
COPY: Final = Kind(
    "sync-copy",
    "A sync service or an editor left this copy. It is not read as memory, and may "
    "hold the only copy of something.",
    "Compare it with the page beside it, keep what is missing there, then remove it.",
)
LEFTOVER: Final = Kind(
    "leftover",
    "A writer was stopped before it was done. The page beside it is whole.",
    "Nothing: the next write there removes what this library left. A name that ends in "
    "'.tmp' and numbers is another program's; remove it by hand.",
)

#: The longest that a writer holds its temporary file in ordinary use, and some more.
_SETTLED_SECONDS: Final = 60.0

#: Ours, and what Ethos calls its own.
_TEMPORARY: Final = re.compile(
    r"\.ethos-memory-[0-9a-f]{16}\.tmp|.+\.tmp(?:\.[0-9]+)+", re.DOTALL
)
_KNOWN_MAPS: Final = ("identity-map.json", "identity-map.json.bak")
_NO_MEMORY: Final = ("soul.md", "memory-archive.md")


def check_links(home: Home) -> Iterator[Problem]:
    """Find links below the root, and say where each leads."""
    for node in home.nodes:
        if node.is_link and not node.is_trusted:
            yield Problem(LINK, node.path, f"leads to {_destination(home, node)}")


def _destination(home: Home, node: Node) -> str:
    folder = os.path.join(home.path, *node.parts[:-1])
    target = os.path.normpath(os.path.join(folder, node.target))
    below = target.removeprefix(home.path + os.sep)
    if below != target and below.split(os.sep)[:2] != list(node.parts[:2]):
        return f"{node.target}, another scope"
    return node.target


def check_special_files(home: Home) -> Iterator[Problem]:
    """Find what is no file where a page should be, and no folder where one should."""
    for node in home.nodes:
        if node.is_link:
            continue
        wants_folder = len(node.parts) == 1 and node.name in PLACES
        if (wants_folder and not node.is_folder) or (
            is_page(node) and not node.is_file
        ):
            yield Problem(SPECIAL, node.path, "a folder" if node.is_folder else "")


def check_look_alikes(home: Home) -> Iterator[Problem]:
    """Find names in one folder that differ in case or in the form of letters alone."""
    folders: dict[tuple[str, ...], dict[str, list[str]]] = {}
    pages = (node for node in home.in_scopes(1) if _is_markdown(node))
    for node in (*home.level(2), *pages):
        alike = folders.setdefault(node.parts[:-1], {})
        alike.setdefault(_skeleton(node.name), []).append(node.name)
    for folder, alike in folders.items():
        for names in alike.values():
            for name in names[1:]:
                path = "/".join((*folder, name))
                yield Problem(LOOK_ALIKE, path, f"beside {names[0]}")


def check_names(home: Home) -> Iterator[Problem]:
    """Find folders that no scope, and pages that no key can name."""
    for node in home.level(2):
        if node.is_folder and not _is_scope(PLACES[node.parts[0]][0], node.name):
            yield Problem(NO_SCOPE, node.path)
    for node in home.in_scopes(1):
        is_known = is_sync_copy(node.name) or node.name.lower() in _NO_MEMORY
        if _is_markdown(node) and node.is_file and not is_known:
            fault = _key_fault(node.name)
            if fault:
                yield Problem(NO_PAGE, node.path, fault)


def check_copies(home: Home) -> Iterator[Problem]:
    """Find what sync services and editors left beside pages and the map (case B23)."""
    for node in home.in_scopes(1):
        if is_sync_copy(node.name):
            yield Problem(COPY, node.path)
    for node in _beside_map(home.level(2)):
        if not _TEMPORARY.fullmatch(node.name):
            yield Problem(COPY, node.path)


def check_leftovers(home: Home) -> Iterator[Problem]:
    """Find temporary files whose writer must be gone."""
    for node in home.nodes:
        is_old = home.now - node.mtime > _SETTLED_SECONDS
        if node.is_file and is_old and _TEMPORARY.fullmatch(node.name):
            yield Problem(LEFTOVER, node.path)


def _beside_map(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        is_known = node.name in _KNOWN_MAPS
        if node.is_file and node.name.startswith("identity-map") and not is_known:
            yield node


def _skeleton(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _is_markdown(node: Node) -> bool:
    return node.name.lower().endswith(".md")


def _is_scope(kind: str, name: str) -> bool:
    try:
        ScopeId(kind, name)
    except InvalidScopeError:
        return False
    return True


def _key_fault(name: str) -> str:
    """Say why no page can have this name; ``""`` when one can."""
    try:
        parse_key(name)
    except InvalidKeyError as error:
        return error.reason
    return ""


def is_page(node: Node) -> bool:
    """Tell whether a page stands at this path, or should."""
    return node.depth_in_scope == 1 and not _key_fault(node.name)
