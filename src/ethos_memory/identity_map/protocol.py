"""What a map of accounts can do, whatever keeps it.

The shape is called `AccountMap`, so that `IdentityMap` stays the name of the one that
hosts construct. An account is ``(platform, account_id)``: platform names match without
case, account ids are exact text, and nothing else is guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from attrs import field, frozen

if TYPE_CHECKING:
    from datetime import datetime

    from ethos_memory.turn import Account

__all__ = ["AccountMap", "KnownAccount", "SupportsAudit"]


@frozen
class KnownAccount:
    """An account that is in the map.

    Attributes:
        account: The login, with the label that the map keeps for it.
        user_id: Whose it is.
        first_seen_at: When it was recorded, aware and in UTC; `None` when the map does
            not tell.
    """

    account: Account
    user_id: str
    first_seen_at: datetime | None = field(kw_only=True)


@runtime_checkable
class AccountMap(Protocol):
    """A map from platform accounts to opaque user ids.

    Every method refuses a bad name before it touches anything (`InvalidAccountError`,
    `InvalidScopeError`), and raises `CorruptFileError` when what it needs cannot be
    read: nothing is minted then.
    """

    def resolve(
        self,
        platform: str,
        account_id: str | int,
        *,
        display_label: str | None = None,
    ) -> str:
        """Return the user id of an account; an unknown one is given a fresh id.

        Args:
            platform: Such as ``telegram``; matches without case.
            account_id: The platform's own id.
            display_label: Recorded with a new account; never refreshed later.
        """
        ...

    def find(self, platform: str, account_id: str | int) -> KnownAccount | None:
        """Return an account if it is known; mints nothing."""
        ...

    def accounts(self) -> tuple[KnownAccount, ...]:
        """Return every known account, in the order they were recorded."""
        ...

    def link(self, platform: str, account_id: str | int, user_id: str) -> str | None:
        """Say whose an account is, also of one not seen yet. Moves no text.

        Returns:
            The user id that the account had before, `None` when it was not known.
        """
        ...

    def unlink(self, platform: str, account_id: str | int) -> str:
        """Give an account, also one not seen yet, a fresh user id of its own.

        Returns:
            The fresh id.
        """
        ...

    def forget(self, user_id: str) -> int:
        """Drop a user's accounts and every record of ids merged into the user.

        Returns:
            How many entries of accounts went; 0 for an unknown user.
        """
        ...

    def merge(self, keep: str, drop: str) -> tuple[Account, ...]:
        """Give every account of one user to another, and record that they are one.

        The map's part of `Memory.merge`. `link` says whose an account is; only this
        says that two ids are one person. It is undone by `link` of the returned
        accounts to `drop`.

        Returns:
            The accounts that moved.
        """
        ...

    def merged_ids(self, user_id: str) -> tuple[str, ...]:
        """Return every id that was ever merged into a user, oldest first.

        An id that an account has today is somebody, and left out.
        """
        ...


@runtime_checkable
class SupportsAudit(Protocol):
    """A map that answers an operator's questions, and writes down what was done."""

    def accounts_of(self, user_id: str) -> tuple[KnownAccount, ...]:
        """Return every account of a user, in the order they were recorded."""
        ...

    def kept_id(self, user_id: str) -> str:
        """Return the id that an id was merged into; the id itself when it was not."""
        ...

    def record(self, verb: str, user_ids: tuple[str, ...]) -> None:
        """Write down what is about to be done to a person outside of the map.

        Args:
            verb: ``export`` or ``erase``.
            user_ids: The id it is about, then the ids that were merged into it.
        """
        ...
