"""The map's rows in PostgreSQL, as the document that operations are planned on.

What an operator does means the same as in the file: the same pure plans decide it, on
the whole map, under a lock that keeps it still. A new account needs no plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.identity_map.document import MERGED_PLATFORM, Document
from ethos_memory.identity_map.label import default_label
from ethos_memory.identity_map.minting import DRAWS
from ethos_memory.pg import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from uuid import UUID

    from ethos_memory.identity_map.document import Key
    from ethos_memory.identity_map.plans import Change
    from ethos_memory.identity_map.splice import Entry
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection

__all__ = [
    "Mint",
    "carry_out",
    "has_happened",
    "hold",
    "is_free",
    "read_document",
    "user_id_of",
]

#: Operators hold this lock alone; who mints shares it.
_MAP_LOCK: Final = LOCK + 1

#: With the id that is drawn, so that two who draw the same one wait for each other.
_ID_LOCK: Final = 0x45744D6D

_ACCOUNTS: Final = "select platform, account_id, user_id from accounts order by seq"
_MERGED: Final = "select user_id, kept_id from merged_ids order by seq"
_USER_ID: Final = """
    select user_id from accounts where platform = %s and account_id = %s
"""
_HOLD: Final = "select pg_advisory_xact_lock(%s)"
_SHARE: Final = """
    select pg_advisory_xact_lock_shared(%s),
        pg_advisory_xact_lock(%s, hashtext(%s))
"""
_USED: Final = """
    exists (select from accounts where lower(user_id) = %(folded)s)
    or exists (select from merged_ids where lower(user_id) = %(folded)s)
    or exists (select from merged_ids where lower(kept_id) = %(folded)s)
    or exists (select from scopes where folded = 'user:' || %(folded)s)
"""
_MINT: Final = f"""
    insert into accounts (platform, account_id, user_id, label, first_seen_at)
    select %(platform)s, %(account_id)s, %(user_id)s, %(label)s, %(at)s
    where not ({_USED})
    on conflict (platform, account_id) do nothing
    returning user_id
"""
_IS_USED: Final = f"select {_USED}"
_ADD: Final = """
    insert into accounts (platform, account_id, user_id, label, first_seen_at)
    values (%s, %s, %s, %s, %s)
"""
_ADD_MERGED: Final = "insert into merged_ids (user_id, kept_id) values (%s, %s)"
_MOVE: Final = """
    update accounts set user_id = %s where platform = %s and account_id = %s
"""
_MOVE_MERGED: Final = "update merged_ids set kept_id = %s where user_id = %s"
_DROP: Final = "delete from accounts where platform = %s and account_id = %s"
_DROP_MERGED: Final = "delete from merged_ids where user_id = %s"
_AUDIT: Final = """
    insert into identity_audit (at, verb, batch, platforms, user_ids)
    values (%s, %s, %s, %s, %s)
"""
_HAPPENED: Final = "select from identity_audit where batch = %s limit 1"


def user_id_of(connection: Connection, key: Key) -> str | None:
    """Return whose an account is, `None` when it is not known."""
    row = connection.execute(_USER_ID, key).fetchone()
    return None if row is None else str(row[0])


def hold(connection: Connection) -> None:
    """Keep the map still until the transaction ends."""
    connection.execute(_HOLD, (_MAP_LOCK,))


def is_free(connection: Connection, user_id: str) -> bool:
    """Tell whether an id is nobody's in any casing, never was merged, has no pages."""
    asked = {"folded": user_id.lower()}
    row = connection.execute(_IS_USED.encode(), asked).fetchone()
    return row is not None and not row[0]


def read_document(connection: Connection) -> Document:
    """Return the whole map; its rows are the accounts, then the records of merges."""
    accounts = connection.execute(_ACCOUNTS).fetchall()
    records = connection.execute(_MERGED).fetchall()
    return Document(
        b"",
        {(platform, id): row for row, (platform, id, _) in enumerate(accounts)},
        {id: row for row, (id, _) in enumerate(records, len(accounts))},
        {},
        (*(user_id for *_, user_id in accounts), *(kept for _, kept in records)),
        (),
        (),
    )


@frozen
class Mint:
    """A new account, to be recorded in one transaction.

    Attributes:
        key: The account. Private.
        label: One line, harmless, maybe empty. Private.
        draw: Draws an id, which may be in use.
        now: The time, aware.
    """

    key: Key = field(repr=False)
    label: str = field(repr=False)
    draw: Callable[[], str] = field(kw_only=True)
    now: Callable[[], datetime] = field(kw_only=True)

    def __call__(self, transaction: Transaction) -> str | None:
        """Return whose the account is now: the fresh id, or whoever was faster.

        `None` when every draw was in use.
        """
        connection = transaction.connection
        for _ in range(DRAWS):
            drawn = self.draw()
            locks = (_MAP_LOCK, _ID_LOCK, drawn.lower())
            connection.execute(_SHARE, locks)
            row = connection.execute(_MINT.encode(), self._values(drawn)).fetchone()
            if row is not None:
                return drawn
            # In a statement of its own: the one above may not see who was faster.
            found = user_id_of(connection, self.key)
            if found is not None:
                return found
        return None

    def _values(self, drawn: str) -> dict[str, Any]:
        return {
            "platform": self.key[0],
            "account_id": self.key[1],
            "user_id": drawn,
            "folded": drawn.lower(),
            "label": self.label,
            "at": self.now(),
        }


def carry_out(
    connection: Connection,
    document: Document,
    change: Change,
    *,
    at: datetime,
    batch: UUID,
) -> None:
    """Do what was planned on a document, and write it into the audit table.

    Args:
        connection: In a transaction that holds the map.
        document: What was planned on.
        change: The plan.
        at: Now.
        batch: The operation's own, for `has_happened`.
    """
    keys: dict[int, Key] = {row: key for key, row in document.accounts.items()}
    merged = {row: id for id, row in document.merged.items()}
    if change.operation is not None:
        told = change.operation
        values = (at, told.verb, batch, list(told.platforms), list(told.user_ids))
        connection.execute(_AUDIT, values)
    for row in change.dropped:
        if row in keys:
            connection.execute(_DROP, keys[row])
        else:
            connection.execute(_DROP_MERGED, (merged[row],))
    for row, user_id in change.relinked.items():
        if row in keys:
            connection.execute(_MOVE, (user_id, *keys[row]))
        else:
            connection.execute(_MOVE_MERGED, (user_id, merged[row]))
    for entry in change.added:
        _add(connection, entry)


def has_happened(connection: Connection, batch: UUID) -> bool:
    """Tell whether an operation was carried out."""
    return connection.execute(_HAPPENED, (batch,)).fetchone() is not None


def _add(connection: Connection, entry: Entry) -> None:
    platform, account_id = entry.key
    if platform == MERGED_PLATFORM:
        connection.execute(_ADD_MERGED, (account_id, entry.user_id))
        return
    # A default names the id, which may change: it is made when it is shown.
    is_default = entry.label == default_label(platform, entry.user_id)
    label = "" if is_default else entry.label
    values = (platform, account_id, entry.user_id, label, entry.first_seen_at)
    connection.execute(_ADD, values)
