"""The whole contract of a `SessionStore`."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004, PT011

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest

from ethos_memory.errors import InvalidCursorError, NotPermittedError
from ethos_memory.testing.contract.conversations import ANA, say
from ethos_memory.testing.contract.talking import TalkingContract
from ethos_memory.testing.hostile import HOSTILE_QUERIES

if TYPE_CHECKING:
    from ethos_memory.sessions import SessionStore

__all__ = ["SessionStoreContract"]

#: A message, and something that a person would type to find it (cases B09 and B10).
_FOUND: Final = (
    ("keeps bees on the roof", "BEES"),
    ("runs chat-send every night", "chat-send"),
    ("version 2.10.3 of node", "2.10.3"),
    ("Zoë drinks café au lait", "cafe"),
    ("新しい項目を確認する会議", "項目"),
    ("다음 회의는 월요일", "회의"),
    ("party 🎉 on Friday", "🎉"),
)

#: A wall-clock time without a zone, which means another instant on each machine.
_NAIVE: Final = datetime(2026, 3, 29, 1, 0)  # noqa: DTZ001 - what must be refused


class SessionStoreContract(TalkingContract):
    """Everything that a store of conversations promises, as tests.

    Subclass it, override the fixture `store` with one that returns a fresh and empty
    store with its own redaction, and `reopen` when conversations outlive the object.
    """

    def test_a_session_keeps_every_field(self, store: SessionStore) -> None:
        """As it was given, in `create`, `get` and `list`."""
        fields: dict[str, Any] = {
            "title": "T",
            "platform": "telegram",
            "model": "m",
            "provider": "p",
            "working_dir": "/w",
            "personality_id": "ops",
            "metadata": {"a": [1, 2.5, {"b": None, "c": True}], "項目": "🎉"},
            "pinned": True,
            "was_shared": True,
        }
        sessions = store.for_owner(ANA)
        made = sessions.create("telegram:1", **fields)
        assert {name: getattr(made, name) for name in fields} == fields
        assert sessions.get(made.id) == made
        assert sessions.list().items == (made,)
        assert made.created_at.utcoffset() == timedelta(0)
        assert (made.message_count, made.turn_count, made.usage) == (0, 0, {})
        for private in ("telegram:1", "/w", ANA):
            assert private not in repr(made)

    def test_an_update_changes_what_it_names(self, store: SessionStore) -> None:
        """`None` clears; the mark of a shared session never comes off."""
        sessions = store.for_owner(ANA)
        id = sessions.create("k", title="T", metadata={"a": 1}).id
        changed = sessions.update(id, pinned=True, was_shared=True)
        assert (changed.title, changed.pinned, changed.was_shared) == ("T", True, True)
        changed = sessions.update(id, title=None, metadata=None, was_shared=False)
        assert (changed.title, changed.metadata, changed.was_shared) == (None, {}, True)
        assert sessions.get(id) == changed
        assert sessions.update(id, personality_id="ops").personality_id == "ops"
        with pytest.raises(NotPermittedError):
            sessions.update(id, personality_id="other")
        with pytest.raises(TypeError):
            sessions.update(id, key="other")  # type: ignore[call-arg]

    def test_labels_hold_no_secrets(self, store: SessionStore) -> None:
        """Titles and metadata are redacted; messages are kept as they were said."""
        token = "ghp_" + "Ab1" * 12
        sessions = store.for_owner(ANA)
        made = sessions.create("k", title=f"use {token}", metadata={"a": [token]})
        assert token not in f"{made.title} {made.metadata}"
        assert (made.title or "").startswith("use ")
        changed = sessions.update(made.id, title=f"use {token}")
        assert token not in f"{changed.title}"
        [said] = say(sessions, made.id, f"user: {token}")
        assert said.content == token

    def test_sessions_are_listed_by_last_word(self, store: SessionStore) -> None:
        """The pinned first; walking gives each once."""
        sessions = store.for_owner(ANA)
        ids = {key: sessions.create(key).id for key in ("a", "b", "c", "d")}
        for key in ("b", "d", "a", "c"):
            say(sessions, ids[key], "user: x")
        sessions.update(ids["b"], pinned=True)
        walked: list[str] = []
        page = sessions.list(limit=1)
        walked += [session.key for session in page.items]
        while page.next_cursor is not None:
            page = sessions.list(limit=1, cursor=page.next_cursor)
            walked += [session.key for session in page.items]
        assert walked == ["b", "c", "a", "d"]
        assert sessions.list(limit=0).items == ()
        with pytest.raises(ValueError, match="limit"):
            sessions.list(limit=-1)
        with pytest.raises(InvalidCursorError):
            sessions.list(cursor="x")

    def test_a_list_can_be_narrowed(self, store: SessionStore) -> None:
        """By the beginning of a key, in which no character is a wildcard."""
        sessions = store.for_owner(ANA)
        for key in ("t:1", "t:2", "x:1", "t_1", "T:1", "t%1"):
            sessions.create(key, title=f"title {key}")
        for prefix, keys in (("t:", {"t:1", "t:2"}), ("t_", {"t_1"}), ("t%", {"t%1"})):
            found = sessions.list(key_prefix=prefix).items
            assert {session.key for session in found} == keys
        assert len(sessions.list("title").items) == 6

    def test_a_message_is_found_by_what_a_person_types(
        self, store: SessionStore
    ) -> None:
        """In any script; the hit names the message."""
        sessions = store.for_owner(ANA)
        id = sessions.create("k").id
        said = {text: sessions.append(id, "user", text) for text, _ in _FOUND}
        for text, query in _FOUND:
            hits = sessions.search(query)
            assert (query, [hit.message_id for hit in hits]) == (query, [said[text].id])
            assert (hits[0].session_id, hits[0].at) == (id, said[text].at)
            assert text not in repr(hits[0])
            assert [one.id for one in sessions.list(query).items] == [id]

    def test_no_query_raises_or_is_syntax(self, store: SessionStore) -> None:
        """Nothing that is typed can be a mistake."""
        sessions = store.for_owner(ANA)
        say(sessions, sessions.create("k").id, "user: bees and tea")
        for query in HOSTILE_QUERIES:
            assert isinstance(sessions.search(query), tuple)
            sessions.list(query)
        for query in ("* bees", "bees OR", 'bees "', "tea) bees", "bees:*"):
            assert (query, len(sessions.search(query))) == (query, 1)
        assert sessions.search("bees", limit=0) == ()
        with pytest.raises(ValueError, match="limit"):
            sessions.search("bees", limit=-1)

    def test_times_are_instants(self, store: SessionStore) -> None:
        """Both ends are included; a time without a zone is refused."""
        sessions = store.for_owner(ANA)
        id = sessions.create("k").id
        [said] = say(sessions, id, "user: bees")
        second = timedelta(seconds=1)
        assert len(sessions.search("bees", since=said.at, until=said.at)) == 1
        assert len(sessions.search("bees", since=said.at.isoformat())) == 1
        assert sessions.search("bees", since=said.at + second) == ()
        assert sessions.search("bees", until=said.at - second) == ()
        assert len(sessions.list(since=said.at - second).items) == 1
        assert sessions.list(since=said.at + second).items == ()
        for naive in (_NAIVE, "2026-03-29T01:00:00", "no time"):
            with pytest.raises(ValueError):
                sessions.search("bees", since=naive)
            with pytest.raises(ValueError):
                sessions.list(since=naive)

    def test_usage_adds_up(self, store: SessionStore) -> None:
        """Number by number, over the messages that are there."""
        sessions = store.for_owner(ANA)
        id = sessions.create("k").id
        sessions.append(id, "user", "a", usage={"tokens": 2})
        sessions.append(id, "assistant", "b", usage={"tokens": 3, "cost": 0.5})
        session = sessions.get(id)
        assert session.usage == {"tokens": 5, "cost": 0.5}
        assert (session.message_count, session.turn_count) == (2, 1)
        assert session.updated_at >= session.created_at
