"""What the disk costs: a durable addition, a safe read, a search over 300 notes.

The floor of the addition makes the same system calls by hand: lock, journal line,
temporary file, sync, rename, sync of the folder. Beside it stands the same with every
look that the library takes besides, so that what is left is Python. The floor of the
read walks without following a link. All are taken in turns in one run.
Run: ``python tests/bench/bench_disk.py [FOLDER]``; on a memory disk such as
``/dev/shm`` the waits for the disk are gone.
"""

from __future__ import annotations

import fcntl
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PAGE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LINE = "- Wants the quote in writing before the work begins, prices with VAT."
SCOPE = "user:u1"


def timed(rounds: int, calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median microseconds of each call, taken in turns."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            taken[name].append(time.perf_counter() - begin)
    return {name: statistics.median(times) * 1e6 for name, times in taken.items()}


class ByHand:
    """The same system calls, and nothing else."""

    def __init__(self, home: Path, scope: str = "hand") -> None:
        self.home = os.open(home, FOLDER)
        self.path = str(home)
        self.scope = scope
        self.scope_path = f"{home}/users/{scope}"
        self.journal = b"x" * 600 + b"\n"

    def walk(self) -> int:
        """Open the scope's folder."""
        kind = os.open("users", FOLDER, dir_fd=self.home)
        scope = os.open(self.scope, FOLDER, dir_fd=kind)
        os.close(kind)
        return scope

    def read(self) -> bytes:
        """Read the page."""
        scope = self.walk()
        data = self.load(scope)
        os.close(scope)
        return data

    @staticmethod
    def load(scope: int) -> bytes:
        """Read the page in an open folder."""
        fd = os.open("USER.md", PAGE, dir_fd=scope)
        data = os.read(fd, os.fstat(fd).st_size + 1)
        os.close(fd)
        return data

    def add(self) -> None:
        """Add a line, durably."""
        scope = self.walk()
        fcntl.flock(scope, fcntl.LOCK_EX | fcntl.LOCK_NB)
        data = self.load(scope) + b"\n" + LINE.encode() + b"\n"
        journal = os.open(
            "memory-history.jsonl",
            os.O_WRONLY | os.O_CREAT | os.O_APPEND,
            0o600,
            dir_fd=scope,
        )
        os.write(journal, self.journal + data)
        os.close(journal)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        temporary = os.open(".page.tmp", flags, 0o600, dir_fd=scope)
        os.write(temporary, data)
        os.fsync(temporary)
        os.close(temporary)
        os.rename(".page.tmp", "USER.md", src_dir_fd=scope, dst_dir_fd=scope)
        os.fsync(scope)
        fcntl.flock(scope, fcntl.LOCK_UN)
        os.close(scope)


class Careful(ByHand):
    """The same with what the library looks at besides, and still by hand."""

    @override
    def add(self) -> None:
        """Add a line, durably, and lose no edit that somebody makes meanwhile."""
        os.stat(self.path)  # noqa: PTH116 - what is measured
        scope = self.walk()
        fcntl.flock(scope, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(self.scope_path)  # noqa: PTH116 - as above
        os.fstat(scope)
        os.listdir(scope)  # noqa: PTH208 - as above
        page = os.open("USER.md", PAGE, dir_fd=scope)
        old = os.pread(page, os.fstat(page).st_size + 1, 0)
        data = old + b"\n" + LINE.encode() + b"\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        name = f".page-{os.urandom(8).hex()}.tmp"
        temporary = os.open(name, flags, 0o600, dir_fd=scope)
        os.fstat(temporary)
        os.write(temporary, data)
        journal, end = self.write_down(scope, data)
        os.fsync(temporary)
        os.close(temporary)
        os.stat("USER.md", dir_fd=scope)
        os.pread(page, len(old) + 1, 0)
        os.rename(name, "USER.md", src_dir_fd=scope, dst_dir_fd=scope)
        os.fsync(scope)
        os.pwrite(journal, b"y", end)
        os.pread(page, len(old) + 1, 0)
        os.close(page)
        os.close(journal)
        fcntl.flock(scope, fcntl.LOCK_UN)
        os.close(scope)

    def write_down(self, scope: int, data: bytes) -> tuple[int, int]:
        """Append to the journal, and return it with where the line begins."""
        flags = os.O_RDWR | os.O_CREAT
        journal = os.open("memory-history.jsonl", flags, 0o600, dir_fd=scope)
        os.fstat(journal)
        os.lseek(journal, 0, os.SEEK_END)
        os.pread(journal, 32, 0)
        end = os.lseek(journal, 0, os.SEEK_END)
        os.pread(journal, 1, max(end - 1, 0))
        os.write(journal, self.journal + data)
        return journal, end


def bench_add(home: Path, memory: MarkdownProvider) -> dict[str, float]:
    """Return the figures of the library, the floor and the careful floor."""
    calls: dict[str, Callable[[], object]] = {
        "library": lambda: memory.sync(SCOPE, [Add("USER.md", LINE)]),
        "floor": ByHand(home).add,
        "careful": Careful(home, "careful").add,
    }
    rounds = []
    for _ in range(40):
        # Pages of equal size, and as private as the library makes them.
        for scope in ("u1", "hand", "careful"):
            page = home / "users" / scope / "USER.md"
            page.write_text(f"{LINE}\n" * 10)
            page.chmod(0o600)
        rounds.append(timed(15, calls))
    return {
        name: statistics.median(figures[name] for figures in rounds) for name in calls
    }


def notes(folder: Path) -> None:
    """Write 300 notes of about 2 kB."""
    words = [f"word{number}" for number in range(3000)]
    chance = random.Random(1)
    for number in range(300):
        text = " ".join(chance.choices(words, k=280))
        (folder / f"note-{number}.md").write_text(text)


def row(what: str, library: float, floor: float | None, wanted: str) -> None:
    """Print one line of the table."""
    ratio = f"{library / floor:8.2f} x" if floor else " " * 10
    base = f"{floor:10.1f}" if floor else " " * 10
    print(f"{what:34}{library:10.1f} µs{base}{ratio}   {wanted}")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=next(iter(sys.argv[1:]), None)) as name:
        home = Path(name)
        for scope in ("hand", "careful"):
            (home / "users" / scope).mkdir(parents=True)
        memory = MarkdownProvider(home)
        memory.sync(SCOPE, [Add("USER.md", LINE)])
        hand = ByHand(home)
        print(f"{'':34}{'library':>10}   {'by hand':>10}{'':10}   wanted")
        added = bench_add(home, memory)
        row("one durable addition", added["library"], added["floor"], "<= 1.2 x")
        row("… with all looks by hand as well", added["library"], added["careful"], "")
        time.sleep(0.05)
        figures = timed(
            3000,
            {
                "read": lambda: memory.read(SCOPE, "USER.md"),
                "floor": hand.read,
                "absent": lambda: memory.read("user:none", "USER.md"),
                "prefetch": lambda: memory.prefetch(SCOPE),
            },
        )
        row("a safe read, warm", figures["read"], figures["floor"], "")
        row("a prefetch of two, warm", figures["prefetch"], 2 * figures["floor"], "")
        row("a scope that is not there", figures["absent"], None, "")
        notes(home / "users/u1")
        time.sleep(0.05)
        memory.search(SCOPE, "word5")
        found = timed(300, {"s": lambda: memory.search(SCOPE, "word5 word77")})
        row("a search over 300 notes, warm", found["s"], None, "<= 2000 µs")


if __name__ == "__main__":
    main()
