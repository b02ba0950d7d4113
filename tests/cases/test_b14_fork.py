"""Case B14: a fork and its parent have nothing to do with each other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import attrs
import pytest

from ethos_memory.errors import SessionNotFoundError
from session_store import START, open_store, say, texts

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.sessions import Message, Session

#: What a copy has of its own.
OWN = {"id", "key", "parent_session_id", "created_at", "updated_at"}
OWN_MESSAGE = {"id", "session_id"}


def _fields(value: Session | Message, without: set[str]) -> dict[str, object]:
    found = attrs.asdict(value, recurse=False)
    return {name: found[name] for name in found if name not in without}


def test_parent_and_forks_go_their_own_ways(tmp_path: Path) -> None:
    """Append, undo, rename and delete on one show on no other."""
    with open_store(tmp_path, clock=lambda: START) as store:
        sessions = store.for_owner("telegram:42")
        parent = sessions.create("telegram:bot:42", title="T").id
        say(sessions, parent, "user: u1", "assistant: a1", "user: u2", "assistant: a2")
        sessions.undo(parent, 1)
        first, second = sessions.fork(parent), sessions.fork(parent)
        assert len({first.key, second.key, "telegram:bot:42"}) == 3
        for fork in (first, second):
            assert texts(sessions.messages(fork.id).items) == ["u1", "a1"]
            assert fork.parent_session_id == parent
            assert fork.message_count == 2
        say(sessions, first.id, "user: only in fork")
        say(sessions, parent, "user: only in parent")
        sessions.update(first.id, title="Other", was_shared=True)
        assert sessions.get(parent).title == "T"
        assert not sessions.get(parent).was_shared
        assert "only in fork" not in texts(sessions.messages(parent).items)
        assert texts(sessions.messages(second.id).items) == ["u1", "a1"]
        assert sessions.undo(first.id, 1) == 1
        sessions.delete(parent)
        for fork in (first, second):
            assert texts(sessions.messages(fork.id).items) == ["u1", "a1"]
            assert sessions.get(fork.id).parent_session_id is None
        assert {found.id for found in sessions.list().items} == {first.id, second.id}
        assert sessions.search('"only in parent"') == ()
        assert sessions.search("u2") == ()
        assert {h.session_id for h in sessions.search("u1")} == {first.id, second.id}
        sessions.delete(first.id)
        assert texts(sessions.messages(second.id).items) == ["u1", "a1"]


def test_a_deleted_fork_leaves_its_parent_whole(tmp_path: Path) -> None:
    """And what was forked from the fork as well."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        parent = sessions.create("k").id
        say(sessions, parent, "user: hello")
        fork = sessions.fork(parent).id
        grandchild = sessions.fork(fork).id
        sessions.delete(fork)
        assert texts(sessions.messages(parent).items) == ["hello"]
        assert texts(sessions.messages(grandchild).items) == ["hello"]
        assert len(sessions.search("hello")) == 2


def test_a_fork_copies_every_field(tmp_path: Path) -> None:
    """Of the session and of each message: whatever is added later, too."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        parent = sessions.create(
            "k",
            title="T",
            platform="telegram",
            personality_id="ops",
            metadata={"a": [1, {"b": None}]},
            model="m",
            provider="p",
            working_dir="/w",
            pinned=True,
            was_shared=True,
        ).id
        call = {"id": "c1", "name": "read", "input": {"path": "x"}}
        say(sessions, parent, "user: u1")
        sessions.append(
            parent,
            "assistant",
            "a1",
            tool_calls=[call],
            content_blocks=[{"type": "text", "text": "a1"}],
            usage={"input_tokens": 3, "cost_usd": 0.5},
            trace_id="t",
        )
        sessions.append(parent, "tool_result", "r", tool_call_id="c1", tool_name="read")
        fork = sessions.fork(parent)
        assert _fields(fork, OWN) == _fields(sessions.get(parent), OWN)
        assert sessions.get(fork.id) == fork
        copies = sessions.messages(fork.id).items
        originals = sessions.messages(parent).items
        assert [_fields(m, OWN_MESSAGE) for m in copies] == [
            _fields(m, OWN_MESSAGE) for m in originals
        ]
        assert {m.session_id for m in copies} == {fork.id}
        assert len({m.id for m in (*copies, *originals)}) == 6


def test_forking_what_is_not_there_creates_nothing(tmp_path: Path) -> None:
    """A clear error, and no row."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        with pytest.raises(SessionNotFoundError):
            sessions.fork("nobody")
        assert sessions.list().items == ()


def test_a_fork_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    """The third copied row fails: no session, no message, no search row."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        parent = sessions.create("k").id
        say(sessions, parent, "user: u1", "assistant: a1", "user: u2", "user: u3")
        path = tmp_path / "memory-sessions.db"
        with closing(sqlite3.connect(path)) as other:
            other.execute(
                "CREATE TRIGGER fault BEFORE INSERT ON messages "
                "WHEN new.content = 'u2' AND EXISTS (SELECT 1 FROM messages "
                "WHERE session_id = new.session_id) "
                "BEGIN SELECT RAISE(ABORT, 'fault'); END"
            )
            other.commit()
        with pytest.raises(sqlite3.IntegrityError, match="fault"):
            sessions.fork(parent)
        assert [found.id for found in sessions.list().items] == [parent]
        assert len(sessions.search("u1")) == 1
        with closing(sqlite3.connect(path)) as other:
            other.execute("DROP TRIGGER fault")
            other.commit()
        assert len(sessions.messages(sessions.fork(parent).id).items) == 4
