"""Keyword search over pages in PostgreSQL, always as they stand there.

The index is the one that searches files, so that every script and every spelling is
found alike wherever memory is kept. One question tells which pages changed; only those
are fetched.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from ethos_memory.entry import SearchHit
from ethos_memory.words import Index, snippet

if TYPE_CHECKING:
    from ethos_memory.pg import Database
    from ethos_memory.pg.driver import Connection
    from ethos_memory.words import Match

__all__ = ["PageIndexes"]

#: How many scopes stay indexed. One of 300 notes takes a few megabytes.
_KEPT_SCOPES: Final = 16

#: Never searched: signals that wait for a synthesis (DESIGN section 11).
_NOT_SEARCHED: Final = "OBSERVATIONS.md"

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
            return tuple(self._hit(match) for match in matches)

    def _hit(self, match: Match) -> SearchHit:
        text = self._texts[match.name]
        return SearchHit(
            match.name,
            text,
            snippet=snippet(text, match.start, match.end),
            score=match.score,
        )

    def _refresh(self, connection: Connection, scope: str) -> None:
        with connection.cursor(binary=True) as cursor:
            cursor.execute(_STATES, (scope, _NOT_SEARCHED))
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
        self._lock = threading.Lock()
        self._kept: dict[str, _PageIndex] = {}

    def search(
        self, database: Database, scope: str, query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first."""
        index = self._of(scope)
        return database.read(
            lambda connection: index.search(connection, scope, query, limit)
        )

    def forget(self, scope: str) -> None:
        """Let go of a scope's index."""
        with self._lock:
            self._kept.pop(scope, None)

    def _of(self, scope: str) -> _PageIndex:
        with self._lock:
            index = self._kept.pop(scope, None) or _PageIndex()
            self._kept[scope] = index
            if len(self._kept) > _KEPT_SCOPES:
                del self._kept[next(iter(self._kept))]
            return index
