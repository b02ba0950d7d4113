"""The map of a home, put into PostgreSQL as it is: times, labels and merges as well."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.identity_map.known import known_account
from ethos_memory.identity_map.label import default_label
from ethos_memory.identity_map.postgres_rows import hold, read_document
from ethos_memory.identity_map.store import MapStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.disk import Root
    from ethos_memory.identity_map.document import Document, Key
    from ethos_memory.identity_map.protocol import KnownAccount
    from ethos_memory.pg import Database
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection

__all__ = ["MapContents", "MapDifference", "compare_map", "read_map", "write_map"]

_ADD: Final = """
    insert into accounts (platform, account_id, user_id, label, first_seen_at)
    values (%s, %s, %s, %s, %s)
"""
_ADD_MERGED: Final = "insert into merged_ids (user_id, kept_id) values (%s, %s)"


@frozen
class MapContents:
    """A map, whole.

    Attributes:
        accounts: In the order they were recorded. Private.
        merged: Each id that was merged away, with the one that was kept.
    """

    accounts: tuple[KnownAccount, ...] = field(repr=False)
    merged: tuple[tuple[str, str], ...]

    def ids(self) -> frozenset[str]:
        """Return every user id in it, in lower case: no two may differ in that alone."""
        owners = (one.user_id for one in self.accounts)
        records = (id for pair in self.merged for id in pair)
        return frozenset(id.lower() for id in (*owners, *records))


@frozen
class MapDifference:
    """What a database lacks of a map, and what it says otherwise.

    Attributes:
        missing: What it lacks.
        conflicts: Entries there that name one of the map's accounts or ids and say
            something else.
    """

    missing: MapContents
    conflicts: int


def read_map(root: Root, *, redact: Callable[[str], str]) -> MapContents:
    """Return the map of a home.

    Args:
        root: The home.
        redact: Replaces credentials in labels.

    Raises:
        CorruptFileError: When it cannot be understood.
    """
    store = MapStore(root, durability="full", now=lambda: datetime.now(UTC))
    document = store.current()
    accounts = (known_account(document, key, redact) for key in document.accounts)
    merged = ((id, document.user_ids[row]) for id, row in document.merged.items())
    return MapContents(tuple(accounts), tuple(merged))


def compare_map(contents: MapContents, connection: Connection) -> MapDifference:
    """Compare a map with a database's."""
    return _difference(contents, read_document(connection))


def _difference(contents: MapContents, there: Document) -> MapDifference:
    wanted = {_key(one): one.user_id for one in contents.accounts}
    records = dict(contents.merged)
    known = {key: there.user_ids[row] for key, row in there.accounts.items()}
    kept = {id: there.user_ids[row] for id, row in there.merged.items()}
    ids = contents.ids()
    conflicts = sum(
        wanted.get(key, user_id) != user_id
        or (key not in wanted and user_id.lower() in ids)
        for key, user_id in known.items()
    )
    conflicts += sum(
        records.get(id) != into and bool({id.lower(), into.lower()} & ids)
        for id, into in kept.items()
    )
    missing = MapContents(
        tuple(one for one in contents.accounts if _key(one) not in known),
        tuple(pair for pair in contents.merged if pair[0] not in kept),
    )
    return MapDifference(missing, conflicts)


def _key(known: KnownAccount) -> Key:
    return known.account.platform, known.account.account_id


def write_map(
    database: Database, contents: MapContents, *, now: datetime
) -> MapDifference:
    """Put what a database lacks of a map into it, in one transaction.

    Args:
        database: Where to.
        contents: The map.
        now: In place of a time that the map does not tell; aware.

    Returns:
        What was missing, and was written; with a conflict, nothing was.
    """

    def work(transaction: Transaction) -> MapDifference:
        connection = transaction.connection
        hold(connection)
        found = compare_map(contents, connection)
        if found.conflicts:
            return evolve(found, missing=MapContents((), ()))
        with connection.cursor() as cursor:
            cursor.executemany(_ADD, [_row(one, now) for one in found.missing.accounts])
            cursor.executemany(_ADD_MERGED, found.missing.merged)
        return found

    def is_there(connection: Connection) -> bool:
        missing = compare_map(contents, connection).missing
        return not (missing.accounts or missing.merged)

    return database.transact(work, settle=is_there)


def _row(known: KnownAccount, now: datetime) -> tuple[object, ...]:
    platform, account_id = _key(known)
    label = known.account.display_label or ""
    # A default names the id, which may change: it is made when it is shown.
    if label == default_label(platform, known.user_id):
        label = ""
    return platform, account_id, known.user_id, label, known.first_seen_at or now
