"""The session of the OpenAI Agents SDK: what its protocol says, and nothing lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("agents")

from agents import Agent, RunConfig, Runner, SessionSettings
from agents.items import ModelResponse
from agents.memory import Session
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from adapters.racing import lost, race
from ethos_memory.adapters import openai_agents as adapter
from ethos_memory.adapters.openai_agents import MemorySession
from ethos_memory.errors import SessionNotFoundError
from session_store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions, SQLiteSessionStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteSessionStore]:
    """A store that is not there yet."""
    with open_store(tmp_path) as store:
        yield store


@pytest.fixture
def sessions(store: SQLiteSessionStore) -> Sessions:
    """One owner's conversations."""
    return store.for_owner("user:u1")


@pytest.fixture
def session(sessions: Sessions) -> MemorySession:
    """An empty session."""
    return MemorySession("chat", sessions)


def said(number: int, role: str = "user") -> Any:
    """Return a message."""
    return {"role": role, "content": f"text {number}"}


CALL: Any = {
    "type": "function_call",
    "call_id": "c1",
    "name": "look",
    "arguments": '{"x": 1.0, "y": "ñ\\ud83d\\ude00"}',
}
OUTPUT: Any = {"type": "function_call_output", "call_id": "c1", "output": "found"}
PARTS: Any = {
    "role": "assistant",
    "type": "message",
    "content": [{"type": "output_text", "text": "hi"}, {"type": "refusal"}, 5],
}


def add(session: MemorySession, *items: Any) -> None:
    """Add items."""
    asyncio.run(session.add_items(list(items)))


def items(session: MemorySession, limit: int | None = None) -> list[Any]:
    """Return the items."""
    found: list[Any] = list(asyncio.run(session.get_items(limit)))
    return found


def pop(session: MemorySession) -> Any:
    """Pop an item."""
    return asyncio.run(session.pop_item())


def test_it_is_the_hosts_session(session: MemorySession) -> None:
    """By the host's own protocol."""
    assert isinstance(session, Session)
    assert session.session_id == "chat"
    assert items(session) == []
    assert pop(session) is None


def test_items_come_back_as_they_were(session: MemorySession) -> None:
    """Calls, outputs, parts, and an output whose call is nowhere."""
    every = [said(1), CALL, OUTPUT, PARTS, said(2, "developer"), OUTPUT, {"type": "x"}]
    add(session, *every)
    add(session)
    assert items(session) == every
    assert items(MemorySession("other", session._sessions)) == []


def test_the_newest_are_given_in_order(sessions: Sessions) -> None:
    """By the call's limit, or the settings', over any number of pages."""
    session = MemorySession("chat", sessions, session_settings=SessionSettings(limit=3))
    every = [said(number) for number in range(120)]
    add(session, *every)
    assert items(session) == every[-3:]
    assert items(session, 60) == every[-60:]
    assert items(session, 500) == every
    assert items(session, 0) == items(session, -1) == []
    assert items(MemorySession("chat", sessions)) == every


def test_popping_takes_back_the_newest(session: MemorySession) -> None:
    """Between additions, down to nothing, and nothing is below that."""
    add(session, said(1), CALL, OUTPUT)
    assert [pop(session), pop(session)] == [OUTPUT, CALL]
    add(session, said(2, "assistant"), said(3))
    assert items(session) == [said(1), said(2, "assistant"), said(3)]
    assert items(session, 1) == [said(3)]
    assert pop(session) == said(3)
    assert pop(session) == said(2, "assistant")
    assert pop(session) == said(1)
    assert pop(session) is None
    assert items(session) == []
    add(session, said(4))
    assert items(session) == [said(4)]


def test_two_that_pop_at_once_get_two_items(session: MemorySession) -> None:
    """Each mark takes what stood before it."""
    add(session, *(said(number) for number in range(8)))

    async def pop_all() -> list[Any]:
        return list(await asyncio.gather(*(session.pop_item() for _ in range(10))))

    got = asyncio.run(pop_all())
    texts = sorted(item["content"] for item in got if item is not None)
    assert texts == [f"text {number}" for number in range(8)]
    add(session, said(9))
    assert items(session) == [said(9)]


