"""Everything that a scope has in PostgreSQL, named as files would be, and erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from attrs import asdict

from ethos_memory.entry import Change
from ethos_memory.providers.cap import ARCHIVE
from ethos_memory.providers.postgres_pages import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection

__all__ = ["HISTORY", "erase", "is_erased", "read_changes", "read_files"]

#: The name that the history goes by in an export; one change a line, the oldest first.
HISTORY: Final = "memory-history.jsonl"

_CHANGES: Final = """
    select key, revision, at, source, actions, content
    from states where scope = %s and (key = %s or %s)
    order by id desc
"""
_PAGES: Final = """
    select p.key, s.content from pages p join states s on s.id = p.state
    where p.scope = %s
"""
_ARCHIVED: Final = "select content from archive where scope = %s order by id"
_NAMES: Final = f"""
    select key from pages where scope = %(scope)s
    union all select '{ARCHIVE}'
    where exists (select from archive where scope = %(scope)s)
    union all select '{HISTORY}'
    where exists (select from states where scope = %(scope)s)
"""  # noqa: S608 - constants
_IS_THERE: Final = "select from scopes where scope = %s"
_HOLD_PAGES: Final = "select from pages where scope = %s order by folded for update"
_HOLD: Final = "select from scopes where scope = %s for update"
# In this order: no state may go that a page points at. The archive goes with the scope.
_ERASE: Final = (
    "delete from pages where scope = %s",
    "delete from states where scope = %s",
    "delete from scopes where scope = %s",
)


def read_changes(
    connection: Connection, scope: str, key: str | None
) -> tuple[Change, ...]:
    """Return the states of one page, or of all, newest first."""
    with connection.cursor(binary=True) as cursor:
        rows = cursor.execute(_CHANGES, (scope, key, key is None)).fetchall()
    return tuple(
        Change(
            name,
            revision,
            at=at,
            source=source.decode(),
            actions=tuple(actions),
            content=text_of(content),
        )
        for name, revision, at, source, actions, content in rows
    )


def read_files(connection: Connection, scope: str) -> dict[str, bytes]:
    """Return everything that is kept, by name, sorted."""
    with connection.cursor(binary=True) as cursor:
        found = dict(cursor.execute(_PAGES, (scope,)).fetchall())
        archived = cursor.execute(_ARCHIVED, (scope,)).fetchall()
    if archived:
        found[ARCHIVE] = b"".join(text for (text,) in archived)
    changes = read_changes(connection, scope, None)
    if changes:
        found[HISTORY] = "".join(_lines(changes)).encode()
    return dict(sorted(found.items()))


def _lines(changes: tuple[Change, ...]) -> Iterator[str]:
    for change in reversed(changes):
        told = {**asdict(change), "at": change.at.isoformat()}
        yield f"{json.dumps(told, ensure_ascii=False)}\n"


def erase(transaction: Transaction, scope: str) -> tuple[str, ...]:
    """Erase everything of a scope; return the names of what went, sorted."""
    connection = transaction.connection
    # Writers at work are waited for; later ones begin anew. First the pages and then the
    # scope, as a writer does, so that two do not wait for each other.
    connection.execute(_HOLD_PAGES, (scope,))
    connection.execute(_HOLD, (scope,))
    names = [name for (name,) in connection.execute(_NAMES, {"scope": scope})]
    for statement in _ERASE:
        connection.execute(statement, (scope,))
    return tuple(sorted(names))


def is_erased(connection: Connection, scope: str) -> bool:
    """Tell whether nothing is left of a scope."""
    return connection.execute(_IS_THERE, (scope,)).fetchone() is None
