"""W-27 of Ethos: the prompt read one provider, tools and dashboard wrote another.

With a provider of a personality's own, everything that reaches the personality's memory
reaches that provider and no other; a person's memory stays the home's.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.aio import AsyncMemory
from ethos_memory.cli import main
from ethos_memory.dashboard import Dashboard
from ethos_memory.entry import Add, Replace
from ethos_memory.memory import Memory
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.undoing import undo
from ethos_memory.turn import Account, Turn
from tool_turns import call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CLI = Turn("ops", "cli")
DIRECT = Turn("ops", "direct", account=Account("telegram", 1))
SCOPE = "personality:ops"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home whose personality has a vault of its own."""
    folder = tmp_path / "home/personalities/ops"
    folder.mkdir(parents=True)
    (tmp_path / "vault").mkdir()
    (folder / "config.yaml").write_text(
        f"memory.provider: vault\nmemory.options.path: {tmp_path}/vault\n"
    )
    return tmp_path / "home"


@pytest.fixture
def own(tmp_path: Path) -> MarkdownProvider:
    """Return what lies in the vault, seen without the library's routing."""
    return MarkdownProvider(tmp_path / "vault/Ethos")


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """Return the home, opened."""
    with Memory.open(home, durability="fast") as memory:
        yield memory
    left = {path.name for path in (home / "personalities/ops").iterdir()}
    assert left == {"config.yaml"}


def text(provider: MarkdownProvider, key: str) -> str:
    """Return a page of the personality, which must be there."""
    entry = provider.read(SCOPE, key)
    assert entry is not None
    return entry.content


def test_prompt_and_tools_reach_the_same(memory: Memory, own: MarkdownProvider) -> None:
    memory.remember(CLI, Add("MEMORY.md", "- two hives"))
    call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="add",
        content="- three bees",
    )
    assert "two hives" in text(own, "MEMORY.md")
    assert "three bees" in text(own, "MEMORY.md")
    block = memory.recall(CLI).block
    assert "two hives" in block
    assert "three bees" in block
    assert "three bees" in call(memory, CLI, "memory_read", key="MEMORY.md").text
    assert "MEMORY.md" in call(memory, CLI, "memory_search", query="hives").text


def test_what_is_learned_is_kept_where_the_prompt_looks(
    memory: Memory, own: MarkdownProvider
) -> None:
    """A turn without a person teaches the personality's own copy."""
    assert memory.observe(CLI, "Please keep it short. I prefer bullet points.")
    assert "OBSERVATIONS.md" in {ref.key for ref in own.list(SCOPE)}
    for number in range(6):
        memory.note(CLI, f"- User prefers format number {number}.")
    assert memory.synthesize(SCOPE)
    assert "# User Identity" in text(own, "IDENTITY.md")
    assert text(own, "IDENTITY.md").splitlines()[0] in memory.recall(CLI).block


def test_the_dashboard_shows_and_writes_it(
    memory: Memory, own: MarkdownProvider
) -> None:
    board = Dashboard.unsafe_everyone(memory).memory
    memory.remember(CLI, Add("MEMORY.md", "- two hives"))
    assert "two hives" in board.get("memory", "ops").content
    board.write("memory", "ops", content="- four hives")
    assert text(own, "MEMORY.md") == "- four hives\n"
    assert "four hives" in memory.recall(CLI).block
    assert {page.store for page in board.list("ops")} == {"memory", "user"}


def test_the_history_is_that_of_the_page(memory: Memory, own: MarkdownProvider) -> None:
    """It is shown, restored and undone there."""
    memory.remember(CLI, Add("MEMORY.md", "- two hives"))
    first = memory.provider.read(SCOPE, "MEMORY.md")
    assert first is not None
    memory.remember(CLI, Replace("MEMORY.md", "- none"))
    assert len(memory.provider.history(SCOPE, "MEMORY.md")) == 2
    memory.provider.restore(SCOPE, "MEMORY.md", first.revision)
    assert text(own, "MEMORY.md") == "- two hives\n"
    undo(memory.provider, SCOPE, "MEMORY.md")
    assert text(own, "MEMORY.md") == "- none\n"
    assert memory.provider.erase(SCOPE).files
    assert own.list(SCOPE) == ()


def test_a_person_is_held_exported_and_forgotten_in_the_home(
    memory: Memory, home: Path, own: MarkdownProvider, tmp_path: Path
) -> None:
    memory.remember(DIRECT, Add("USER.md", "- likes tea"))
    memory.remember(DIRECT, Add("MEMORY.md", "- two hives"))
    user_id = memory.identity_map.resolve("telegram", 1)
    assert (home / "users" / user_id / "USER.md").exists()
    assert own.list(f"user:{user_id}") == ()
    memory.export(user_id, tmp_path / "out")
    exported = (tmp_path / "out" / user_id / "pages/USER.md").read_text()
    assert exported == "- likes tea\n"
    assert memory.forget(user_id)
    assert not (home / "users" / user_id / "USER.md").exists()
    assert "two hives" in text(own, "MEMORY.md")


async def asked(memory: AsyncMemory, turn: Turn) -> Any:
    """Recall in another thread."""
    await memory.remember(turn, Add("MEMORY.md", "- five hives"))
    return await memory.recall(turn)


def test_the_command_line_and_async_code_reach_it(
    memory: Memory,
    home: Path,
    own: MarkdownProvider,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Another process opens the same home and finds the same."""
    recall = asyncio.run(asked(AsyncMemory(memory), CLI))
    assert "five hives" in recall.block
    assert "five hives" in text(own, "MEMORY.md")
    assert main(["--root", str(home), "show", SCOPE, "MEMORY.md"]) == 0
    assert "five hives" in capsys.readouterr().out
