"""Memory in PostgreSQL: for a bot that has outgrown one machine. Extra ``postgres``.

It means what `MarkdownProvider` means. A batch is one transaction: all of it happens,
or nothing.
"""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from ethos_memory.entry import (
    EraseReport,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    SyncReport,
    trim,
)
from ethos_memory.errors import ScopeLockedError, UnsupportedError
from ethos_memory.page import summary
from ethos_memory.pg import DEFAULT_SCHEMA, Database
from ethos_memory.providers.batch import page_changes, restoration
from ethos_memory.providers.contract import (
    ROLLING_PAGES,
    UNNAMED,
    check_limit,
    parse_scope,
)
from ethos_memory.providers.inventory import StoredFile
from ethos_memory.providers.postgres_files import (
    erase,
    is_erased,
    read_changes,
    read_files,
)
from ethos_memory.providers.postgres_index import PageIndexes
from ethos_memory.providers.postgres_known import KnownPages
from ethos_memory.providers.postgres_pages import (
    MovedError,
    PageBatch,
    entry,
    read_rows,
    text_of,
)
from ethos_memory.scope import LAYOUT, ScopeId, parse_key, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    from ethos_memory.entry import Change, MemoryEntry, SearchHit, Update
    from ethos_memory.provider import SearchMode
    from ethos_memory.providers.batch import PageChange

__all__ = ["PostgresProvider"]

#: The longest pause of a writer that was overtaken, in milliseconds; as for a lock on
#: files.
_PAUSE_MS: Final = 10

_LIST: Final = """
    select key, size, updated_at from pages where scope = %s order by key limit %s
"""
_LIST_TEXTS: Final = """
    select p.key, p.size, p.updated_at, s.content
    from pages p join states s on s.id = p.state
    where p.scope = %s order by p.key limit %s
"""
_STATE: Final = """
    select content from states where scope = %s and key = %s and revision = %s
    order by id desc limit 1
"""


def _now() -> datetime:
    return datetime.now(UTC)


