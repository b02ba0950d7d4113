"""Everything a scope's folder holds of somebody's memory, erased for good."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ethos_memory.disk import BLOBS, flush_folder, is_journal, remove
from ethos_memory.providers.pages import is_page
from ethos_memory.providers.writing import ARCHIVE
from ethos_memory.scope import is_sync_copy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.disk import Durability, Folder

__all__ = ["erase_folder"]

#: The agent itself is no memory, and neither is a copy of it.
_AGENT: Final = "soul"

#: What Ethos keeps of the same memory beside its pages.
_SIDECARS: Final = frozenset(
    {
        ARCHIVE,
        "memory-meta.json",
        "memory-pending.jsonl",
        "memory-tombstones.jsonl",
    }
)


def _is_memory(name: str) -> bool:
    if is_page(name) or name in _SIDECARS or is_journal(name):
        return True
    folded = name.lower()
    if folded.startswith(_AGENT):
        return False
    return folded.endswith(".md") or is_sync_copy(name)


def erase_folder(folder: Folder, *, durability: Durability) -> tuple[str, ...]:
    """Erase pages, whatever their name, with copies, archive, history and sidecars.

    What is no memory stays: ``SOUL.md``, configuration, files of other kinds.

    Args:
        folder: The scope's, locked.
        durability: Whether to wait for the disk.

    Returns:
        The names of the files that went, sorted.

    Raises:
        UnsafePathError: When a page is a link that is not allowed. Nothing is erased
            then: its text would live on elsewhere, unsaid.
        NotWrittenError: When the disk refuses. Erasing can be repeated.
    """
    names = [name for name in folder.names() if _is_memory(name)]
    for name in names:
        folder.signature(name)
    gone = _remove_all(folder, names, "", durability)
    with folder.folder(BLOBS) as blobs:
        if blobs is not None:
            gone += _remove_all(blobs, blobs.names(), f"{BLOBS}/", durability)
    with suppress(OSError):
        os.rmdir(BLOBS, dir_fd=folder.fd)
    return tuple(sorted(gone))


def _remove_all(
    folder: Folder, names: Iterable[str], prefix: str, durability: Durability
) -> list[str]:
    gone = [name for name in names if remove(folder, name, durability="fast")]
    if gone and durability == "full":
        flush_folder(folder, gone[-1])
    return [f"{prefix}{name}" for name in gone]
