"""B02: several processes, threads and readers at the same page at the same time."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import finish, go, start
from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "personality:ops"
PROCESSES = 8

_ADDER = """
import sys
from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider
root, name, count, durability = sys.argv[1:]
memory = MarkdownProvider(root, durability=durability)
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(count)):
    memory.sync("personality:ops", [Add("MEMORY.md", f"- p{name}-{number} " + "x" * 200)])
"""

#: Reads until its input ends, and checks that what it sees is whole.
_READER = """
import select, sys
from ethos_memory.providers.markdown import MarkdownProvider
memory = MarkdownProvider(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
reads = lines = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    entry = memory.read("personality:ops", "MEMORY.md")
    reads += 1
    if entry is None:
        assert not lines
        continue
    found = entry.content.split("\\n\\n")
    assert len(found) >= lines, "an older state after a newer one"
    assert all(line.strip().endswith(" " + "x" * 200) for line in found)
    assert entry.content.endswith("x\\n")
    lines = len(found)
print(reads)
"""


def _check(root: Path, count: int) -> None:
    folder = root / "personalities/ops"
    lines = [line for line in (folder / "MEMORY.md").read_text().split("\n") if line]
    wanted = {
        f"- p{name}-{number} " + "x" * 200
        for name in range(PROCESSES)
        for number in range(count)
    }
    assert len(lines) == len(wanted)
    assert set(lines) == wanted
    memory = MarkdownProvider(root)
    assert [ref.key for ref in memory.list(SCOPE)] == ["MEMORY.md"]
    assert not [path for path in folder.rglob("*") if ".tmp" in path.name]
    inspected = memory.inspect_history(SCOPE)
    assert (inspected.damaged, inspected.lost) == (0, 0)
    # In the long run the states of one growing page pass the history's limit.
    assert len(inspected.changes) == len(wanted) or count > 100
    # Each state holds the one before: nobody wrote over anybody.
    contents = [change.content or "" for change in reversed(inspected.changes)]
    assert all(
        after.startswith(before.rstrip()) for before, after in pairwise(contents)
    )


def _race(root: Path, count: int, durability: str) -> int:
    reader = start(_READER, root)
    adders = [start(_ADDER, root, name, count, durability) for name in range(PROCESSES)]
    go(reader, *adders)
    finish(*adders)
    [reads] = finish(reader)
    _check(root, count)
    return int(reads)


def test_processes_lose_nothing_and_a_reader_sees_whole_pages(tmp_path: Path) -> None:
    """8 processes of 10 additions each, one reading meanwhile.

    No more: each syncs three times, and on a busy disk one of them may have to wait for
    most of the others, for 30 seconds at most.
    """
    assert _race(tmp_path, 10, "full") > 10


@pytest.mark.long
def test_processes_lose_nothing_in_the_long_run(tmp_path: Path) -> None:
    """8 processes of 200 additions each, five times, with both durabilities."""
    reads = 0
    for number, durability in enumerate(("full", "fast", "full", "fast", "full")):
        reads += _race(tmp_path / str(number), 200, durability)
    assert reads > 1000


def test_threads_lose_nothing(tmp_path: Path) -> None:
    """Of one object, and of one each."""
    shared = MarkdownProvider(tmp_path)

    def add(memory: MarkdownProvider, name: int) -> None:
        for number in range(10):
            text = f"- p{name}-{number} " + "x" * 200
            memory.sync(SCOPE, [Add("MEMORY.md", text)])

    threads = [
        threading.Thread(
            target=add, args=(shared if name % 2 else MarkdownProvider(tmp_path), name)
        )
        for name in range(PROCESSES)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _check(tmp_path, 10)


def test_first_writes_at_once_make_one_home(tmp_path: Path) -> None:
    """Root, folders and journal do not exist yet."""
    home = tmp_path / "a" / "home"
    adders = [start(_ADDER, home, name, 2, "full") for name in range(PROCESSES)]
    go(*adders)
    finish(*adders)
    _check(home, 2)


def test_writers_and_erasers_get_along(tmp_path: Path) -> None:
    """Whoever waits for an erased folder makes it anew."""
    memory = MarkdownProvider(tmp_path)
    errors: list[BaseException] = []

    def work(step: int) -> None:
        own = MarkdownProvider(tmp_path, durability="fast")
        try:
            for number in range(40):
                if step:
                    own.sync(SCOPE, [Add(f"P{step}.md", f"{number}")])
                else:
                    own.erase(SCOPE)
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(step,)) for step in (0, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    memory.sync(SCOPE, [Add("MEMORY.md", "x")])
    assert memory.erase(SCOPE).files
    assert not (tmp_path / "personalities/ops").exists()
