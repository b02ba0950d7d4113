"""Memory that lives as long as the object: for tests, trials and throw-away agents.

It means what `MarkdownProvider` means, without a disk: other providers are tested
against it.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from ethos_memory.entry import (
    Change,
    Edit,
    EraseReport,
    KeyChange,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    SearchHit,
    SyncReport,
    trim,
)
from ethos_memory.errors import (
    EthosMemoryError,
    RevisionConflictError,
    UnsupportedError,
)
from ethos_memory.page import summary
from ethos_memory.providers.contract import (
    ROLLING_PAGES,
    UNNAMED,
    check_limit,
    other_casing,
    parse_scope,
)
from ethos_memory.providers.hits import page_hit
from ethos_memory.providers.inventory import StoredFile
from ethos_memory.providers.transient_memory import (
    Batch,
    ScopeMemory,
    batches,
    revision_of,
    size_of,
)
from ethos_memory.scope import LAYOUT, ScopeId, parse_key, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import MemoryEntry, Update
    from ethos_memory.provider import SearchMode

__all__ = ["TransientProvider"]

_RESTORED: Final = Origin("restore")


def _now() -> datetime:
    return datetime.now(UTC)


def _refuse_other_casing(name: str, names: Iterable[str], *, path: str) -> None:
    folded = name.lower()
    if any(one != name and one.lower() == folded for one in names):
        raise other_casing(path)


class TransientProvider:
    """Keeps memory in this object and nowhere else. Safe for threads.

    Its history grows for as long as it lives.

    Args:
        kinds: The kinds of scopes it has a place for; ``("team",)`` for team memory.
        clock: Gives the time of a change, aware and in UTC.
    """

    def __init__(
        self, *, kinds: Iterable[str] = LAYOUT, clock: Callable[[], datetime] = _now
    ) -> None:
        self._kinds = tuple(kinds)
        self._clock = clock
        self._memories: dict[ScopeId, ScopeMemory] = {}
        self._lock = threading.Lock()

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the non-blank rolling pages, ``MEMORY.md`` before ``USER.md``.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
        """
        id = self._id(scope)
        with self._lock:
            pages = [self._memory(id).entry(key) for key in ROLLING_PAGES]
        return MemorySnapshot(
            id, tuple(page for page in pages if page and trim(page.content))
        )

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page, or `None` when there is none.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
            InvalidKeyError: When the key is outside the grammar, or no page's.
        """
        id, name = self._id(scope), parse_key(key)
        with self._lock:
            return self._memory(id).entry(name)

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first.

        Args:
            scope: Whose memory; no other is searched.
            query: Any text; nothing in it is query syntax.
            limit: The most hits; 0 gives none.
            mode: ``"keyword"`` or `None`.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
            UnsupportedError: For another mode.
            ValueError: When `limit` is below 0.
        """
        id = self._id(scope)
        if mode not in (None, "keyword"):
            msg = "this memory is searched by keyword only"
            raise UnsupportedError(msg)
        wanted = plain_text(query, what="query")
        check_limit(limit)
        with self._lock:
            memory = self._memory(id)
            memory.refresh_index()
            matches = memory.index.search(wanted, limit)
            found = [(match, memory.pages[match.name].content) for match in matches]
        return tuple(page_hit(match, text) for match, text in found)

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope, sorted by key, at most `limit`.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
            ValueError: When `limit` is below 0.
        """
        id = self._id(scope)
        check_limit(limit)
        with self._lock:
            pages = sorted(self._memory(id).pages.items())[:limit]
        return tuple(
            MemoryEntryRef(
                key,
                size_of(page.content),
                updated_at=page.updated_at,
                summary=summary(page.content) if summaries else None,
            )
            for key, page in pages
        )

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order and tell what changed.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
            RevisionConflictError: When a page is not at the wanted revision; nothing
                was written.
            UnsafePathError: When a new name differs only in case from one that is
                there.
        """
        id = self._id(scope)
        grouped = batches(updates)
        with self._lock:
            return self._write(id, grouped, origin or UNNAMED)

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return earlier states of one page, or of all, newest first.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
            InvalidKeyError: When the key is outside the grammar, or no page's.
        """
        id = self._id(scope)
        name = None if key is None else parse_key(key)
        with self._lock:
            changes = reversed(self._memory(id).changes)
            return tuple(one for one in changes if name in (None, one.key))

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state as it was. This is a new change.

        Args:
            scope: Whose memory.
            key: The page.
            revision: Of a state in its history; ``""`` for a deletion there.

        Raises:
            LookupError: When the history has no such state.
            EthosMemoryError: As `sync`.
        """
        id, name = self._id(scope), parse_key(key)
        states = self.history(id, name)
        found = next((one for one in states if one.revision == revision), None)
        if found is None:
            msg = f"{id} {name}: no such state in the history"
            raise LookupError(msg)
        action = "delete" if found.content is None else "replace"
        batch = Batch(name, (action,), lambda _: Edit(found.content))
        with self._lock:
            return self._write(id, (batch,), _RESTORED)

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase pages, archive and history of a scope. Can be repeated.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
        """
        id = self._id(scope)
        with self._lock:
            memory = self._memories.pop(id, ScopeMemory())
        return EraseReport(id, tuple(sorted(memory.files())))

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Name pages, archive and history of a scope, as if they were files.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
        """
        with self._lock:
            files = self._memory(self._id(scope)).files()
        return tuple(
            StoredFile(name, len(data), is_memory=True)
            for name, data in sorted(files.items())
        )

    def copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand over everything that `erase` would take.

        Raises:
            InvalidScopeError: When the scope is outside the grammar.
            UnknownScopeError: When there is no place for its kind.
        """
        with self._lock:
            files = self._memory(self._id(scope)).files()
        for name, data in sorted(files.items()):
            take(name, data)

    def _id(self, scope: ScopeId | str) -> ScopeId:
        return parse_scope(scope, self._kinds)

    def _memory(self, id: ScopeId) -> ScopeMemory:
        """Return what is kept for a scope; nothing is made for one without memory."""
        return self._memories.get(id) or ScopeMemory()

    def _write(
        self, id: ScopeId, grouped: tuple[Batch, ...], origin: Origin
    ) -> SyncReport:
        memory = self._memory(id)
        for batch in grouped:
            current = memory.revision(batch.key)
            if any(revision != current for revision in batch.expected):
                content = memory.text(batch.key)
                raise RevisionConflictError(
                    str(id), batch.key, revision=current, content=content
                )
        told: dict[str, KeyChange] = {}
        try:
            for batch in grouped:
                told[batch.key] = self._write_page(id, memory, batch, origin)
        except EthosMemoryError as error:
            error.written = tuple(key for key, one in told.items() if one.is_change)
            raise
        return SyncReport(tuple(told.values()))

    def _write_page(
        self, id: ScopeId, memory: ScopeMemory, batch: Batch, origin: Origin
    ) -> KeyChange:
        key, before = batch.key, memory.text(batch.key)
        edited = batch.apply(before)
        if edited.text != before:
            self._refuse_other_casings(id, memory, key)
            self._memories[id] = memory
            at = self._clock()
            memory.keep(key, edited.text, at=at)
            if memory.text(key) != before:
                memory.changes.append(
                    Change(
                        key,
                        memory.revision(key),
                        at=at,
                        source=origin.source,
                        actions=batch.actions,
                        content=memory.text(key),
                    )
                )
        return KeyChange(
            key,
            batch.actions,
            revision_before=revision_of(before),
            revision_after=memory.revision(key),
            size_before=size_of(before),
            size_after=size_of(memory.text(key)),
            lines_removed=edited.lines_removed,
        )

    def _refuse_other_casings(self, id: ScopeId, memory: ScopeMemory, key: str) -> None:
        """Refuse what a volume that ignores case could not keep apart."""
        ids = [one.id for one in self._memories if one.kind == id.kind]
        _refuse_other_casing(id.id, ids, path=str(id))
        _refuse_other_casing(key, memory.pages, path=f"{id} {key}")
