"""`import ethos_memory` against importing its four dependencies, in fresh processes.

Run: ``python tests/bench/bench_import.py``.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

ROUNDS = 25
DEPENDENCIES = "import attrs, filelock, yaml, typing_extensions"
OURS = "import ethos_memory"
LATE = ("filelock", "yaml", "sqlite3", "numpy", "psycopg")
TIMER = (
    "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"
)


def seconds(statement: str) -> float:
    """Time one import in a process of its own."""
    command = [sys.executable, "-I", "-c", TIMER.format(statement)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def main() -> None:
    """Measure in turns, and print."""
    taken: dict[str, list[float]] = {DEPENDENCIES: [], OURS: []}
    for _ in range(ROUNDS):
        for statement, values in taken.items():
            values.append(seconds(statement))
    floor_ms, ours_ms = (1e3 * statistics.median(taken[s]) for s in taken)
    code = f"{OURS}, sys; print(*[m for m in {LATE!r} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True
    ).stdout.strip()
    print("import, fresh processes, median")
    print(f"  the four dependencies   {floor_ms:8.1f} ms")
    print(f"  import ethos_memory     {ours_ms:8.1f} ms")
    print(f"  ratio                   {ours_ms / floor_ms:8.2f}")
    print(f"  loaded too early        {loaded or 'nothing'}")


if __name__ == "__main__":
    main()
