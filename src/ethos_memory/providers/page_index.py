"""Keyword search over the pages of a scope, always as they stand on disk."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from ethos_memory.providers.file_texts import FileTexts
from ethos_memory.providers.hits import page_hit
from ethos_memory.providers.lru import LruCache
from ethos_memory.words import Index

if TYPE_CHECKING:
    from ethos_memory.disk import Folder
    from ethos_memory.entry import SearchHit

__all__ = ["PageIndexes"]

#: How many scopes stay indexed. One of 300 notes takes a few megabytes.
_KEPT_SCOPES: Final = 16


class _PageIndex:
    """The index of one scope."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._index = Index()
        self._texts = FileTexts()

    def search(self, folder: Folder, query: str, limit: int) -> tuple[SearchHit, ...]:
        with self._lock:
            for name, text in self._texts.refresh(folder):
                if text is None:
                    self._index.discard(name)
                else:
                    self._index.put(name, text)
            matches = self._index.search(query, limit)
            return tuple(page_hit(match, self._texts[match.name]) for match in matches)


class PageIndexes:
    """The indexes of the scopes that were searched last."""

    def __init__(self) -> None:
        self._kept = LruCache(_KEPT_SCOPES, _PageIndex)

    def search(
        self, folder: Folder, scope: str, query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first.

        Args:
            folder: The scope's, open.
            scope: The scope id as text.
            query: Any text.
            limit: The most hits.
        """
        return self._kept.use(scope).search(folder, query, limit)

    def forget(self, scope: str) -> None:
        """Let go of a scope's index."""
        self._kept.forget(scope)
