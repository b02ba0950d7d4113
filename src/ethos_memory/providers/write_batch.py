"""A batch of changes to one scope: its folder, its lock, its pages one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.disk import locked, writing
from ethos_memory.entry import KeyChange, SyncReport
from ethos_memory.errors import EthosMemoryError
from ethos_memory.providers.writing import PageWriter, unchanged

if TYPE_CHECKING:
    from ethos_memory.disk import Durability, Folder, Root
    from ethos_memory.entry import Origin
    from ethos_memory.providers.batch import PageChange

__all__ = ["write_batch"]


def write_batch(
    root: Root,
    names: tuple[str, ...],
    scope: str,
    changes: tuple[PageChange, ...],
    *,
    origin: Origin,
    durability: Durability,
) -> SyncReport:
    """Change the pages of a scope, under its lock.

    The folder is made only when a change makes a page. Every expected revision is
    compared before the first page is written.

    Args:
        root: The home.
        names: The scope's folder, one component each.
        scope: The scope id as text.
        changes: One for each page, in order.
        origin: Who makes them.
        durability: Whether to wait for the disk.

    Raises:
        EthosMemoryError: As `PageWriter.write`; its `written` names the pages that
            were changed before.
        ScopeLockedError: When another writer held the scope for 30 s.
    """
    with writing(root.label):
        with root.folder(*names, remake=True) as folder:
            if folder is not None:
                with locked(folder):
                    return _write(folder, scope, changes, origin, durability)
        is_new = any(change.apply(None).text is not None for change in changes)
        told = tuple(unchanged(change, scope) for change in changes)
        if not is_new:
            return SyncReport(told)
        with root.folder(*names, create=True) as folder, locked(folder):
            return _write(folder, scope, changes, origin, durability)


def _write(
    folder: Folder,
    scope: str,
    changes: tuple[PageChange, ...],
    origin: Origin,
    durability: Durability,
) -> SyncReport:
    done: list[KeyChange] = []
    with PageWriter(folder, scope, origin=origin, durability=durability) as writer:
        for change in changes:
            writer.check(change)
        try:
            for change in changes:
                done.append(writer.write(change))  # noqa: PERF401 - kept on an error
        except EthosMemoryError as error:
            error.written = tuple(told.key for told in done if told.is_change)
            raise
    return SyncReport(tuple(done))
