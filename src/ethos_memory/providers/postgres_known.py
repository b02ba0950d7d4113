"""Pages as they were last seen, so that a writer need not read them once more.

Nothing is ever shown from here. A change that is planned on such a page compares its
state in the statement that makes it; when the page moved, it is read after all.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["KnownPages"]

#: As for files: the rolling pages of about a hundred people, of ordinary size.
_KEPT_PAGES: Final = 256
_KEPT_BYTES: Final = 64 * 1024


class KnownPages:
    """Rows of pages: key, content, time, state and revision. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, str], tuple[Any, ...]] = {}

    def get(self, scope: str, key: str) -> tuple[Any, ...] | None:
        """Return the row of a page, if it was seen."""
        return self._rows.get((scope, key))

    def keep(self, scope: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Remember rows that were just read or written."""
        with self._lock:
            for row in rows:
                self._rows.pop((scope, row[0]), None)
                if len(row[1]) <= _KEPT_BYTES:
                    self._rows[scope, row[0]] = row
            while len(self._rows) > _KEPT_PAGES:
                del self._rows[next(iter(self._rows))]

    def forget(self, scope: str) -> None:
        """Let go of a scope's pages."""
        with self._lock:
            for place in [place for place in self._rows if place[0] == scope]:
                del self._rows[place]
