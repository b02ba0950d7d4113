"""B04 through the tool: one entry goes, or nothing, and the answer says which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Replace
from ethos_memory.guard import GuardPolicy, InjectionGuard
from tool_turns import CLI, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer

FILES = Path(__file__).parent / "files"
SCOPE = "personality:ops"


def page(number: str) -> str:
    """Return one of the case's files."""
    (path,) = FILES.glob(f"{number}-*.md")
    return path.read_bytes().decode()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home without pages, whose owner accepted what the guard says of the files."""
    guard = InjectionGuard()
    verdicts = [guard.screen(page(number), SCOPE) for number in ("01", "08")]
    prints = tuple(one.fingerprint for verdict in verdicts for one in verdict.findings)
    accepting = InjectionGuard(GuardPolicy(accepted=prints))
    with open_memory(tmp_path / "home", guard=accepting) as memory:
        yield memory


def removed(memory: Memory, number: str, needle: str) -> tuple[ToolAnswer, str, str]:
    """Remove from a file as a model does; return the answer and the page twice."""
    memory.provider.sync(SCOPE, [Replace("MEMORY.md", page(number))])
    before = memory.provider.unsafe_read(SCOPE, "MEMORY.md")
    answer = call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="remove",
        substring_match=needle,
    )
    after = memory.provider.unsafe_read(SCOPE, "MEMORY.md")
    assert before is not None
    assert after is not None
    history = memory.provider.history(SCOPE, "MEMORY.md")
    assert before.content in [change.content for change in history]
    assert history[0].revision == after.revision
    return answer, before.content, after.content


@pytest.mark.parametrize(
    ("number", "needle", "count", "gone"),
    [
        ("01", "test", "one entry (1 line)", "§\ntest\n"),
        ("01", "Prefers short status lines", "2 copies of one entry (2 lines)", ""),
        ("08", "I like tea", "one entry (1 line)", "I like tea\n"),
        ("08", "Coffee", "one entry (5 lines)", ""),
        ("08", "| tea | green |", "one entry (1 line)", "| tea | green |\n"),
    ],
)
def test_one_entry_goes_and_is_counted(
    memory: Memory, number: str, needle: str, count: str, gone: str
) -> None:
    """The rest keeps its bytes."""
    answer, before, after = removed(memory, number, needle)
    assert answer.error is None
    assert answer.text.startswith(f"Removed {count} from MEMORY.md: ")
    assert f"{len(before.encode())} -> {len(after.encode())} bytes" in answer.text
    assert "§\n§" not in after
    if gone:
        assert after == before.replace(gone, "", 1)


@pytest.mark.parametrize(
    ("number", "needle"),
    [
        ("01", "Release routine: tag -> CI"),
        ("01", "e"),
        *(("08", needle) for needle in ("", " ", "-", "#", "|", "§", "not there")),
    ],
)
def test_nothing_goes_and_never_reads_as_success(
    memory: Memory, number: str, needle: str
) -> None:
    """The page is the same, byte for byte."""
    answer, before, after = removed(memory, number, needle)
    assert answer.error == "input_invalid"
    assert "Removed" not in answer.text
    assert after == before


def test_a_fence_is_never_cut_open(memory: Memory) -> None:
    """What looks like a heading inside it belongs to it."""
    answer, before, after = removed(memory, "08", "## Installation")
    assert after.count("```") % 2 == before.count("```") % 2
    assert (after == before) is (answer.error is not None)


def test_what_may_be_meant_is_listed(memory: Memory) -> None:
    """Several entries, or the one that nearly matches."""
    several, _, _ = removed(memory, "01", "e")
    assert several.text.count("\n- ") > 1
    near, _, _ = removed(memory, "01", "Release routine: tag -> CI")
    assert "\n- Release routine" in near.text
