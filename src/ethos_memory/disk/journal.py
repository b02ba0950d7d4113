"""The history of a folder's pages: one line a change, in Ethos's format.

The line is written before the page is replaced. Afterwards the blank at its end, which
means nothing in JSON, becomes a tab: a line that was never confirmed may tell of
something that never happened, and `history` finds those out. What would make a
line long is kept beside it, in a file named by its own hash.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.disk.append import append_line, overwrite, truncate
from ethos_memory.disk.opening import flush
from ethos_memory.disk.patch import excerpt, whole_diff
from ethos_memory.disk.replace import Staged
from ethos_memory.errors import NotWrittenError

if TYPE_CHECKING:
    from ethos_memory.disk.append import Appended
    from ethos_memory.disk.folder import Folder
    from ethos_memory.disk.replace import Durability
    from ethos_memory.entry import Origin

__all__ = [
    "BLOBS",
    "LIVE",
    "NO_PAGE",
    "ROTATING",
    "Line",
    "confirm",
    "is_journal",
    "months",
    "parse",
    "read_lines",
    "read_raw",
    "record",
    "withdraw",
]

LIVE: Final = "memory-history.jsonl"
#: What an interrupted rotation by Ethos leaves; Ethos itself would write over it.
ROTATING: Final = "memory-history.jsonl.rotating"
_MONTH: Final = re.compile(r"memory-history-\d{4}-\d{2}\.jsonl")
BLOBS: Final = "history-blobs"

#: The longest diff in bytes that stands in the line itself, as in Ethos.
_DIFF_BYTES: Final = 4096

#: Times later than the year 9999 cannot be shown.
_LATEST_MS: Final = 253_402_300_800_000

#: A journal of this size comes from elsewhere; reading it would exhaust the memory.
_READ_BYTES: Final = 1024 * 1024 * 1024

#: The hash that stands for "no page".
NO_PAGE: Final = sha256(b"").hexdigest()

#: The end of a line before its change happened, and after.
_PENDING: Final = b" "
_DONE: Final = b"\t"

_HASH: Final = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


@frozen
class Line:
    """One change, as its line tells it.

    Attributes:
        at_ms: When, in milliseconds since 1970.
        key: The page.
        actions: The updates' names in order.
        source: Who made it.
        before: sha256 of the page before, in hex; `NO_PAGE` when there was none.
        after: The same of the page after.
        diff: The diff, cut short when there is a `blob`. Private.
        blob: The name, without its ending, of the kept page; empty when there is none.
        is_done: Whether the change is known to have happened.
    """

    at_ms: int
    key: str = field(kw_only=True)
    actions: tuple[str, ...] = field(kw_only=True)
    source: str = field(kw_only=True)
    before: str = field(kw_only=True)
    after: str = field(kw_only=True)
    diff: str = field(kw_only=True, repr=False)
    blob: str = field(kw_only=True)
    is_done: bool = field(kw_only=True)


def is_journal(name: str) -> bool:
    """Tell whether a file of the folder belongs to the history."""
    return name in (LIVE, ROTATING) or _MONTH.fullmatch(name) is not None


def record(
    folder: Folder,
    key: str,
    *,
    scope: str,
    before: bytes,
    after: bytes,
    actions: tuple[str, ...],
    origin: Origin,
    at_ms: int,
    synced: bool,
) -> Appended:
    """Write down a change that is about to happen.

    Args:
        folder: Locked by the caller.
        key: The page.
        scope: The scope id as text.
        before: The page as it is, in UTF-8; empty when there is none.
        after: The page as it will be; empty when there will be none.
        actions: The updates' names in order.
        origin: Who makes it.
        at_ms: The time, in milliseconds since 1970.
        synced: Whether to wait for the disk, since `before` will be gone.

    Returns:
        Where the line stands, for `confirm` or `withdraw`.

    Raises:
        NotWrittenError: When the disk refuses.
    """
    texts = before.decode(), after.decode()
    hashes = sha256(before).hexdigest(), sha256(after).hexdigest()
    # No shorter than the longer page: it need not be made to be found too long.
    is_long = max(len(before), len(after)) > _DIFF_BYTES
    diff = "" if is_long else whole_diff(key, *texts)
    blob = {}
    if is_long or len(diff.encode()) > _DIFF_BYTES:
        # Both pages, so that an edit by hand in between takes no state away. The
        # next change's first page is this one's second: each is kept once.
        _keep(folder, hashes[0], before, synced=synced)
        _keep(folder, hashes[1], after, synced=False)
        cut = excerpt(key, *texts).encode()[:_DIFF_BYTES].decode(errors="ignore")
        diff = f"{cut}\n… [diff truncated; before-state in blob sha256:{hashes[0]}]"
        blob = {"blob": hashes[0]}
    line = {
        "ts": at_ms,
        "scopeId": scope,
        "key": key,
        "actions": actions,
        "source": origin.source,
        "sessionId": origin.session_id,
        "sessionKey": origin.platform and f"{origin.platform}:{origin.session_id}",
        "beforeHash": f"sha256:{hashes[0]}",
        "afterHash": f"sha256:{hashes[1]}",
        "diff": diff,
        "sizeBefore": len(before),
        "sizeAfter": len(after),
        **blob,
    }
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    # The session's name is the host's own text, and may hold half a character.
    data = text.encode(errors="replace") + _PENDING
    return append_line(folder, LIVE, data, synced=synced)


def _keep(folder: Folder, name: str, data: bytes, *, synced: bool) -> None:
    """Keep a page under its hash, unless it is kept already."""
    if not data:
        return
    with folder.folder(BLOBS, create=True) as blobs:
        status = blobs.status(f"{name}.md")
        if status is None or status.st_size != len(data):
            durability: Durability = "full" if synced else "fast"
            # The temporary file stands where the lock's sweep would find it.
            with Staged(
                blobs, f"{name}.md", data, durability=durability, beside=folder
            ) as staged:
                staged.commit()
        elif synced:
            _confirm(blobs, f"{name}.md")


def _confirm(folder: Folder, name: str) -> None:
    """Sync a file that may have been written without."""
    fd = folder.open(name)
    if fd is not None:
        try:
            flush(fd)
        except OSError as error:
            raise NotWrittenError(folder.label_of(name), cause=error) from error
        finally:
            os.close(fd)


def confirm(folder: Folder, recorded: Appended) -> None:
    """Note that the change of the last line happened.

    Args:
        folder: Locked by the caller since `record`.
        recorded: What `record` returned.

    Raises:
        NotWrittenError: When the disk refuses; the line counts without it as well.
    """
    overwrite(folder, LIVE, _DONE, at=recorded.end - len(_DONE) - 1)


def withdraw(folder: Folder, recorded: Appended) -> None:
    """Take back the last line, whose change did not happen.

    Args:
        folder: Locked by the caller since `record`.
        recorded: What `record` returned.
    """
    truncate(folder, LIVE, recorded.start)


def parse(raw: bytes) -> Line | None:
    """Read one line.

    Returns:
        `None` when it is damaged. A line of Ethos without hashes gives empty ones.
    """
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not _is_complete(data):
        return None
    actions = data.get("actions")
    blob = _HASH.fullmatch(str(data.get("blob", "")))
    return Line(
        int(data["ts"]),
        key=data["key"],
        actions=tuple(map(str, actions)) if isinstance(actions, list) else (),
        source=data["source"],
        before=_hash(data.get("beforeHash")),
        after=_hash(data.get("afterHash")),
        diff=str(data.get("diff", "")),
        blob=blob[1] if blob else "",
        is_done=raw.endswith(_DONE),
    )


def _is_complete(data: dict[str, Any]) -> bool:
    """Check what Ethos asks of a line, and that the time is one."""
    at = data.get("ts")
    return (
        isinstance(at, int | float)
        and 0 <= at < _LATEST_MS
        and all(
            isinstance(data.get(name), str) for name in ("scopeId", "key", "source")
        )
    )


def _hash(value: object) -> str:
    # Only what is a hash may ever become a file's name.
    match = _HASH.fullmatch(value) if isinstance(value, str) else None
    return match[1] if match else ""


def read_lines(folder: Folder) -> tuple[tuple[Line, ...], int]:
    """Read all journals of a folder, without the lock.

    Returns:
        The lines, oldest first, and how many more are damaged.

    Raises:
        UnsafePathError: When a journal is a link or no file.
    """
    # The live file first: lines move from there to the months, never back. A line
    # that is met twice was being moved.
    chunks = [read_raw(folder, LIVE), read_raw(folder, ROTATING)]
    chunks += [read_raw(folder, name) for name in reversed(months(folder))]
    raws = dict.fromkeys(raw for chunk in reversed(chunks) for raw in chunk)
    parsed = [parse(raw) for raw in raws]
    lines = tuple(line for line in parsed if line is not None)
    return lines, len(parsed) - len(lines)


def months(folder: Folder) -> tuple[str, ...]:
    """Return the names of the journals that were moved away, oldest first."""
    return tuple(name for name in folder.names() if _MONTH.fullmatch(name))


def read_raw(folder: Folder, name: str) -> tuple[bytes, ...]:
    """Read the lines of one journal as they are, blank ones left out."""
    stored = folder.read(name, max_bytes=_READ_BYTES)
    data = stored.data if stored is not None else b""
    return tuple(raw for raw in data.split(b"\n") if raw.strip())
