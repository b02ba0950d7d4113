"""One page changed on disk: read, changed, written down, replaced; again when it moved.

An editor takes no lock. So a page is compared with what was read just before it is
replaced, and once more just after, through the descriptor it was read with: whatever an
editor wrote in between is taken up, or stands in the history.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.disk import (
    Journal,
    LineFile,
    Recording,
    Staged,
    load,
    maintain,
    release,
    remove_from,
    through,
)
from ethos_memory.entry import KeyChange
from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    NotWrittenError,
)
from ethos_memory.providers.batch import PageChange, compare
from ethos_memory.providers.cap import ARCHIVE, archived, capped
from ethos_memory.providers.pages import PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from ethos_memory.disk import Durability, Folder, Stored
    from ethos_memory.entry import Origin

__all__ = ["PageWriter", "unchanged"]

#: How often a page may change under a write before the write gives up.
_ATTEMPTS: Final = 32


@frozen
class _Plan:
    """A change thought through for the page as it was read."""

    before: bytes | None = field(kw_only=True, repr=False)
    after: bytes | None = field(kw_only=True, repr=False)
    hashes: tuple[str, str] = field(kw_only=True)
    overflow: str = field(default="", kw_only=True, repr=False)
    lines_removed: int = field(default=0, kw_only=True)


class PageWriter:
    """Changes pages of one scope, for a `with` block inside the scope's lock.

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
        self._durability: Durability = durability
        self._journal = Journal(folder, scope, origin, prepare=maintain)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

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
            with _Page(self._folder, change.key) as page:
                plan = self._plan(change, page.stored, displaced)
                if plan.after == plan.before:
                    self._keep_overflow(change, plan, time.time_ns() // 1_000_000)
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
        edited = change.apply(self._decoded(change.key, before))
        after, overflow = None, ""
        if edited.text is not None:
            kept, overflow = capped(edited.text)
            after = kept.encode()
        return _Plan(
            before=before,
            after=after,
            hashes=(_hash(before), _hash(after)),
            overflow=overflow,
            lines_removed=edited.lines_removed,
        )

    def _decoded(self, key: str, data: bytes | None) -> str | None:
        if data is None:
            return None
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
        # Outside the `except`: that error holds the page's bytes.
        raise CorruptFileError(
            self._folder.label_of(key),
            "not UTF-8; save it as UTF-8 before it is changed",
        )

    def _commit(self, change: PageChange, plan: _Plan, page: _Page) -> bool:
        """Carry a plan out.

        Returns:
            False when the page changed since it was read; there is no trace then.
        """
        try:
            if plan.after is None:
                self._remove(change, plan, page)
            else:
                self._replace(change, plan, page, plan.after)
        except _MovedError:
            return False
        return True

    def _replace(
        self, change: PageChange, plan: _Plan, page: _Page, data: bytes
    ) -> None:
        with Staged(
            page.home,
            page.leaf,
            data,
            durability=self._durability,
            replaced=page.stored.status if page.stored else None,
        ) as staged:
            self._carry_out(change, plan, page, act=staged.commit, prepare=staged.flush)

    def _remove(self, change: PageChange, plan: _Plan, page: _Page) -> None:
        remove = partial(
            remove_from,
            page.home,
            page.leaf,
            link=(self._folder, change.key),
            durability=self._durability,
        )
        self._carry_out(change, plan, page, act=remove)

    def _carry_out(
        self,
        change: PageChange,
        plan: _Plan,
        page: _Page,
        *,
        act: Callable[[], object],
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """Write the change down, do it, and take the line back if that failed."""
        undo: list[Callable[[], None]] = []
        try:
            self._write_down(change, plan, undo)
            if prepare is not None:
                # After the line, so that one pass of the disk takes both.
                prepare()
            page.check_unmoved()
            act()
        except DurabilityUnknownError:
            self._confirm()
            raise
        except (OSError, _MovedError):
            for step in reversed(undo):
                # `history` finds out a line that stays; text is better kept twice.
                with suppress(OSError):
                    step()
            raise
        self._confirm()

    def _confirm(self) -> None:
        # The change is made, and `history` finds out a line that says nothing of it.
        with suppress(OSError):
            self._journal.confirm()

    def _write_down(
        self, change: PageChange, plan: _Plan, undo: list[Callable[[], None]]
    ) -> None:
        at_ms = time.time_ns() // 1_000_000
        is_full = self._durability == "full"
        recording = Recording(
            change.key,
            before=plan.before or b"",
            after=plan.after or b"",
            hashes=plan.hashes,
            actions=change.actions,
            at_ms=at_ms,
            synced=is_full and change.destroys,
        )
        try:
            undo += self._keep_overflow(change, plan, at_ms)
            self._journal.record(recording)
        except DurabilityUnknownError as error:
            # However far it came, it only prepares the change.
            raise NotWrittenError(self._folder.label, cause=error) from error
        undo.append(self._journal.withdraw)

    def _keep_overflow(
        self, change: PageChange, plan: _Plan, at_ms: int
    ) -> list[Callable[[], None]]:
        """Archive what a page has no room for, also when the page stays as it was.

        Returns:
            How to take that back, when there was something.
        """
        if not plan.overflow:
            return []
        at = datetime.fromtimestamp(at_ms / 1000, UTC)
        text = archived(plan.overflow, change.key, at).encode()
        return [_archive(self._folder, text, synced=self._durability == "full")]


def _archive(folder: Folder, text: bytes, *, synced: bool) -> Callable[[], None]:
    """Append to the archive, and return how to take that back."""
    with LineFile(folder, ARCHIVE) as archive:
        moved = archive.append(text, synced=synced)

    def undo() -> None:
        with LineFile(folder, ARCHIVE) as archive:
            archive.truncate(moved.start)

    return undo


def unchanged(change: PageChange, scope: str) -> KeyChange:
    """Tell of a change for a page that is not there, and that makes none.

    Raises:
        RevisionConflictError: When the change expects a page.
    """
    compare(change, scope, None)
    return _told(change, _Plan(before=None, after=None, hashes=("", "")))


class _MovedError(Exception):
    """The page is no longer what was read."""


class _Page:
    """A page as it was read, and its descriptor, kept open to see what becomes of it.

    Attributes:
        home: The folder that holds the page, locked: the scope's own, or the one that
            a link leads to.
        leaf: The page's name there.
        stored: Its bytes and status; `None` when there is no page.
    """

    def __init__(self, folder: Folder, key: str) -> None:
        self.home = folder
        self.leaf = key
        self.stored: Stored | None = None
        self._fd = -1
        self._stack: ExitStack | None = None

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _open(self) -> None:
        fd = self.home.open(self.leaf, on_link=self._follow)
        if fd is not None:
            self._fd = fd
            self.stored = load(fd, self._label, max_bytes=PAGE_BYTES)

    def _label(self) -> str:
        return self.home.label_of(self.leaf)

    def _follow(self) -> int | None:
        self._stack = ExitStack()
        target = through(self.home, self.leaf)
        self.home, self.leaf = self._stack.enter_context(target)
        return self.home.open(self.leaf)

    def _close(self) -> None:
        if self._fd >= 0:
            release(self._fd)
        if self._stack is not None:
            self._stack.close()

    def check_unmoved(self) -> None:
        """Look once more just before the page is replaced.

        Raises:
            _MovedError: When it is no longer what was read.
        """
        now = self.home.signature(self.leaf)
        stored = self.stored
        if stored is None or now is None:
            is_same = stored is None and now is None
        else:
            was = stored.signature
            is_same = now.ino == was.ino and (
                (now == was and was.is_settled(stored.seen_ns))
                or self._now(stored) == stored.data
            )
        if not is_same:
            raise _MovedError

    def _now(self, stored: Stored) -> bytes:
        """Return what the descriptor that was read holds now."""
        size = len(stored.data)
        data = os.pread(self._fd, size + 1, 0)
        if len(data) > size:
            data += os.pread(self._fd, PAGE_BYTES, len(data))
        return data

    def displaced(self) -> bytes | None:
        """Return what an editor wrote into the page after the last look at it."""
        if self.stored is None:
            return None
        try:
            now = self._now(self.stored)
        except OSError:
            # The change is made: an error would tell otherwise.
            return None
        # The same holds for a page that grew beyond what may be read.
        return None if now == self.stored.data or len(now) > PAGE_BYTES else now


def _hash(data: bytes | None) -> str:
    return sha256(data or b"").hexdigest()


def _told(change: PageChange, plan: _Plan) -> KeyChange:
    return KeyChange(
        change.key,
        change.actions,
        revision_before="" if plan.before is None else plan.hashes[0],
        revision_after="" if plan.after is None else plan.hashes[1],
        size_before=len(plan.before or b""),
        size_after=len(plan.after or b""),
        lines_removed=plan.lines_removed,
    )
