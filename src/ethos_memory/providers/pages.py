"""Pages as they stand on disk: read, decoded, and remembered while they stay the same."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ethos_memory.entry import MemoryEntry
from ethos_memory.errors import InvalidKeyError
from ethos_memory.scope import parse_key

if TYPE_CHECKING:
    from ethos_memory.disk import Folder, Signature

__all__ = ["PAGE_BYTES", "Pages", "is_page", "moment", "revision_of"]

#: The largest page that is read (DESIGN section 4). Pages of 3.2 MB exist; in a prompt
#: or a search such a page is a mistake.
PAGE_BYTES: Final = 2 * 1024 * 1024

#: How many pages are remembered: the rolling pages of about a hundred people.
_KEPT_PAGES: Final = 256

#: Only pages of ordinary size are remembered, so that the memory taken stays small.
_KEPT_BYTES: Final = 64 * 1024

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def is_page(name: str) -> bool:
    """Tell whether a file's name is the name of a page."""
    try:
        parse_key(name)
    except InvalidKeyError:
        return False
    return True


def revision_of(data: bytes | None) -> str:
    """Return a page's revision: sha256 of its bytes in hex, ``""`` without a page."""
    return "" if data is None else sha256(data).hexdigest()


def moment(at_ns: int) -> datetime:
    """Return a file's time; one that a calendar does not have becomes 1970."""
    try:
        return _EPOCH + timedelta(microseconds=at_ns // 1000)
    except OverflowError:
        return _EPOCH


class Pages:
    """Reads pages, and remembers those whose status says that they are unchanged.

    A page touched within 20 ms of being read is not remembered: it could change once
    more without its status showing it.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[Signature, MemoryEntry]] = {}
        self._lock = threading.Lock()

    def read(self, folder: Folder, scope: str, key: str) -> MemoryEntry | None:
        """Return a page, with U+FFFD for what cannot be decoded.

        Args:
            folder: The scope's, open.
            scope: The scope id as text.
            key: The page.

        Returns:
            `None` when there is no page.

        Raises:
            UnsafePathError: When a link, a folder or a device stands there.
            PageTooLargeError: When it is above 2 MiB.
        """
        kept = self._kept.get((scope, key))
        if kept is not None and folder.signature(key) == kept[0]:
            return kept[1]
        stored = folder.read(key, max_bytes=PAGE_BYTES)
        if stored is None:
            return None
        entry = MemoryEntry(
            key,
            stored.data.decode(errors="replace"),
            revision=revision_of(stored.data),
            updated_at=moment(stored.mtime_ns),
        )
        if stored.is_settled and len(stored.data) <= _KEPT_BYTES:
            self._keep((scope, key), (stored.signature, entry))
        return entry

    def _keep(
        self, place: tuple[str, str], kept: tuple[Signature, MemoryEntry]
    ) -> None:
        with self._lock:
            self._kept.pop(place, None)
            self._kept[place] = kept
            if len(self._kept) > _KEPT_PAGES:
                del self._kept[next(iter(self._kept))]

    def forget(self, scope: str) -> None:
        """Let go of a scope's pages."""
        with self._lock:
            for place in [place for place in self._kept if place[0] == scope]:
                del self._kept[place]
