"""The identity map in PostgreSQL: for hosts on more than one machine."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from ethos_memory.errors import EthosMemoryError
from ethos_memory.identity_map.account import parse_account, parse_key
from ethos_memory.identity_map.label import clean_label, default_label
from ethos_memory.identity_map.minting import (
    ID_BYTES,
    all_in_use,
    draw,
    fresh_id,
)
from ethos_memory.identity_map.plans import forgotten, merged, moved, noted
from ethos_memory.identity_map.postgres_rows import (
    Mint,
    carry_out,
    has_happened,
    hold,
    is_free,
    read_document,
    user_id_of,
)
from ethos_memory.identity_map.protocol import KnownAccount
from ethos_memory.pg import DEFAULT_SCHEMA, Database
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.identity_map.document import Document, Key
    from ethos_memory.identity_map.plans import Change
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection

__all__ = ["PostgresIdentityMap"]

#: How many accounts stay known while the server is away.
_KNOWN_ACCOUNTS: Final = 10_000

_COLUMNS: Final = "platform, account_id, user_id, label, first_seen_at"
_ONE: Final = (
    f"select {_COLUMNS} from accounts "  # noqa: S608 - constants
    "where platform = %s and account_id = %s"
)
_ALL: Final = f"select {_COLUMNS} from accounts order by seq"  # noqa: S608 - constants
_OF_USER: Final = (
    f"select {_COLUMNS} from accounts "  # noqa: S608 - constants
    "where lower(user_id) = lower(%(id)s) and user_id = %(id)s order by seq"
)


def _redact(text: str) -> str:
    # At first use: the rules are compiled on import.
    from ethos_memory.guard.credentials import redact  # noqa: PLC0415

    return redact(text)


def _random_id() -> str:
    return secrets.token_hex(ID_BYTES)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class PostgresIdentityMap:
    """Which user a platform account belongs to, as `IdentityMap`, in PostgreSQL.

    Two first messages at once give one id, on however many machines. When the server
    cannot be reached nothing is minted, and accounts that this object already knows
    keep resolving.

    Args:
        dsn: A connection string, or an open `pg.Database`, which stays open.
        schema: Where the tables are, when `dsn` is a string.
        redact: Replaces credentials in labels; the guard's by default.
        new_id: Draws user ids; one in use is drawn again.
        now: The clock of `first_seen_at` and of the audit table; aware.

    Raises:
        EthosMemoryError: As `pg.Database` does.
        ValueError: When the connection string or schema is not valid.
    """

    def __init__(
        self,
        dsn: str | Database,
        *,
        schema: str = DEFAULT_SCHEMA,
        redact: Callable[[str], str] = _redact,
        new_id: Callable[[], str] = _random_id,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._owned = None
        if not isinstance(dsn, Database):
            dsn = self._owned = Database(dsn, schema=schema)
        self._database = dsn
        self._redact = redact
        self._new_id = new_id
        self._now = now
        self._known: dict[Key, str] = {}
        self._knowing = threading.Lock()

    def close(self) -> None:
        """Close the database, unless it was passed in open. Can be repeated."""
        if self._owned is not None:
            self._owned.close()

    def resolve(
        self,
        platform: str,
        account_id: str | int,
        *,
        display_label: str | None = None,
    ) -> str:
        """Return the user id of an account; an unknown one is given a fresh id.

        Args:
            platform: Such as ``telegram``; matches without case, padding is refused.
            account_id: The platform's own id, compared as exact text.
            display_label: Recorded with a new account, without credentials; not
                refreshed later.

        Raises:
            InvalidAccountError: When a name is empty, padded, too long or holds a
                control character.
            NotWrittenError: When the account is not known here and the server cannot
                be reached or refuses.
            DurabilityUnknownError: When the server went away while it was recorded.
        """
        key = self._known_key(platform, account_id)
        if key is None or display_label is not None:
            account = parse_account(platform, account_id, display_label)
            key = (account.platform, account.account_id)
            display_label = account.display_label
        user_id = self._look(key)
        if user_id is None:
            label = clean_label(display_label or "", self._redact)
            user_id = self._mint(key, label)
        self._know(key, user_id)
        return user_id

    def _known_key(self, platform: str, account_id: str | int) -> Key | None:
        """Return an account as it is known here; its names are then valid as they are.

        Looking at every character of a name takes longer than this.
        """
        # No subclass: it may change its mind.
        if type(account_id) is int:
            account_id = repr(account_id)
        if type(platform) is not str or type(account_id) is not str:
            return None
        key = (platform, account_id)
        return key if key in self._known else None

    def _look(self, key: Key) -> str | None:
        try:
            return self._database.read(lambda connection: user_id_of(connection, key))
        except EthosMemoryError:
            if key in self._known:
                return self._known[key]
            raise

    def _know(self, key: Key, user_id: str) -> None:
        if self._known.get(key) == user_id:
            return
        with self._knowing:
            self._known[key] = user_id
            if len(self._known) > _KNOWN_ACCOUNTS:
                del self._known[next(iter(self._known))]

    def _mint(self, key: Key, label: str) -> str:
        user_id = self._database.transact(
            Mint(key, label, draw=partial(draw, self._new_id), now=self._now)
        )
        if user_id is None:
            raise all_in_use()
        return user_id

    def find(self, platform: str, account_id: str | int) -> KnownAccount | None:
        """Return an account if it is known; mints nothing.

        Raises:
            InvalidAccountError: As `resolve` does.
        """
        rows = self._rows(_ONE, parse_key(platform, account_id))
        return rows[0] if rows else None

    def accounts(self) -> tuple[KnownAccount, ...]:
        """Return every known account, in the order they were recorded."""
        return self._rows(_ALL, {})

    def accounts_of(self, user_id: str) -> tuple[KnownAccount, ...]:
        """Return every account of a user, in the order they were recorded.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
        """
        return self._rows(_OF_USER, {"id": ScopeId.user(user_id).id})

    def _rows(
        self, statement: str, asked: tuple[str, ...] | dict[str, str]
    ) -> tuple[KnownAccount, ...]:
        rows = self._database.read(
            lambda connection: connection.execute(statement.encode(), asked).fetchall()
        )
        return tuple(self._account(row) for row in rows)

    def _account(self, row: tuple[Any, ...]) -> KnownAccount:
        platform, account_id, user_id, label, at = row
        # Tables are edited by hand as well.
        shown = clean_label(label, self._redact) or default_label(platform, user_id)
        account = Account(platform, account_id, display_label=shown)
        return KnownAccount(account, user_id, first_seen_at=at.astimezone(UTC))

    def link(self, platform: str, account_id: str | int, user_id: str) -> str | None:
        """Say whose an account is, also of one not seen yet. Moves no text. Audited.

        Returns:
            The user id that the account had before, `None` when it was not known.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            InvalidAccountError: As `resolve` does.
        """
        key = parse_key(platform, account_id)
        wanted = ScopeId.user(user_id).id

        def plan(document: Document, _: Connection) -> Change:
            return moved(document, key, wanted, verb="link", at=self._now())

        before, _ = self._change(plan)
        return before.user_id(key)

    def unlink(self, platform: str, account_id: str | int) -> str:
        """Give an account, also one not seen yet, a fresh user id of its own. Audited.

        Returns:
            The fresh id.

        Raises:
            InvalidAccountError: As `resolve` does.
        """
        key = parse_key(platform, account_id)

        def plan(document: Document, connection: Connection) -> Change:
            fresh = self._fresh_id(connection)
            return moved(document, key, fresh, verb="unlink", at=self._now())

        _, change = self._change(plan)
        return next(iter((*change.relinked.values(), *_ids_of(change))))

    def _fresh_id(self, connection: Connection) -> str:
        return fresh_id(self._new_id, partial(is_free, connection))

    def forget(self, user_id: str) -> int:
        """Drop a user's accounts, and the records of ids merged into the user. Audited.

        Returns:
            How many entries of accounts went; 0 for an unknown user.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
        """
        wanted = ScopeId.user(user_id).id
        before, _ = self._change(lambda document, _: forgotten(document, wanted))
        with self._knowing:
            for key in [key for key, id in self._known.items() if id == wanted]:
                del self._known[key]
        return len(before.account_rows(wanted))

    def merge(self, keep: str, drop: str) -> tuple[Account, ...]:
        """Give every account of `drop` to `keep`, and record that they are one.

        Returns:
            The accounts that moved.

        Raises:
            InvalidScopeError: When an id cannot be one.
        """
        kept, dropped = ScopeId.user(keep).id, ScopeId.user(drop).id
        if kept == dropped:
            return ()

        def plan(document: Document, _: Connection) -> Change:
            return merged(document, kept, dropped, at=self._now())

        before, _ = self._change(plan)
        return before.accounts_of(dropped)

    def merged_ids(self, user_id: str) -> tuple[str, ...]:
        """Return every id that was ever merged into a user, oldest first.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
        """
        wanted = ScopeId.user(user_id).id
        return self._document().merged_into(wanted)

    def kept_id(self, user_id: str) -> str:
        """Return the id that an id was merged into; the id itself when it was not.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
        """
        wanted = ScopeId.user(user_id).id
        return (wanted, *self._document().kept_ids(wanted))[-1]

    def record(self, verb: str, user_ids: tuple[str, ...]) -> None:
        """Write into the audit table what is about to be done to a person elsewhere.

        Raises:
            InvalidScopeError: When one cannot be a user id.
        """
        ids = tuple(ScopeId.user(id).id for id in user_ids)
        self._change(lambda document, _: noted(document, ids, verb=verb))

    def _document(self) -> Document:
        return self._database.snapshot(read_document)

    def _change(
        self, plan: Callable[[Document, Connection], Change]
    ) -> tuple[Document, Change]:
        """Change the map while nobody else does; return how it was, and what changed."""
        batch = uuid4()

        def work(transaction: Transaction) -> tuple[Document, Change]:
            connection = transaction.connection
            hold(connection)
            document = read_document(connection)
            change = plan(document, connection)
            carry_out(connection, document, change, at=self._now(), batch=batch)
            return document, change

        before, change = self._database.transact(
            work, settle=partial(has_happened, batch=batch)
        )
        if change.operation is not None:
            change.operation.log()
        return before, change


def _ids_of(change: Change) -> tuple[str, ...]:
    return tuple(entry.user_id for entry in change.added)
