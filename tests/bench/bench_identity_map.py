"""What a look into the identity map costs, beside a dict and one `stat`.

Run ``python tests/bench/bench_identity_map.py [--long]``; it prints a table. `--long`
adds a map of a million accounts.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from ethos_memory.identity_map import IdentityMap

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 2_000
SIZES = (10, 1_000, 100_000)
LONG_SIZES = (*SIZES, 1_000_000)


def plain(text: str) -> str:
    """Stand in for the guard: its figures are its own."""
    return text


def write_map(home: Path, size: int) -> Path:
    """Write a map as Ethos does."""
    entries = [
        {
            "platform": "telegram",
            "platformUserId": str(100_000_000 + number),
            "userId": f"{number:012x}",
            "displayLabel": f"person {number}",
            "firstSeenAt": "2026-09-01T09:14:02.118Z",
        }
        for number in range(size)
    ]
    path = home / "users" / "identity-map.json"
    path.parent.mkdir()
    path.write_text(json.dumps(entries, indent=2) + "\n")
    # Older than the tick of the clock, as a map that nobody has just written.
    os.utime(path, (1_600_000_000, 1_600_000_000))
    time.sleep(0.05)
    return path


def micros(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of a call in microseconds."""
    samples = []
    for _ in range(rounds):
        begun = time.perf_counter_ns()
        call()
        samples.append(time.perf_counter_ns() - begun)
    return median(samples) / 1_000


def measure(size: int) -> tuple[float, ...]:
    """Return hit, floor, cold load, mint (full) and mint (fast), in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = write_map(home, size)
        text = os.fspath(path)
        account = str(100_000_000 + size // 2)
        accounts = {
            ("telegram", str(100_000_000 + number)): number for number in range(size)
        }
        key = ("telegram", account)

        def floor() -> object:
            os.stat(text)  # noqa: PTH116 - the floor is the bare system call
            return accounts[key]

        known = IdentityMap(home, redact=plain)
        known.resolve("telegram", account)
        hits = [
            (
                micros(lambda: known.resolve("telegram", account), ROUNDS),
                micros(floor, ROUNDS),
            )
            for _ in range(5)
        ]
        hit, least = (median(column) for column in zip(*hits, strict=True))
        rounds = 5 if size < 1_000_000 else 1
        cold = micros(
            lambda: IdentityMap(home, redact=plain).resolve("telegram", account), rounds
        )
        fresh = iter(range(1_000))
        fast = IdentityMap(home, redact=plain, durability="fast")
        fast.resolve("telegram", account)
        mint = micros(lambda: known.resolve("slack", next(fresh)), rounds * 2)
        mint_fast = micros(lambda: fast.resolve("slack", next(fresh)), rounds * 2)
        return hit, least, cold, mint, mint_fast


def main() -> None:
    """Print the table."""
    sizes = LONG_SIZES if "--long" in sys.argv[1:] else SIZES
    print(
        "| accounts | resolve, known (µs) | dict + stat (µs) | ratio "
        "| cold load (ms) | mint (ms) | mint, fast (ms) |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|")
    hits = []
    for size in sizes:
        hit, least, cold, mint, mint_fast = measure(size)
        hits.append(hit)
        print(
            f"| {size:,} | {hit:.2f} | {least:.2f} | {hit / least:.2f} "
            f"| {cold / 1e3:.2f} | {mint / 1e3:.2f} | {mint_fast / 1e3:.2f} |"
        )
    print(f"\nlargest to smallest map: {hits[-1] / hits[0]:.2f}")


if __name__ == "__main__":
    main()
