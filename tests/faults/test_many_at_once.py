"""Threads, tasks, processes and readers at one page: nothing lost, nothing torn."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Final

import pytest

from concurrency.processes import finish, go, start
from concurrency.test_kill import Writers, kill_often
from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider
from faults.volumes import mounted, needs_mounts

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.disk import Durability

SCOPE: Final = "user:u1"
WORKERS: Final = 20


def _check_lines(root: Path, count: int) -> None:
    lines = (root / "users/u1/MEMORY.md").read_text().split()
    assert sorted(lines) == sorted(
        f"{worker}-{number}" for worker in range(WORKERS) for number in range(count)
    )
    assert len(MarkdownProvider(root).history(SCOPE)) == len(lines)


def _add(memory: MarkdownProvider, worker: int, count: int) -> None:
    for number in range(count):
        memory.sync(SCOPE, [Add("MEMORY.md", f"{worker}-{number}")])


def _in_threads(root: Path, count: int, durability: Durability) -> None:
    memory = MarkdownProvider(root, durability=durability)
    threads = [
        threading.Thread(target=_add, args=(memory, worker, count))
        for worker in range(WORKERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _check_lines(root, count)


def _in_tasks(root: Path, count: int, durability: Durability) -> None:
    memory = MarkdownProvider(root, durability=durability)

    async def run() -> None:
        calls = (
            asyncio.to_thread(_add, memory, worker, count) for worker in range(WORKERS)
        )
        await asyncio.gather(*calls)

    asyncio.run(run())
    _check_lines(root, count)


def test_twenty_threads_and_twenty_tasks_on_one_object_lose_nothing(
    tmp_path: Path,
) -> None:
    """A few writes each."""
    _in_threads(tmp_path / "threads", 3, "full")
    _in_tasks(tmp_path / "tasks", 3, "full")


@pytest.mark.long
def test_twenty_threads_and_twenty_tasks_lose_nothing_in_the_long_run(
    tmp_path: Path,
) -> None:
    """200 writes each, and no sync: on a busy disk one might wait for 30 seconds."""
    _in_threads(tmp_path / "threads", 200, "fast")
    _in_tasks(tmp_path / "tasks", 200, "fast")


#: Reads, adds a line to what it read and replaces the page if it is still that one.
#: After each success it tries the revision that is stale now, which must be refused.
_CAREFUL: Final = """
import sys
from ethos_memory.entry import Replace
from ethos_memory.errors import RevisionConflictError
from ethos_memory.providers.markdown import MarkdownProvider
memory, name = MarkdownProvider(sys.argv[1], durability="fast"), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
conflicts = stale = 0
for number in range(int(sys.argv[3])):
    entry = memory.read("user:u1", "MEMORY.md")
    while True:
        revision = entry.revision if entry else ""
        content = entry.content if entry else ""
        new = f"{content}{name}-{number}\\n"
        try:
            memory.sync("user:u1", [Replace("MEMORY.md", new, if_revision=revision)])
            break
        except RevisionConflictError as error:
            conflicts += 1
            assert error.revision != revision
            entry = memory.read("user:u1", "MEMORY.md")
    try:
        memory.sync("user:u1", [Replace("MEMORY.md", "stale", if_revision=revision)])
    except RevisionConflictError as error:
        stale += f"{name}-{number}\\n" in error.content
print(conflicts, stale)
"""


def _compare_and_swap(root: Path, count: int, *, processes: int = 8) -> int:
    workers = [start(_CAREFUL, root, name, count) for name in range(processes)]
    go(*workers)
    said = [line.split() for line in finish(*workers)]
    lines = (root / "users/u1/MEMORY.md").read_text().split()
    names = range(processes)
    wanted = [f"{name}-{number}" for name in names for number in range(count)]
    assert sorted(lines) == sorted(wanted)
    assert [int(stale) for _, stale in said] == [count] * processes
    return sum(int(conflicts) for conflicts, _ in said)


def test_a_stale_revision_is_always_refused(tmp_path: Path) -> None:
    """Processes replace one page; nobody's line is written over."""
    _compare_and_swap(tmp_path, 5, processes=3)


@pytest.mark.long
def test_a_stale_revision_is_always_refused_in_the_long_run(tmp_path: Path) -> None:
    """8 × 200 replacements, and as many stale ones."""
    assert _compare_and_swap(tmp_path, 200) > 100


#: Replaces a page that carries its own hash until its input ends.
_REPLACER: Final = """
import select, sys
from hashlib import sha256
from ethos_memory.entry import Replace
from ethos_memory.providers.markdown import MarkdownProvider
memory = MarkdownProvider(sys.argv[1], durability=sys.argv[2])
def write(number):
    body = f"{number} x" + "x" * (number * 997 % 9000)
    text = f"{sha256(body.encode()).hexdigest()} {body}"
    memory.sync("user:u1", [Replace("MEMORY.md", text)])
write(0)
print("ready", flush=True)
sys.stdin.readline()
number = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    number += 1
    write(number)
print(number)
"""

#: Reads so often, and until it saw five pages: a busy machine may let the writer sleep
#: all the while. Checks each page that is another one than the last.
_READER: Final = """
import sys, time
from hashlib import sha256
from ethos_memory.providers.markdown import MarkdownProvider
memory = MarkdownProvider(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
last, pages = "", 0
left, end = int(sys.argv[2]), time.monotonic() + 60
while left > 0 or (pages < 5 and time.monotonic() < end):
    left -= 1
    content = memory.read("user:u1", "MEMORY.md").content
    if content != last:
        digest, _, body = content.removesuffix("\\n").partition(" ")
        assert sha256(body.encode()).hexdigest() == digest, "torn"
        last, pages = content, pages + 1
print(pages)
"""


def _read_while_writing(root: Path, reads: int, durability: str) -> int:
    writer = start(_REPLACER, root, durability)
    reader = start(_READER, root, reads)
    go(writer, reader)
    [pages] = finish(reader)
    finish(writer)
    return int(pages)


def test_no_reader_sees_a_torn_page(tmp_path: Path) -> None:
    """A few thousand reads while the page is replaced without a pause."""
    assert _read_while_writing(tmp_path, 3_000, "fast") > 3


@pytest.mark.long
def test_no_reader_sees_a_torn_page_in_a_million_reads(tmp_path: Path) -> None:
    """500,000 with each durability."""
    pages = [
        _read_while_writing(tmp_path / one, 500_000, one) for one in ("fast", "full")
    ]
    assert sum(pages) > 1000


@needs_mounts
def test_random_kills_on_a_tmpfs_tear_nothing(tmp_path: Path) -> None:
    """The kills of `concurrency`, on a volume that is memory."""
    _kill_on_tmpfs(tmp_path, 3)


@pytest.mark.long
@needs_mounts
def test_a_thousand_kills_on_a_tmpfs_tear_nothing(tmp_path: Path) -> None:
    """With both durabilities in turn."""
    _kill_on_tmpfs(tmp_path, 1000)


def _kill_on_tmpfs(tmp_path: Path, times: int) -> None:
    options = ("-t", "tmpfs", "-o", "size=256m")
    with mounted(tmp_path / "m", *options) as home, Writers() as writers:
        kill_often(writers, home, times)
