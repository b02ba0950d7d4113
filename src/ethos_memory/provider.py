"""The contract of something that keeps memory.

`MemoryProvider` is frozen at five methods: new facts travel in values, so that no
signature changes. Further abilities are protocols of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.entry import (
        Change,
        EraseReport,
        MemoryEntry,
        MemoryEntryRef,
        MemorySnapshot,
        Origin,
        SearchHit,
        SyncReport,
        Update,
    )
    from ethos_memory.scope import ScopeId

__all__ = ["MemoryProvider", "SearchMode", "SupportsErase", "SupportsHistory"]

#: How a search looks; `None` in a call means the best the provider has.
SearchMode: TypeAlias = Literal["keyword", "semantic", "hybrid"]


@runtime_checkable
class MemoryProvider(Protocol):
    """Something that keeps memory, scope by scope.

    Every method takes a scope as text or value and refuses a bad name before it
    touches anything: `InvalidScopeError`, `UnknownScopeError`, `InvalidKeyError`.
    """

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the non-blank rolling pages, ``MEMORY.md`` before ``USER.md``."""
        ...

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page, or `None` when there is none."""
        ...

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that answer what a person typed, best first.

        Args:
            scope: Whose memory; no other is searched.
            query: Any text. Nothing in it is query syntax and none of it raises.
            limit: The most hits; 0 gives none.
            mode: How to look; `None` is the provider's best.

        Raises:
            UnsupportedError: When the provider does not have the mode.
            ValueError: When `limit` is below 0.
        """
        ...

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order and tell what changed.

        Every `if_revision` is checked once, before the batch. Keys are written in the
        order they are first named.

        Raises:
            RevisionConflictError: When a page is not at the wanted revision; nothing
                was written.
            EthosMemoryError: Its `written` names the keys written before the error.
        """
        ...

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope, sorted by key, at most `limit`."""
        ...


@runtime_checkable
class SupportsHistory(Protocol):
    """A provider that keeps what a page used to be."""

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return earlier states of one page, or of all, newest first."""
        ...

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state by its revision. This is a new change.

        Raises:
            LookupError: When the history has no such state.
        """
        ...


@runtime_checkable
class SupportsErase(Protocol):
    """A provider that can forget a scope for good."""

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase pages, history, archive and index of a scope. Can be repeated."""
        ...
