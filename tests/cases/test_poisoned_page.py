"""A line that is withheld stops no model from changing the rest of the page.

Whatever keeps the pages: the line stays, out of reach, and so does every byte that was
not meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Replace
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.providers.vault import VaultProvider
from ethos_memory.tools import Files
from tool_turns import ATTACK, CLI, SECRET, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory
    from ethos_memory.provider import MemoryProvider

SCOPE = "personality:ops"
HEAD = "---\ntags: [a]\n---\n"
BODY = f"# A \r\n\n- mine\n- wrong  \n- {ATTACK}\r\n- key {SECRET}\n\n\n- last"


@pytest.fixture(params=["markdown", "vault", "transient"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A home of each kind."""
    home = tmp_path / "home"
    kinds: dict[str, Callable[[], MemoryProvider | None]] = {
        "markdown": lambda: None,
        "vault": lambda: VaultProvider(tmp_path, agent_dir="Agent"),
        "transient": TransientProvider,
    }
    with open_memory(home, provider=kinds[request.param]()) as memory:
        yield memory


def content(memory: Memory, key: str = "MEMORY.md") -> str:
    """Return a page as it is."""
    entry = memory.provider.unsafe_read(SCOPE, key)
    return "" if entry is None else entry.content


def by_hand(memory: Memory, text: str) -> None:
    """Put a page there as an editor outside does."""
    memory.provider._inner.sync(SCOPE, [Replace("MEMORY.md", text, exact=True)])


@pytest.mark.parametrize("head", ["", "\ufeff", HEAD])
def test_the_rest_of_the_page_can_be_changed(memory: Memory, head: str) -> None:
    """By removing an entry, by replacing words, by putting a line in, by renaming."""
    by_hand(memory, head + BODY)
    removed = call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="remove",
        substring_match="wrong",
    )
    assert removed.error is None
    text = head + BODY.replace("- wrong  \n", "")
    assert content(memory) == text
    files, path = Files(memory, CLI), "/memories/MEMORY.md"
    words = {"old_str": "- mine", "new_str": "- yours"}
    assert files.run({"command": "str_replace", "path": path, **words}).error is None
    text = text.replace("mine", "yours")
    assert content(memory) == text
    at = {"insert_line": 0, "insert_text": "x"}
    if head != HEAD:
        assert files.run({"command": "insert", "path": path, **at}).error is None
        text = f"{head}x\n{text.removeprefix(head)}"
    names = {"old_path": path, "new_path": "/memories/b.md"}
    assert files.run({"command": "rename", **names}).error is None
    assert content(memory, "b.md") == text
    shown = memory.provider.read(SCOPE, "b.md")
    assert shown is not None
    assert ATTACK not in shown.content
    assert SECRET not in shown.content


def test_every_state_stands_in_the_history(memory: Memory) -> None:
    """A change by the careful door is undone as any other."""
    by_hand(memory, BODY)
    call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="remove",
        substring_match="last",
    )
    newest, before = memory.provider.history(SCOPE, "MEMORY.md")[:2]
    assert newest.actions == ("replace",)
    assert (newest.content, before.content) == (content(memory), BODY)
    assert newest.source == "tool"
