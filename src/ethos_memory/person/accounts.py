"""Whose accounts they are: the identity map's part, its last good copy included."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ethos_memory.identity_map import SupportsAudit
from ethos_memory.person.holder import Holding

if TYPE_CHECKING:
    from ethos_memory.identity_map import AccountMap, KnownAccount
    from ethos_memory.person.destination import ExportFolder

__all__ = ["AccountHolder", "accounts_of"]


def accounts_of(identity_map: AccountMap, user_id: str) -> tuple[KnownAccount, ...]:
    """Return every account of a user.

    Raises:
        CorruptFileError: When the map cannot be read.
    """
    if isinstance(identity_map, SupportsAudit):
        return identity_map.accounts_of(user_id)
    known = identity_map.accounts()
    return tuple(one for one in known if one.user_id == user_id)


class AccountHolder:
    """Accounts, and records of the ids that were merged.

    It is the last to erase: while the records are there, a `forget` that was cut short
    finds every id of the person again.

    Args:
        identity_map: What keeps them.
    """

    name = "accounts"
    stays = "times, platforms and user ids in the audit journal"

    def __init__(self, identity_map: AccountMap) -> None:
        self._map = identity_map

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return how many accounts there are on each platform, and the merged ids.

        Raises:
            CorruptFileError: When the map cannot be read.
        """
        user_id = user_ids[0]
        known = accounts_of(self._map, user_id)
        platforms = Counter(one.account.platform for one in known)
        accounts = [
            Holding(self.name, user_id, name=platform, count=count)
            for platform, count in sorted(platforms.items())
        ]
        return (
            *accounts,
            *(
                Holding(self.name, id, name="merged id")
                for id in self._map.merged_ids(user_id)
            ),
        )

    def leftovers(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:  # noqa: ARG002 - the protocol's shape
        """Return nothing: the map is all ours."""
        return ()

    def export(self, user_ids: tuple[str, ...], into: ExportFolder) -> None:
        """Put the accounts into one file.

        Raises:
            CorruptFileError: When the map cannot be read.
        """
        user_id, *merged = user_ids
        known = accounts_of(self._map, user_id)
        if known or merged:
            value = {
                "userId": user_id,
                "mergedIds": merged,
                "accounts": [_account(one) for one in known],
            }
            what = "the person's accounts and ids"
            into.put_json("accounts.json", value, what=what, source="identity map")

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Drop the accounts and the records, from the last good copy as well.

        Raises:
            EthosMemoryError: When the map cannot be read or written. Repeat it.
        """
        held = self.holdings(user_ids)
        self._map.forget(user_ids[0])
        return held


def _account(known: KnownAccount) -> dict[str, object]:
    return {
        "platform": known.account.platform,
        "accountId": known.account.account_id,
        "displayLabel": known.account.display_label,
        "firstSeenAt": known.first_seen_at and known.first_seen_at.isoformat(),
    }
