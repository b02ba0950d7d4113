"""Keyword search over the pages of a scope, always as they stand on disk."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from ethos_memory.entry import SearchHit
from ethos_memory.errors import PageTooLargeError, UnsafePathError
from ethos_memory.providers.pages import PAGE_BYTES, is_page
from ethos_memory.words import Index, snippet

if TYPE_CHECKING:
    from ethos_memory.disk import Folder, Signature
    from ethos_memory.words import Match

__all__ = ["PageIndexes"]

#: How many scopes stay indexed. One of 300 notes takes a few megabytes.
_KEPT_SCOPES: Final = 16

#: Never searched: signals that wait for a synthesis (DESIGN section 11).
_NOT_SEARCHED: Final = frozenset({"OBSERVATIONS.md"})


class _PageIndex:
    """The index of one scope."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._index = Index()
        self._texts: dict[str, str] = {}
        #: Pages whose status tells that they are as indexed.
        self._settled: dict[str, Signature] = {}

    def search(self, folder: Folder, query: str, limit: int) -> tuple[SearchHit, ...]:
        with self._lock:
            self._refresh(folder)
            matches = self._index.search(query, limit)
            return tuple(self._hit(match) for match in matches)

    def _hit(self, match: Match) -> SearchHit:
        text = self._texts[match.name]
        return SearchHit(
            match.name,
            text,
            snippet=snippet(text, match.start, match.end),
            score=match.score,
        )

    def _refresh(self, folder: Folder) -> None:
        there = folder.scan()
        for name, signature in there.items():
            # Most pages are known and unchanged: this is the whole cost of a search.
            if signature is None or self._settled.get(name) != signature:
                self._refresh_page(folder, name)
        for name in self._texts.keys() - there.keys():
            self._drop(name)

    def _refresh_page(self, folder: Folder, name: str) -> None:
        if name in _NOT_SEARCHED or not is_page(name):
            return
        self._settled.pop(name, None)
        try:
            stored = folder.read(name, max_bytes=PAGE_BYTES)
        except (UnsafePathError, PageTooLargeError):
            # `list` and `read` say what is wrong with it; the others are found.
            stored = None
        if stored is None:
            self._drop(name)
            return
        text = stored.data.decode(errors="replace")
        if text != self._texts.get(name):
            self._texts[name] = text
            self._index.put(name, text)
        if stored.is_settled:
            self._settled[name] = stored.signature

    def _drop(self, name: str) -> None:
        self._index.discard(name)
        self._texts.pop(name, None)
        self._settled.pop(name, None)


class PageIndexes:
    """The indexes of the scopes that were searched last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, _PageIndex] = {}

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
        return self._of(scope).search(folder, query, limit)

    def forget(self, scope: str) -> None:
        """Let go of a scope's index."""
        with self._lock:
            self._kept.pop(scope, None)

    def _of(self, scope: str) -> _PageIndex:
        with self._lock:
            index = self._kept.pop(scope, None) or _PageIndex()
            self._kept[scope] = index
            if len(self._kept) > _KEPT_SCOPES:
                del self._kept[next(iter(self._kept))]
            return index
