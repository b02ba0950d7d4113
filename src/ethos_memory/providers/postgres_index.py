"""Keyword search over pages in PostgreSQL, always as they stand there.

The index is the one that searches files, so that every script and every spelling is
found alike wherever memory is kept. One question tells which pages changed; only those
are fetched.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from ethos_memory.providers.contract import NOT_SEARCHED
from ethos_memory.providers.hits import page_hit
from ethos_memory.providers.lru import LruCache
from ethos_memory.words import Index

if TYPE_CHECKING:
    from ethos_memory.entry import SearchHit
    from ethos_memory.pg import Database
    from ethos_memory.pg.driver import Connection

__all__ = ["PageIndexes"]

#: How many scopes stay indexed. One of 300 notes takes a few megabytes.
_KEPT_SCOPES: Final = 16

_STATES: Final = "select key, state from pages where scope = %s and key <> %s"
_TEXTS: Final = """
    select p.key, p.state, s.content
    from pages p join states s on s.id = p.state
    where p.scope = %s and p.key = any(%s)
"""


class _PageIndex:
    """The index of one scope."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._index = Index()
        self._texts: dict[str, str] = {}
        self._states: dict[str, int] = {}

    def search(
        self, connection: Connection, scope: str, query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        with self._lock:
            self._refresh(connection, scope)
            matches = self._index.search(query, limit)
            return tuple(page_hit(match, self._texts[match.name]) for match in matches)

    def _refresh(self, connection: Connection, scope: str) -> None:
        with connection.cursor(binary=True) as cursor:
            cursor.execute(_STATES, (scope, NOT_SEARCHED))
            there: dict[str, int] = dict(cursor.fetchall())
            if there == self._states:
                # Most searches: nothing changed.
                return
            for key in self._states.keys() - there.keys():
                self._drop(key)
            changed = [key for key in there if self._states.get(key) != there[key]]
            for key, state, content in cursor.execute(_TEXTS, (scope, changed)):
                self._texts[key] = content.decode()
                self._states[key] = state
                self._index.put(key, self._texts[key])

    def _drop(self, key: str) -> None:
        self._index.discard(key)
        del self._texts[key], self._states[key]


class PageIndexes:
    """The indexes of the scopes that were searched last."""

    def __init__(self) -> None:
        self._kept = LruCache(_KEPT_SCOPES, _PageIndex)

    def search(
        self, database: Database, scope: str, query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first."""
        index = self._kept.use(scope)
        return database.read(
            lambda connection: index.search(connection, scope, query, limit)
        )

    def forget(self, scope: str) -> None:
        """Let go of a scope's index."""
        self._kept.forget(scope)
