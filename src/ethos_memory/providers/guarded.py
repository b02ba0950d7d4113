"""Any provider, with the guard on the way in and on the way out.

What a model reads is screened, and so is what it writes. A person sees their page as
it is (`unsafe_read`, `history`), and what a person writes is stored and reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from attrs import evolve

from ethos_memory.disk import History
from ethos_memory.entry import (
    Add,
    MemorySnapshot,
    Origin,
    Replace,
    SyncReport,
)
from ethos_memory.errors import (
    GuardRefusedError,
    RevisionConflictError,
    UnsupportedError,
)
from ethos_memory.page import summary
from ethos_memory.provider import SupportsErase, SupportsHistory
from ethos_memory.providers.guarded_edit import edited, moved
from ethos_memory.providers.guarded_refusal import copied_markers
from ethos_memory.providers.guarded_search import shown_hits
from ethos_memory.providers.inventory import SupportsFiles
from ethos_memory.scope import ScopeId
from ethos_memory.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from ethos_memory.entry import (
        Change,
        EraseReport,
        MemoryEntry,
        MemoryEntryRef,
        SearchHit,
        Update,
    )
    from ethos_memory.provider import MemoryProvider, SearchMode
    from ethos_memory.providers.guarded_edit import Cut
    from ethos_memory.providers.guarded_view import SeenPage
    from ethos_memory.providers.inventory import StoredFile
    from ethos_memory.verdict import Finding

__all__ = ["Guard", "GuardedProvider", "UnsafeNoGuard"]

#: Others may change the page between our read and our write; each such round means
#: that somebody else got on.
_MOST_ROUNDS: Final = 100


class Guard(Protocol):
    """Something that judges text; `InjectionGuard` is the library's own."""

    def screen(self, text: str, scope: ScopeId | str | None = None) -> Verdict:
        """Return what may be stored, and what a model may read."""
        ...


class UnsafeNoGuard:
    """A guard that passes everything. Whatever is remembered reaches the prompt."""

    def screen(self, text: str, scope: ScopeId | str | None = None) -> Verdict:  # noqa: ARG002 - the guard's shape
        """Return the text as it is, without a finding."""
        return Verdict((), refused=False, stored=text, shown=text)


