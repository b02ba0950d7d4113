"""What a `TransientProvider` keeps for one scope."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import asdict, define, field, frozen

from ethos_memory.entry import Add, Delete, Edit, MemoryEntry, Remove, Replace, edit
from ethos_memory.providers.cap import ARCHIVE, archived, capped
from ethos_memory.providers.contract import NOT_SEARCHED
from ethos_memory.words import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from ethos_memory.entry import Change, Update

__all__ = ["Batch", "ScopeMemory", "batches", "revision_of", "size_of"]

_HISTORY: Final = "memory-history.jsonl"

_UPDATES: Final = (Add, Replace, Remove, Delete)


def size_of(text: str | None) -> int:
    """Return the size of a page in bytes, 0 without one."""
    return 0 if text is None else len(text.encode())


def revision_of(text: str | None) -> str:
    """Return the revision of a page's text, ``""`` without one."""
    return "" if text is None else sha256(text.encode()).hexdigest()


@frozen
class _Page:
    content: str = field(repr=False)
    revision: str
    updated_at: datetime


@frozen
class Batch:
    """What is to be done to one page."""

    key: str
    actions: tuple[str, ...]
    apply: Callable[[str | None], Edit] = field(repr=False)
    expected: tuple[str, ...] = ()


def batches(updates: Iterable[Update]) -> tuple[Batch, ...]:
    """Group updates by key, in the order the keys are first named."""
    by_key: dict[str, list[Update]] = {}
    for update in updates:
        if not isinstance(update, _UPDATES):
            kind = type(update).__name__
            msg = f"an update is Add, Replace, Remove or Delete, not {kind}"
            raise TypeError(msg)
        by_key.setdefault(update.key, []).append(update)
    return tuple(
        Batch(
            key,
            tuple(type(update).__name__.lower() for update in batch),
            partial(edit, updates=batch),
            tuple(
                update.if_revision
                for update in batch
                if isinstance(update, Replace | Delete)
                and update.if_revision is not None
            ),
        )
        for key, batch in by_key.items()
    )


def _told(change: Change) -> dict[str, object]:
    return {**asdict(change), "at": change.at.isoformat()}


@define
class ScopeMemory:
    """What is kept for one scope."""

    pages: dict[str, _Page] = field(factory=dict, repr=False)
    archive: str = field(default="", repr=False)
    changes: list[Change] = field(factory=list, repr=False)
    index: Index = field(factory=Index, repr=False)
    indexed: dict[str, str] = field(factory=dict, repr=False)

    def text(self, key: str) -> str | None:
        """Return a page's text, `None` when there is no page."""
        page = self.pages.get(key)
        return page.content if page else None

    def revision(self, key: str) -> str:
        """Return a page's revision, ``""`` when there is no page."""
        page = self.pages.get(key)
        return page.revision if page else ""

    def files(self) -> dict[str, bytes]:
        """Return all that is kept, under the names that files would have."""
        found = {key: page.content.encode() for key, page in self.pages.items()}
        if self.archive:
            found[ARCHIVE] = self.archive.encode()
        if self.changes:
            lines = (json.dumps(_told(one), ensure_ascii=False) for one in self.changes)
            found[_HISTORY] = "".join(f"{line}\n" for line in lines).encode()
        return found

    def refresh_index(self) -> None:
        """Bring the index up to the pages as they are; done at a search only."""
        wanted = {key: page for key, page in self.pages.items() if key != NOT_SEARCHED}
        for key in self.indexed.keys() - wanted.keys():
            self.index.discard(key)
            del self.indexed[key]
        for key, page in wanted.items():
            if self.indexed.get(key) != page.revision:
                self.index.put(key, page.content)
                self.indexed[key] = page.revision

    def entry(self, key: str) -> MemoryEntry | None:
        """Return a page as a value, `None` when there is none."""
        page = self.pages.get(key)
        if page is None:
            return None
        return MemoryEntry(
            key, page.content, revision=page.revision, updated_at=page.updated_at
        )

    def keep(self, key: str, text: str | None, *, at: datetime) -> None:
        """Put a text in a page's place; what is too much goes to the archive."""
        if text is None:
            del self.pages[key]
            return
        content, overflow = capped(text)
        if overflow:
            self.archive += archived(overflow, key, at) + "\n"
        self.pages[key] = _Page(content, revision_of(content), at)
