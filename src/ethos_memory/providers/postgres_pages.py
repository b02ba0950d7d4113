"""Pages in PostgreSQL: what is asked, and one batch of changes as one transaction.

A page points at its newest state, and is swapped by comparing that in the statement
that changes it. When it moved since it was read, the whole batch is undone and thought
through again.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from attrs import define, field, frozen

from ethos_memory.disk.rotation import HISTORY_LIMIT_BYTES
from ethos_memory.entry import Edit, KeyChange, MemoryEntry, SyncReport
from ethos_memory.errors import RevisionConflictError
from ethos_memory.providers.batch import compare
from ethos_memory.providers.cap import archived, capped
from ethos_memory.providers.contract import other_casing
from ethos_memory.providers.pages import revision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from ethos_memory.entry import Origin
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.providers.batch import PageChange
    from ethos_memory.providers.postgres_known import KnownPages
    from ethos_memory.scope import ScopeId

__all__ = ["MovedError", "PageBatch", "entry", "read_rows", "text_of"]

_READ: Final = """
    select p.key, s.content, p.updated_at, p.state, s.revision
    from pages p join states s on s.id = p.state
    where p.scope = %s and p.folded = any(%s::text[])
"""
_LOCK: Final = """
    select from pages where scope = %s and folded = any(%s::text[])
    order by folded for update
"""
_KEEP: Final = """
    insert into states (
        id, scope, key, revision, at, source, session_id, platform, actions, batch,
        content
    )
    select state, %(scope)s, %(key)s, %(after)s, %(at)s, %(source)s, %(session_id)s,
        %(platform)s, %(actions)s::text[], %(batch)s, %(content)s
    from moved returning id
"""
_CREATE: Final = f"""
    with home as (
        insert into scopes (scope, folded) values (%(scope)s, %(scope_folded)s)
        on conflict do nothing
    ), moved as (
        insert into pages (scope, folded, key, state, size, updated_at)
        values (
            %(scope)s, %(folded)s, %(key)s, nextval('state_ids'), %(size)s, %(at)s
        )
        on conflict do nothing returning state
    ) {_KEEP}
"""  # noqa: S608 - constants
_SWAP: Final = f"""
    with moved as (
        update pages
        set state = nextval('state_ids'), size = %(size)s, updated_at = %(at)s
        where scope = %(scope)s and folded = %(folded)s and state = %(before)s
        returning state
    ) {_KEEP}
"""  # noqa: S608 - constants
_DELETE: Final = f"""
    with moved as (
        delete from pages
        where scope = %(scope)s and folded = %(folded)s and state = %(before)s
        returning nextval('state_ids') as state
    ) {_KEEP}
"""  # noqa: S608 - constants
_ARCHIVE: Final = "insert into archive (scope, content) values (%s, %s)"
_HAPPENED: Final = "select from states where scope = %s and batch = %s limit 1"
_FORGET: Final = """
    delete from states where scope = %(scope)s and id in (
        select id from (
            select id, sum(octet_length(content)) over (order by id desc) as total
            from states where scope = %(scope)s
        ) as newest
        where total > %(limit)s
    ) and id not in (select state from pages where scope = %(scope)s)
"""
_OTHER_CASING: Final = "select from scopes where folded = %s and scope <> %s"

#: In place of a row of `_READ`, where there is no page.
_NO_PAGE: Final = (None, None, None, None, "")

#: One write in so many looks whether the history is above its limit.
_LOOKS: Final = 64

#: After so many batches that were overtaken, the pages are locked before they are read.
_TRIES: Final = 2


class MovedError(Exception):
    """A page is no longer what was read; nothing was changed."""


def text_of(content: Any) -> str | None:
    """Return a page's text, `None` where there is no page."""
    return None if content is None else bytes(content).decode()


def entry(row: tuple[Any, ...]) -> MemoryEntry:
    """Return a row of `_READ` as a value."""
    key, content, at, _, revision = row
    return MemoryEntry(key, content.decode(), revision=revision, updated_at=at)


