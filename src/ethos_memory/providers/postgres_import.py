"""Everything of one scope, put into PostgreSQL as it was kept elsewhere.

A scope that holds anything else is left as it is: text is never written over. One that
holds an earlier state of the very same is brought up to date, so that a copy can be
made while a bot is running and finished when it is not.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from attrs import field, frozen

from ethos_memory.disk import OUTSIDE
from ethos_memory.entry import Change
from ethos_memory.providers.pages import revision_of
from ethos_memory.providers.postgres_files import erase, read_changes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ethos_memory.pg import Database
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.scope import ScopeId

__all__ = ["ScopeContents", "change_of", "read_contents", "write_contents"]

_PAGES: Final = "select key, updated_at from pages where scope = %s"
_ARCHIVE: Final = "select content from archive where scope = %s order by id"
_OTHER_CASING: Final = "select from scopes where folded = %s and scope <> %s"
_BEGIN: Final = """
    insert into scopes (scope, folded) values (%s, %s) on conflict do nothing
"""
# No first page can be written while the scope is held, nor another one changed while
# all of them are.
_HOLD: Final = (
    "select from scopes where scope = %s for update",
    "select from pages where scope = %s order by folded for update",
)
_IDS: Final = "select nextval('state_ids') from generate_series(1, %s)"
_STATE: Final = """
    insert into states (
        id, scope, key, revision, at, source, session_id, platform, actions, batch,
        content
    ) values (%s, %s, %s, %s, %s, %s, '', '', %s, %s, %s)
"""
_PAGE: Final = """
    insert into pages (scope, folded, key, state, size, updated_at)
    values (%s, %s, %s, %s, %s, %s)
"""
_OVERFLOW: Final = "insert into archive (scope, content) values (%s, %s)"


@frozen
class ScopeContents:
    """Everything that is kept of a scope.

    Attributes:
        states: What its pages were and are, the oldest first. Private.
        pages: Each page that is there, with the time of its last change. Its text is
            its newest state.
        archive: What was too much for a page. Private.
    """

    states: tuple[Change, ...] = field(default=(), repr=False)
    pages: Mapping[str, datetime] = field(factory=dict)
    archive: bytes = field(default=b"", repr=False)

    def __bool__(self) -> bool:
        return bool(self.states or self.pages or self.archive)

    def follows(self, other: ScopeContents) -> bool:
        """Tell whether this is what became of `other`, and nothing in it was lost."""
        ours, theirs = self._told_of(), other._told_of()
        return self.archive.startswith(other.archive) and all(
            ours.get(key, [])[: len(told)] == told for key, told in theirs.items()
        )

    def _told_of(self) -> dict[str, list[tuple[object, ...]]]:
        """Return what was done to each page.

        When something was done by hand is known better later on, and that a page was
        removed by hand may not be known any more.
        """
        found: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
        for one in self.states:
            by_hand = one.source == OUTSIDE
            if not (by_hand and one.content is None):
                at = None if by_hand else one.at
                told = (one.revision, at, one.source, one.actions, one.content)
                found[one.key].append(told)
        return found


def change_of(
    key: str,
    content: str | None,
    *,
    at: datetime,
    source: str,
    actions: tuple[str, ...] = (),
) -> Change:
    """Return a state as PostgreSQL can keep it, with the revision of its text."""
    text = None if content is None else _storable(content)
    return Change(
        key,
        revision_of(None if text is None else text.encode()),
        at=at,
        source=_storable(source),
        # Verbs are PostgreSQL's own text, which has no NUL.
        actions=tuple(_storable(one).replace("\0", "\ufffd") for one in actions),
        content=text,
    )


def _storable(text: str) -> str:
    return text.encode(errors="replace").decode()


def read_contents(connection: Connection, scope: ScopeId) -> ScopeContents:
    """Return everything that a scope has; false when that is nothing."""
    asked = (str(scope),)
    with connection.cursor(binary=True) as cursor:
        pages: dict[str, datetime] = dict(cursor.execute(_PAGES, asked).fetchall())
        archived = cursor.execute(_ARCHIVE, asked).fetchall()
    states = read_changes(connection, str(scope), None)[::-1]
    return ScopeContents(states, pages, b"".join(text for (text,) in archived))


def write_contents(database: Database, scope: ScopeId, contents: ScopeContents) -> bool:
    """Put everything of a scope into a database, in one transaction.

    Returns:
        False when something else is there, which was left as it is; or a scope whose
        name differs only in case.

    Raises:
        EthosMemoryError: As `pg.Database.transact` does.
    """

    def work(transaction: Transaction) -> bool:
        return _write(transaction, scope, contents)

    return database.transact(
        work, settle=lambda connection: read_contents(connection, scope) == contents
    )


def _write(transaction: Transaction, scope: ScopeId, contents: ScopeContents) -> bool:
    connection, name = transaction.connection, str(scope)
    place = (name, name.lower())
    if connection.execute(_OTHER_CASING, place[::-1]).fetchone() is not None:
        return False
    connection.execute(_BEGIN, place)
    for statement in _HOLD:
        connection.execute(statement, (name,))
    there = read_contents(connection, scope)
    if not contents.follows(there):
        return False
    if there:
        erase(transaction, name)
        connection.execute(_BEGIN, place)
    _insert(connection, name, contents)
    return True


def _insert(connection: Connection, scope: str, contents: ScopeContents) -> None:
    batch = uuid4()
    drawn = connection.execute(_IDS, (len(contents.states),)).fetchall()
    ids = [id for (id,) in drawn]
    newest: dict[str, tuple[int, int]] = {}
    rows = []
    for id, state in zip(ids, contents.states, strict=True):
        data = None if state.content is None else state.content.encode()
        newest[state.key] = (id, len(data or b""))
        head = (id, scope, state.key, state.revision, state.at, state.source.encode())
        rows.append((*head, list(state.actions), batch, data))
    pages = [
        (scope, key.lower(), key, *newest[key], at)
        for key, at in contents.pages.items()
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_STATE, rows)
        cursor.executemany(_PAGE, pages)
        if contents.archive:
            cursor.execute(_OVERFLOW, (scope, contents.archive))
