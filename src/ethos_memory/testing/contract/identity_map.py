"""The whole contract of a map from accounts to people."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from ethos_memory.errors import InvalidScopeError
from ethos_memory.testing.contract.accounts import AccountsContract
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.identity_map import AccountMap

__all__ = ["IdentityMapContract"]

_ANA: Final = "a1b2c3d4e5f6"
_BO: Final = "b1b2c3d4e5f6"


def _accounts_of(identity_map: AccountMap, user_id: str) -> list[str]:
    return [
        known.account.account_id
        for known in identity_map.accounts()
        if known.user_id == user_id
    ]


class IdentityMapContract(AccountsContract):
    """Everything that a map of accounts promises, as tests.

    Subclass it, override the fixture `identity_map` with one that returns a fresh and
    empty map, and `reopen` when accounts outlive the object.
    """

    def test_linking_says_whose_an_account_is(self, identity_map: AccountMap) -> None:
        """Also of one not seen yet; the answer is whose it was."""
        assert identity_map.link("slack", "U1", _ANA) is None
        assert identity_map.resolve("Slack", "U1") == _ANA
        assert identity_map.link("slack", "U1", _BO) == _ANA
        assert identity_map.link("slack", "U1", _BO) == _BO
        assert identity_map.resolve("slack", "U1") == _BO
        old = identity_map.resolve("x", "1")
        assert identity_map.link("x", "1", _BO) == old
        assert _accounts_of(identity_map, _BO) == ["U1", "1"]

    def test_unlinking_gives_a_fresh_id(self, identity_map: AccountMap) -> None:
        """One that nobody has, and only to that account."""
        identity_map.link("x", "1", _ANA)
        identity_map.link("x", "2", _ANA)
        fresh = identity_map.unlink("x", "1")
        assert fresh != _ANA
        assert identity_map.resolve("x", "1") == fresh
        assert identity_map.resolve("x", "2") == _ANA
        unseen = identity_map.unlink("x", "3")
        assert unseen not in {fresh, _ANA}
        assert identity_map.resolve("x", "3") == unseen

    def test_forgetting_takes_one_person(self, identity_map: AccountMap) -> None:
        """With every account, and nobody else; it can be repeated."""
        for number in (1, 2):
            identity_map.link("x", number, _ANA)
        identity_map.link("x", 3, _BO)
        assert identity_map.forget(_ANA) == 2
        assert identity_map.forget(_ANA) == 0
        assert identity_map.find("x", 1) is None
        assert _accounts_of(identity_map, _BO) == ["3"]
        assert identity_map.resolve("x", 1) != _ANA

    def test_merging_moves_accounts_and_records_it(
        self, identity_map: AccountMap
    ) -> None:
        """Every id ever merged into a person is told, and undone by `link`."""
        identity_map.link("x", 1, _ANA)
        identity_map.link("x", 2, _BO)
        assert identity_map.merged_ids(_ANA) == ()
        moved = identity_map.merge(_ANA, _BO)
        assert moved == (Account("x", "2"),)
        assert identity_map.resolve("x", 2) == _ANA
        assert identity_map.merged_ids(_ANA) == (_BO,)
        assert identity_map.merged_ids(_BO) == ()
        assert {known.user_id for known in identity_map.accounts()} == {_ANA}
        for account in moved:
            identity_map.link(account.platform, account.account_id, _BO)
        assert identity_map.resolve("x", 2) == _BO
        assert identity_map.merged_ids(_ANA) == ()

    def test_merges_add_up(self, identity_map: AccountMap) -> None:
        """What was merged into a merged person is theirs as well."""
        cy = "c1b2c3d4e5f6"
        for number, user_id in enumerate((_ANA, _BO, cy)):
            identity_map.link("x", number, user_id)
        identity_map.merge(_BO, cy)
        identity_map.merge(_ANA, _BO)
        assert set(identity_map.merged_ids(_ANA)) == {cy, _BO}
        assert identity_map.merge(_ANA, _ANA) == ()
        assert len(identity_map.merged_ids(_ANA)) == 2

    def test_merges_are_told_the_oldest_first(self, identity_map: AccountMap) -> None:
        """Of those into the person themselves; also of users without accounts."""
        ids = ("f00000000000", "a00000000000", "c00000000000")
        for user_id in ids:
            assert identity_map.merge(_ANA, user_id) == ()
        assert identity_map.merged_ids(_ANA) == ids

    def test_forgetting_drops_the_record_of_merges(
        self, identity_map: AccountMap
    ) -> None:
        """Nothing of a person is left."""
        identity_map.link("x", 1, _ANA)
        identity_map.link("x", 2, _BO)
        identity_map.merge(_ANA, _BO)
        assert identity_map.forget(_ANA) == 2
        assert identity_map.merged_ids(_ANA) == ()
        assert identity_map.accounts() == ()

    def test_an_id_that_was_merged_is_given_to_nobody(
        self, identity_map: AccountMap
    ) -> None:
        """A new account that got it would be told another person's memory."""
        identity_map.link("x", 1, _ANA)
        old = identity_map.resolve("x", 2)
        identity_map.merge(_ANA, old)
        fresh = {identity_map.resolve("y", number) for number in range(20)}
        assert fresh.isdisjoint({_ANA, old})
        assert len(fresh) == 20

    def test_a_user_id_that_no_scope_can_have_is_refused(
        self, identity_map: AccountMap
    ) -> None:
        """By every call that takes one, before anything is recorded."""
        for user_id in ("", "a b", "../x", "con", "é", "x\n", "a:b", "x" * 65):
            for call in (
                lambda user: identity_map.link("x", "1", user),
                identity_map.forget,
                lambda user: identity_map.merge(user, _ANA),
                lambda user: identity_map.merge(_ANA, user),
                identity_map.merged_ids,
            ):
                with pytest.raises(InvalidScopeError):
                    call(user_id)
        assert identity_map.accounts() == ()
