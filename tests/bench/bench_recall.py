"""A warm recall through the public API, against the same safe opens and reads.

The floor walks the same folders and reads the same pages by descriptor, as any safe
reader must, and does nothing else. Run: ``python tests/bench/bench_recall.py``.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

from ethos_memory import Account, Add, Memory, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 2_000
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PAGE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LINE = "- Wants the quote in writing before the work begins, prices with VAT.\n"


def timed(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median seconds of each call, taken in turns."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - begin)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def read_page(root: int, folder: str, id: str, key: str) -> bytes | None:
    """Walk to a page without following a link, and read it."""
    kind = os.open(folder, FOLDER, dir_fd=root)
    scope = os.open(id, FOLDER, dir_fd=kind)
    os.close(kind)
    try:
        fd = os.open(key, PAGE, dir_fd=scope)
    except FileNotFoundError:
        return None
    finally:
        os.close(scope)
    size = os.fstat(fd).st_size
    data = os.read(fd, size + 1)
    os.close(fd)
    return data


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as home, Memory.open(home) as memory:
        turn = Turn("ops", "direct", account=Account("telegram", 1))
        for key in ("USER.md", "MEMORY.md"):
            memory.remember(turn, Add(key, LINE * 30))
        user_id = memory.identity_map.resolve("telegram", 1)
        time.sleep(0.1)
        root = os.open(home, FOLDER)
        entries = {("telegram", "1"): user_id}

        def floor() -> None:
            os.stat("users/identity-map.json", dir_fd=root)
            id = entries["telegram", "1"]
            read_page(root, "users", id, "USER.md")
            read_page(root, "users", id, "IDENTITY.md")
            read_page(root, "personalities", "ops", "MEMORY.md")
            read_page(root, "personalities", "ops", "USER.md")

        medians = timed({"floor": floor, "recall": lambda: memory.recall(turn)})
        os.close(root)
    floor_us, recall_us = (1e6 * medians[name] for name in ("floor", "recall"))
    print("recall of a turn, warm (2 kB profile, 2 kB memory), median")
    print(f"  floor: the same safe opens and reads  {floor_us:8.1f} µs")
    print(f"  Memory.recall                         {recall_us:8.1f} µs")
    print(f"  ratio                                 {recall_us / floor_us:8.2f}")


if __name__ == "__main__":
    main()
