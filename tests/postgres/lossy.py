"""A connection that loses the answer to a commit."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.pg import Database
    from ethos_memory.pg.driver import Connection

TERMINATE = "select pg_terminate_backend(pg_backend_pid())"


class Lossy:
    """A connection that loses the answer to a commit."""

    def __init__(self, connection: Connection, *, happens: bool) -> None:
        self._connection = connection
        self._happens = happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: Any, *values: Any) -> Any:
        """Break off at the commit, after it or instead of it."""
        if statement != "commit" and "from moved" not in str(statement):
            return self._connection.execute(statement, *values)
        if self._happens:
            self._connection.execute(statement, *values)
        return self._connection.execute(TERMINATE)


def lossy(database: Database, connection: Connection, *, happens: bool) -> Any:
    """Return the same connection, which loses the answer to a commit."""
    made: Any = Lossy(connection, happens=happens)
    database._backends[made] = database._backends[connection]
    return made


@contextmanager
def answer_lost(database: Database, *, happens: bool) -> Iterator[None]:
    """Let the next answer to a commit be lost, after it happened or instead."""
    take = database._pool.take

    def lossy_once() -> Any:
        database._pool.take = take  # type: ignore[method-assign]
        return lossy(database, take(), happens=happens)

    database._pool.take = lossy_once  # type: ignore[method-assign]
    yield
    assert database._pool.take == take