class PostgresProvider:
    """Keeps memory in PostgreSQL. One object serves threads; so do many processes.

    Every call refuses a bad name before it touches anything, as the contract says, with
    `InvalidScopeError`, `UnknownScopeError` or `InvalidKeyError`. Every question and
    every change names its one scope. Beside what each call names, a call raises
    `NotWrittenError` when the server cannot be reached or refuses, and
    `StoreLockedError` when something was waited for in vain.

    Args:
        dsn: A connection string, or an open `pg.Database`, which stays open.
        kinds: The kinds of scopes it has a place for; ``("team",)`` for team memory.
        schema: Where the tables are, when `dsn` is a string.
        closes: Whether `close` closes a database that was passed in as well.
        clock: Gives the time of a change, aware and in UTC.

    Raises:
        EthosMemoryError: As `pg.Database` does.
        ValueError: When the connection string or schema is not valid.
    """

    def __init__(
        self,
        dsn: str | Database,
        *,
        kinds: Iterable[str] = LAYOUT,
        schema: str = DEFAULT_SCHEMA,
        closes: bool = False,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._kinds = tuple(kinds)
        self._clock = clock
        self._indexes = PageIndexes()
        self._known = KnownPages()
        self._closes = closes or not isinstance(dsn, Database)
        if not isinstance(dsn, Database):
            dsn = Database(dsn, schema=schema)
        self._database = dsn

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database, unless it was passed in open. Can be repeated."""
        if self._closes:
            self._database.close()

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the non-blank rolling pages, ``MEMORY.md`` before ``USER.md``."""
        id = self._id(scope)
        found = self._entries(id, ROLLING_PAGES)
        pages = (found[key] for key in ROLLING_PAGES if key in found)
        return MemorySnapshot(id, tuple(page for page in pages if trim(page.content)))

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page, or `None` when there is none."""
        id, name = self._id(scope), parse_key(key)
        return self._entries(id, (name,)).get(name)

    def _entries(self, id: ScopeId, keys: tuple[str, ...]) -> dict[str, MemoryEntry]:
        rows = self._database.read(
            lambda connection: read_rows(connection, str(id), keys)
        )
        self._known.keep(str(id), rows)
        return {row[0]: entry(row) for row in rows}

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first.

        Searched are the pages as they are now, whoever wrote them.

        Args:
            scope: Whose memory; no other is searched.
            query: Any text; nothing in it is query syntax.
            limit: The most hits; 0 gives none.
            mode: ``"keyword"`` or `None`.

        Raises:
            UnsupportedError: For another mode.
            ValueError: When `limit` is below 0.
        """
        id = self._id(scope)
        if mode not in (None, "keyword"):
            msg = "memory in PostgreSQL is searched by keyword only"
            raise UnsupportedError(msg)
        wanted = plain_text(query, what="query")
        check_limit(limit)
        if not limit:
            return ()
        return self._indexes.search(self._database, str(id), wanted, limit)

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope, sorted by key, at most `limit`.

        No page is read unless summaries are asked for.

        Raises:
            ValueError: When `limit` is below 0.
        """
        id = self._id(scope)
        check_limit(limit)
        statement = _LIST_TEXTS if summaries else _LIST
        rows = self._database.read(
            lambda connection: (
                connection.cursor(binary=True)
                .execute(statement, (str(id), limit))
                .fetchall()
            )
        )
        return tuple(
            MemoryEntryRef(
                key,
                size,
                updated_at=at,
                summary=summary(text[0].decode()) if text else None,
            )
            for key, size, at, *text in rows
        )

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order, in one transaction, and tell what changed.

        It is committed, on the server's disk, when this returns. What changes nothing
        writes nothing. When the server goes away meanwhile, it is asked what became of
        the transaction as soon as it is back, so that the change happens once.

        Raises:
            RevisionConflictError: When a page is not at the wanted revision; nothing
                was written.
            UnsafePathError: When a new name differs only in case from one that is
                there; nothing was written.
            DurabilityUnknownError: When the server went away during the commit and did
                not come back within 30 s.
            ScopeLockedError: When other writers were faster for 30 s.
        """
        id = self._id(scope)
        return self._write(id, page_changes(updates), origin or UNNAMED)

    def _write(
        self, id: ScopeId, changes: tuple[PageChange, ...], origin: Origin
    ) -> SyncReport:
        if not changes:
            return SyncReport(())
        batch = PageBatch(id, changes, origin, self._clock, self._known)
        deadline = time.monotonic() + self._database.wait_seconds
        while time.monotonic() < deadline:
            try:
                return self._database.transact(
                    batch, settle=batch.happened, whole=False
                )
            except MovedError:
                # The first time, what was known of the page may only have been old.
                if batch.tries > 1:
                    time.sleep(secrets.randbelow(_PAUSE_MS * 1000) / 1_000_000)
        raise ScopeLockedError(str(id), waited_seconds=self._database.wait_seconds)

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return the states of one page, or of all, newest first.

        When those of a scope hold more than 64 MiB, the oldest are forgotten; a page as
        it is now never is.
        """
        id = self._id(scope)
        name = None if key is None else parse_key(key)
        return self._database.read(
            lambda connection: read_changes(connection, str(id), name)
        )

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state byte for byte. This is a new change.

        Args:
            scope: Whose memory.
            key: The page.
            revision: Of a state in its history; ``""`` for a deletion there.

        Raises:
            LookupError: When the history has no such state.
            EthosMemoryError: As `sync`.
        """
        id, name = self._id(scope), parse_key(key)
        wanted = plain_text(revision, what="revision")
        row = None
        # What is no revision is not asked for: the server cannot take every text.
        if wanted.isascii() and "\0" not in wanted:
            asked = (str(id), name, wanted)
            row = self._database.read(
                lambda connection: (
                    connection.cursor(binary=True).execute(_STATE, asked).fetchone()
                )
            )
        if row is None:
            msg = f"{id} {name}: no such state in the history"
            raise LookupError(msg)
        change = restoration(name, text_of(row[0]))
        return self._write(id, (change,), Origin("restore"))

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Name pages, archive and history of a scope, as if they were files."""
        return tuple(
            StoredFile(name, len(data), is_memory=True)
            for name, data in self._files(scope).items()
        )

    def copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand over everything that `erase` would take.

        Args:
            scope: Whose memory.
            take: Gets each name and the bytes.
        """
        for name, data in self._files(scope).items():
            take(name, data)

    def _files(self, scope: ScopeId | str) -> dict[str, bytes]:
        id = self._id(scope)
        return self._database.read(lambda connection: read_files(connection, str(id)))

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase pages, archive and history of a scope. Can be repeated.

        The server's files hold the bytes until their place is used again, or
        ``vacuum full`` rewrites them; its log and backups for as long as they are kept.
        """
        id = self._id(scope)
        names = self._database.transact(
            partial(erase, scope=str(id)), settle=partial(is_erased, scope=str(id))
        )
        self._indexes.forget(str(id))
        self._known.forget(str(id))
        return EraseReport(id, names)

    def _id(self, scope: ScopeId | str) -> ScopeId:
        return parse_scope(scope, self._kinds)