def test_clearing_begins_anew(session: MemorySession, sessions: Sessions) -> None:
    """What was popped goes as well, and clearing twice is fine."""
    add(session, said(1), said(2))
    pop(session)
    asyncio.run(session.clear_session())
    asyncio.run(session.clear_session())
    assert sessions.search("text") == ()
    assert items(session) == []
    add(session, said(3))
    assert items(session) == [said(3)]


def test_what_is_said_is_found_and_stays_with_its_owner(
    store: SQLiteSessionStore, session: MemorySession
) -> None:
    """Another owner's session of the same name is another one."""
    add(session, said(1), PARTS, OUTPUT)
    other = MemorySession("chat", store.for_owner("user:u2"))
    assert items(other) == []
    own = store.for_owner("user:u1")
    assert [hit.snippet for hit in own.search("found")] == ["found"]
    (listed,) = own.list().items
    roles = [one.role for one in own.messages(listed.id).items]
    assert roles == ["user", "assistant", "tool_result"]


def test_messages_of_the_host_are_items(
    session: MemorySession, sessions: Sessions
) -> None:
    """But for tool results, whose call the SDK does not know."""
    id = sessions.create("chat").id
    sessions.append(id, "user", "hello", content_blocks=["a block of another kind"])
    sessions.append(id, "assistant", "look")
    sessions.append(id, "tool_result", "seen")
    assert items(session) == [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "look"},
    ]


def test_a_session_that_is_cleared_meanwhile_is_begun_anew(
    session: MemorySession, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it ends when that never stops; a clearing that comes second is fine."""
    real, left = session._id, [2]

    def cleared() -> str:
        id = real()
        if left[0]:
            left[0] -= 1
            sessions.delete(id)
        return id

    monkeypatch.setattr(session, "_id", cleared)
    add(session, said(1))
    assert items(session) == [said(1)]
    left[0] = 1
    asyncio.run(session.clear_session())
    monkeypatch.setattr(adapter, "_MOST_ROUNDS", 3)
    left[0] = 99
    with pytest.raises(SessionNotFoundError):
        add(session, said(2))


class Echo(Model):  # type: ignore[misc, unused-ignore]  # unknown without the host
    """A model that says how much it was given."""

    async def get_response(self, *given: Any, **more: Any) -> ModelResponse:
        """Answer with the number of items."""
        history = more.get("input", given[1] if len(given) > 1 else [])
        text = ResponseOutputText(
            text=f"{len(history)} items", type="output_text", annotations=[]
        )
        message = ResponseOutputMessage(
            id="m",
            type="message",
            role="assistant",
            status="completed",
            content=[text],
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **more: Any) -> Any:
        """Nobody streams here."""
        raise NotImplementedError


def test_an_agent_remembers_the_turn_before(session: MemorySession) -> None:
    """Through the host's own runner."""
    agent = Agent(name="a", model=Echo())
    config = RunConfig(tracing_disabled=True)

    async def talk(text: str) -> str:
        result = await Runner.run(agent, text, session=session, run_config=config)
        return str(result.final_output)

    assert asyncio.run(talk("hello")) == "1 items"
    assert asyncio.run(talk("again")) == "3 items"
    assert len(items(session)) == 4


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred items each in one session."""
    body = """
import asyncio
from pathlib import Path
from ethos_memory.adapters.openai_agents import MemorySession
from session_store import open_store
session = MemorySession("chat", open_store(Path(home)).for_owner("user:u1"))
def write(text):
    asyncio.run(session.add_items([dict(role="user", content=text)]))
"""
    open_store(tmp_path).close()
    race(tmp_path, body)
    with open_store(tmp_path) as store:
        found = items(MemorySession("chat", store.for_owner("user:u1")))
    assert lost(" ".join(item["content"] for item in found)) == []
    assert len(found) == 400
