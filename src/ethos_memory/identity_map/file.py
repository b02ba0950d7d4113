"""The identity map in a file: ``users/identity-map.json``, as Ethos has it."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ethos_memory.disk import Root
from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.errors import EthosMemoryError, UnsafePathError
from ethos_memory.identity_map.account import parse_account, parse_key
from ethos_memory.identity_map.known import known_account
from ethos_memory.identity_map.label import clean_label
from ethos_memory.identity_map.minting import ID_BYTES, fresh_id
from ethos_memory.identity_map.plans import (
    Change,
    forgotten,
    merged,
    minted,
    moved,
    noted,
)
from ethos_memory.identity_map.store import MapStore
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from ethos_memory.disk import Durability, Folder
    from ethos_memory.identity_map.document import Document, Key
    from ethos_memory.identity_map.protocol import KnownAccount
    from ethos_memory.turn import Account

__all__ = ["IdentityMap"]


def _redact(text: str) -> str:
    # At first use: the rules are compiled on import.
    from ethos_memory.guard.credentials import redact  # noqa: PLC0415

    return redact(text)


def _random_id() -> str:
    return secrets.token_hex(ID_BYTES)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class IdentityMap:
    """Which user a platform account belongs to.

    The file is an array of entries with `platform`, `platformUserId`, `userId`,
    `displayLabel` and `firstSeenAt`; unknown fields and hand edits are kept, and an
    edit counts from the next call on. A file that cannot be understood, down to one
    entry of it, raises and is left alone: nothing is minted, and accounts that this
    object already knows keep resolving. Any number of objects and processes may share
    a file, but not with a running Ethos, which takes no lock.

    Args:
        root: The home, or an open `disk.Root` of it, which stays the caller's. It need
            not exist; the first new account makes it.
        durability: ``"full"`` waits for the disk, ``"fast"`` does not.
        redact: Replaces credentials in labels; the guard's by default.
        new_id: Draws user ids; one in use is drawn again.
        now: The clock of `firstSeenAt` and of the audit journal; aware.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | Root,
        *,
        durability: Durability = "full",
        redact: Callable[[str], str] = _redact,
        new_id: Callable[[], str] = _random_id,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._owned = None
        if not isinstance(root, Root):
            root = self._owned = Root(root)
        self._store = MapStore(root, durability=durability, now=now)
        self._redact = redact
        self._new_id = new_id
        self._now = now

    def close(self) -> None:
        """Close the root if it was opened here. Can be repeated."""
        self._store.close()
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
            account_id: The platform's own id, compared as exact text; the number
                ``7`` and the text ``"7"`` are one.
            display_label: Recorded with a new account, as one line of at most 128
                characters without credentials; not refreshed later.

        Returns:
            12 lower-case hex digits, or what an operator wrote.

        Raises:
            InvalidAccountError: When a name is empty, padded, too long or holds a
                control character.
            CorruptFileError: When the account is not known and the file cannot be
                understood.
            NotWrittenError: When the disk refuses a new account.
            DurabilityUnknownError: When it was recorded, and the disk did not confirm.
            ScopeLockedError: When the file stayed locked.
        """
        if type(account_id) is int:
            account_id = int.__repr__(account_id)
        # Exact types only: a subclass may compare as something else.
        if type(platform) is str and type(account_id) is str:
            document = self._store.glance()
            if document is not None:
                # What is in the map is valid, so a hit needs no check.
                user_id = document.user_id((platform.lower(), account_id))
                if user_id is not None:
                    return user_id
        account = parse_account(platform, account_id, display_label)
        key = (account.platform, account.account_id)
        return self._look(key).user_id(key) or self._mint(account)

    def find(self, platform: str, account_id: str | int) -> KnownAccount | None:
        """Return an account if it is known; mints nothing.

        Raises:
            InvalidAccountError: As `resolve` does.
            CorruptFileError: As `resolve` does.
        """
        key = parse_key(platform, account_id)
        document = self._look(key)
        if key not in document.accounts:
            return None
        return known_account(document, key, self._redact)

    def accounts(self) -> tuple[KnownAccount, ...]:
        """Return every known account, in the order of the file.

        Raises:
            CorruptFileError: When the file cannot be understood.
        """
        document = self._store.current()
        return tuple(
            known_account(document, key, self._redact) for key in document.accounts
        )

    def accounts_of(self, user_id: str) -> tuple[KnownAccount, ...]:
        """Return every account of a user, in the order of the file.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            CorruptFileError: When the file cannot be understood.
        """
        document = self._store.current()
        rows = document.rows_of(ScopeId.user(user_id).id)
        return tuple(
            known_account(document, key, self._redact)
            for key, row in document.accounts.items()
            if row in rows
        )

    def link(self, platform: str, account_id: str | int, user_id: str) -> str | None:
        """Say whose an account is, also of one not seen yet. Moves no text.

        Audited, unless the account had that id already. An id that was merged away is
        somebody again from here on.

        Args:
            platform: As in `resolve`.
            account_id: As in `resolve`.
            user_id: Of the person; it need not be in the map.

        Returns:
            The user id that the account had before, `None` when it was not known. Its
            folder, ``users/<id>/``, is left as it is.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            InvalidAccountError: As `resolve` does.
            CorruptFileError: When the file cannot be understood.
            NotWrittenError: When the disk refuses; nothing was changed.
        """
        key = parse_key(platform, account_id)
        wanted = ScopeId.user(user_id).id

        def plan(document: Document, _: Folder) -> Change:
            return moved(document, key, wanted, verb="link", at=self._now())

        before, _ = self._store.change(plan)
        return before.user_id(key)

    def unlink(self, platform: str, account_id: str | int) -> str:
        """Give an account, also one not seen yet, a fresh user id of its own. Audited.

        Its profile so far stays with the old id.

        Returns:
            The fresh id.

        Raises:
            InvalidAccountError: As `resolve` does.
            CorruptFileError: When the file cannot be understood.
            NotWrittenError: When the disk refuses; nothing was changed.
        """
        key = parse_key(platform, account_id)

        def plan(document: Document, folder: Folder) -> Change:
            fresh = self._fresh_id(document, folder)
            return moved(document, key, fresh, verb="unlink", at=self._now())

        _, after = self._store.change(plan)
        return after.user_ids[after.accounts[key]]

    def forget(self, user_id: str) -> int:
        """Drop a user's accounts, and the records of ids merged into the user. Audited.

        The last good copy is rewritten too, whether or not the map knew the user. Text
        is `Memory.forget`'s, which must ask for `merged_ids` first.

        Returns:
            How many entries of accounts went; 0 for an unknown user.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            CorruptFileError: When the file cannot be understood.
            NotWrittenError: When the disk refuses; repeat it.
        """
        wanted = ScopeId.user(user_id).id

        def plan(document: Document, _: Folder) -> Change:
            return forgotten(document, wanted)

        before, _ = self._store.change(plan, create=False)
        return len(before.account_rows(wanted))

    def merge(self, keep: str, drop: str) -> tuple[Account, ...]:
        """Give every account of `drop` to `keep`, and record that they are one.

        The map's part of `Memory.merge`, in one replace. Undone by `link` of the
        returned accounts to `drop`.

        Returns:
            The accounts that moved.

        Raises:
            InvalidScopeError: When an id cannot be one.
            CorruptFileError: When the file cannot be understood.
            NotWrittenError: When the disk refuses; nothing was changed.
        """
        kept, dropped = ScopeId.user(keep).id, ScopeId.user(drop).id
        if kept == dropped:
            return ()

        def plan(document: Document, _: Folder) -> Change:
            return merged(document, kept, dropped, at=self._now())

        before, _ = self._store.change(plan)
        return before.accounts_of(dropped)

    def merged_ids(self, user_id: str) -> tuple[str, ...]:
        """Return every id that was ever merged into a user, oldest first.

        An id that an account has today is somebody, and left out.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            CorruptFileError: When the file cannot be understood.
        """
        return self._store.current().merged_into(ScopeId.user(user_id).id)

    def kept_id(self, user_id: str) -> str:
        """Return the id that an id was merged into; the id itself when it was not.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            CorruptFileError: When the file cannot be understood.
        """
        wanted = ScopeId.user(user_id).id
        return (wanted, *self._store.current().kept_ids(wanted))[-1]

    def record(self, verb: str, user_ids: tuple[str, ...]) -> None:
        """Write into the audit journal what is about to be done to a person elsewhere.

        Args:
            verb: ``export`` or ``erase``.
            user_ids: The id it is about, then the ids that were merged into it.

        Raises:
            InvalidScopeError: When one cannot be a user id.
            CorruptFileError: When the file cannot be understood.
            NotWrittenError: When the disk refuses.
        """
        ids = tuple(ScopeId.user(id).id for id in user_ids)
        self._store.change(lambda document, _: noted(document, ids, verb=verb))

    def _look(self, key: Key) -> Document:
        """Return the map, or the last good one when that knows the account."""
        try:
            return self._store.current()
        except EthosMemoryError:
            last = self._store.last
            if key not in last.accounts:
                raise
            return last

    def _mint(self, account: Account) -> str:
        key = (account.platform, account.account_id)
        label = clean_label(account.display_label or "", self._redact)

        def plan(document: Document, folder: Folder) -> Change:
            if key in document.accounts:
                return Change()
            fresh = self._fresh_id(document, folder)
            return minted(key, fresh, label=label, at=self._now())

        _, after = self._store.change(plan)
        return after.user_ids[after.accounts[key]]

    def _fresh_id(self, document: Document, folder: Folder) -> str:
        return fresh_id(
            self._new_id,
            lambda drawn: not document.has_id(drawn) and _is_free(folder, drawn),
        )


def _is_free(folder: Folder, user_id: str) -> bool:
    """Tell whether nobody's folder has the id for its name, in any casing."""
    try:
        refuse_other_casing(folder.fd, (folder.label, user_id))
    except UnsafePathError:
        return False
    return folder.status(user_id) is None
