"""The toolset in agents whose model is a function, through the host's own loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent, ToolFailed
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from typing_extensions import override

from adapters.racing import lost, race
from ethos_memory.adapters.pydantic_ai import MemoryToolset
from ethos_memory.entry import Add
from ethos_memory.turn import Turn
from tool_turns import ATTACK, CLI, DIRECT, OWNER, STRANGER, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

SCOPE = "personality:ops"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


class Scripted:
    """A model that makes the calls of its script, then ends.

    Attributes:
        offered: The tools it was offered, for each request.
        answers: What the tools said, with the host's word for how it went.
    """

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = list(calls)
        self.offered: list[list[str]] = []
        self.answers: list[tuple[str, str]] = []

    def __call__(self, messages: Any, info: Any) -> ModelResponse:
        self.offered.append([tool.name for tool in info.function_tools])
        self.answers += [
            (str(part.content), part.outcome)
            for part in messages[-1].parts
            if isinstance(part, ToolReturnPart)
        ]
        if not self.calls:
            return ModelResponse(parts=[TextPart("done")])
        name, given = self.calls.pop(0)
        return ModelResponse(parts=[ToolCallPart(name, given)])


def run(toolset: MemoryToolset, script: Scripted, deps: Any = None) -> Scripted:
    """Run an agent with the toolset to its end."""
    agent: Any = Agent(FunctionModel(script), toolsets=[toolset], deps_type=object)
    assert asyncio.run(agent.run("go", deps=deps)).output == "done"
    return script


def write(action: str, content: str) -> tuple[str, dict[str, Any]]:
    """Return a call that writes the memory."""
    given = {"store": "memory", "action": action, "content": content}
    return "memory_write", given


def test_an_agent_writes_and_reads(memory: Memory) -> None:
    """With the tools of the turn."""
    script = run(
        MemoryToolset(memory, CLI, team="crew"),
        Scripted(write("add", "- bees"), ("memory_read", {})),
    )
    assert script.answers == [
        ("Appended to MEMORY.md: 0 -> 7 bytes.", "success"),
        ("## Memory\n\n- bees", "success"),
    ]
    assert script.offered[0][:3] == ["memory_read", "memory_write", "memory_search"]
    assert "team_memory_read" in script.offered[0]


def test_what_is_refused_is_read_and_the_run_goes_on(memory: Memory) -> None:
    """However often it happens."""
    calls = [write("add", f"- {ATTACK}")] * 4 + [write("remove", "absent")]
    script = run(MemoryToolset(memory, CLI), Scripted(*calls))
    assert [outcome for _, outcome in script.answers] == ["failed"] * 5
    assert not any(ATTACK in text for text, _ in script.answers)
    assert memory.provider.list(SCOPE) == ()


def test_each_run_has_its_own_turn(memory: Memory) -> None:
    """The dependencies say whose; a model that asks for more gets nothing."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    toolset = MemoryToolset(memory, lambda ctx: ctx.deps, id="memory")
    assert toolset.id == "memory"
    read = ("memory_read", {"store": "memory"})
    owner = run(toolset, Scripted(read), DIRECT)
    assert owner.answers == [("NOTES", "success")]
    guest = run(toolset, Scripted(read), STRANGER)
    assert guest.offered[0] == ["memory_read", "memory_write"]
    assert guest.answers[0][1] == "failed"
    assert "NOTES" not in guest.answers[0][0]
    shared = Turn("ops", "group", account=OWNER, user_id="u1", chat_id="-9")
    assert run(toolset, Scripted(), shared).offered == [[]]


def test_a_run_replaces_nothing_that_its_model_has_not_seen(memory: Memory) -> None:
    """What it read in one step counts in the next, and in no other run."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "- old")])
    toolset = MemoryToolset(memory, CLI)

    class Late(Scripted):
        @override
        def __call__(self, messages: Any, info: Any) -> ModelResponse:
            if len(self.calls) == 1:
                memory.provider.sync(SCOPE, [Add("MEMORY.md", "- LATE")])
            return super().__call__(messages, info)

    script = run(toolset, Late(("memory_read", {}), write("replace", "- new")))
    assert script.answers[1][1] == "failed"
    assert "read it again" in script.answers[1][0]
    fresh = run(toolset, Scripted(write("replace", "- new")))
    assert fresh.answers[0][1] == "success"


def test_a_toolset_outside_a_run_keeps_nobody(memory: Memory) -> None:
    """A host may call it by itself: the function is asked each time."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    turns = [STRANGER, DIRECT]
    toolset = MemoryToolset(memory, lambda _: turns.pop(0))
    nothing: Any = None

    async def ask() -> tuple[list[str], list[str]]:
        first = await toolset.get_tools(nothing)
        second = await toolset.get_tools(nothing)
        return list(first), list(second)

    first, second = asyncio.run(ask())
    assert first == ["memory_read", "memory_write"]
    assert "memory_search" in second


def test_a_tool_that_is_not_offered_is_not_called(memory: Memory) -> None:
    """Whoever asks for it."""
    nothing: Any = None
    toolset = MemoryToolset(memory, STRANGER)
    with pytest.raises(ToolFailed):
        asyncio.run(toolset.call_tool("memory_search", {}, nothing, nothing))


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred notes each, each writer with its own toolset."""
    body = """
import asyncio
from ethos_memory.adapters.pydantic_ai import MemoryToolset
from tool_turns import CLI, open_memory
toolset = MemoryToolset(open_memory(home), CLI)
def write(text):
    given = dict(store="memory", action="add", content=text)
    asyncio.run(toolset.call_tool("memory_write", given, None, None))
"""
    race(tmp_path / "home", body)
    with open_memory(tmp_path / "home") as memory:
        entry = memory.provider.read(SCOPE, "MEMORY.md")
    assert entry is not None
    assert lost(entry.content) == []
    assert len(entry.content.split()) == 400
