"""How long a search by meaning takes: `python tests/bench/bench_vector.py`.

Brute force over every part of a scope, at 1,000 and at 100,000 of them. The model is a
stand-in that costs nothing, so that the figures are those of the search alone.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ethos_memory import Add, MarkdownProvider
from ethos_memory.providers.vector import VectorProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ethos_memory.provider import SearchMode

SIZES = (1_000, 100_000)
PARTS_A_PAGE = 100
DIMENSIONS = 256
RUNS = 31
SCOPE = "personality:ops"
WORDS = [f"w{number}" for number in range(5_000)]
QUERY = "w3 w77 w4012"


class RandomEmbedder:
    """Vectors of 256 numbers, drawn from the hash of a text."""

    name = "random-256"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text).tolist() for text in texts]

    def _vector(self, text: str) -> np.ndarray:
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        return np.random.default_rng(seed).standard_normal(DIMENSIONS)


def median_ms(call: Callable[[], object]) -> float:
    call()
    taken = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken) * 1_000


def once_ms(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1_000


def fill(home: Path, parts: int) -> None:
    """Write pages as an editor does; the history is not what is measured."""
    draw = random.Random(7)
    folder = home / "personalities" / "ops"
    folder.mkdir(parents=True)
    for page in range(parts // PARTS_A_PAGE):
        lines = (" ".join(draw.choices(WORDS, k=12)) for _ in range(PARTS_A_PAGE))
        text = "# Notes\n\n" + "".join(f"- {line}\n" for line in lines)
        (folder / f"note-{page}.md").write_text(text)


def measure(home: Path, parts: int) -> None:
    fill(home, parts)
    provider = VectorProvider(home, RandomEmbedder())
    print(f"{parts:,} parts in {parts // PARTS_A_PAGE:,} pages, 256 numbers each")
    print(
        f"  embed all, and keep it {once_ms(lambda: provider.rebuild(SCOPE)):10.1f} ms"
    )
    modes: tuple[SearchMode, ...] = ("semantic", "keyword", "hybrid")

    def search(mode: SearchMode = "hybrid") -> object:
        return provider.search(SCOPE, QUERY, mode=mode)

    for mode in modes:
        print(f"  {mode:22} {median_ms(partial(search, mode)):10.2f} ms")

    stored = home / "personalities" / "ops" / "memory-vectors.bin"
    rows = np.random.default_rng(1).standard_normal((parts, DIMENSIONS), np.float32)
    floor = median_ms(lambda: rows @ rows[0])
    print(f"  one product by hand    {floor:10.2f} ms")
    print(f"  the file               {stored.stat().st_size / 1e6:10.1f} MB")
    again = VectorProvider(home, RandomEmbedder())
    first = once_ms(lambda: again.search(SCOPE, QUERY, mode="semantic"))
    print(f"  first of a process     {first:10.1f} ms")
    MarkdownProvider(home).sync(SCOPE, [Add("note-1.md", "- w1 w2 w3 something new")])
    print(f"  first after a change   {once_ms(search):10.1f} ms")


def main(sizes: Sequence[int]) -> None:
    for parts in sizes:
        with tempfile.TemporaryDirectory() as home:
            measure(Path(home), parts)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
