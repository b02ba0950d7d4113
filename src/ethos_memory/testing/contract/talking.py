"""What was said, in order and whole: appended, paged, forked, taken back."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import pytest

from ethos_memory.errors import (
    InvalidCursorError,
    MessageOrderError,
    SessionNotFoundError,
)
from ethos_memory.sessions import ROLES
from ethos_memory.testing.contract.conversations import (
    ANA,
    ConversationsContract,
    say,
    told,
)
from ethos_memory.testing.hostile import HOSTILE_TEXTS

if TYPE_CHECKING:
    from ethos_memory.sessions import Sessions, SessionStore

__all__ = ["TalkingContract"]

_CALL: Final[dict[str, Any]] = {
    "tool_calls": [{"id": "c1", "name": "read", "input": {"path": "項目"}}],
    "tool_call_id": "c0",
    "tool_name": "read",
    "content_blocks": [{"type": "text", "text": "x"}, 5],
    "usage": {"input_tokens": 12, "cost_usd": 0.25},
    "trace_id": "t1",
}


class TalkingContract(ConversationsContract):
    """`append`, `messages`, `fork`, `undo` and `delete`."""

    def _begin(self, store: SessionStore) -> tuple[Sessions, str]:
        sessions = store.for_owner(ANA)
        return sessions, sessions.create("k").id

    def test_a_message_is_kept_as_it_was_said(self, store: SessionStore) -> None:
        """Character for character; half a character becomes U+FFFD."""
        sessions, id = self._begin(store)
        for text in ("", "  padded \r\n", *HOSTILE_TEXTS):
            kept = text.encode("utf-16-le", "surrogatepass")
            wanted = kept.decode("utf-16-le", "replace")
            assert sessions.append(id, "user", text).content == wanted
            assert told(sessions, id, turns=1) == [wanted]

    def test_a_message_keeps_every_field(self, store: SessionStore) -> None:
        """And is the same value when it is read again."""
        sessions, id = self._begin(store)
        said = sessions.append(id, "assistant", "hello", **_CALL)
        [read] = sessions.messages(id).items
        assert read == said
        assert (said.session_id, said.role, said.content) == (id, "assistant", "hello")
        assert said.tool_calls == tuple(_CALL["tool_calls"])
        assert said.content_blocks == tuple(_CALL["content_blocks"])
        for name in ("tool_call_id", "tool_name", "usage", "trace_id"):
            assert getattr(said, name) == _CALL[name]
        assert said.at.utcoffset() == timedelta(0)
        assert "hello" not in repr(said)

    def test_an_orphan_result_is_refused(self, store: SessionStore) -> None:
        """Nothing is stored; everything else may follow anything."""
        sessions, id = self._begin(store)
        for role in (None, "user", "system", "user_steer"):
            if role is not None:
                sessions.append(id, role, role)
            before = told(sessions, id)
            with pytest.raises(MessageOrderError):
                sessions.append(id, "tool_result", "orphan")
            assert told(sessions, id) == before
        say(sessions, id, "assistant: a", "tool_result: 1", "tool_result: 2")
        for role in ROLES:
            sessions.append(id, role, "x") if role != "tool_result" else None
        with pytest.raises(ValueError, match="role"):
            sessions.append(id, "robot", "x")

    def test_pages_are_whole_turns_the_newest_first(self, store: SessionStore) -> None:
        """Walking back gives every message once, with what stands before the first."""
        sessions, id = self._begin(store)
        lines = ["system: s", "assistant: hi"]
        for number in range(5):
            lines += [
                f"user: u{number}",
                f"assistant: a{number}",
                f"tool_result: {number}",
            ]
        say(sessions, id, *lines)
        page = sessions.messages(id, turns=2)
        texts = [message.content for message in page.items]
        assert texts == ["u3", "a3", "3", "u4", "a4", "4"]
        walked = [texts]
        while page.next_cursor is not None:
            page = sessions.messages(id, before=page.next_cursor, turns=2)
            walked.insert(0, [message.content for message in page.items])
        assert list(chain.from_iterable(walked)) == [
            line.partition(": ")[2] for line in lines
        ]
        assert walked[0][:2] == ["s", "hi"]
        assert sessions.messages(id, turns=0).items == ()
        with pytest.raises(ValueError, match="turns"):
            sessions.messages(id, turns=-1)

    def test_a_page_stays_where_it_was(self, store: SessionStore) -> None:
        """New messages move nothing between pages."""
        sessions, id = self._begin(store)
        say(sessions, id, *(f"user: u{number}" for number in range(4)))
        page = sessions.messages(id, turns=2)
        say(sessions, id, "user: new", "user: newer")
        older = sessions.messages(id, before=page.next_cursor, turns=2)
        assert [message.content for message in older.items] == ["u0", "u1"]
        assert older.next_cursor is None
        other = sessions.create("other").id
        for cursor in ("", "x", "0", "é", f"{page.next_cursor}x"):
            with pytest.raises(InvalidCursorError):
                sessions.messages(id, before=cursor)
        with pytest.raises(InvalidCursorError):
            sessions.messages(other, before=page.next_cursor)

    def test_a_fork_is_a_copy(self, store: SessionStore) -> None:
        """Neither shows what happens to the other."""
        sessions, id = self._begin(store)
        sessions.update(id, title="T", metadata={"a": 1}, was_shared=True)
        say(sessions, id, "user: one")
        sessions.append(id, "assistant", "two", **_CALL)
        fork = sessions.fork(id)
        assert (fork.parent_session_id, fork.owner) == (id, ANA)
        assert fork.id != id
        assert fork.key != sessions.get(id).key
        assert (fork.title, fork.metadata, fork.was_shared) == ("T", {"a": 1}, True)
        assert fork.usage == sessions.get(id).usage
        say(sessions, id, "user: later")
        sessions.undo(fork.id, 1)
        assert told(sessions, id) == ["one", "two", "later"]
        assert told(sessions, fork.id) == []
        again = sessions.fork(id)
        sessions.delete(id)
        assert told(sessions, again.id) == ["one", "two", "later"]

    def test_undoing_takes_whole_turns(self, store: SessionStore) -> None:
        """For good: nothing of them is found."""
        sessions, id = self._begin(store)
        say(sessions, id, "assistant: hi", "user: heron", "assistant: noted", "user: x")
        assert sessions.undo(id, 0) == 0
        assert sessions.undo(id) == 1
        assert told(sessions, id) == ["hi", "heron", "noted"]
        assert len(sessions.search("heron")) == 1
        assert sessions.undo(id, 5) == 1
        assert told(sessions, id) == ["hi"]
        assert sessions.search("heron") == ()
        with pytest.raises(ValueError, match="turns"):
            sessions.undo(id, -1)

    def test_deleting_leaves_nothing(self, store: SessionStore) -> None:
        """Neither messages nor what a search knows; the key is free again."""
        sessions, id = self._begin(store)
        say(sessions, id, "user: heron")
        sessions.delete(id)
        for call in (sessions.get, sessions.messages, sessions.delete):
            with pytest.raises(SessionNotFoundError):
                call(id)
        assert sessions.search("heron") == ()
        assert sessions.list().items == ()
        assert sessions.create("k").id != id

    def test_writers_at_the_same_time_lose_nothing(self, store: SessionStore) -> None:
        """Every message is there once, each writer's in order."""
        sessions, id = self._begin(store)

        def write(number: int) -> None:
            for line in range(8):
                sessions.append(id, "user", f"{number}.{line}")

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(write, range(4)))
        said = told(sessions, id)
        for number in range(4):
            own = [text for text in said if text.startswith(f"{number}.")]
            assert own == [f"{number}.{line}" for line in range(8)]
        assert sessions.get(id).message_count == len(said) == 32