def _array(names: Iterable[str]) -> str:
    # Neither keys nor verbs hold what an array's text gives a meaning to. psycopg takes
    # ten times as long to look at a list.
    return f"{{{','.join(names)}}}"


def read_rows(
    connection: Connection, scope: str, keys: Iterable[str]
) -> list[tuple[Any, ...]]:
    """Return rows of those of the pages that are there, in one question."""
    folded = _array(key.lower() for key in keys)
    with connection.cursor(binary=True) as cursor:
        return cursor.execute(_READ, (scope, folded)).fetchall()


@frozen
class _Plan:
    """A change thought through for the page as it was read."""

    change: PageChange
    state: int | None
    before: bytes | None = field(repr=False)
    revision_before: str
    after: bytes | None = field(repr=False)
    revision_after: str
    edited: Edit = field(repr=False)
    overflow: str = field(repr=False)

    def is_change(self) -> bool:
        return self.before != self.after

    def told(self) -> KeyChange:
        return KeyChange(
            self.change.key,
            self.change.actions,
            revision_before=self.revision_before,
            revision_after=self.revision_after,
            size_before=len(self.before or b""),
            size_after=len(self.after or b""),
            lines_removed=self.edited.lines_removed,
        )


def _planned(change: PageChange, rows: dict[str, tuple[Any, ...]]) -> _Plan:
    row = _row(rows, change.key)
    _, before, _, state, revision = row or _NO_PAGE
    edited = change.apply(None if before is None else before.decode())
    after, overflow = None, ""
    if edited.text is not None:
        kept, overflow = capped(edited.text)
        after = kept.encode()
    # Hashing a page takes longer than comparing it.
    revision_after = revision if after == before else revision_of(after)
    return _Plan(
        change, state, before, revision, after, revision_after, edited, overflow
    )


def _compare(change: PageChange, scope: str, row: tuple[Any, ...] | None) -> None:
    """Compare a page's revision with those that a change expects."""
    _, content, _, _, revision = row or _NO_PAGE
    if any(expected != revision for expected in change.expected):
        compare(change, scope, content)


