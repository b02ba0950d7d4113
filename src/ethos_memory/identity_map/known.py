"""From a row of the map to what a caller is shown (pure).

Files are edited by hand, so a label is made harmless on the way out as well.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ethos_memory.identity_map.label import clean_label, default_label
from ethos_memory.identity_map.protocol import KnownAccount
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.identity_map.document import Document, Key

__all__ = ["known_account"]


def known_account(
    document: Document, key: Key, redact: Callable[[str], str]
) -> KnownAccount:
    """Return an account of the map.

    Args:
        document: The map.
        key: An account in it.
        redact: Replaces credentials in its label by markers.
    """
    row = document.accounts[key]
    user_id = document.user_ids[row]
    members = document.members(row)
    label = _label(key, members.get("displayLabel"), redact)
    return KnownAccount(
        Account(*key, display_label=label or default_label(key[0], user_id)),
        user_id,
        first_seen_at=_time(members.get("firstSeenAt")),
    )


def _label(key: Key, label: object, redact: Callable[[str], str]) -> str:
    if not isinstance(label, str) or label.lower() == ":".join(key).lower():
        # Ethos's own default shows the account.
        return ""
    return clean_label(label, redact)


def _time(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        # A date or time without a zone is taken as UTC.
        return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
