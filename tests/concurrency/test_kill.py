"""Killed at any moment: old bytes or new, nothing acknowledged lost, no litter."""

from __future__ import annotations

import os
import random
import signal
import time
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import finish, start
from ethos_memory.entry import Add, Delete, Replace, Update
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Self

SCOPE = "user:u1"

#: Forks a writer for each line: durability, last number and root. A writer tells its
#: process id, then each number once it is written, on pages that carry their own hash.
#: Forked, and not started anew, so that a thousand of them take a minute.
_WRITERS = """
import os, sys, tempfile
from hashlib import sha256
from ethos_memory.entry import Add, Replace
from ethos_memory.providers.markdown import MarkdownProvider
def write(memory, number):
    body = f"{number} x" + "x" * (number * 997 % 9000)
    text = f"{sha256(body.encode()).hexdigest()} {body}"
    memory.sync("user:u1", [Replace("MEMORY.md", text), Add("LOG.md", str(number))])
with tempfile.TemporaryDirectory() as folder:
    write(MarkdownProvider(folder), 1)
print("ready", flush=True)
for line in sys.stdin:
    durability, last, root = line.rstrip("\\n").split(" ", 2)
    child = os.fork()
    if not child:
        memory, number = MarkdownProvider(root, durability=durability), int(last)
        os.write(1, f"{os.getpid()}\\n".encode())
        while True:
            number += 1
            write(memory, number)
            os.write(1, f"{number}\\n".encode())
    os.waitpid(child, 0)
    os.write(1, b"end\\n")
"""


class Writers:
    """The process that forks writers, for a `with` block."""

    def __enter__(self) -> Self:
        self._process = start(_WRITERS)
        return self

    def __exit__(self, *_: object) -> None:
        finish(self._process)

    def killed(
        self, root: Path, durability: str, last: int, *, seconds: float
    ) -> list[int]:
        """Have a writer killed after a while, and return what it acknowledged."""
        self._process.stdin.write(f"{durability} {last} {root}\n")
        self._process.stdin.flush()
        child = int(self._process.stdout.readline())
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        return [int(line) for line in iter(self._process.stdout.readline, "end\n")]


@pytest.fixture(scope="module")
def writers() -> Iterator[Writers]:
    with Writers() as process:
        yield process


def _number(text: str) -> int:
    digest, _, body = text.removesuffix("\n").partition(" ")
    assert sha256(body.encode()).hexdigest() == digest, "a torn page"
    return int(body.split(" ")[0])


def kill_once(writers: Writers, root: Path, durability: str, last: int) -> int:
    """Kill a writer somewhere, and return the last number that is on disk."""
    damaged = MarkdownProvider(root).inspect_history(SCOPE).damaged
    seconds = random.uniform(0.001, 0.03)
    said = writers.killed(root, durability, last, seconds=seconds)
    acknowledged = said[-1] if said else last
    memory = MarkdownProvider(root)
    entry = memory.read(SCOPE, "MEMORY.md")
    found = _number(entry.content) if entry else 0
    assert found in (acknowledged, acknowledged + 1)
    log = memory.read(SCOPE, "LOG.md")
    numbers = [int(line) for line in log.content.split()] if log else []
    assert set(said) <= set(numbers)
    assert numbers == sorted(set(numbers))
    memory.sync(SCOPE, [Add("NEXT.md", "x"), Delete("NEXT.md")])
    assert not [path for path in root.rglob("*") if ".tmp" in path.name]
    inspected = memory.inspect_history(SCOPE)
    # A kill inside the call that writes may leave half a line, and no more.
    assert inspected.damaged <= damaged + 1
    assert inspected.lost == 0
    return max(found, acknowledged)


@pytest.mark.parametrize("durability", ["full", "fast"])
def test_random_kills_tear_nothing_and_lose_nothing(
    writers: Writers, tmp_path: Path, durability: str
) -> None:
    """A few of the thousand of the long form."""
    last = 0
    for _ in range(6):
        last = kill_once(writers, tmp_path, durability, last)


@pytest.mark.long
def test_a_thousand_kills_tear_nothing_and_lose_nothing(
    writers: Writers, tmp_path: Path
) -> None:
    """On this volume; `faults` does the same on a tmpfs."""
    kill_often(writers, tmp_path, 1000)


def kill_often(writers: Writers, root: Path, times: int) -> None:
    """Kill writers with both durabilities in turn, now and then of a fresh scope."""
    last = 0
    for number in range(times):
        if number % 20 == 0:
            MarkdownProvider(root).erase(SCOPE)
            last = 0
        durability = "full" if number % 2 else "fast"
        last = kill_once(writers, root, durability, last)


_CALLS = ("open", "mkdir", "write", "pwrite", "fchmod", "fsync", "rename", "unlink")

OLD = "old\n" + "o" * 5000 + "\n"


def _killed_at(number: int, write: Callable[[], object]) -> bool:
    """Write in a child that kills itself before its n-th system call.

    Returns:
        Whether it came that far.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
        return os.WIFSIGNALED(status)
    count = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **rest: object) -> object:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **rest)

        return call

    try:
        for name in _CALLS:
            setattr(os, name, counted(getattr(os, name)))
        write()
    except BaseException:  # noqa: BLE001 - the parent sees the status
        os._exit(1)
    os._exit(0)


@pytest.mark.parametrize(
    ("old", "update"),
    [
        (None, Add("A.md", "new")),
        (None, Replace("A.md", "n" * 5000)),
        (OLD, Add("A.md", "new")),
        (OLD, Replace("A.md", "new")),
        (OLD, Replace("A.md", "n" * 600_000)),
        (OLD, Delete("A.md")),
        ("short\n", Delete("A.md")),
    ],
)
def test_killed_before_every_system_call_it_is_old_or_new(
    tmp_path: Path, old: str | None, update: Update
) -> None:
    """The next write succeeds, tidies up, and the history tells what happened."""
    # Imports at first use, and the bytes that the change leads to.
    warm = MarkdownProvider(tmp_path / "warm")
    _put(tmp_path / "warm", old)
    warm.sync(SCOPE, [update])
    entry = warm.read(SCOPE, "A.md")
    new = entry.content if entry else None
    points = 0
    is_killed = True
    while is_killed:
        points += 1
        home = tmp_path / str(points)
        _put(home, old)
        is_killed = _killed_at(points, _writer(home, update))
        _check_after_kill(home, old, new)
    assert points > 8


def _put(home: Path, text: str | None) -> None:
    if text is not None:
        page = home / "users/u1/A.md"
        page.parent.mkdir(parents=True)
        page.write_text(text)


def _writer(home: Path, update: Update) -> Callable[[], object]:
    return lambda: MarkdownProvider(home).sync(SCOPE, [update])


def _check_after_kill(home: Path, old: str | None, new: str | None) -> None:
    memory = MarkdownProvider(home)
    page = home / "users/u1/A.md"
    now = page.read_text() if page.exists() else None
    assert now in (old, new)
    memory.sync(SCOPE, [Add("NEXT.md", "x")])
    assert not [path for path in home.rglob("*") if ".tmp" in path.name]
    contents = [change.content for change in memory.history(SCOPE, "A.md")]
    assert set(contents) <= {old, new}
    if now == new:
        # Nothing that was destroyed is lost, and what came is in the history.
        assert new in contents
        assert old is None or old in contents
    else:
        assert new not in contents
