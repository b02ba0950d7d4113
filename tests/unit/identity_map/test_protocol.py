"""The shape of a map, and its one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attrs.exceptions import FrozenInstanceError

from ethos_memory.identity_map import AccountMap, IdentityMap, KnownAccount
from ethos_memory.turn import Account
from unit.identity_map.samples import ANA, NOON

if TYPE_CHECKING:
    from pathlib import Path


def test_the_map_in_a_file_has_the_shape(tmp_path: Path) -> None:
    """A host can bring any other map of this shape."""
    shape: AccountMap = IdentityMap(tmp_path)
    assert isinstance(shape, AccountMap)


def test_a_known_account_is_a_frozen_value() -> None:
    """Equal when what it says is; its account id is in no repr."""
    known = KnownAccount(Account("x", "secret"), ANA, first_seen_at=NOON)
    assert known == KnownAccount(Account("X", "secret"), ANA, first_seen_at=NOON)
    assert "secret" not in repr(known)
    with pytest.raises(FrozenInstanceError):
        known.user_id = "other"  # type: ignore[misc]
