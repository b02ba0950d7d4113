"""Records that were read and judged, for as long as their pages stay the same."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.tools.record_page import Record

__all__ = ["RecordCache", "Seen"]

#: How many scopes stay in memory, as for the search of pages.
_KEPT_SCOPES: Final = 16


@frozen
class Seen:
    """One state of a page.

    Attributes:
        revision: Of the page.
        record: As a model may read it; `None` when it is no readable record.
    """

    revision: str
    record: Record | None = field(repr=False)


class RecordCache:
    """Records of the scopes that were asked for last. Safe for threads."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Seen]] = {}
        self._lock = threading.Lock()

    def get(self, scope: str, page: str, revision: str) -> Seen | None:
        """Return what a page was in that state, if it is known."""
        with self._lock:
            seen = self._kept.get(scope, {}).get(page)
        return seen if seen is not None and seen.revision == revision else None

    def put(self, scope: str, page: str, seen: Seen) -> None:
        """Keep a page's state in place of an older one."""
        with self._lock:
            pages = self._kept.pop(scope, {})
            pages[page] = seen
            self._kept[scope] = pages
            if len(self._kept) > _KEPT_SCOPES:
                del self._kept[next(iter(self._kept))]

    def keep_only(self, scope: str, pages: Iterable[str]) -> None:
        """Let go of the texts of a scope's pages that are no more."""
        there = set(pages)
        with self._lock:
            kept = self._kept.get(scope, {})
            for page, seen in tuple(kept.items()):
                # What stands in a page's place stays known, so that it is told once.
                if page not in there and seen.record is not None:
                    del kept[page]
            if not kept:
                self._kept.pop(scope, None)
