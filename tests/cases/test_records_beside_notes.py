"""What a host keeps for the operator must not be read by a guest of a private room.

Where no person is named, on the command line, records lie in the personality's own scope,
beside notes that everybody in a private room may read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.tools import Files
from ethos_memory.tools.record_cache import RecordCache
from ethos_memory.tools.record_page import page_of
from ethos_memory.tools.records import Records
from tool_turns import CLI, IN_ROOM, by_name, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory
    from ethos_memory.tools.records import Name
    from ethos_memory.turn import Turn

GUEST = IN_ROOM
NAME = (("me",), "wage")
PAGE = page_of(*NAME)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home in which the operator's graph has kept something."""
    with open_memory(tmp_path / "home") as memory:
        records = Records(memory, CLI, RecordCache())
        records.write(records.prepare({NAME: {"said": "zorkmids, twelve"}}))
        assert memory.view(GUEST).memory == memory.view(CLI).memory
        yield memory


@pytest.mark.parametrize("turn", [GUEST, CLI])
def test_no_tool_reads_a_record(memory: Memory, turn: Turn) -> None:
    """Records are the store's alone; nobody's page by name, search or list."""
    tools = by_name(memory, turn)
    assert tools["memory_search"].run({"query": "zorkmids"}).text == "Nothing found."
    assert tools["memory_read"].run({"key": PAGE}).error == "not_available"
    assert memory.recall(turn, "zorkmids").block == ""
    files = Files(memory, turn)
    assert files.paths() == ()
    assert files.text(f"/memories/{PAGE}").error == "not_available"


def test_no_tool_writes_or_takes_a_record(memory: Memory) -> None:
    """The operator's graph would take it for its own."""
    files = Files(memory, GUEST)
    path = f"/memories/{PAGE}"
    edit = {"command": "str_replace", "path": path, "old_str": "twelve"}
    assert files.run(edit).error is not None
    made = {"command": "create", "path": f"/memories/{page_of((), 'x')}"}
    assert files.run({**made, "file_text": "x"}).error == "not_available"
    assert files.run({"command": "delete", "path": path}).error is not None
    assert files.clear().error is None
    found = Records(memory, CLI, RecordCache()).find(NAME)
    assert found is not None
    assert found.value == {"said": "zorkmids, twelve"}


def test_how_much_is_found_does_not_tell_what_else_matches(memory: Memory) -> None:
    """However many records rank before a note."""
    records = Records(memory, CLI, RecordCache())
    many: dict[Name, dict[str, str]] = {
        ((), f"{number}"): {"said": "wiki"} for number in range(20)
    }
    records.write(records.prepare(many))
    long = "the wiki is down, " + "and then there was something else to say " * 20
    for key in ("a.md", "b.md"):
        memory.provider.sync("personality:ops", [Add(key, long)])
    search = by_name(memory, GUEST)["memory_search"]
    for limit in (1, 2):
        found = search.run({"query": "wiki", "limit": limit}).text
        assert found.count("### ") == limit
    assert search.run({"query": "wiki", "limit": 20}).text.count("### ") == 2
