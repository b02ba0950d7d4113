"""The map's file as a value: which bytes are which account's (pure).

Rows are the file's entries, counted from 0. Nothing is encoded again: a row is known
by its place in the bytes, so that an edit can be spliced in and every hand edit,
unknown field and blank stays as it is.
"""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import field, frozen

from ethos_memory.turn import Account

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["EMPTY", "MERGED_PLATFORM", "Document", "Key"]

#: An account: platform in lower case, and account id. A pair, never one text: "a:b" on
#: "c" and "b" on "a:c" are two accounts.
Key: TypeAlias = tuple[str, str]

#: The platform of rows that are no account but a record: the id in `platformUserId`
#: was merged into the one in `userId`. A row of the usual five fields survives
#: whatever rewrites the file, Ethos included.
MERGED_PLATFORM: Final = "ethos-memory.merged"


@frozen(eq=False)
class Document:
    """A map's file, understood.

    Attributes:
        data: The file. Private.
        accounts: Account to its first row.
        merged: Merged user id to its first row.
        repeats: Row to the first row of the same account; both have one user id.
        user_ids: User id of each row.
        starts: Where each row begins in `data`.
        ends: Where each row ends.
    """

    data: bytes = field(repr=False)
    accounts: Mapping[Key, int] = field(repr=False)
    merged: Mapping[str, int] = field(repr=False)
    repeats: Mapping[int, int] = field(repr=False)
    user_ids: Sequence[str] = field(repr=False)
    starts: Sequence[int] = field(repr=False)
    ends: Sequence[int] = field(repr=False)

    def user_id(self, key: Key) -> str | None:
        """Return whose an account is, if it is known."""
        row = self.accounts.get(key)
        return None if row is None else self.user_ids[row]

    def rows(self, first: int | None) -> tuple[int, ...]:
        """Return every row of what has this one for its first; none for `None`."""
        if first is None:
            return ()
        return (first, *(row for row, one in self.repeats.items() if one == first))

    def records(self) -> frozenset[int]:
        """Return the rows that record a merge and are no account."""
        return frozenset(row for one in self.merged.values() for row in self.rows(one))

    def rows_of(self, user_id: str) -> frozenset[int]:
        """Return every row of a user, records of merges among them."""
        return frozenset(row for row, one in enumerate(self.user_ids) if one == user_id)

    def account_rows(self, user_id: str) -> frozenset[int]:
        """Return every row of a user's accounts."""
        return self.rows_of(user_id) - self.records()

    def accounts_of(self, user_id: str) -> tuple[Account, ...]:
        """Return a user's accounts, in the order of the map, without their labels."""
        return tuple(
            Account(*key)
            for key, row in self.accounts.items()
            if self.user_ids[row] == user_id
        )

    def is_live(self, user_id: str) -> bool:
        """Tell whether an account has this user id."""
        return bool(self.account_rows(user_id))

    def merged_into(self, user_id: str) -> tuple[str, ...]:
        """Return the ids that were merged into a user and are nobody's today."""
        found = [user_id]
        for keep in found:
            found += [
                id
                for id, row in self.merged.items()
                if self.user_ids[row] == keep
                and id not in found
                and not self.is_live(id)
            ]
        return tuple(found[1:])

    def kept_ids(self, user_id: str) -> tuple[str, ...]:
        """Return the ids that an id was merged into, one after the other."""
        found = [user_id]
        while user_id in self.merged and not self.is_live(user_id):
            user_id = self.user_ids[self.merged[user_id]]
            if user_id in found:
                break
            found.append(user_id)
        return tuple(found[1:])

    def has_id(self, user_id: str) -> bool:
        """Tell whether an id is in use, in any casing, or was merged away."""
        folded = user_id.lower()
        return any(one.lower() == folded for one in (*self.user_ids, *self.merged))

    def members(self, row: int) -> dict[str, Any]:
        """Return the fields of a row."""
        text = self.data[self.starts[row] : self.ends[row]].decode()
        members: dict[str, Any] = json.loads(text)
        return members


#: What a file that is not there means.
EMPTY: Final = Document(b"[]\n", {}, {}, {}, (), array("Q"), array("Q"))
