"""Accounts as callers name them, checked before a map is looked at (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.errors import InvalidAccountError
from ethos_memory.identity_map.document import MERGED_PLATFORM
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.identity_map.document import Key

__all__ = ["parse_account", "parse_key"]


def parse_account(
    platform: str, account_id: str | int, display_label: str | None = None
) -> Account:
    """Return an account that a map may hold.

    Raises:
        InvalidAccountError: When a name is empty, padded, too long or holds a control
            character, or the platform is the map's own.
    """
    account = Account(platform, account_id, display_label=display_label)
    if account.platform == MERGED_PLATFORM:
        raise InvalidAccountError(
            platform, "this platform is the map's own, for records of merged ids"
        )
    return account


def parse_key(platform: str, account_id: str | int) -> Key:
    """Return what a map knows an account by; raises as `parse_account` does."""
    account = parse_account(platform, account_id)
    return account.platform, account.account_id
