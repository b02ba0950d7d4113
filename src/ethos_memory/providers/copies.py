"""Files beside the pages that look like pages and are none: said once, left alone."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Final

from ethos_memory.scope import PAGES, is_sync_copy

if TYPE_CHECKING:
    from ethos_memory.disk import Folder

__all__ = ["CopyWatch"]

#: How many scopes are kept in mind; one that was dropped is looked at again.
_KEPT_SCOPES: Final = 1024

_PAGES_FOLDED: Final = frozenset(page.lower() for page in PAGES)

_logger = logging.getLogger("ethos_memory")


def _is_lookalike(name: str) -> bool:
    return is_sync_copy(name) or (name not in PAGES and name.lower() in _PAGES_FOLDED)


class CopyWatch:
    """Reports each copy once: it may hold the only copy of something (case B23)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[int, frozenset[str]]] = {}

    def look(self, folder: Folder, scope: str) -> None:
        """Look again, when something was added to the folder or taken from it."""
        changed_ns = os.fstat(folder.fd).st_mtime_ns
        before, reported = self._seen.get(scope, (None, frozenset()))
        if changed_ns == before:
            return
        copies = frozenset(name for name in folder.names() if _is_lookalike(name))
        with self._lock:
            self._seen[scope] = changed_ns, reported | copies
            if len(self._seen) > _KEPT_SCOPES:
                del self._seen[next(iter(self._seen))]
        new = sorted(copies - reported)
        if new:
            _logger.warning(
                "%s: left aside, since no page has such a name: %s",
                ascii(folder.label),
                ", ".join(map(ascii, new)),
            )
