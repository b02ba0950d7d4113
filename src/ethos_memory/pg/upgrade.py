"""From whatever version a schema has to today's, in one transaction."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from ethos_memory.pg.schema import LOCK, MIGRATIONS, VERSION

if TYPE_CHECKING:
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection

__all__ = ["FOREIGN", "read_version", "upgrade"]

#: In place of a version: the schema holds something that the library did not make.
FOREIGN: Final = -1

#: Bytes of the key that cursors are sealed with.
_KEY_BYTES: Final = 32

_TABLES: Final = """
    select c.relname = 'store' and exists (
        select from pg_attribute
        where attrelid = c.oid and attname in ('version', 'cursor_key')
    )
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = %s and c.relkind in ('r', 'p')
"""
_VERSION: Final = "select version from store"
_HAS_SCHEMA: Final = "select from pg_namespace where nspname = %s"
_FIRST: Final = "insert into store (id, version, cursor_key) values (1, 0, %s)"
_NEXT: Final = "update store set version = %s"


def read_version(schema: str, connection: Connection) -> int:
    """Return a schema's version: 0 when it is empty or missing, or `FOREIGN`."""
    tables = connection.execute(_TABLES, (schema,)).fetchall()
    if not tables:
        return 0
    if not any(is_store for (is_store,) in tables):
        return FOREIGN
    row = connection.execute(_VERSION).fetchone()
    return int(row[0]) if row else FOREIGN


def upgrade(transaction: Transaction, *, schema: str) -> int:
    """Bring a schema up to date, unless it is newer or not ours.

    Returns:
        The version it has then.
    """
    connection = transaction.connection
    # One process at a time; the others find it done.
    connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
    found = read_version(schema, connection)
    if not 0 <= found < VERSION:
        return found
    if connection.execute(_HAS_SCHEMA, (schema,)).fetchone() is None:
        # A plain identifier, checked.
        connection.execute(f"create schema {schema}".encode())
    for version, step in enumerate(MIGRATIONS[found:], found + 1):
        connection.execute(step)
        if version == 1:
            connection.execute(_FIRST, (secrets.token_bytes(_KEY_BYTES),))
        connection.execute(_NEXT, (version,))
    return VERSION
