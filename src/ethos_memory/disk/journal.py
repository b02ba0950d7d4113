"""The history of a folder's pages: one line a change, in Ethos's format.

The line is written before the page is replaced. Afterwards the blank at its end, which
means nothing in JSON, becomes a tab: a line that was never confirmed may tell of
something that never happened, and `history` finds those out. What would make a
line long is kept beside it, in a file named by its own hash.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.disk.append import Appended, LineFile
from ethos_memory.disk.opening import flush, release
from ethos_memory.disk.patch import excerpt, whole_diff
from ethos_memory.disk.replace import Staged
from ethos_memory.errors import NotWrittenError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from ethos_memory.disk.folder import Folder
    from ethos_memory.disk.replace import Durability
    from ethos_memory.entry import Origin

__all__ = [
    "BLOBS",
    "LIVE",
    "NO_PAGE",
    "ROTATING",
    "Journal",
    "Line",
    "Recording",
    "is_journal",
    "months",
    "parse",
    "read_lines",
    "read_raw",
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

#: JSON of a text, as `json.dumps` writes it without `ensure_ascii`.
_quoted: Final = json.encoder.encode_basestring

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


@frozen
class Recording:
    """One change that is about to happen.

    Attributes:
        key: The page.
        before: The page as it is, in UTF-8; empty when there is none. Private.
        after: The page as it will be; empty when there will be none. Private.
        hashes: sha256 of both in hex.
        actions: The updates' names in order.
        at_ms: The time, in milliseconds since 1970.
        synced: Whether to wait for the disk, since `before` will be gone.
    """

    key: str
    before: bytes = field(kw_only=True, repr=False)
    after: bytes = field(kw_only=True, repr=False)
    hashes: tuple[str, str] = field(kw_only=True)
    actions: tuple[str, ...] = field(kw_only=True)
    at_ms: int = field(kw_only=True)
    synced: bool = field(kw_only=True)


class Journal:
    """Writes down the changes of one batch, for a `with` block inside the lock.

    Args:
        folder: Locked by the caller.
        scope: The scope id as text.
        origin: Who makes the changes.
        prepare: Called once before the first change is written down, with the open
            live journal and the time in milliseconds; when it says true, it has moved
            the journal away.
    """

    def __init__(
        self,
        folder: Folder,
        scope: str,
        origin: Origin,
        *,
        prepare: Callable[[Folder, LineFile, int], bool],
    ) -> None:
        self._folder = folder
        self._scope = scope
        self._origin = origin
        self._prepare = prepare
        self._live: LineFile | None = None
        self._last: Appended | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the live journal. Can be repeated."""
        if self._live is not None:
            self._live.close()
            self._live = None

    def record(self, change: Recording) -> None:
        """Write down a change that is about to happen.

        Raises:
            NotWrittenError: When the disk refuses.
            UnsafePathError: When a journal is a link or no file.
        """
        live = self._opened(change.at_ms)
        texts = change.before.decode(), change.after.decode()
        blob = ""
        # No shorter than the longer page: it need not be made to be found too long.
        is_long = max(len(change.before), len(change.after)) > _DIFF_BYTES
        diff = "" if is_long else whole_diff(change.key, *texts)
        if is_long or len(diff.encode()) > _DIFF_BYTES:
            # Both pages, so that an edit by hand in between takes no state away. The
            # next change's first page is this one's second: each is kept once.
            blob, kept_after = change.hashes
            _keep(self._folder, blob, change.before, synced=change.synced)
            _keep(self._folder, kept_after, change.after, synced=False)
            cut = excerpt(change.key, *texts).encode()[:_DIFF_BYTES]
            diff = (
                f"{cut.decode(errors='ignore')}\n"
                f"… [diff truncated; before-state in blob sha256:{blob}]"
            )
        data = self._line(change, diff, blob)
        self._last = live.append(data, synced=change.synced)

    def _opened(self, at_ms: int) -> LineFile:
        if self._live is None:
            live = LineFile(self._folder, LIVE).__enter__()
            self._live = live
            if self._prepare(self._folder, live, at_ms):
                live.close()
                self._live = LineFile(self._folder, LIVE).__enter__()
        return self._live

    def _line(self, change: Recording, diff: str, blob: str) -> bytes:
        """Write the line's JSON, of which one field takes as long as all others."""
        session, platform = self._origin.session_id, self._origin.platform
        session_key = platform and f"{platform}:{session}"
        actions = ",".join(map(_quoted, change.actions))
        before, after = change.hashes
        kept = f',"blob":"{blob}"' if blob else ""
        line = (
            f'{{"ts":{change.at_ms},"scopeId":{_quoted(self._scope)},'
            f'"key":{_quoted(change.key)},"actions":[{actions}],'
            f'"source":{_quoted(self._origin.source)},'
            f'"sessionId":{_quoted(session)},"sessionKey":{_quoted(session_key)},'
            f'"beforeHash":"sha256:{before}","afterHash":"sha256:{after}",'
            f'"diff":{_quoted(diff)},"sizeBefore":{len(change.before)},'
            f'"sizeAfter":{len(change.after)}{kept}}}'
        )
        # The session's name is the host's own text, and may hold half a character.
        return line.encode(errors="replace") + _PENDING

    def confirm(self) -> None:
        """Note that the change of the last line happened.

        Raises:
            NotWrittenError: When the disk refuses; the line counts without as well.
        """
        if self._live is not None and self._last is not None:
            self._live.overwrite(_DONE, at=self._last.end - len(_DONE) - 1)

    def withdraw(self) -> None:
        """Take back the last line, whose change did not happen.

        Raises:
            NotWrittenError: When the disk refuses; `history` finds the line out.
        """
        if self._live is not None and self._last is not None:
            self._live.truncate(self._last.start)


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
            release(fd)


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


def read_lines(
    folder: Folder, *, key: str | None = None, newest: int | None = None
) -> tuple[tuple[Line, ...], int, bool]:
    """Read the journals of a folder, newest first, without the lock.

    Args:
        folder: Need not be locked.
        key: The page whose lines `newest` counts; `None` for any page.
        newest: Stop once so many of its lines were read; `None` reads all.

    Returns:
        The lines, oldest first; how many more are damaged; whether these are all.

    Raises:
        UnsafePathError: When a journal is a link or no file.
    """
    lines: list[Line] = []
    damaged = counted = 0
    for raw in _newest_first(folder):
        if newest is not None and counted >= newest:
            return tuple(reversed(lines)), damaged, False
        line = parse(raw)
        if line is None:
            damaged += 1
            continue
        lines.append(line)
        counted += key in {None, line.key}
    return tuple(reversed(lines)), damaged, True


def _newest_first(folder: Folder) -> Iterator[bytes]:
    """Yield each line as it is. A journal is read when its first line is wanted."""
    # The live file first: lines move from there to the months, never back. A line
    # that is met twice was being moved.
    seen: set[bytes] = set()
    for name in (LIVE, ROTATING, *reversed(months(folder))):
        for raw in reversed(read_raw(folder, name)):
            if raw not in seen:
                seen.add(raw)
                yield raw


def months(folder: Folder) -> tuple[str, ...]:
    """Return the names of the journals that were moved away, oldest first."""
    return tuple(name for name in folder.names() if _MONTH.fullmatch(name))


def read_raw(folder: Folder, name: str) -> tuple[bytes, ...]:
    """Read the lines of one journal as they are, blank ones left out."""
    stored = folder.read(name, max_bytes=_READ_BYTES)
    data = stored.data if stored is not None else b""
    return tuple(raw for raw in data.split(b"\n") if raw.strip())