class GuardedProvider:
    """A provider whose text is screened on the way in and on the way out.

    Args:
        inner: The provider that keeps the memory; the five methods are enough.
        guard: What judges the text.
    """

    def __init__(self, inner: MemoryProvider, guard: Guard) -> None:
        self._inner = inner
        self._guard = guard

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the rolling pages as a model may read them."""
        snapshot = self._inner.prefetch(scope)
        entries = tuple(
            self._shown(snapshot.scope, entry) for entry in snapshot.entries
        )
        return MemorySnapshot(snapshot.scope, entries)

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page as a model may read it, with its findings.

        The revision is that of the page on disk, so that `if_revision` holds.
        """
        entry = self._inner.read(scope, key)
        return None if entry is None else self._shown(ScopeId.parse(scope), entry)

    def unsafe_read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page as it is, with its findings: for a person, never a model."""
        entry = self._inner.read(scope, key)
        if entry is None:
            return None
        return evolve(entry, findings=self._screen(entry.content, scope).findings)

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that answer a query, as a model may read them.

        What is hidden in a page answers no query.
        """
        return shown_hits(
            lambda most: self._inner.search(scope, query, limit=most, mode=mode),
            lambda text: self._screen(text, scope),
            query,
            limit=limit,
        )

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope; a summary is as a model may read it."""
        refs = self._inner.list(scope, limit=limit)
        if not summaries:
            return refs
        return tuple(self._summarized(scope, ref) for ref in refs)

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Screen a batch, then apply it.

        Credentials are replaced by a marker, whoever writes. What a person writes is
        stored and reported; what anybody else writes is refused as a whole when one
        update of it must not be stored, or holds the marker of a withheld line: a
        model that writes back what it was shown would destroy what was withheld.

        Returns:
            What changed, with the findings of the whole batch.

        Raises:
            GuardRefusedError: When the batch is refused; nothing was stored.
            RevisionConflictError: As the inner provider; its content is as a model
                may read it, unless a person writes.
        """
        is_human = _is_human(origin)
        stored, findings = self._screened(scope, tuple(updates), is_human=is_human)
        report = self._synced(scope, stored, origin)
        return evolve(report, findings=(*findings, *report.findings))

    def edit(
        self,
        scope: ScopeId | str,
        key: str,
        change: Callable[[SeenPage], Iterable[Cut]],
        *,
        origin: Origin | None = None,
    ) -> SyncReport | None:
        """Change a part of a page; every line that is not touched keeps its bytes.

        Unlike a `Replace` by `sync` this judges what is new, not what stood there: a
        line that is withheld stays, out of reach of whoever cannot see it, and stops
        no change to other lines. A person sees and changes all of the page.

        Args:
            scope: Whose memory.
            key: The page.
            change: From the page as its author may see it to what is cut out of it,
                and put in. Called again when somebody else was faster.
            origin: Who writes.

        Returns:
            What changed, with the findings in what is new; `None` without a page.

        Raises:
            GuardRefusedError: When a model's change reaches into what is withheld,
                or would be withheld, or would alter what is shown of other lines.
            RevisionConflictError: When others kept changing the page.
        """
        rounds = 0
        while True:
            entry = self._inner.read(scope, key)
            if entry is None:
                return None
            update, findings = edited(
                entry,
                change,
                lambda text: self._screen(text, scope),
                is_human=_is_human(origin),
            )
            try:
                report = self._synced(scope, (update,), origin)
            except RevisionConflictError:
                rounds += 1
                if rounds == _MOST_ROUNDS:
                    raise
            else:
                return evolve(report, findings=(*findings, *report.findings))

    def move(
        self,
        scope: ScopeId | str,
        keys: Mapping[str, str],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Give pages other names within their scope, byte for byte.

        Args:
            scope: Whose memory.
            keys: From each page to its new name. One that is not there is left out.
            origin: Who moves them.

        Raises:
            RevisionConflictError: When there is a page of a new name, or another
                writer changed one meanwhile; nothing was moved.
        """
        found = ((self._inner.read(scope, old), new) for old, new in keys.items())
        batch = [
            update for entry, new in found if entry for update in moved(entry, new)
        ]
        return self._synced(scope, tuple(batch), origin)

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return earlier states as they were: for a person, never a model.

        Raises:
            UnsupportedError: When the inner provider keeps no history.
        """
        return self._with_history().history(scope, key)

    def inspect_history(
        self, scope: ScopeId | str, key: str | None = None, *, limit: int | None = None
    ) -> History:
        """Return the history with what is damaged or lost in it, if that is known.

        Args:
            scope: Whose memory.
            key: The page; `None` for all.
            limit: The most states, the newest; of a page no more than that is read.

        Raises:
            UnsupportedError: When the inner provider keeps no history.
        """
        inner = self._with_history()
        inspect: Callable[..., History] | None
        inspect = getattr(inner, "inspect_history", None)
        if inspect is None:
            return History(inner.history(scope, key)[:limit], 0, 0)
        history: History = inspect(scope, key, limit=limit)
        return history

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state, as a person does; credentials in it are replaced.

        Raises:
            LookupError: When the history has no such state.
            UnsupportedError: When the inner provider keeps no history.
        """
        inner = self._with_history()
        states = (s for s in inner.history(scope, key) if s.revision == revision)
        content = getattr(next(states, None), "content", None)
        verdict = self._screen(content or "", scope)
        if content is None or verdict.stored == content:
            report = inner.restore(scope, key, revision)
        else:
            update = Replace(key, verdict.stored)
            report = self._inner.sync(scope, [update], origin=Origin("restore"))
        return evolve(report, findings=(*verdict.findings, *report.findings))

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase a scope for good.

        Raises:
            UnsupportedError: When the inner provider cannot.
        """
        if not isinstance(self._inner, SupportsErase):
            msg = f"{type(self._inner).__name__} cannot erase"
            raise UnsupportedError(msg)
        return self._inner.erase(scope)

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Name every file of a scope; nothing is read.

        Raises:
            UnsupportedError: When the inner provider cannot tell.
        """
        return self._with_files().files(scope)

    def unsafe_copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand over every file of a scope as it is: for a person, never a model.

        Raises:
            UnsupportedError: When the inner provider cannot.
        """
        self._with_files().copy_files(scope, take)

    def close(self) -> None:
        """Close the inner provider when it has something to close."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _screen(self, text: str, scope: ScopeId | str) -> Verdict:
        return self._guard.screen(text, scope)

    def _synced(
        self, scope: ScopeId | str, batch: tuple[Update, ...], origin: Origin | None
    ) -> SyncReport:
        try:
            return self._inner.sync(scope, batch, origin=origin)
        except RevisionConflictError as conflict:
            if conflict.content is not None and not _is_human(origin):
                conflict.content = self._screen(conflict.content, scope).shown
            raise

    def _shown(self, scope: ScopeId, entry: MemoryEntry) -> MemoryEntry:
        verdict = self._screen(entry.content, scope)
        if not verdict.findings and verdict.shown == entry.content:
            return entry
        return evolve(entry, content=verdict.shown, findings=verdict.findings)

    def _summarized(self, scope: ScopeId | str, ref: MemoryEntryRef) -> MemoryEntryRef:
        # Screened as part of its page: a summary that was cut could hold half of a
        # credential, which nothing would recognise.
        entry = self.read(scope, ref.key)
        return evolve(ref, summary=None if entry is None else summary(entry.content))

    def _screened(
        self, scope: ScopeId | str, batch: tuple[Update, ...], *, is_human: bool
    ) -> tuple[tuple[Update, ...], tuple[Finding, ...]]:
        stored: list[Update] = []
        findings: list[Finding] = []
        is_refused = False
        for update in batch:
            if not isinstance(update, Add | Replace):
                stored.append(update)
                continue
            verdict = self._screen(update.content, scope)
            copied = copied_markers(update.content)
            is_refused = is_refused or verdict.refused or bool(copied)
            findings += (*verdict.findings, *(() if is_human else copied))
            stored.append(evolve(update, content=verdict.stored))
        if is_refused and not is_human:
            raise GuardRefusedError(tuple(findings))
        return tuple(stored), tuple(findings)

    def _with_history(self) -> SupportsHistory:
        if not isinstance(self._inner, SupportsHistory):
            msg = f"{type(self._inner).__name__} keeps no history"
            raise UnsupportedError(msg)
        return self._inner

    def _with_files(self) -> SupportsFiles:
        if not isinstance(self._inner, SupportsFiles):
            msg = f"{type(self._inner).__name__} cannot tell its files"
            raise UnsupportedError(msg)
        return self._inner


def _is_human(origin: Origin | None) -> bool:
    return origin is not None and origin.is_human
