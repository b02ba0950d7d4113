"""A process swaps a folder or a page for a link outside, as fast as it can."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

import pytest

from concurrency.processes import EXCHANGE, start
from ethos_memory.entry import Add, Delete
from ethos_memory.errors import EthosMemoryError
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

SCOPE = "user:u1"
SECRET = "the secret outside"

#: Swaps for ever; what an operation took away it puts back.
_SWAPPER = (
    EXCHANGE
    + """
one, other, target, kind = sys.argv[1:]
def restore():
    links = [path for path in (one, other) if os.path.islink(path)]
    for path in (one, other):
        if not os.path.lexists(path):
            if not links:
                links.append(path)
                os.symlink(target, path)
            elif kind == "folder":
                os.mkdir(path)
            else:
                open(path, "w").close()
exchange(one, other)
print("ready", flush=True)
count = 0
while True:
    count += 1
    try:
        exchange(one, other)
        # A write may have replaced the link by a page, which is no escape.
        if count % 16 == 0 and not os.path.islink(one) and not os.path.islink(other):
            os.rename(other, other + ".gone") if kind == "folder" else os.unlink(other)
    except OSError:
        try:
            restore()
        except OSError:
            pass
"""
)

#: How long a short form tries. A look for a link before an open that follows it was
#: found by as many of these tests in this time as in three times as much.
SECONDS: Final = 0.1

#: What a short form tries at least, however long that takes on a busy machine.
TRIES: Final = 20

#: What the long form tries at least, for each operation.
LONG_TRIES = 100_000

#: What the attacker swaps for a link: below `users/`.
VICTIMS = ("u1", "u1/MEMORY.md")

OPERATIONS: dict[str, Callable[[MarkdownProvider], object]] = {
    "read": lambda memory: memory.read(SCOPE, "MEMORY.md"),
    "list": lambda memory: memory.list(SCOPE, summaries=True),
    "search": lambda memory: memory.search(SCOPE, "secret"),
    "history": lambda memory: memory.history(SCOPE),
    "add": lambda memory: memory.sync(SCOPE, [Add("MEMORY.md", "x")]),
    "append": lambda memory: memory.sync(SCOPE, [Add("N.md", "x"), Delete("N.md")]),
    "delete": lambda memory: memory.sync(SCOPE, [Delete("MEMORY.md")]),
    "erase": lambda memory: memory.erase(SCOPE),
}


def _tree(path: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(path)): one.read_bytes() if one.is_file() else b""
        for one in path.rglob("*")
    }


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("MEMORY.md", "memory-history.jsonl"):
        (outside / name).write_text(SECRET)
    (outside / "history-blobs").mkdir()
    return outside


#: On a busy machine the swapper may sleep for long with the link in place.
PATIENCE_SECONDS: Final = 20.0


def _attack(
    tmp_path: Path, outside: Path, victim: str, seconds: float
) -> Generator[MarkdownProvider]:
    """Yield a provider again and again while the victim is being swapped."""
    memory = MarkdownProvider(tmp_path / "home", durability="fast")
    memory.sync(SCOPE, [Add("MEMORY.md", "fine")])
    path = tmp_path / "home/users" / victim
    kind = "file" if path.suffix else "folder"
    target = outside / path.name if path.suffix else outside
    link = path.with_name("swap")
    link.symlink_to(target)
    swapper = start(_SWAPPER, path, link, target, kind)
    try:
        end = time.monotonic() + seconds + PATIENCE_SECONDS
        while time.monotonic() < end:
            assert swapper.poll() is None
            yield memory
    finally:
        swapper.kill()
        swapper.communicate()


def _run(
    tmp_path: Path, outside: Path, victim: str, operation: str, seconds: float
) -> tuple[int, int]:
    before = _tree(outside)
    tries = refused = 0
    with closing(_attack(tmp_path, outside, victim, seconds)) as attack:
        end = time.monotonic() + seconds
        for memory in attack:
            tries += 1
            try:
                answer = OPERATIONS[operation](memory)
            except EthosMemoryError:
                refused += 1
            else:
                assert SECRET not in repr(_shown(answer))
            if time.monotonic() >= end and tries >= TRIES and refused < tries:
                break
    assert _tree(outside) == before
    return tries, refused


def _shown(answer: object) -> object:
    """Return what a `repr` would hide."""
    if isinstance(answer, tuple):
        return [_shown(one) for one in answer]
    names = ("content", "summary", "snippet")
    return [getattr(answer, name, None) for name in names]


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_outside_is_read_or_changed(
    tmp_path: Path, outside: Path, victim: str, operation: str
) -> None:
    """Each try works on the real folder, or is refused."""
    tries, refused = _run(tmp_path, outside, victim, operation, SECONDS)
    assert tries >= TRIES
    assert refused < tries


@pytest.mark.long
@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_outside_is_read_or_changed_in_the_long_run(
    tmp_path: Path, outside: Path, victim: str, operation: str
) -> None:
    """At least 100,000 tries each; the swapper takes most of a core."""
    tries = 0
    while tries < LONG_TRIES:
        home = tmp_path / str(tries)
        home.mkdir()
        tries += _run(home, outside, victim, operation, 10)[0]


def test_the_attack_works_on_a_plain_open(tmp_path: Path, outside: Path) -> None:
    """Else the tests above would prove nothing."""
    page = tmp_path / "home/users/u1/MEMORY.md"
    escapes = 0
    for _ in _attack(tmp_path, outside, "u1", 5):
        escapes += page.read_text() == SECRET
        if escapes > 3:
            break
    assert escapes > 3
