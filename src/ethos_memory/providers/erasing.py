"""Everything a scope's folder holds of somebody's memory: named, copied, erased.

One rule says what is memory, so that nothing is erased that an export leaves out.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH208

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from ethos_memory.disk import BLOBS, flush_folder, is_journal, locked, remove
from ethos_memory.errors import NotWrittenError
from ethos_memory.providers.cap import ARCHIVE
from ethos_memory.providers.inventory import VECTORS, StoredFile
from ethos_memory.providers.pages import is_page
from ethos_memory.scope import is_sync_copy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.disk import Durability, Folder

__all__ = ["copy_folder", "erase_folder", "folder_files", "locked_if_there"]

#: More than any file of ours may hold. A page that is too large to be read as a page
#: is copied all the same.
_COPIED_BYTES: Final = 1024 * 1024 * 1024

#: The agent itself is no memory, and neither is a copy of it.
_AGENT: Final = "soul"

#: What is kept of the same memory beside its pages: by Ethos, and by the vector
#: provider, which may not be the one that erases.
_SIDECARS: Final = frozenset(
    {
        ARCHIVE,
        VECTORS,
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


@contextmanager
def locked_if_there(folder: Folder) -> Iterator[bool]:
    """Hold the lock of a folder, unless it was erased meanwhile.

    Yields:
        Whether the folder is there, and locked: another erasure may take it while
        this one waits for the lock.

    Raises:
        ScopeLockedError: When another writer held the lock for 30 s.
        NotWrittenError: When the folder cannot be locked.
        UnsafePathError: When a link or file took the folder's name.
    """
    with ExitStack() as stack:
        is_there = True
        try:
            stack.enter_context(locked(folder))
        except NotWrittenError as error:
            if error.errno != errno.ENOENT:
                raise
            is_there = False
        yield is_there


def folder_files(folder: Folder) -> tuple[StoredFile, ...]:
    """Name every file in a scope's folder.

    Args:
        folder: The scope's; need not be locked.

    Returns:
        Sorted by name. What is no memory stands there as well, folders too.

    Raises:
        UnsafePathError: When a page is a link that is not allowed.
    """
    found = []
    memory = {name for name in folder.names() if _is_memory(name)}
    for name in memory:
        signature = folder.signature(name)
        if signature is not None:
            found.append(StoredFile(name, signature.size, is_memory=True))
    with folder.folder(BLOBS) as blobs:
        for name, size in _sizes(blobs, blobs.names()) if blobs is not None else ():
            found.append(StoredFile(f"{BLOBS}/{name}", size, is_memory=True))
    others = set(os.listdir(folder.fd)) - memory - {BLOBS}
    found += [
        StoredFile(_text(name), size, is_memory=False)
        for name, size in _sizes(folder, others)
    ]
    return tuple(sorted(found, key=lambda file: file.name))


def copy_folder(folder: Folder, take: Callable[[str, bytes], None]) -> None:
    """Hand over everything in a scope's folder that is memory, as it is.

    Args:
        folder: The scope's, locked, so that no change stands half in the copy.
        take: Gets the name, relative to the scope, and the bytes.

    Raises:
        UnsafePathError: When a page is a link that is not allowed.
        PageTooLargeError: When a file holds more than 1 GiB.
    """
    for name in folder.names():
        if _is_memory(name):
            _copy(folder, name, name, take)
    with folder.folder(BLOBS) as blobs:
        if blobs is not None:
            for name in blobs.names():
                _copy(blobs, name, f"{BLOBS}/{name}", take)


def _copy(
    folder: Folder, name: str, path: str, take: Callable[[str, bytes], None]
) -> None:
    stored = folder.read(name, max_bytes=_COPIED_BYTES)
    if stored is not None:
        take(path, stored.data)


def _sizes(folder: Folder, names: Iterable[str]) -> Iterable[tuple[str, int]]:
    for name in names:
        status = folder.status(name)
        if status is not None:
            yield name, status.st_size


def _text(name: str) -> str:
    """Return a file's name as text that any file can hold."""
    return name.encode(errors="backslashreplace").decode()


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
