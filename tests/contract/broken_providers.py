"""Providers with one fault each, of kinds that were found in the field.

`FAULTS` names for each the test of the contract that finds it out.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen
from typing_extensions import override

from ethos_memory.entry import (
    Add,
    Change,
    Delete,
    EraseReport,
    MemoryEntry,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    Replace,
    SearchHit,
    SyncReport,
    Update,
)
from ethos_memory.errors import (
    InvalidKeyError,
    InvalidScopeError,
    RevisionConflictError,
    UnsafePathError,
)
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.provider import SearchMode

__all__ = ["CORE", "FAULTS"]


def _without_revision(update: Update) -> Update:
    if isinstance(update, Replace | Delete):
        return evolve(update, if_revision=None)
    return update


class DropsAnAdd(TransientProvider):
    """Loses the second `Add` of a batch."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = tuple(updates)
        adds = [update for update in batch if isinstance(update, Add)]
        kept = [update for update in batch if update not in adds[1:2]]
        return super().sync(scope, kept, origin=origin)


class LeaksAcrossScopes(TransientProvider):
    """Searches everybody's memory."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        own = super().search(scope, query, limit=limit, mode=mode)
        found = [
            hit
            for id in self._memories
            for hit in super(LeaksAcrossScopes, self).search(id, query, limit=limit)
        ]
        return tuple(dict.fromkeys((*own, *found)))[:limit]


class IgnoresIfRevision(TransientProvider):
    """Overwrites what the caller has not seen."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = [_without_revision(update) for update in updates]
        return super().sync(scope, batch, origin=origin)


class FindsDeletedText(TransientProvider):
    """Never takes anything out of its index."""

    def __init__(self) -> None:
        super().__init__()
        self._index: dict[tuple[str, str], SearchHit] = {}

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        hits = super().search(scope, query, limit=limit, mode=mode)
        for hit in hits:
            self._index[f"{scope} {query}", hit.key] = hit
        known = [
            hit
            for (asked, _), hit in self._index.items()
            if asked == f"{scope} {query}"
        ]
        return tuple(dict.fromkeys((*hits, *known)))[:limit]


class Reorders(TransientProvider):
    """Applies a batch backwards."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        return super().sync(scope, tuple(updates)[::-1], origin=origin)


class ListsAsStored(TransientProvider):
    """Lists pages by age."""

    @override
    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        refs = super().list(scope, limit=limit, summaries=summaries)
        return tuple(sorted(refs, key=lambda ref: ref.updated_at, reverse=True))


class AltersNames(TransientProvider):
    """Makes every odd character of an id an underscore."""

    @override
    def _id(self, scope: ScopeId | str) -> ScopeId:
        kind, _, id = str(scope).partition(":")
        plain = "".join(one if one.isascii() and one.isalnum() else "_" for one in id)
        return super()._id(f"{kind}:{plain}")


class FoldsScopes(TransientProvider):
    """Keeps ``user:Ana`` where ``user:ana`` is."""

    @override
    def _id(self, scope: ScopeId | str) -> ScopeId:
        id = super()._id(scope)
        return ScopeId(id.kind, id.id.lower())


class TakesBadKeys(TransientProvider):
    """Answers as if a refused page were merely absent."""

    @override
    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        try:
            return super().read(scope, key)
        except InvalidKeyError:
            return None


class TakesBadScopes(TransientProvider):
    """Searches nothing instead of refusing a scope."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        try:
            return super().search(scope, query, limit=limit, mode=mode)
        except InvalidScopeError:
            return ()


class TrustsAnyText(TransientProvider):
    """Opens a page by what a text shows, not by its characters."""

    @override
    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        return super().read(scope, f"{key}")


class HidesARefusal(TransientProvider):
    """Says nothing when it refuses the name of a page."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = tuple(updates)
        try:
            return super().sync(scope, batch, origin=origin)
        except UnsafePathError:
            return SyncReport(())


class WritesHalfABatch(TransientProvider):
    """Compares each revision when its page's turn comes."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        told = [super(WritesHalfABatch, self).sync(scope, [one]) for one in updates]
        return SyncReport(tuple(change for one in told for change in one.changes))


