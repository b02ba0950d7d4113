"""Journals month by month, and a limit on the whole history.

The live journal moves to its month's file when a month or `LIVE_BYTES` are full. When
journals and kept pages hold more than `HISTORY_LIMIT_BYTES`, the oldest changes are
forgotten. A crash at any point leaves every line in at least one place.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ethos_memory.disk.append import append_line
from ethos_memory.disk.journal import BLOBS, LIVE, ROTATING, months, parse, read_raw
from ethos_memory.disk.replace import remove, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ethos_memory.disk.append import LineFile
    from ethos_memory.disk.folder import Folder

__all__ = ["HISTORY_LIMIT_BYTES", "LIVE_BYTES", "maintain"]

#: The live journal moves to its month's file beyond this many bytes. At most 32 long
#: changes come before the next look at the limit.
LIVE_BYTES: Final = 128 * 1024

#: The most that a folder's journals and kept pages may hold: about 100 states of the
#: largest page, or 50,000 small changes.
HISTORY_LIMIT_BYTES: Final = 64 * 1024 * 1024

#: What is left of the limit once changes were forgotten, so that it is seldom done.
_LEFT: Final = 0.75

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_MS: Final = 24 * 60 * 60 * 1000

#: Where a line's time stands, and enough bytes to hold it.
_TIME: Final = re.compile(rb'\{"ts":\s?(\d{1,14})\b')
_TIME_BYTES: Final = 32


def maintain(folder: Folder, live: LineFile, at_ms: int) -> bool:
    """Move the live journal when it is time, and keep the limit.

    Args:
        folder: Locked by the caller, before it records anything.
        live: The live journal, open.
        at_ms: The time, in milliseconds since 1970.

    Returns:
        Whether it was moved; `live` is then a file without a name.

    Raises:
        NotWrittenError: When the disk refuses; nothing is lost.
        UnsafePathError: When a journal is a link or no file.
    """
    size = live.size()
    if not size and folder.status(ROTATING) is not None:
        _move(folder, ROTATING, at_ms)
    begun = _TIME.match(live.head(_TIME_BYTES))
    is_old = begun is not None and _month(int(begun[1])) < _month(at_ms)
    if not is_old and size < LIVE_BYTES:
        return False
    for name in (ROTATING, LIVE):
        _move(folder, name, at_ms)
    _prune(folder)
    return True


@lru_cache(maxsize=8)
def _month_of_day(day: int) -> str:
    return (_EPOCH + timedelta(days=day)).strftime("%Y-%m")


def _month(at_ms: int) -> str:
    # By UTC: local months would differ between two processes of one home.
    return _month_of_day(at_ms // _DAY_MS)


def _move(folder: Folder, name: str, at_ms: int) -> None:
    """Move all lines of a journal to the months they are of.

    A crash in between leaves lines in both places, which `read_lines` sees once.
    """
    moved: dict[str, list[bytes]] = {}
    month = _month(at_ms)
    for raw in read_raw(folder, name):
        begun = _TIME.match(raw)
        # A damaged line stays with the one before.
        month = _month(int(begun[1])) if begun is not None else month
        moved.setdefault(month, []).append(raw)
    for month, raws in moved.items():
        data = b"\n".join(raws)
        append_line(folder, f"memory-history-{month}.jsonl", data, synced=True)
    remove(folder, name)


def _prune(folder: Folder) -> None:
    """Forget the oldest changes when the history holds more than its limit."""
    with folder.folder(BLOBS) as blobs:
        sizes = dict(_sizes(blobs, blobs.names())) if blobs is not None else {}
        journals = sum(size for _, size in _sizes(folder, months(folder)))
        if journals + sum(sizes.values()) <= HISTORY_LIMIT_BYTES:
            return
        needed = _forget(folder, sizes)
        if blobs is not None:
            for name in sizes.keys() - needed:
                remove(blobs, name, durability="fast")


def _sizes(folder: Folder, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    for name in names:
        status = folder.status(name)
        if status is not None:
            yield name, status.st_size


def _forget(folder: Folder, sizes: Mapping[str, int]) -> set[str]:
    """Drop the oldest lines, and return the kept pages that are still needed."""
    lines = [(name, raw) for name in months(folder) for raw in read_raw(folder, name)]
    cost, needed = 0, set[str]()
    first = len(lines)
    for _, raw in reversed(lines):
        more = _blobs_of(raw) - needed
        cost += len(raw) + sum(sizes.get(blob, 0) for blob in more)
        if cost > HISTORY_LIMIT_BYTES * _LEFT:
            break
        needed |= more
        first -= 1
    rest: dict[str, list[bytes]] = {name: [] for name, _ in lines[:first]}
    for name, raw in lines[first:]:
        if name in rest:
            rest[name].append(raw)
    for name, raws in rest.items():
        if raws:
            replace(folder, name, b"\n".join([*raws, b""]))
        else:
            remove(folder, name)
    return needed


def _blobs_of(raw: bytes) -> set[str]:
    line = parse(raw)
    if line is None or not line.blob:
        return set()
    return {f"{line.blob}.md", f"{line.after}.md"}
