"""The records of one turn: found, listed and written, through the guarded provider.

They are in the scope that the turn learns to: the person's, or the personality's where
no person is known. So one person's records are erased and exported with the person.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import evolve, field, frozen

from ethos_memory.entry import Delete, Replace
from ethos_memory.errors import (
    GuardRefusedError,
    NotPermittedError,
    PageTooLargeError,
    RevisionConflictError,
    UnsafePathError,
)
from ethos_memory.policy.pages import is_record
from ethos_memory.tools.binding import Bound
from ethos_memory.tools.record_cache import Seen
from ethos_memory.tools.record_page import (
    Record,
    format_record,
    page_of,
    parse_record,
    plain_json,
)
from ethos_memory.tools.record_screen import check_whole, shown, storable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ethos_memory.entry import Update
    from ethos_memory.memory import Memory
    from ethos_memory.scope import ScopeId
    from ethos_memory.tools.record_cache import RecordCache
    from ethos_memory.turn import Turn
    from ethos_memory.verdict import Verdict

__all__ = ["Name", "Prepared", "Records"]

#: The namespace and key of a record.
Name: TypeAlias = "tuple[tuple[str, ...], str]"

#: The cap of a page (DESIGN section 5). Above it the oldest lines would move to the
#: archive, and half a record is none.
_MOST_BYTES: Final = 512 * 1024

#: A byte-order mark, which a page keeps.
_MARK_BYTES: Final = 3

#: Others may change a page between our read and our write; each such round means that
#: somebody else got on.
_MOST_ROUNDS: Final = 100

_logger = logging.getLogger("ethos_memory")


@frozen
class Prepared:
    """Changes that may be made.

    Attributes:
        records: What each page will hold; `None` for a page that goes.
    """

    records: Mapping[str, Record | None] = field(repr=False)


class Records:
    """The records of one turn, as the turn's view is at this moment.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
        cache: What was read before; shared by those who ask again.

    Raises:
        EthosMemoryError: When the identity map cannot be read.
    """

    def __init__(self, memory: Memory, turn: Turn, cache: RecordCache) -> None:
        self._provider = memory.provider
        self._cache = cache
        bound = Bound(memory, turn)
        self._origin = bound.origin()
        view = bound.view()
        self._reason = view.reason
        granted = view.profile if view.tools != "none" else ()
        self._scope: ScopeId | None = next(iter(granted), None)

    def find(self, name: Name) -> Record | None:
        """Return a record as a model may read it; copy its value to hand it on.

        Returns:
            `None` when there is none, or the turn may not see any, or its page is
            damaged: that is logged.
        """
        if self._scope is None:
            return None
        return self._read(self._scope, page_of(*name))

    def every(self) -> tuple[Record, ...]:
        """Return every record that the turn may see, without the damaged ones.

        Values are shared with later calls: copy what is handed on.
        """
        if self._scope is None:
            return ()
        refs = self._provider.list(self._scope)
        pages = [ref.key for ref in refs if is_record(ref.key)]
        self._cache.keep_only(str(self._scope), pages)
        found = [self._read(self._scope, page) for page in pages]
        return tuple(record for record in found if record is not None)

    def prepare(self, changes: Mapping[Name, Mapping[str, Any] | None]) -> Prepared:
        """Check changes; nothing is written.

        Args:
            changes: Values by their names; `None` deletes.

        Raises:
            NotPermittedError: When the turn may not write records.
            GuardRefusedError: When the guard refuses a text or a name.
            PageTooLargeError: When a record does not fit on a page.
            TypeError: When a value is no JSON.
            ValueError: When a value is no JSON.
        """
        if self._scope is None:
            raise NotPermittedError(f"this turn keeps no records: {self._reason}")
        scope, now = self._scope, datetime.now(UTC)
        return Prepared(
            {
                page_of(*name): None
                if value is None
                else self._checked(
                    scope,
                    Record(
                        namespace=name[0],
                        key=name[1],
                        value=plain_json(value),
                        created_at=now,
                        updated_at=now,
                    ),
                )
                for name, value in changes.items()
            }
        )

    def write(self, prepared: Prepared) -> None:
        """Make changes: all at once, or again when somebody else was faster.

        Raises:
            RevisionConflictError: When others kept changing the same records.
            EthosMemoryError: When a page cannot be read or written.
        """
        scope = self._scope
        if scope is None:
            raise NotPermittedError(f"this turn keeps no records: {self._reason}")
        for _ in range(_MOST_ROUNDS):
            updates = [
                self._update(scope, page, record)
                for page, record in prepared.records.items()
            ]
            try:
                self._provider.sync(scope, updates, origin=self._origin)
            except RevisionConflictError:
                continue
            return
        page = next(iter(prepared.records))
        raise RevisionConflictError(str(scope), page, revision="", content=None)

    def _update(self, scope: ScopeId, page: str, record: Record | None) -> Update:
        if record is None:
            return Delete(page)
        entry = self._provider.unsafe_read(scope, page)
        before = None if entry is None else parse_record(entry.content)
        if before is not None:
            record = evolve(record, created_at=before.created_at)
        revision = "" if entry is None else entry.revision
        return Replace(page, format_record(record), if_revision=revision)

    def _checked(self, scope: ScopeId, record: Record) -> Record:
        # Before anything is judged: the guard takes its time for each text.
        _check_size(scope, record, format_record(record))
        screen = self._screen(scope)
        record = storable(record, screen)
        check_whole(record, screen)
        # The page as a whole is screened when it is written: it must stay a record.
        verdict = screen(format_record(record))
        if verdict.refused or _same(record, verdict.stored) is None:
            raise GuardRefusedError(verdict.findings)
        # A marker may be longer than what it stands for.
        _check_size(scope, record, verdict.stored)
        return record

    def _read(self, scope: ScopeId, page: str) -> Record | None:
        # The text is judged below, in its parts: it need not be judged as a page first.
        inner = self._provider._inner  # noqa: SLF001 - as above
        try:
            entry = inner.read(scope, page)
        except (UnsafePathError, PageTooLargeError) as error:
            return self._seen(scope, page, type(error).__name__, None)
        if entry is None:
            return None
        return self._seen(scope, page, entry.revision, entry.content)

    def _seen(
        self, scope: ScopeId, page: str, revision: str, text: str | None
    ) -> Record | None:
        known = self._cache.get(str(scope), page, revision)
        if known is not None:
            return known.record
        record = None if text is None else self._judged(scope, page, text)
        if record is None:
            _logger.warning("%s %s: left out, it is no readable record", scope, page)
        self._cache.put(str(scope), page, Seen(revision, record))
        return record

    def _judged(self, scope: ScopeId, page: str, text: str) -> Record | None:
        record = parse_record(text)
        if record is None or page_of(record.namespace, record.key) != page:
            return None
        screen = self._screen(scope)
        seen = shown(record, screen)
        if seen is None:
            return None
        try:
            check_whole(seen, screen)
        except GuardRefusedError:
            return None
        return _same(seen, screen(format_record(seen)).shown)

    def _screen(self, scope: ScopeId) -> Callable[[str], Verdict]:
        # The provider's guard judges pages; a record's texts are judged by it as well.
        return partial(self._provider._screen, scope=scope)  # noqa: SLF001 - as above


def _check_size(scope: ScopeId, record: Record, text: str) -> None:
    data = text.encode()
    size = len(data) + data.count(b"\n") + _MARK_BYTES
    if size >= _MOST_BYTES:
        page = page_of(record.namespace, record.key)
        raise PageTooLargeError(f"{scope} {page}", size=size, limit=_MOST_BYTES - 1)


def _same(record: Record, text: str) -> Record | None:
    """Return the record that a screened page still is; `None` when it is none."""
    kept = parse_record(text)
    if kept is None or (kept.namespace, kept.key) != (record.namespace, record.key):
        return None
    return kept