class StripsLikePython(TransientProvider):
    """Trims characters that are no white space to Ethos, and keeps others."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = [
            evolve(update, content=update.content.strip())
            if isinstance(update, Add | Replace)
            else update
            for update in updates
        ]
        return super().sync(scope, batch, origin=origin)


class NormalizesLineEnds(TransientProvider):
    """Writes every line end as LF."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = [
            evolve(update, content=update.content.replace("\r\n", "\n"))
            if isinstance(update, Add | Replace)
            else update
            for update in updates
        ]
        return super().sync(scope, batch, origin=origin)


class TouchesEverything(TransientProvider):
    """Gives a page a new time when nothing changed."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = tuple(updates)
        report = super().sync(scope, batch, origin=origin)
        memory = self._memory(ScopeId.parse(scope))
        for key, page in memory.pages.items():
            memory.pages[key] = evolve(page, updated_at=self._clock())
        return report


class CountsCharacters(TransientProvider):
    """Tells sizes in characters."""

    @override
    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        refs = super().list(scope, limit=limit, summaries=summaries)
        texts = self._memory(ScopeId.parse(scope)).pages
        return tuple(evolve(ref, size=len(texts[ref.key].content)) for ref in refs)


class TellsLocalTime(TransientProvider):
    """Tells times without a zone."""

    def __init__(self) -> None:
        super().__init__(clock=datetime.now)


class LosesUnderThreads(TransientProvider):
    """Reads, then writes what it read some time ago."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        report = SyncReport(())
        for update in updates:
            entry = self.read(scope, update.key)
            time.sleep(0.001)
            new = update
            if entry is not None and isinstance(update, Add):
                new = Replace(update.key, f"{entry.content}\n{update.content}")
            report = super().sync(scope, [new], origin=origin)
        return report


class TellsWhatWasThere(TransientProvider):
    """Puts the page's text into the message of a conflict."""

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        try:
            return super().sync(scope, updates, origin=origin)
        except RevisionConflictError as conflict:
            conflict.args = (f"expected other text than {conflict.content}",)
            raise


@frozen
class _LoudEntry(MemoryEntry):
    content: str = field(repr=True)


class ShowsTextInRepr(TransientProvider):
    """Returns values that put a page into the log that shows them."""

    @override
    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        entry = super().read(scope, key)
        return entry and _LoudEntry(
            content=entry.content,
            key=entry.key,
            revision=entry.revision,
            updated_at=entry.updated_at,
        )


class KeepsTheOldest(TransientProvider):
    """Cuts a page that is too large at its end."""

    @override
    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        entry = super().read(scope, key)
        archive = self._memory(ScopeId.parse(scope)).archive
        if entry is None or not archive:
            return entry
        return evolve(entry, content=(archive + entry.content)[: 512 * 1024])


class PrefetchesEverything(TransientProvider):
    """Puts every page into the prompt."""

    @override
    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        keys = [ref.key for ref in self.list(scope)]
        found = [self.read(scope, key) for key in keys]
        return MemorySnapshot(
            ScopeId.parse(scope), tuple(entry for entry in found if entry is not None)
        )


class SearchesByAnyMeans(TransientProvider):
    """Uses another mode in place of the one it has not."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        return super().search(scope, query, limit=limit)


class ReadsQuerySyntax(TransientProvider):
    """Takes what a person types for a query language."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        if query.count('"') % 2:
            msg = "unterminated string"
            raise ValueError(msg)
        return super().search(scope, query, limit=limit, mode=mode)


class CutsBeforeTheScope(TransientProvider):
    """Takes the best pages of everybody, then those of the scope among them."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        own = super().search(scope, query, limit=limit, mode=mode)
        others = sum(
            len(super(CutsBeforeTheScope, self).search(id, query, limit=limit))
            for id in self._memories
            if id < ScopeId.parse(scope)
        )
        return own[: max(limit - others, 0)]


class FindsAscii(TransientProvider):
    """Knows the words of one alphabet."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        hits = super().search(scope, query, limit=limit, mode=mode)
        return hits if query.isascii() else ()


class SearchesSignals(TransientProvider):
    """Finds what waits for a synthesis."""

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        hits = super().search(scope, query, limit=limit, mode=mode)
        entry = self.read(scope, "OBSERVATIONS.md")
        if entry is None or query not in entry.content:
            return hits
        return (*hits, SearchHit(entry.key, entry.content, snippet=query, score=0.0))


