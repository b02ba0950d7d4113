"""What the pages of a folder used to be, read out of its journals.

A state is shown when its text is found under its hash: in a line that carries the
whole page, among the kept pages, in the page as it is now, or by applying Ethos's own
diffs to a neighbor, forwards or back. A text whose hash differs is never shown.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.disk.journal import BLOBS, NO_PAGE, Line, read_lines
from ethos_memory.disk.patch import patch, sides
from ethos_memory.entry import Change
from ethos_memory.errors import InvalidKeyError, PageTooLargeError
from ethos_memory.scope import parse_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ethos_memory.disk.folder import Folder

__all__ = ["OUTSIDE", "History", "read_history"]

#: Who made a state that a change found there: an editor, or Ethos without its history.
OUTSIDE: Final = "outside"

#: A kept page is never larger than what may be read as a page, by far.
_BLOB_BYTES: Final = 16 * 1024 * 1024

#: In place of a page that is too large to be read. Not UTF-8: no text has its hash.
_UNREADABLE: Final = b"\xff"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class History:
    """The earlier states of a folder's pages.

    Attributes:
        changes: Newest first.
        damaged: Journal lines that cannot be understood.
        lost: States whose text is found nowhere, and which are left out.
    """

    changes: tuple[Change, ...]
    damaged: int
    lost: int


def read_history(
    folder: Folder, key: str | None, *, max_bytes: int, limit: int | None = None
) -> History:
    """Read the history of one page, or of all.

    Args:
        folder: Need not be locked.
        key: The page; `None` for all.
        max_bytes: The most that is read of a page as it is now.
        limit: The most states, the newest. Of one page, older lines are then not
            even parsed, and not counted when they are damaged.

    Raises:
        UnsafePathError: When a journal or a page is a link or no file.
    """
    if key is None or limit is None:
        lines, damaged, _ = read_lines(folder)
        changes, lost = _changes(folder, key, lines, max_bytes=max_bytes)
        return History(changes[:limit], damaged, lost)
    newest = limit
    while True:
        # The line before the oldest tells whether that one's page was made outside.
        newest += 1
        lines, damaged, is_all = read_lines(folder, key=key, newest=newest)
        changes, lost = _changes(
            folder, key, lines, max_bytes=max_bytes, leave_out=0 if is_all else 1
        )
        # A change that never happened is no state, and an older line may lead to what
        # the newer ones do not tell.
        if is_all or (len(changes) >= limit and not lost):
            return History(changes[:limit], damaged, lost)
        newest *= 2


def _changes(
    folder: Folder,
    key: str | None,
    lines: Sequence[Line],
    *,
    max_bytes: int,
    leave_out: int = 0,
) -> tuple[tuple[Change, ...], int]:
    """Return the states that lines tell of, newest first, and how many are lost.

    The first `leave_out` lines of a page are only there to be followed by others.
    """
    of_page: dict[str, list[tuple[int, Line]]] = {}
    for place, line in enumerate(lines):
        if line.key == key or (key is None and _is_key(line.key)):
            of_page.setdefault(line.key, []).append((place, line))
    found: list[tuple[tuple[int, int], Change | None]] = []
    for name, placed in of_page.items():
        states = _states(_Texts(folder, _now(folder, name, max_bytes)), placed)
        dropped = {place for place, _ in placed[:leave_out]}
        found += (state for state in states if state[0][0] not in dropped)
    found.sort(key=lambda state: state[0], reverse=True)
    changes = tuple(change for _, change in found if change is not None)
    return changes, len(found) - len(changes)


def _now(folder: Folder, key: str, max_bytes: int) -> bytes | None:
    try:
        stored = folder.read(key, max_bytes=max_bytes)
    except PageTooLargeError:
        # It is there, and like none that was written down.
        return _UNREADABLE
    return stored.data if stored is not None else None


def _is_key(name: str) -> bool:
    try:
        parse_key(name)
    except InvalidKeyError:
        return False
    return True


class _Texts:
    """The texts of one page, by hash, as far as they can be found."""

    def __init__(self, folder: Folder, now: bytes | None) -> None:
        self.now = sha256(now or b"").hexdigest()
        self._folder = folder
        self._known = {NO_PAGE: ""}
        self._learn(self.now, _decoded(now))

    def _learn(self, wanted: str, text: str | None) -> None:
        if text is not None and _hash(text) == wanted:
            self._known[wanted] = text

    def find(self, wanted: str) -> str | None:
        """Return the text with a hash, if it is known or kept."""
        if wanted and wanted not in self._known:
            self._learn(wanted, self._kept(wanted))
        return self._known.get(wanted)

    def _kept(self, wanted: str) -> str | None:
        with self._folder.folder(BLOBS) as blobs:
            stored = blobs and blobs.read(f"{wanted}.md", max_bytes=_BLOB_BYTES)
        return _decoded(stored.data) if stored else None

    def explore(self, lines: Sequence[Line]) -> None:
        """Learn what the lines tell, and what follows from it."""
        for line in lines:
            if not line.blob:
                before, after = sides(line.diff)
                self._learn(line.before, before)
                self._learn(line.after, after)
        for line in reversed(lines):
            self._derive(line, line.after, line.before, backwards=True)
        for line in lines:
            self._derive(line, line.before, line.after, backwards=False)

    def _derive(self, line: Line, given: str, wanted: str, *, backwards: bool) -> None:
        text = self.find(given)
        # A line with a blob has its diff cut short.
        if text is not None and not line.blob and self.find(wanted) is None:
            self._learn(wanted, patch(text, line.diff, backwards=backwards))


def _decoded(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None


def _hash(text: str) -> str:
    # A damaged line may hold half a character; its hash is then nobody's.
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def _states(
    texts: _Texts, placed: Sequence[tuple[int, Line]]
) -> Iterator[tuple[tuple[int, int], Change | None]]:
    """Yield the states of one page, each with its place in the journal."""
    lines = [line for _, line in placed]
    texts.explore(lines)
    followed_by = [*(line.before for line in lines[1:]), texts.now]
    last = NO_PAGE
    for (place, line), following in zip(placed, followed_by, strict=True):
        if not line.before or not line.after:
            # Ethos accepts lines without hashes; there is no state in them.
            continue
        if line.before not in (last, NO_PAGE):
            found = texts.find(line.before)
            yield (place, 0), _change(line, line.before, found, source=OUTSIDE)
        last = line.before
        if following == line.before and not line.is_done:
            # The line was written, and then its change did not happen.
            continue
        last = line.after
        found = texts.find(line.after)
        yield (place, 1), _change(line, line.after, found, source=line.source)


def _change(
    line: Line, revision: str, text: str | None, *, source: str
) -> Change | None:
    if text is None:
        return None
    is_page = revision != NO_PAGE
    return Change(
        line.key,
        revision if is_page else "",
        at=_EPOCH + timedelta(milliseconds=line.at_ms),
        source=source,
        actions=() if source == OUTSIDE else line.actions,
        content=text if is_page else None,
    )