@define
class PageBatch:
    """Changes to the pages of one scope, to be run as one transaction."""

    scope: ScopeId
    changes: tuple[PageChange, ...]
    origin: Origin
    clock: Callable[[], datetime] = field(repr=False)
    known: KnownPages = field(repr=False)
    batch: UUID = field(factory=uuid4, init=False)
    tries: int = field(default=0, init=False)

    def __call__(self, transaction: Transaction) -> SyncReport:
        """Read, compare, plan and swap.

        Raises:
            MovedError: When another writer was faster; run it again.
            RevisionConflictError: When a page has not the expected revision.
            UnsafePathError: When a new name differs from one that is there in case.
        """
        self.tries += 1
        if self.tries == 1:
            report = self._on_known(transaction)
            if report is not None:
                return report
        if self.tries > _TRIES:
            transaction.begin()
            folded = _array(change.key.lower() for change in self.changes)
            asked = (str(self.scope), folded)
            transaction.connection.execute(_LOCK, asked)
        keys = (change.key for change in self.changes)
        found = read_rows(transaction.connection, str(self.scope), keys)
        rows = {row[0].lower(): row for row in found}
        return self._run(transaction, rows, self._plans(rows))

    def _on_known(self, transaction: Transaction) -> SyncReport | None:
        """Change one page as it was last seen; `None` when that may not be enough."""
        change, *more = self.changes
        row = self.known.get(str(self.scope), change.key)
        if row is None or more:
            return None
        rows = {change.key.lower(): row}
        with suppress(RevisionConflictError):
            plans = self._plans(rows)
            if plans[0].is_change():
                return self._run(transaction, rows, plans)
        # Only the page as it is now may say that nothing changes, or is a conflict.
        return None

    def _plans(self, rows: dict[str, tuple[Any, ...]]) -> list[_Plan]:
        for change in self.changes:
            _compare(change, str(self.scope), _row(rows, change.key))
        return [_planned(change, rows) for change in self.changes]

    def _run(
        self,
        transaction: Transaction,
        rows: dict[str, tuple[Any, ...]],
        plans: list[_Plan],
    ) -> SyncReport:
        report = SyncReport(tuple(plan.told() for plan in plans))
        changed = [plan for plan in plans if plan.is_change() or plan.overflow]
        for plan in changed:
            self._refuse_other_casing(rows, plan)
        self._carry_out(transaction, changed, report)
        return report

    def _carry_out(
        self, transaction: Transaction, changed: list[_Plan], report: SyncReport
    ) -> None:
        looks = bool(changed) and secrets.randbelow(_LOOKS) == 0
        if len(changed) == 1 and not (looks or changed[0].overflow):
            # One statement is a transaction of its own.
            self._write(transaction, changed[0], report)
            return
        if changed and not transaction.is_open:
            transaction.begin()
        for plan in changed:
            self._write(transaction, plan, report)
        if looks:
            limited = {"scope": str(self.scope), "limit": HISTORY_LIMIT_BYTES}
            transaction.connection.execute(_FORGET, limited)

    def happened(self, connection: Connection) -> bool:
        """Tell whether the batch was written."""
        asked = (str(self.scope), self.batch)
        return connection.execute(_HAPPENED, asked).fetchone() is not None

    def _refuse_other_casing(
        self, rows: dict[str, tuple[Any, ...]], plan: _Plan
    ) -> None:
        """Refuse a page that a disk which ignores case could not keep apart."""
        key, folded = plan.change.key, plan.change.key.lower()
        if plan.after is None:
            del rows[folded]
            return
        there = rows.setdefault(folded, (key,))[0]
        if there != key:
            raise other_casing(f"{self.scope} {key}")

    def _write(self, transaction: Transaction, plan: _Plan, report: SyncReport) -> None:
        at = self.clock()
        if plan.is_change():
            self._swap(transaction, plan, report, at)
        if plan.overflow:
            text = archived(plan.overflow, plan.change.key, at) + "\n"
            values = (str(self.scope), text.encode())
            transaction.connection.execute(_ARCHIVE, values)

    def _swap(
        self, transaction: Transaction, plan: _Plan, report: SyncReport, at: datetime
    ) -> None:
        connection = transaction.connection
        values = self._values(plan, at)
        statement = _SWAP
        if plan.after is None:
            statement = _DELETE
        elif plan.before is None:
            self._refuse_other_scope(connection)
            statement = _CREATE
        if not transaction.is_open:
            transaction.promise(report)
        row = connection.execute(statement, values).fetchone()
        if row is None:
            raise MovedError
        if plan.after is not None and not transaction.is_open:
            seen = (plan.change.key, plan.after, at, *row, plan.revision_after)
            self.known.keep(str(self.scope), [seen])

    def _refuse_other_scope(self, connection: Connection) -> None:
        scope = str(self.scope)
        found = connection.execute(_OTHER_CASING, (scope.lower(), scope)).fetchone()
        if found is not None:
            raise other_casing(scope)

    def _values(self, plan: _Plan, at: datetime) -> dict[str, object]:
        scope, key = str(self.scope), plan.change.key
        return {
            "scope": scope,
            "scope_folded": scope.lower(),
            "key": key,
            "folded": key.lower(),
            "before": plan.state,
            "after": plan.revision_after,
            "size": len(plan.after or b""),
            "at": at,
            "source": _data(self.origin.source),
            "session_id": _data(self.origin.session_id),
            "platform": _data(self.origin.platform),
            "actions": _array(plan.change.actions),
            "batch": self.batch,
            "content": plan.after,
        }


def _row(rows: dict[str, tuple[Any, ...]], key: str) -> tuple[Any, ...] | None:
    row = rows.get(key.lower())
    return row if row and row[0] == key else None


def _data(text: str) -> bytes:
    # A host may pass any text; PostgreSQL's own cannot hold all of it.
    return text.encode(errors="replace")
