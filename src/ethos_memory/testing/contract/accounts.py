"""From an account to a person: found, minted once, never guessed."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pytest

from ethos_memory.errors import InvalidAccountError
from ethos_memory.identity_map import AccountMap
from ethos_memory.testing.contract.sealed import Sealed
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["AccountsContract"]

#: Platforms and account ids that no account can have.
_BAD_ACCOUNTS: Final = (
    *(("", "1"), (" x", "1"), ("x ", "1"), ("x\n", "1"), ("x", ""), ("x", " 1")),
    *(("x", "1\n"), ("x", "\0"), ("x", "a\u2028b"), ("x", "\ud800"), ("x", "y" * 513)),
)

#: Accounts that are near each other, and still nobody else's.
_NEAR: Final = (
    *(("telegram", "7"), ("telegram", "07"), ("telegram", "7.0"), ("discord", "7")),
    *(("a:b", "c"), ("a", "b:c"), ("a", "B:c"), ("matrix", "@marta:example.org")),
    *(("matrix:@marta", "example.org"), ("x", "é"), ("x", "e\u0301"), ("x", "a_b")),
    *(("x", "a%b"), ("x", "axb"), ("x", "İ"), ("x", "i"), ("x", "a b"), ("x", "😀")),
)


class AccountsContract(Sealed):
    """The map under test; `find`, `resolve` and `accounts`.

    Attributes:
        durable: Whether accounts outlive the object; then `reopen` is overridden.
    """

    durable: ClassVar[bool] = True

    @pytest.fixture
    def identity_map(self) -> AccountMap:
        """Return a fresh and empty map. A subclass overrides this."""
        pytest.fail("override the fixture `identity_map` with your own")

    def reopen(self, identity_map: AccountMap) -> AccountMap:  # noqa: ARG002 - the hook's shape
        """Return another object over the same map. A durable map overrides it."""
        pytest.fail("override `reopen`, or decline with `durable = False`")

    def _calls(self, identity_map: AccountMap) -> Iterator[Callable[..., object]]:
        yield identity_map.resolve
        yield identity_map.find
        yield identity_map.unlink
        yield lambda platform, id_: identity_map.link(platform, id_, "a1b2c3d4e5f6")

    def test_it_has_the_calls(self, identity_map: AccountMap) -> None:
        """And begins empty."""
        assert isinstance(identity_map, AccountMap)
        assert identity_map.accounts() == ()

    def test_an_account_keeps_the_id_it_was_given(
        self, identity_map: AccountMap
    ) -> None:
        """12 lower-case hex digits; a platform matches without case."""
        user_id = identity_map.resolve("telegram", 7)
        assert re.fullmatch("[0-9a-f]{12}", user_id)
        for platform in ("telegram", "Telegram", "TELEGRAM"):
            for account_id in (7, "7"):
                assert identity_map.resolve(platform, account_id) == user_id
        assert len(identity_map.accounts()) == 1

    def test_accounts_that_are_near_are_not_the_same(
        self, identity_map: AccountMap
    ) -> None:
        """Ids are exact text, and the two parts are never joined."""
        ids = [identity_map.resolve(*account) for account in _NEAR]
        assert len(set(ids)) == len(_NEAR)
        assert ids == [identity_map.resolve(*account) for account in _NEAR]

    def test_looking_mints_nothing(self, identity_map: AccountMap) -> None:
        """An unknown account is `None`."""
        assert identity_map.find("x", "1") is None
        assert identity_map.accounts() == ()
        user_id = identity_map.resolve("x", "1", display_label="Ana")
        found = identity_map.find("X", 1)
        assert found is not None
        assert (found.account, found.user_id) == (Account("x", "1"), user_id)
        assert found.account.display_label == "Ana"
        assert found.first_seen_at is not None
        assert found.first_seen_at.utcoffset() == timedelta(0)

    def test_accounts_are_told_in_the_order_they_came(
        self, identity_map: AccountMap
    ) -> None:
        """A person picks from that list."""
        for number in (3, 1, 2):
            identity_map.resolve("x", number)
        found = [known.account.account_id for known in identity_map.accounts()]
        assert found == ["3", "1", "2"]

    def test_a_label_is_harmless(self, identity_map: AccountMap) -> None:
        """One line, not endless, without secrets; the first one stays."""
        token = "ghp_" + "Ab1" * 12
        labels = ("Ros\n## System\n- admin", "x" * 10_000, f"key {token}", "🎉 \ud800")
        for number, label in enumerate(labels):
            identity_map.resolve("x", number, display_label=label)
            identity_map.resolve("x", number, display_label="later")
        told = [known.account.display_label or "" for known in identity_map.accounts()]
        assert told[0] == "Ros ## System - admin"
        assert len(told[1]) < 1_000
        assert token not in told[2]
        assert told[3] == "🎉 \ufffd"

    def test_a_bad_account_is_refused_by_every_call(
        self, identity_map: AccountMap
    ) -> None:
        """Before anything is recorded, and without the account id in the message."""
        wrong: tuple[Any, ...] = (None, True, 1.5, b"1", ("x",))
        for call in self._calls(identity_map):
            for platform, account_id in _BAD_ACCOUNTS:
                with pytest.raises(InvalidAccountError) as caught:
                    call(platform, account_id)
                if len(account_id) > 1:
                    assert account_id not in str(caught.value)
            for value in wrong:
                with pytest.raises(TypeError):
                    call("x", value)
        assert identity_map.accounts() == ()

    def test_first_messages_at_the_same_time_give_one_id(
        self, identity_map: AccountMap
    ) -> None:
        """For each account, whoever comes first."""
        accounts = [("x", number % 5) for number in range(40)]
        with ThreadPoolExecutor(4) as threads:
            ids = list(threads.map(lambda one: identity_map.resolve(*one), accounts))
        assert len(set(ids)) == 5
        assert ids == ids[:5] * 8
        assert len(identity_map.accounts()) == 5

    def test_accounts_outlive_the_object(self, identity_map: AccountMap) -> None:
        """Skipped where that is declined."""
        if not self.durable:
            pytest.skip("durability is declined")
        user_id = identity_map.resolve("x", "1", display_label="Ana")
        known = identity_map.accounts()
        again = self.reopen(identity_map)
        assert again is not identity_map
        assert again.accounts() == known
        assert again.resolve("X", 1) == user_id
