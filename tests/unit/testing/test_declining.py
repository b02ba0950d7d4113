"""A backend may decline, but not pretend: flags are checked in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from ethos_memory.entry import MemorySnapshot
from ethos_memory.errors import UnsupportedError
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.sessions import SQLiteSessionStore
from ethos_memory.testing import (
    Capabilities,
    IdentityMapContract,
    ProviderContract,
    SessionStoreContract,
    provider_state_machine,
)
from ethos_memory.testing.contract.names import Liar

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from ethos_memory.identity_map import AccountMap
    from ethos_memory.scope import ScopeId
    from ethos_memory.sessions import SessionStore


class WithoutPrefetch(TransientProvider):
    """Leaves it to a search what a prompt gets."""

    @override
    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        return MemorySnapshot(super().prefetch(scope).scope, ())

    #: Not abilities of this one.
    history = restore = erase = None  # type: ignore[assignment]


class TestWithoutPrefetch(ProviderContract):
    """Everything else is promised."""

    capabilities = Capabilities(
        prefetch=False, history=False, erase=False, durable=False
    )

    @pytest.fixture
    @override
    def provider(self) -> WithoutPrefetch:
        """Return an empty one."""
        return WithoutPrefetch()


class Erasing(ProviderContract):
    """Of a provider that erases and keeps no history."""

    capabilities = Capabilities(history=False, durable=False)


@pytest.mark.parametrize(
    "name",
    ["test_erasing_leaves_nothing", "test_history_and_erasure_stay_in_their_scope"],
)
def test_erasing_needs_no_history(name: str) -> None:
    """They are two abilities."""
    getattr(Erasing(), name)(TransientProvider())


@pytest.mark.parametrize(
    ("declined", "name"),
    [
        ("history", "test_history_tells_the_newest_state_first"),
        ("erase", "test_erasing_leaves_nothing"),
        ("prefetch", "test_the_rolling_pages_are_prefetched"),
        ("kinds", "test_another_kind_of_scope_is_unknown_to_every_call"),
        ("modes", "test_a_mode_that_is_not_there_says_so"),
    ],
)
def test_what_is_declined_must_not_be_there(declined: str, name: str) -> None:
    """A flag that hides an ability hides its faults."""
    values: dict[str, Any] = {"kinds": ("user",), "modes": ()}
    flags = {"durable": False, declined: values.get(declined, False)}
    members = {"capabilities": Capabilities(**flags), "__module__": "somewhere"}
    subject: Any = type("Declining", (ProviderContract,), members)()
    with pytest.raises((AssertionError, pytest.fail.Exception)) as caught:
        getattr(subject, name)(TransientProvider())
    assert not isinstance(caught.value, pytest.skip.Exception)


@pytest.mark.parametrize(
    "name",
    ["test_history_tells_the_newest_state_first", "test_erasing_leaves_nothing"],
)
def test_what_is_promised_must_be_there(name: str) -> None:
    """Its absence is a failure, never a skip."""
    with pytest.raises(AssertionError):
        getattr(ProviderContract(), name)(WithoutPrefetch())


def test_a_machine_without_keywords_looks_at_what_it_gets() -> None:
    """It cannot know what a search by meaning should have found."""

    class Semantic(TransientProvider):
        @override
        def search(self, scope: ScopeId | str, query: str, **options: Any) -> Any:
            return super().search(scope, query, limit=options["limit"])

    capabilities = Capabilities(modes=("semantic",), durable=False)
    machine = provider_state_machine(Semantic, capabilities=capabilities)()
    machine._check_holders("user:ana", "bees", {"a.md": "bees"})
    machine._check_hits("user:ana", "bees", 1)
    machine.teardown()


def test_capabilities_take_any_iterable() -> None:
    """And are values."""
    found = Capabilities(kinds=iter(["team"]), modes=["keyword"])
    assert found == Capabilities(kinds=("team",))
    assert found.modes == ("keyword",)


class WithoutBackup(SQLiteSessionStore):
    """A store that is backed up by other means."""

    @override
    def backup(self, destination: str | os.PathLike[str]) -> None:
        raise UnsupportedError("use the database's own")


class Fleeting(SessionStoreContract):
    """Of a store that promises neither copies nor durability."""

    durable = False
    can_back_up = False


def test_a_store_may_decline_copies_and_durability(tmp_path: Path) -> None:
    """A copy is refused then, and nothing is opened again."""
    with WithoutBackup(tmp_path / "memory-sessions.db") as store:
        Fleeting().test_a_copy_is_written_or_declined(store, tmp_path)
        with pytest.raises(pytest.skip.Exception):
            Fleeting().test_conversations_outlive_the_object(store)
    with (
        SQLiteSessionStore(tmp_path / "other.db") as able,
        pytest.raises(pytest.fail.Exception),
    ):
        Fleeting().test_a_copy_is_written_or_declined(able, tmp_path)


class FleetingMap(IdentityMapContract):
    """Of a map that does not promise durability."""

    durable = False


def test_a_map_may_decline_durability(tmp_path: Path) -> None:
    """Nothing is opened again then."""
    known: AccountMap = IdentityMap(tmp_path)
    with pytest.raises(pytest.skip.Exception):
        FleetingMap().test_accounts_outlive_the_object(known)


def test_the_lying_text_lies() -> None:
    """In every way in which a path or message could take it."""
    text = Liar("MEMORY.md")
    shown = {str(text), f"{text}", text.__fspath__()}
    assert shown == {"../../etc/passwd"}
    assert str.__str__(text) == "MEMORY.md"


class BrokenStore(SQLiteSessionStore):
    """Shows everybody's conversations to everybody."""

    @override
    def for_owner(self, owner: str) -> Any:
        return self._bound(None if owner.endswith("bo") else owner)


class ForgetfulStore(SQLiteSessionStore):
    """Answers that it erased, and did not."""

    @override
    def erase_owner(self, owner: str) -> int:
        return 0


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        (BrokenStore, "test_a_foreign_session_is_an_unknown_one"),
        (ForgetfulStore, "test_erasing_takes_one_owner"),
    ],
)
def test_a_broken_store_is_found_out(
    tmp_path: Path, broken: type[SQLiteSessionStore], name: str
) -> None:
    """By the test that is meant for it."""
    store: SessionStore = broken(tmp_path / "memory-sessions.db")
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        getattr(SessionStoreContract(), name)(store)
    store.close()


class GuessingMap(IdentityMap):
    """Takes accounts of one number for one person."""

    @override
    def resolve(self, platform: str, account_id: str | int, **label: Any) -> str:
        return super().resolve("any", account_id, **label)


class JoiningMap(IdentityMap):
    """Joins platform and account into one text."""

    @override
    def resolve(self, platform: str, account_id: str | int, **label: Any) -> str:
        return super().resolve("any", f"{platform}:{account_id}", **label)


class RecyclingMap(IdentityMap):
    """Forgets an account, and gives its id to the next one."""

    @override
    def unlink(self, platform: str, account_id: str | int) -> str:
        return self.resolve(platform, account_id)


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        (GuessingMap, "test_accounts_that_are_near_are_not_the_same"),
        (JoiningMap, "test_accounts_that_are_near_are_not_the_same"),
        (RecyclingMap, "test_unlinking_gives_a_fresh_id"),
    ],
)
def test_a_broken_map_is_found_out(
    tmp_path: Path, broken: type[IdentityMap], name: str
) -> None:
    """By the test that is meant for it."""
    with pytest.raises(AssertionError):
        getattr(IdentityMapContract(), name)(broken(tmp_path, durability="fast"))
