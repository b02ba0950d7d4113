"""How much a page holds, and what becomes of the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from ethos_memory.page import split_at_cap

__all__ = ["ARCHIVE", "CAP_BYTES", "archived", "capped"]

#: The most a page holds after a write (DESIGN section 5).
CAP_BYTES: Final = 512 * 1024

#: Where what is too much for a page goes. Never a page itself.
ARCHIVE: Final = "memory-archive.md"

_MARK: Final = "\ufeff"


def capped(text: str) -> tuple[str, str]:
    """Split off a page's oldest lines when it is too large.

    Args:
        text: The page; a byte-order mark stays with it.

    Returns:
        What stays, and what goes to the archive: ``""`` when there is room for all.
    """
    # Every character takes one byte at least, and four at most.
    if len(text) * 4 <= CAP_BYTES or len(text.encode()) <= CAP_BYTES:
        return text, ""
    mark = _MARK if text.startswith(_MARK) else ""
    cap_bytes = CAP_BYTES - len(mark.encode())
    overflow, kept = split_at_cap(text.removeprefix(_MARK), cap_bytes)
    return mark + kept, overflow


def archived(overflow: str, key: str, at: datetime) -> str:
    """Return what is appended to the archive: Ethos's heading, and the lines.

    Args:
        overflow: From `capped`.
        key: The page that had no room.
        at: When; aware.
    """
    when = at.astimezone(UTC).isoformat(timespec="milliseconds")
    head = f"\n<!-- overflow-archived {when.replace('+00:00', 'Z')} from {key} -->\n"
    return f"{head}{overflow.removesuffix(chr(10))}"
