"""The store of conversations under test, and what keeps owners apart."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import pytest

from ethos_memory.errors import (
    InvalidNameError,
    NotPermittedError,
    SessionNotFoundError,
    UnsupportedError,
)
from ethos_memory.sessions import SessionStore
from ethos_memory.testing.contract.sealed import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.sessions import Message, Sessions

__all__ = ["ANA", "BO", "ConversationsContract", "say", "told"]

ANA: Final = "user:ana"
BO: Final = "user:bo"


def say(sessions: Sessions, id: str, *lines: str) -> tuple[Message, ...]:
    """Append lines such as ``user: hello``."""
    parts = (line.partition(": ") for line in lines)
    return tuple(sessions.append(id, role, text) for role, _, text in parts)


def told(sessions: Sessions, id: str, *, turns: int = 999) -> list[str]:
    """Return what was said, in order."""
    return [message.content for message in sessions.messages(id, turns=turns).items]


class ConversationsContract(Sealed):
    """Owners, and the store as a whole.

    Attributes:
        durable: Whether conversations outlive the object; then `reopen` is overridden.
        can_back_up: Whether it can write a copy to a file.
    """

    durable: ClassVar[bool] = True
    can_back_up: ClassVar[bool] = True

    @pytest.fixture
    def store(self) -> SessionStore:
        """Return a fresh and empty store. A subclass overrides this."""
        pytest.fail("override the fixture `store` with your own")

    def reopen(self, store: SessionStore) -> SessionStore:  # noqa: ARG002 - the hook's shape
        """Return another object over the same store. A durable store overrides it."""
        pytest.fail("override `reopen`, or decline with `durable = False`")

    def _calls(self, sessions: Sessions) -> Iterator[Callable[[str], object]]:
        """Yield every call that takes a session."""
        yield sessions.get
        yield sessions.messages
        yield sessions.fork
        yield sessions.undo
        yield sessions.delete
        yield lambda session: sessions.append(session, "user", "x")
        yield lambda session: sessions.update(session, title="x")
        yield lambda session: sessions.search("x", session_id=session)
        yield lambda session: sessions.create("new", parent_session_id=session)

    def test_it_has_the_calls(self, store: SessionStore) -> None:
        """And begins empty."""
        assert isinstance(store, SessionStore)
        assert store.unsafe_everyone().list().items == ()
        assert store.count_owner(ANA) == 0
        assert list(store.export_owner(ANA)) == []

    def test_a_foreign_session_is_an_unknown_one(self, store: SessionStore) -> None:
        """By every call; whose it may be is not said, and nothing changes."""
        ana, bo = store.for_owner(ANA), store.for_owner(BO)
        id = ana.create("k", title="kept").id
        say(ana, id, "user: needle")
        before = ana.get(id)
        for call in self._calls(bo):
            with pytest.raises(SessionNotFoundError) as foreign:
                call(id)
            with pytest.raises(SessionNotFoundError) as unknown:
                call("0" * 32)
            assert str(foreign.value) == str(unknown.value)
            assert ANA not in str(foreign.value)
        assert ana.get(id) == before
        assert told(ana, id) == ["needle"]

    def test_lists_and_searches_stay_with_their_owner(
        self, store: SessionStore
    ) -> None:
        """The limit counts own conversations; owners are compared exactly."""
        owners = (ANA, BO, "user:an", "user:ana2", "User:ana", "user:_na", "user:%")
        for owner in owners:
            sessions = store.for_owner(owner)
            for number in range(3):
                id = sessions.create(f"k{number}", title=f"needle {owner}").id
                say(sessions, id, f"user: needle of {owner}")
        for owner in owners:
            sessions = store.for_owner(owner)
            for page in (sessions.list(), sessions.list("needle")):
                assert {session.owner for session in page.items} == {owner}
                assert len(page.items) == 3
            own = {session.id for session in sessions.list().items}
            hits = sessions.search("needle", limit=99)
            assert {hit.session_id for hit in hits} == own
            assert len(sessions.search("needle", limit=2)) == 2
            assert store.count_owner(owner) == 3
        everyone = store.unsafe_everyone()
        assert len(everyone.search("needle", limit=99)) == 3 * len(owners)

    def test_a_key_is_one_session_of_its_owner(self, store: SessionStore) -> None:
        """Another owner's equal key is another session."""
        ana, bo = store.for_owner(ANA), store.for_owner(BO)
        first = ana.create("telegram:1", title="first")
        assert ana.create("telegram:1", title="second") == first
        assert bo.create("telegram:1").id != first.id
        assert ana.create("telegram:2").id != first.id
        assert (first.key, first.owner, first.title) == ("telegram:1", ANA, "first")

    def test_everyone_does_all_but_create(self, store: SessionStore) -> None:
        """Whose the new session would be is not known."""
        ana = store.for_owner(ANA)
        id = ana.create("k").id
        everyone = store.unsafe_everyone()
        say(everyone, id, "user: hello")
        assert told(ana, id) == ["hello"]
        assert everyone.get(id) == ana.get(id)
        with pytest.raises(NotPermittedError):
            everyone.create("k2")

    def test_a_bad_owner_or_key_is_refused(self, store: SessionStore) -> None:
        """Nothing is kept under an empty name."""
        for name in ("", "\ud800"):
            with pytest.raises(InvalidNameError):
                store.for_owner(name)
            with pytest.raises(InvalidNameError):
                store.for_owner(ANA).create(name)
        assert store.unsafe_everyone().list().items == ()

    def test_erasing_takes_one_owner(self, store: SessionStore) -> None:
        """With every conversation and all that a search knows; it can be repeated."""
        for owner in (ANA, BO):
            sessions = store.for_owner(owner)
            for key in ("a", "b"):
                say(sessions, sessions.create(key).id, "user: needle")
        assert store.erase_owner(ANA) == 2
        assert store.erase_owner(ANA) == 0
        assert store.count_owner(ANA) == 0
        assert store.for_owner(ANA).list().items == ()
        assert store.for_owner(ANA).search("needle") == ()
        assert len(store.for_owner(BO).search("needle")) == 2

    def test_an_export_holds_everything(self, store: SessionStore) -> None:
        """In the order in which the conversations began."""
        ana = store.for_owner(ANA)
        ids = [ana.create(key).id for key in ("b", "a")]
        for id in ids:
            say(ana, id, "user: one", "assistant: two")
        store.for_owner(BO).create("k")
        exported = list(store.export_owner(ANA))
        assert [one.session for one in exported] == [ana.get(id) for id in ids]
        for id, one in zip(ids, exported, strict=True):
            assert one.messages == ana.messages(id).items
            assert one.unreadable == ()

    def test_conversations_outlive_the_object(self, store: SessionStore) -> None:
        """Skipped where that is declined."""
        if not self.durable:
            pytest.skip("durability is declined")
        ana = store.for_owner(ANA)
        id = ana.create("k", title="T", metadata={"a": [1]}).id
        say(ana, id, "user: needle", "assistant: two")
        session, page = ana.get(id), ana.messages(id)
        again = self.reopen(store)
        assert again is not store
        ana = again.for_owner(ANA)
        assert (ana.get(id), ana.messages(id)) == (session, page)
        assert len(ana.search("needle")) == 1

    def test_a_copy_is_written_or_declined(
        self, store: SessionStore, tmp_path: Path
    ) -> None:
        """A copy that is empty would be found out on the day it is needed."""
        ana = store.for_owner(ANA)
        say(ana, ana.create("k").id, "user: needle")
        if not self.can_back_up:
            with pytest.raises(UnsupportedError):
                store.backup(tmp_path / "copy")
            return
        store.backup(tmp_path / "copy")
        assert b"needle" in (tmp_path / "copy").read_bytes()
        assert told(ana, ana.list().items[0].id) == ["needle"]

    def test_closing_can_be_repeated(self, store: SessionStore) -> None:
        """Hosts close in more than one place."""
        store.close()
        store.close()
