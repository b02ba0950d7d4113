"""Laws of the session store."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
)
from typing_extensions import override

from ethos_memory.errors import MessageOrderError
from ethos_memory.sessions import ROLES, Message, transcript
from ethos_memory.words import terms
from session_store import START, Clock, open_store, walk

TEXTS = st.text(max_size=40)
OWNERS = ("user:ana", "user:ben")


class Store(RuleBasedStateMachine):
    """The store against lists of pairs: whatever is done, it says the same."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(Path(self.folder.name), clock=Clock())
        # Nobody pulls a plug here; the syncs only cost time.
        self.store._database._channels[0].connection.execute("PRAGMA synchronous = OFF")
        self.model: dict[str, tuple[str, list[tuple[str, str]]]] = {}

    @rule(target=sessions, owner=st.sampled_from(OWNERS), title=TEXTS)
    def create(self, owner: str, title: str) -> str:
        key = f"k{len(self.model)}-{len(title)}"
        id = self.store.for_owner(owner).create(key, title=title).id
        self.model.setdefault(id, (owner, []))
        return id

    @rule(id=sessions, role=st.sampled_from(ROLES), text=TEXTS)
    def append(self, id: str, role: str, text: str) -> None:
        owner, messages = self.model[id]
        last = messages[-1][0] if messages else ""
        try:
            self.store.for_owner(owner).append(id, role, text)
        except MessageOrderError:
            assert role == "tool_result"
            assert last not in {"assistant", "tool_result"}
        else:
            assert role != "tool_result" or last in {"assistant", "tool_result"}
            messages.append((role, text))

    @rule(target=sessions, id=sessions)
    def fork(self, id: str) -> str:
        owner, messages = self.model[id]
        fork = self.store.for_owner(owner).fork(id).id
        self.model[fork] = (owner, list(messages))
        return fork

    @rule(id=sessions, turns=st.integers(0, 3))
    def undo(self, id: str, turns: int) -> None:
        owner, messages = self.model[id]
        starts = [at for at, (role, _) in enumerate(messages) if role == "user"]
        gone = self.store.for_owner(owner).undo(id, turns)
        assert gone == min(turns, len(starts))
        if gone:
            del messages[starts[-gone] :]

    @rule(target=sessions, id=consumes(sessions))
    def delete(self, id: str) -> object:
        if id in self.model:
            self.store.for_owner(self.model.pop(id)[0]).delete(id)
        return multiple()

    @invariant()
    def every_page_size_shows_the_same(self) -> None:
        for id, (owner, messages) in self.model.items():
            sessions = self.store.for_owner(owner)
            wanted = [text for _, text in messages]
            for size in (1, 2, 50):
                pages = walk(sessions, id, size)
                assert [text for page in reversed(pages) for text in page] == wanted
            session = sessions.get(id)
            assert session.message_count == len(messages)
            assert session.turn_count == sum(role == "user" for role, _ in messages)
            assert session.created_at <= session.updated_at

    @invariant()
    def lists_show_each_owner_their_own(self) -> None:
        for owner in OWNERS:
            wanted = {id for id, (whose, _) in self.model.items() if whose == owner}
            listed = self.store.for_owner(owner).list(limit=1_000).items
            assert {session.id for session in listed} == wanted
            assert self.store.count_owner(owner) == len(wanted)

    @invariant()
    def every_term_of_a_message_finds_it(self) -> None:
        for id, (owner, messages) in self.model.items():
            sessions = self.store.for_owner(owner)
            for _, text in messages[-1:]:
                for term in terms(text)[:3]:
                    word = text[term.start : term.end]
                    hits = sessions.search(word, session_id=id, limit=1_000)
                    assert len(hits) >= bool(terms(word))

    @override
    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


TestStore = Store.TestCase
TestStore.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)

CALLS = st.lists(st.sampled_from(["a", "b", "c", None]), max_size=3)


def _call(id: str | None) -> dict[str, str]:
    return {"name": "x"} if id is None else {"name": "x", "id": id}


MESSAGES = st.lists(
    st.builds(
        lambda role, content, calls, answers: Message(
            "m",
            "s",
            role=role,
            content=content,
            at=START,
            tool_calls=tuple(map(_call, calls)) if role == "assistant" else None,
            tool_call_id=answers if role == "tool_result" else None,
        ),
        st.sampled_from(ROLES),
        st.sampled_from(["", "x"]),
        CALLS,
        st.sampled_from(["a", "b", "c", None]),
    ),
    max_size=12,
)


def _is_valid(messages: tuple[Message, ...]) -> bool:
    """Tell by the servers' rule: calls are answered at once, each one time."""
    waiting: list[str | None] = []
    for message in messages:
        if message.role == "tool_result":
            if message.tool_call_id not in waiting:
                return False
            waiting.remove(message.tool_call_id)
            continue
        if waiting:
            return False
        waiting = [call.get("id") for call in message.tool_calls or ()]
    return not waiting


@given(MESSAGES)
@settings(max_examples=200, deadline=None)
def test_a_transcript_is_valid_and_stable(messages: list[Message]) -> None:
    """It is valid, a part of the conversation in order, and its own transcript."""
    found = transcript(messages)
    assert _is_valid(found)
    assert transcript(found) == found
    if _is_valid(tuple(messages)):
        kept = [
            m for m in messages if m.tool_calls or m.content or m.role != "assistant"
        ]
        assert [m for m in found if m in kept] == kept
    spoken = [m.role for m in messages if m.role not in {"assistant", "tool_result"}]
    assert [
        m.role for m in found if m.role not in {"assistant", "tool_result"}
    ] == spoken


@given(st.text(max_size=60), st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_no_query_raises_whatever_is_stored(text: str, query: str) -> None:
    """Lone halves of characters, signs of query languages, NULs and all."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder), journal="delete") as store,
    ):
        sessions = store.for_owner("user:ana")
        id = sessions.create("k", title=text[:200]).id
        sessions.append(id, "user", text)
        for hit in sessions.search(query):
            assert hit.session_id == id
            assert 0 < hit.score <= 1
        sessions.list(query)
