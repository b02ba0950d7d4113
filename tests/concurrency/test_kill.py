"""Killed at any moment: old bytes or new, nothing acknowledged lost, no litter."""

from __future__ import annotations

import os
import random
import signal
import time
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import go, start
from ethos_memory.entry import Add, Delete, Replace, Update
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOPE = "user:u1"

#: Writes pages that carry their own hash, and tells each number once it is written.
_WRITER = """
import os, sys
from hashlib import sha256
from ethos_memory.entry import Add, Replace
from ethos_memory.providers.markdown import MarkdownProvider
memory = MarkdownProvider(sys.argv[1], durability=sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
number = int(sys.argv[3])
while True:
    number += 1
    body = f"{number} " + "x" * (number * 997 % 9000)
    text = f"{sha256(body.encode()).hexdigest()} {body}"
    memory.sync("user:u1", [Replace("MEMORY.md", text), Add("LOG.md", str(number))])
    os.write(1, f"{number}\\n".encode())
"""


def _number(text: str) -> int:
    digest, _, body = text.removesuffix("\n").partition(" ")
    assert sha256(body.encode()).hexdigest() == digest, "a torn page"
    return int(body.split(" ")[0])


def _kill_once(root: Path, durability: str, last: int) -> int:
    """Kill a writer somewhere, and return the last number that is on disk."""
    damaged = MarkdownProvider(root).inspect_history(SCOPE).damaged
    writer = start(_WRITER, root, durability, last)
    with writer:
        go(writer)
        time.sleep(random.uniform(0.001, 0.03))
        writer.kill()
        said = [int(line) for line in writer.communicate()[0].split("\n") if line]
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
    tmp_path: Path, durability: str
) -> None:
    """A few of the thousand of the long form."""
    last = 0
    for _ in range(6):
        last = _kill_once(tmp_path, durability, last)


@pytest.mark.long
def test_a_thousand_kills_tear_nothing_and_lose_nothing(tmp_path: Path) -> None:
    """On this volume; run it with --basetemp on others."""
    last = 0
    for number in range(1000):
        if number % 100 == 0:
            MarkdownProvider(tmp_path).erase(SCOPE)
            last = 0
        last = _kill_once(tmp_path, "full" if number % 2 else "fast", last)


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