class PretendsToErase(TransientProvider):
    """Erases pages, and keeps what they used to be."""

    @override
    def erase(self, scope: ScopeId | str) -> EraseReport:
        changes = self._memory(ScopeId.parse(scope)).changes
        report = super().erase(scope)
        memory = self._memory(report.scope)
        memory.changes.extend(changes)
        self._memories[report.scope] = memory
        return report


class ErasesByPrefix(TransientProvider):
    """Takes every scope along whose id begins like this one's."""

    @override
    def erase(self, scope: ScopeId | str) -> EraseReport:
        id = ScopeId.parse(scope)
        for other in list(self._memories):
            if other != id and str(other).startswith(str(id)):
                super().erase(other)
        return super().erase(scope)


class RestoresRoughly(TransientProvider):
    """Brings a state back as if it were written anew."""

    @override
    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        states = self.history(scope, key)
        found = next((one for one in states if one.revision == revision), None)
        if found is None or found.content is None:
            return super().restore(scope, key, revision)
        text = found.content.replace("\r\n", "\n")
        return self.sync(scope, [Replace(key, text)], origin=Origin("restore"))


class HistoryOldestFirst(TransientProvider):
    """Tells history the wrong way round."""

    @override
    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        return super().history(scope, key)[::-1]


class DeclinesYetHas(TransientProvider):
    """Has an `erase` that the flags decline; see `FAULTS`."""


class LosesOnReopen(TransientProvider):
    """Says that memory outlives the object; see `FAULTS`."""


#: Each fault, and the test of the contract that finds it out.
FAULTS: Final[dict[type[TransientProvider], str]] = {
    DropsAnAdd: "test_the_updates_mean_what_the_design_says",
    LeaksAcrossScopes: "test_a_search_stays_in_its_scope",
    IgnoresIfRevision: "test_an_old_revision_is_a_conflict",
    FindsDeletedText: "test_what_is_gone_is_found_no_more",
    Reorders: "test_the_updates_mean_what_the_design_says",
    ListsAsStored: "test_pages_are_listed_by_name",
    AltersNames: "test_a_hostile_scope_is_refused_by_every_call",
    FoldsScopes: "test_a_scope_that_differs_only_in_case_is_not_made",
    TakesBadKeys: "test_a_hostile_key_is_refused",
    TakesBadScopes: "test_a_hostile_scope_is_refused_by_every_call",
    TrustsAnyText: "test_a_text_that_lies_is_taken_by_its_characters",
    HidesARefusal: "test_a_key_that_differs_only_in_case_is_not_made",
    WritesHalfABatch: "test_a_conflict_leaves_the_whole_batch_unwritten",
    StripsLikePython: "test_any_text_is_kept_as_it_is",
    NormalizesLineEnds: "test_any_text_is_kept_as_it_is",
    TouchesEverything: "test_what_changes_nothing_is_told_as_no_change",
    CountsCharacters: "test_a_page_is_listed_with_its_measures",
    TellsLocalTime: "test_what_is_written_can_be_read",
    LosesUnderThreads: "test_writers_at_the_same_time_lose_nothing",
    TellsWhatWasThere: "test_a_conflict_tells_nobody_else_the_text",
    ShowsTextInRepr: "test_values_show_no_text",
    KeepsTheOldest: "test_a_page_keeps_to_its_cap",
    PrefetchesEverything: "test_the_rolling_pages_are_prefetched",
    SearchesByAnyMeans: "test_a_mode_that_is_not_there_says_so",
    ReadsQuerySyntax: "test_no_query_raises_or_is_syntax",
    CutsBeforeTheScope: "test_a_search_stays_in_its_scope",
    FindsAscii: "test_a_page_is_found_by_what_a_person_types",
    SearchesSignals: "test_signals_that_wait_are_not_searched",
    PretendsToErase: "test_erasing_leaves_nothing",
    ErasesByPrefix: "test_history_and_erasure_stay_in_their_scope",
    RestoresRoughly: "test_a_state_can_be_brought_back",
    HistoryOldestFirst: "test_history_tells_the_newest_state_first",
    DeclinesYetHas: "test_erasing_can_be_repeated",
    LosesOnReopen: "test_memory_outlives_its_object",
}

#: Those that random histories must find as well, without knowing what to look for.
CORE: Final = (
    DropsAnAdd,
    LeaksAcrossScopes,
    IgnoresIfRevision,
    FindsDeletedText,
    Reorders,
)
