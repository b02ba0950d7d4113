"""Anthropic's memory tool: the host dispatches, the pages answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("anthropic")

from anthropic.lib.tools import ToolError
from anthropic.types import beta

from adapters.racing import lost, race
from ethos_memory.adapters.anthropic import AsyncMemoryTool, MemoryTool
from ethos_memory.entry import Add, Replace
from ethos_memory.turn import Turn
from tool_turns import ATTACK, CLI, OWNER, SECRET, STRANGER, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

    Call = Callable[[Turn, dict[str, Any]], str]

SCOPE = "personality:ops"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, memory: Memory) -> Call:
    """Call the tool as the host's runner does, with what a model sent."""

    def sync(turn: Turn, command: dict[str, Any]) -> str:
        answer = MemoryTool(memory, turn).call(command)
        assert isinstance(answer, str)
        return answer

    def awaited(turn: Turn, command: dict[str, Any]) -> str:
        answer = asyncio.run(AsyncMemoryTool(memory, turn).call(command))
        assert isinstance(answer, str)
        return answer

    return sync if request.param == "sync" else awaited


def file(command: str, path: str = "/memories/a.md", **more: Any) -> dict[str, Any]:
    """Return a command as a model sends it."""
    return {"command": command, "path": path, **more}


def test_it_is_the_tool_that_models_know(memory: Memory) -> None:
    """With the host's cache control."""
    cache: Any = {"type": "ephemeral"}
    for tool in (MemoryTool, AsyncMemoryTool):
        assert tool(memory, CLI, cache_control=cache).to_dict() == {
            "type": "memory_20250818",
            "name": "memory",
            "cache_control": cache,
        }


@pytest.mark.parametrize("is_sync", [True, False])
def test_each_command_is_a_method(memory: Memory, is_sync: bool) -> None:
    """As the host's own tool has them."""
    moved = {"old_path": "/memories/a.md", "new_path": "/memories/b.md"}
    commands: list[dict[str, Any]] = [
        file("create", file_text="one"),
        file("view"),
        file("str_replace", old_str="one", new_str="two"),
        file("insert", insert_line=1, insert_text="three"),
        {"command": "rename", **moved},
        file("delete", "/memories/b.md"),
    ]
    said = []
    for given in commands:
        name = given["command"]
        kind = f"BetaMemoryTool20250818{name.title().replace('_', '')}Command"
        command = getattr(beta, kind)(**given)
        tool = MemoryTool(memory, CLI) if is_sync else AsyncMemoryTool(memory, CLI)
        answer = getattr(tool, name)(command)
        said.append(answer if is_sync else asyncio.run(answer))
    assert [text.split("\n")[0] for text in said] == [
        "File created successfully at: /memories/a.md",
        "Here's the content of /memories/a.md with line numbers:",
        (
            "The memory file has been edited. Here is the snippet showing the change "
            "(with line numbers):"
        ),
        "The file /memories/a.md has been edited.",
        "Successfully renamed /memories/a.md to /memories/b.md",
        "Successfully deleted /memories/b.md",
    ]


def test_the_six_commands_work(memory: Memory, call: Call) -> None:
    """Through the host's own parsing."""
    assert call(CLI, file("create", file_text="one\ntwo")).endswith(
        "at: /memories/a.md"
    )
    assert call(CLI, file("view", view_range=[2, 2])).endswith("     2\ttwo")
    call(CLI, file("str_replace", old_str="two", new_str="three"))
    call(CLI, file("insert", insert_line=0, insert_text="zero"))
    rename = {"command": "rename", "old_path": "/memories/a.md"}
    call(CLI, {**rename, "new_path": "/memories/b/c.txt"})
    entry = memory.provider.read(SCOPE, "b--c.txt.md")
    assert entry is not None
    assert entry.content == "zero\none\nthree\n"
    assert "/memories/b/c.txt" in call(CLI, file("view", "/memories"))
    call(CLI, file("delete", "/memories/b"))
    assert memory.provider.list(SCOPE) == ()


@pytest.mark.parametrize(
    "command",
    [
        file("create", file_text="again"),
        file("create", "/memories/b.md", file_text=f"- {ATTACK}"),
        file("create", "/memories/../b.md", file_text="x"),
        file("create", "/etc/b.md", file_text="x"),
        file("create", "/memories/b.md"),
        file("str_replace", old_str="absent", new_str="x"),
        file("insert", insert_line=9, insert_text="x"),
        file("insert", insert_line="first", insert_text="x"),
        file("delete", "/memories"),
        file("view", "/memories/none.md"),
        file("format"),
        {},
    ],
)
def test_what_is_not_done_is_the_hosts_tool_error(
    memory: Memory, call: Call, command: dict[str, Any]
) -> None:
    """So that the model reads why; the text itself is in no error."""
    memory.provider.sync(SCOPE, [Add("a.md", "one")])
    with pytest.raises(ToolError) as caught:
        call(CLI, command)
    assert str(caught.value.content)
    assert ATTACK not in str(caught.value)
    assert [ref.key for ref in memory.provider.list(SCOPE)] == ["a.md"]


def test_a_stranger_and_a_shared_room(memory: Memory, call: Call) -> None:
    """One file, and none."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    shared = Turn("ops", "group", account=OWNER, user_id="u1", chat_id="-9")
    for turn in (STRANGER, shared):
        with pytest.raises(ToolError, match=r"available|does not exist"):
            call(turn, file("view", "/memories/MEMORY.md"))
    with pytest.raises(ToolError, match="not available"):
        call(shared, file("view", "/memories"))
    call(STRANGER, file("create", "/memories/USER.md", file_text="mine"))
    assert memory.provider.read("user:u2", "USER.md") is not None


def test_credentials_never_come_out(memory: Memory, call: Call) -> None:
    """Whoever put them there."""
    memory.provider._inner.sync(SCOPE, [Replace("a.md", f"key {SECRET}")])
    assert SECRET not in call(CLI, file("view"))


@pytest.mark.parametrize("is_sync", [True, False])
def test_a_host_clears_a_turns_files(memory: Memory, is_sync: bool) -> None:
    """A model has no such command, and a turn without tools no files."""
    memory.provider.sync(SCOPE, [Add("a.md", "one")])

    def clear(turn: Turn) -> object:
        if is_sync:
            return MemoryTool(memory, turn).clear_all_memory()
        return asyncio.run(AsyncMemoryTool(memory, turn).clear_all_memory())

    with pytest.raises(ToolError):
        clear(Turn("ops", "group"))
    assert clear(CLI) == "All memory cleared"
    assert memory.provider.list(SCOPE) == ()


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred lines each into one file."""
    body = """
from ethos_memory.adapters.anthropic import MemoryTool
from tool_turns import CLI, open_memory
tool = MemoryTool(open_memory(home), CLI)
def write(text):
    tool.call({"command": "insert", "path": "/memories/a.md",
               "insert_line": 0, "insert_text": text})
"""
    with open_memory(tmp_path / "home") as memory:
        MemoryTool(memory, CLI).call(file("create", file_text="start"))
        race(tmp_path / "home", body)
        entry = memory.provider.read(SCOPE, "a.md")
    assert entry is not None
    assert lost(entry.content) == []
    assert len(entry.content.split()) == 401
