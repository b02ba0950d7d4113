"""B03 through the tool: "add one fact" does not wipe the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Replace
from tool_turns import STRANGER, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer

PAGE = (Path(__file__).parent / "files" / "02-user-template.md").read_bytes().decode()
FACT = "- Timezone: Europe/Madrid"
SCOPE = "user:u2"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home with the long page."""
    with open_memory(tmp_path / "home") as memory:
        memory.provider.sync(SCOPE, [Replace("USER.md", PAGE)])
        yield memory


def replaced(memory: Memory, content: str) -> ToolAnswer:
    """Replace the page as a model does."""
    return call(
        memory,
        STRANGER,
        "memory_write",
        store="user",
        action="replace",
        content=content,
    )


def stored(memory: Memory) -> str:
    """Return the page as it is."""
    entry = memory.provider.unsafe_read(SCOPE, "USER.md")
    assert entry is not None
    return entry.content


@pytest.mark.parametrize(
    "promise",
    [
        "[... rest of the file unchanged ...]",
        "# ... existing content ...",
        "<!-- rest unchanged -->",
        "(previous entries omitted)",
    ],
)
def test_a_promise_is_refused_and_the_page_is_whole(
    memory: Memory, promise: str
) -> None:
    """With words that say what to do instead."""
    before = stored(memory)
    answer = replaced(memory, f"{FACT}\n\n{promise}")
    assert answer.error == "input_invalid"
    assert "promises the rest" in answer.text
    assert stored(memory) == before


def test_a_large_shrink_names_both_sizes_and_can_be_undone(memory: Memory) -> None:
    """Overwriting is allowed; it is never the end of the old text."""
    before = stored(memory)
    answer = replaced(memory, FACT)
    assert answer.error is None
    size = len(before.encode())
    assert f"{size} -> {len(FACT) + 1} bytes" in answer.text
    assert "% of the page" in answer.text
    assert stored(memory) == f"{FACT}\n"
    kept = [change.content for change in memory.provider.history(SCOPE, "USER.md")]
    assert before in kept


def test_white_space_does_not_clear_the_page(memory: Memory) -> None:
    """It is refused."""
    before = stored(memory)
    assert replaced(memory, "   \n").error == "input_invalid"
    assert stored(memory) == before
