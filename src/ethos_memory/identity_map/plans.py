"""What each operation changes in the map (pure).

`link` and `unlink` say whose an account is; only `merge` says that two ids are one
person. So a phone number that passes to somebody else never brings its former owner's
profile along, while `forget` and `export` reach every id that was merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from ethos_memory.identity_map.audit import Operation
from ethos_memory.identity_map.document import MERGED_PLATFORM
from ethos_memory.identity_map.label import default_label
from ethos_memory.identity_map.splice import NO_ROWS, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ethos_memory.identity_map.document import Document, Key

__all__ = ["Change", "forgotten", "merged", "minted", "moved", "noted"]


@frozen
class Change:
    """What is to become of the map; false when nothing is.

    Attributes:
        relinked: Row to the user id it is given.
        dropped: Rows that go; none of them is in `relinked`.
        added: Rows that come.
        operation: What the audit journal tells of it.
        purges_backup: Whether the last good copy must not know more than the map, also
            when the map does not change.
    """

    relinked: Mapping[int, str] = NO_ROWS
    dropped: frozenset[int] = field(default=frozenset(), kw_only=True)
    added: tuple[Entry, ...] = field(default=(), kw_only=True)
    operation: Operation | None = field(default=None, kw_only=True)
    purges_backup: bool = field(default=False, kw_only=True)

    def __bool__(self) -> bool:
        return bool(self.relinked or self.dropped or self.added)


def minted(key: Key, user_id: str, *, label: str, at: datetime) -> Change:
    """Record a new account.

    Args:
        key: An account that is not in the map.
        user_id: A fresh one.
        label: Harmless; an empty one is replaced by the default.
        at: Now.
    """
    label = label or default_label(key[0], user_id)
    return Change(added=(Entry(key, user_id, label=label, first_seen_at=at),))


def moved(
    document: Document, key: Key, user_id: str, *, verb: str, at: datetime
) -> Change:
    """Give an account, known or not, to a user.

    Args:
        document: The map.
        key: The account.
        user_id: Whose it is from now on. No id is merged away and somebody's at once,
            so a record of that goes.
        verb: For the audit journal.
        at: Now.
    """
    before = document.user_id(key)
    if before == user_id:
        return Change()
    rows = document.rows(document.accounts.get(key))
    new = () if rows else minted(key, user_id, label="", at=at).added
    return Change(
        dict.fromkeys(rows, user_id),
        dropped=frozenset(document.rows(document.merged.get(user_id))),
        added=new,
        operation=Operation(
            verb, (key[0],), (user_id,) if before is None else (user_id, before)
        ),
    )


def forgotten(document: Document, user_id: str) -> Change:
    """Drop a user's accounts and the records of ids merged into the user."""
    others = document.merged_into(user_id)
    rows = document.rows_of(user_id)
    if not rows:
        return Change(purges_backup=True)
    # Of the others there are only records: an id with an account is not among them.
    nested = (document.rows_of(id) for id in others)
    return Change(
        dropped=rows.union(*nested),
        operation=Operation("forget", _platforms(document, rows), (user_id, *others)),
        purges_backup=True,
    )


def merged(document: Document, keep: str, drop: str, *, at: datetime) -> Change:
    """Give all accounts of `drop` to `keep`, and record `drop` under `keep`.

    Args:
        document: The map.
        keep: Another id than `drop`.
        drop: Need not be in the map: a host may know users without accounts.
        at: Now.
    """
    # Records of ids that were merged into `drop` stay with it: should the merge be
    # undone, they are of `drop` again, and never of `keep`.
    rows = document.account_rows(drop)
    record = document.merged.get(drop)
    relinked = dict.fromkeys((*rows, *document.rows(record)), keep)
    # With an account, `keep` is somebody; and nobody is merged into what they kept.
    is_above = bool(rows) or drop in document.kept_ids(keep)
    gone = frozenset(document.rows(document.merged.get(keep)) if is_above else ())
    is_recorded = record is not None and document.user_ids[record] == keep
    if is_recorded and not rows:
        return Change()
    new = Entry(
        (MERGED_PLATFORM, drop), keep, label=f"merged id {drop}", first_seen_at=at
    )
    return Change(
        relinked,
        dropped=gone,
        added=() if record is not None else (new,),
        operation=Operation("merge", _platforms(document, rows), (keep, drop)),
    )


def noted(document: Document, user_ids: tuple[str, ...], *, verb: str) -> Change:
    """Change nothing, and tell the audit journal what is done to people elsewhere."""
    rows = frozenset[int]().union(*(document.rows_of(id) for id in user_ids))
    return Change(operation=Operation(verb, _platforms(document, rows), user_ids))


def _platforms(document: Document, rows: frozenset[int]) -> tuple[str, ...]:
    return tuple(
        sorted({key[0] for key, row in document.accounts.items() if row in rows})
    )
