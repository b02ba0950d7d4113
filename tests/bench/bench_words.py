"""How long searching 300 notes of 2 kB takes: `python tests/bench/bench_words.py`.

The figure to reach (DESIGN section 13) is 2 ms for the whole keyword search of a
provider; this is the part that the index has in it.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
from typing import TYPE_CHECKING

from ethos_memory.words import Index, snippet, terms

if TYPE_CHECKING:
    from collections.abc import Callable

NOTES = 300
NOTE_WORDS = 380
NOTE_HAN = 700
RUNS = 200
QUERIES = (
    "deploy config",
    "the of and to",
    "deploying",
    "w1-w2",
    '"the of"',
    "nothing like it here",
    "what is the deploy config of you in a meeting",
)


def english(seed: random.Random) -> list[str]:
    """Notes with the word frequencies of a language."""
    rare = [f"w{number}" for number in range(3_000)]
    common = ["the", "of", "and", "to", "a", "you", "deploy", "deployed", "config"]
    words = rare + common * 30
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [" ".join(seed.choices(words, weights, k=NOTE_WORDS)) for _ in range(NOTES)]


def chinese(seed: random.Random) -> list[str]:
    """Notes of Han characters, the same number of bytes."""
    return [
        "".join(chr(0x4E00 + int(abs(seed.gauss(0, 300)))) for _ in range(NOTE_HAN))
        for _ in range(NOTES)
    ]


def median_ms(call: Callable[[], object]) -> float:
    call()
    taken = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken) * 1_000


def filled(notes: list[str]) -> tuple[Index, float]:
    index = Index()
    begin = time.perf_counter()
    for number, note in enumerate(notes):
        index.put(f"{number}.md", note)
    return index, (time.perf_counter() - begin) * 1_000


def show(index: Index, notes: list[str], query: str) -> None:
    def search() -> list[str]:
        return [
            snippet(notes[int(match.name[:-3])], match.start, match.end)
            for match in index.search(query, 10)
        ]

    print(f"  {query[:34]:36}{len(search()):3} hits {median_ms(search):8.3f} ms")


def sqlite_ms(notes: list[str], query: str) -> float:
    """The same with SQLite's full-text search, in memory, for comparison."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE page USING fts5(text, tokenize='porter')")
    database.executemany("INSERT INTO page VALUES (?)", [(note,) for note in notes])
    words = " OR ".join(f'"{term.text}"' for term in terms(query))
    statement = "SELECT text FROM page WHERE page MATCH ? ORDER BY rank LIMIT 10"
    return median_ms(lambda: database.execute(statement, (words,)).fetchall())


def main() -> None:
    """Print the figures."""
    seed = random.Random(1)
    notes = english(seed)
    index, put_ms = filled(notes)
    print(f"English, {NOTES} notes: indexed in {put_ms:.0f} ms")
    for query in QUERIES:
        show(index, notes, query)
    print(
        f"  SQLite, any word of {QUERIES[0]!r}: {sqlite_ms(notes, QUERIES[0]):.3f} ms"
    )
    han = chinese(seed)
    index, put_ms = filled(han)
    print(f"Chinese, {NOTES} notes: indexed in {put_ms:.0f} ms")
    for query in (han[0][5:7], han[1][5:9], han[2][:20], "NAS 设备"):
        show(index, han, query)


if __name__ == "__main__":
    main()
