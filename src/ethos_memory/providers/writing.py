"""One page changed on disk: read, changed, written down, replaced; again when it moved.

An editor takes no lock. So a page is compared with what was read just before it is
replaced, and once more just after, through the descriptor it was read with: whatever an
editor wrote in between is taken up, or stands in the history.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.disk import (
    Staged,
    append_line,
    confirm,
    load,
    maintain,
    record,
    remove_from,
    through,
    truncate,
    withdraw,
)
from ethos_memory.entry import KeyChange
from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    NotWrittenError,
)
from ethos_memory.page import split_at_cap
from ethos_memory.providers.batch import PageChange, compare
from ethos_memory.providers.pages import PAGE_BYTES, revision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from ethos_memory.disk import Appended, Durability, Folder, Stored
    from ethos_memory.entry import Origin

__all__ = ["ARCHIVE", "CAP_BYTES", "PageWriter", "unchanged"]

#: The most a page holds after a write (DESIGN section 5).
CAP_BYTES: Final = 512 * 1024

#: Where what is too much for a page goes. Never a page itself.
ARCHIVE: Final = "memory-archive.md"

#: How often a page may change under a write before the write gives up.
_ATTEMPTS: Final = 32

_MARK: Final = "\ufeff"


@frozen
class _Plan:
    """A change thought through for the page as it was read."""

    before: bytes | None = field(kw_only=True, repr=False)
    after: bytes | None = field(kw_only=True, repr=False)
    overflow: str = field(kw_only=True, repr=False)
    lines_removed: int = field(kw_only=True)


class PageWriter:
    """Changes pages of one scope, whose lock the caller holds.

    Args:
        folder: The scope's, locked.
        scope: The scope id as text.
        origin: Who makes the changes.
        durability: Whether to wait for the disk.
    """

    def __init__(
        self, folder: Folder, scope: str, *, origin: Origin, durability: Durability
    ) -> None:
        self._folder = folder
        self._scope = scope
        self._origin = origin
        self._durability: Durability = durability
        self._is_maintained = False

    def check(self, change: PageChange) -> None:
        """Compare a page's revision with what the change expects.

        Raises:
            RevisionConflictError: When they differ.
        """
        if change.expected:
            stored = self._folder.read(change.key, max_bytes=PAGE_BYTES)
            compare(change, self._scope, stored.data if stored else None)

    def write(self, change: PageChange) -> KeyChange:
        """Change one page.

        Returns:
            What happened; nothing was written when nothing changed.

        Raises:
            RevisionConflictError: When the page has not the expected revision.
            CorruptFileError: When the page is not UTF-8.
            NotWrittenError: When the disk refuses, or the page never stands still.
            DurabilityUnknownError: When the change is made, and the disk did not
                confirm it.
            UnsafePathError: When a link or something else stands in the page's place.
            PageTooLargeError: When the page is above 2 MiB.
        """
        displaced: bytes | None = None
        for _ in range(_ATTEMPTS):
            with (
                through(self._folder, change.key) as (home, leaf),
                _Page(home, leaf) as page,
            ):
                plan = self._plan(change, page.stored, displaced)
                if plan.after == plan.before:
                    return _told(change, plan)
                if self._commit(change, plan, page):
                    displaced = page.displaced()
                    if displaced is None:
                        return _told(change, plan)
        busy = OSError("it changed every time it was about to be replaced")
        raise NotWrittenError(self._folder.label_of(change.key), cause=busy)

    def _plan(
        self, change: PageChange, stored: Stored | None, displaced: bytes | None
    ) -> _Plan:
        before = stored.data if stored is not None else None
        if displaced is not None:
            # The revision was right when the page was replaced.
            before = displaced
        else:
            compare(change, self._scope, before)
        edited = change.apply(_decoded(before, self._folder.label_of(change.key)))
        after, overflow = _capped(edited.text)
        return _Plan(
            before=before,
            after=after,
            overflow=overflow,
            lines_removed=edited.lines_removed,
        )

    def _commit(self, change: PageChange, plan: _Plan, page: _Page) -> bool:
        """Carry a plan out.

        Returns:
            False when the page changed since it was read; there is no trace then.
        """
        at_ms = time.time_ns() // 1_000_000
        if not self._is_maintained:
            with _beforehand(self._folder):
                maintain(self._folder, at_ms=at_ms)
            self._is_maintained = True
        try:
            if plan.after is None:
                self._remove(change, plan, page, at_ms)
            else:
                self._replace(change, plan, page, at_ms)
        except _MovedError:
            return False
        return True

    def _replace(
        self, change: PageChange, plan: _Plan, page: _Page, at_ms: int
    ) -> None:
        home, leaf, data = page.home, page.leaf, plan.after or b""
        with (
            Staged(home, leaf, data, durability=self._durability) as staged,
            self._written_down(change, plan, at_ms),
        ):
            page.check_unmoved()
            staged.commit()

    def _remove(self, change: PageChange, plan: _Plan, page: _Page, at_ms: int) -> None:
        with self._written_down(change, plan, at_ms):
            page.check_unmoved()
            remove_from(
                page.home,
                page.leaf,
                link=(self._folder, change.key),
                durability=self._durability,
            )

    @contextmanager
    def _written_down(
        self, change: PageChange, plan: _Plan, at_ms: int
    ) -> Iterator[None]:
        """Write the change down before it happens; take that back if it does not."""
        undo: list[Callable[[], None]] = []
        done: list[Callable[[], None]] = []
        try:
            with _beforehand(self._folder):
                if plan.overflow:
                    undo.append(self._archive(change.key, plan.overflow, at_ms))
                recorded = self._record(change, plan, at_ms)
                undo.append(partial(withdraw, self._folder, recorded))
                done.append(partial(confirm, self._folder, recorded))
            yield
        except DurabilityUnknownError:
            _run(done)
            raise
        except (OSError, _MovedError):
            _run(reversed(undo))
            raise
        _run(done)

    def _archive(self, key: str, overflow: str, at_ms: int) -> Callable[[], None]:
        """Move text to the archive, and return how to take it back."""
        moved = append_line(
            self._folder,
            ARCHIVE,
            _archived(overflow, key, at_ms),
            synced=self._durability == "full",
        )
        return partial(truncate, self._folder, ARCHIVE, moved.start)

    def _record(self, change: PageChange, plan: _Plan, at_ms: int) -> Appended:
        return record(
            self._folder,
            change.key,
            scope=self._scope,
            before=plan.before or b"",
            after=plan.after or b"",
            actions=change.actions,
            origin=self._origin,
            at_ms=at_ms,
            synced=self._durability == "full" and change.destroys,
        )


@contextmanager
def _beforehand(folder: Folder) -> Iterator[None]:
    """Say "not written" of what only prepares a change, however far it came."""
    try:
        yield
    except DurabilityUnknownError as error:
        raise NotWrittenError(folder.label, cause=error) from error


def _run(steps: Iterable[Callable[[], None]]) -> None:
    """Take steps that only tidy up: whether the change happened is decided.

    `history` finds out a line that stays, and text is better kept twice.
    """
    for step in steps:
        with suppress(OSError):
            step()


def unchanged(change: PageChange, scope: str) -> KeyChange:
    """Tell of a change for a page that is not there, and that makes none.

    Raises:
        RevisionConflictError: When the change expects a page.
    """
    compare(change, scope, None)
    plan = _Plan(before=None, after=None, overflow="", lines_removed=0)
    return _told(change, plan)


class _MovedError(Exception):
    """The page is no longer what was read."""


class _Page:
    """A page as it was read, and its descriptor, kept open to see what becomes of it."""

    def __init__(self, home: Folder, leaf: str) -> None:
        self.home = home
        self.leaf = leaf
        self.stored: Stored | None = None
        self._fd: int | None = None

    def __enter__(self) -> Self:
        self._fd = self.home.open(self.leaf)
        if self._fd is not None:
            try:
                self.stored = self._load(self._fd)
            except BaseException:
                os.close(self._fd)
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)

    def _load(self, fd: int) -> Stored:
        return load(fd, self.home.label_of(self.leaf), max_bytes=PAGE_BYTES)

    def check_unmoved(self) -> None:
        """Look once more just before the page is replaced.

        Raises:
            _MovedError: When it is no longer what was read.
        """
        stored = self.stored
        signature = self.home.signature(self.leaf)
        if stored is None:
            is_same = signature is None
        elif signature == stored.signature and stored.is_settled:
            is_same = True
        else:
            again = self.home.read(self.leaf, max_bytes=PAGE_BYTES)
            is_same = again is not None and again.data == stored.data
        if not is_same:
            raise _MovedError

    def displaced(self) -> bytes | None:
        """Return what an editor wrote into the page after the last look at it."""
        if self._fd is None or self.stored is None:
            return None
        try:
            now = self._load(self._fd).data
        except OSError:
            # The change is made; saying "too large" now would tell otherwise.
            return None
        return None if now == self.stored.data else now


def _decoded(data: bytes | None, path: str) -> str | None:
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    # Outside the `except`: that error holds the page's bytes.
    raise CorruptFileError(path, "not UTF-8; save it as UTF-8 before it is changed")


def _capped(text: str | None) -> tuple[bytes | None, str]:
    """Encode a page, and split off its oldest lines when it is too large."""
    if text is None:
        return None, ""
    data = text.encode()
    if len(data) <= CAP_BYTES:
        return data, ""
    mark = _MARK if text.startswith(_MARK) else ""
    cap = CAP_BYTES - len(mark.encode())
    overflow, kept = split_at_cap(text.removeprefix(_MARK), cap)
    return f"{mark}{kept}".encode(), overflow


def _archived(overflow: str, key: str, at_ms: int) -> bytes:
    at = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    head = f"\n<!-- overflow-archived {at.replace('+00:00', 'Z')} from {key} -->\n"
    return f"{head}{overflow.removesuffix(chr(10))}".encode()


def _told(change: PageChange, plan: _Plan) -> KeyChange:
    return KeyChange(
        change.key,
        change.actions,
        revision_before=revision_of(plan.before),
        revision_after=revision_of(plan.after),
        size_before=len(plan.before or b""),
        size_after=len(plan.after or b""),
        lines_removed=plan.lines_removed,
    )
