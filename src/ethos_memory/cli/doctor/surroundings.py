"""Checks on what surrounds the files: permissions, the disk, the config."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

from ethos_memory.cli.doctor.contents import read_node
from ethos_memory.cli.doctor.names import is_page
from ethos_memory.cli.doctor.problem import Kind, Problem
from ethos_memory.config import CONFIG_NAME, parse_personality
from ethos_memory.disk.journal import BLOBS, is_journal
from ethos_memory.errors import CorruptFileError
from ethos_memory.providers.cap import ARCHIVE
from ethos_memory.scope import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.cli.doctor.view import Home, Node

__all__ = [
    "check_config",
    "check_disk",
    "check_modes",
    "check_owners",
    "check_personalities",
    "personality_configs",
]

READABLE: Final = Kind(
    "readable-by-others",
    "Other users of this machine can read private memory.",
    "chmod 700 on the root closes all of it.",
)
WRITABLE: Final = Kind(
    "writable-by-others",
    "Other users of this machine can change what is remembered, or plant a page.",
    "chmod go-w on it; chmod 700 on the root closes all of it.",
)
OWNER: Final = Kind(
    "other-owner",
    "It belongs to another user than the root does, as a run with sudo leaves it. The "
    "program may not be able to write it.",
    "chown it to the root's owner.",
)
NETWORK: Final = Kind(
    "network-disk",
    "The home lies on a network file system, where locks do not keep two machines "
    "apart: writes can be lost.",
    "Keep the home on a local disk, or use PostgreSQL when several machines write.",
)
IGNORES_CASE: Final = Kind(
    "ignores-case",
    "The disk takes names that differ only in case for one. A page is read under the "
    "casing that it was made with, and no other.",
    "Nothing, unless names that differ only in case are to come from another disk.",
    is_note=True,
)
CONFIG: Final = Kind(
    "config",
    "The home cannot be opened, so nothing is remembered or shown.",
    "Put right what stands beside it.",
)

PERSONALITY_CONFIG: Final = Kind(
    "personality-config",
    "The personality's settings cannot be used, so it neither remembers nor is shown "
    "anything. Nobody else is concerned.",
    "Put right what stands beside it.",
)

#: Bits of everybody but the owner.
_READ: Final = stat.S_IRGRP | stat.S_IROTH
_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_ENTER: Final = stat.S_IXGRP | stat.S_IXOTH


def check_config(home: Home) -> Iterator[Problem]:
    """Say why the home cannot be opened, if it cannot."""
    # A root that cannot be listed is told of already.
    if home.fault and home.nodes:
        yield Problem(CONFIG, "config.yaml", home.fault)


def check_personalities(home: Home) -> Iterator[Problem]:
    """Say why a personality's own settings cannot be used, if they cannot."""
    for path, reason in home.personality_faults:
        yield Problem(PERSONALITY_CONFIG, path, reason)
    if not home.fault:
        return
    # What they name could not be opened; they can still be read.
    for node in personality_configs(home):
        data = yield from read_node(home, node)
        try:
            parse_personality(data or b"", file=node.path)
        except CorruptFileError as error:
            yield Problem(PERSONALITY_CONFIG, node.path, error.reason)


def personality_configs(home: Home) -> tuple[Node, ...]:
    """Return the settings of personalities."""
    return tuple(
        node
        for node in home.in_scopes(1)
        if node.parts[0] == LAYOUT["personality"]
        and node.name == CONFIG_NAME
        and node.is_file
    )


def check_disk(home: Home) -> Iterator[Problem]:
    """Say what is special about the disk that the home lies on."""
    if home.network:
        yield Problem(NETWORK, "", home.network)
    if home.ignores_case:
        yield Problem(IGNORES_CASE, "")


def check_owners(home: Home) -> Iterator[Problem]:
    """Find what belongs to another user than the root."""
    root = home.named()
    for node in home.nodes:
        if root is not None and node.uid != root.uid and _is_memory(node):
            yield Problem(OWNER, node.path, f"uid {node.uid}, not {root.uid}")


def check_modes(home: Home) -> Iterator[Problem]:
    """Find what other users of the machine can read or change."""
    entered: set[tuple[str, ...]] = set()
    for node in home.nodes:
        if node.parts and node.parts[:-1] not in entered:
            continue
        if node.is_folder and node.mode & _ENTER:
            entered.add(node.parts)
        if node.is_link or not _is_memory(node):
            continue
        if node.mode & _WRITE:
            yield Problem(WRITABLE, node.path, _bits(node))
        elif node.is_file and node.mode & _READ:
            yield Problem(READABLE, node.path, _bits(node))


def _bits(node: Node) -> str:
    return f"mode {stat.S_IMODE(node.mode):04o}"


def _is_memory(node: Node) -> bool:
    """Tell whether this library keeps something there; the rest is not its business."""
    if node.depth_in_scope == 1:
        is_ours = node.name in (BLOBS, ARCHIVE, CONFIG_NAME) or is_journal(node.name)
        return is_ours or is_page(node)
    is_map = node.name.startswith("identity-")
    is_at_top = node.parts == (node.name,)
    return is_at_top or node.is_folder or is_map or node.depth_in_scope > 1
