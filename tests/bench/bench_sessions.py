"""Measure the session store beside what it is compared with, in one run.

Run ``python tests/bench/bench_sessions.py``. The side-by-side figures need
``openai-agents``; without it they are skipped by name.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from ethos_memory.sessions import SQLiteSessionStore
from ethos_memory.sessions.wanted import parse_wanted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from ethos_memory.sessions import SQLiteSessions

WORKER = Path(__file__).parents[1] / "concurrency" / "session_worker.py"
LINE = "message number {} about the weather in town and the plans for tomorrow"
ROUNDS = 400

SUBJECTS = (
    "invoice",
    "garden",
    "bicycle",
    "recipe",
    "deployment",
    "violin",
    "kitten",
    "passport",
    "telescope",
    "marathon",
    "kettle",
    "insurance",
    "apartment",
    "podcast",
    "migration",
    "antique",
    "vineyard",
    "notebook",
    "sailing",
    "lantern",
)
VERBS = (
    ("repaired", "repairing"),
    ("planned", "planning"),
    ("painted", "painting"),
    ("cancelled", "cancelling"),
    ("borrowed", "borrowing"),
    ("photographed", "photographing"),
    ("measured", "measuring"),
    ("visited", "visiting"),
)
CHINESE = ("项目评审", "设备清单", "路由器", "会议纪要", "医院预约", "生日礼物")


def _plain(text: str) -> str:
    return text


def _store(folder: str, name: str = "s.db") -> SQLiteSessionStore:
    return SQLiteSessionStore(Path(folder) / name, redact=_plain)


def _fast(store: SQLiteSessionStore) -> None:
    """Fill a store without syncs; what is measured afterwards only reads."""
    store._database._channels[0].connection.execute("PRAGMA synchronous = OFF")


def _milliseconds(times: list[float]) -> str:
    return f"{statistics.median(times) * 1e3:.3f} ms"


def _clocked(call: Callable[..., object], *args: object) -> float:
    started = time.perf_counter()
    call(*args)
    return time.perf_counter() - started


async def _clocked_async(
    call: Callable[..., Awaitable[object]], *args: object
) -> float:
    started = time.perf_counter()
    await call(*args)
    return time.perf_counter() - started


def _peer(path: Path) -> Any:
    """Return the peer's session, or `None` when it is not installed."""
    try:
        from agents import SQLiteSession
    except ImportError:
        return None
    return SQLiteSession("k", path)


async def side_by_side() -> list[tuple[str, str]]:
    """Append durably and read the last 50 of 2,000, in turns with the peer."""
    appends: tuple[list[float], list[float]] = ([], [])
    reads: tuple[list[float], list[float]] = ([], [])
    with tempfile.TemporaryDirectory() as folder, _store(folder) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        peer = _peer(Path(folder) / "peer.db")
        for number in range(2_000):
            role, text = ("user", "assistant")[number % 2], LINE.format(number)
            appends[0].append(_clocked(sessions.append, id, role, text))
            if peer:
                item = [{"role": role, "content": text}]
                appends[1].append(await _clocked_async(peer.add_items, item))
        for _ in range(ROUNDS):
            reads[0].append(_clocked(partial(sessions.messages, id, turns=25)))
            if peer:
                reads[1].append(await _clocked_async(peer.get_items, 50))
        assert len(sessions.messages(id, turns=25).items) == 50
        if peer:
            peer.close()
    return [
        (f"{what}: {name}", _milliseconds(times) if times else "skipped, not installed")
        for what, both in (
            ("append one message, durable", appends),
            ("last 50 of 2,000", reads),
        )
        for name, times in zip(
            ("ethos-memory", "openai-agents SQLiteSession"), both, strict=True
        )
    ]


def search_10_000() -> Iterator[tuple[str, str]]:
    """Search 10,000 messages of a vocabulary with Zipf's frequencies."""
    dice = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(dice.choices(letters, k=dice.randint(3, 9))) for _ in range(5_000)]
    weights = [1 / (rank + 20) for rank in range(len(words))]
    with tempfile.TemporaryDirectory() as folder, _store(folder) as store:
        _fast(store)
        for owner in ("user:ana", "user:ben"):
            sessions = store.for_owner(owner)
            ids = [sessions.create(f"k{number}").id for number in range(100)]
            for number in range(5_000):
                text = " ".join(dice.choices(words, weights, k=20))
                sessions.append(ids[number % 100], "user", text)
        for label, view in (
            ("one owner", store.for_owner("user:ana")),
            ("everyone", store.unsafe_everyone()),
        ):
            for count in (1, 2, 3):
                times = []
                for _ in range(ROUNDS):
                    query = " ".join(dice.choices(words, weights, k=count))
                    times.append(_clocked(view.search, query))
                yield (
                    f"search 10,000 messages, {count} words, {label}",
                    _milliseconds(times),
                )
            times = []
            for _ in range(50):
                query = " ".join(dice.choices(words, weights, k=2))
                times.append(_clocked(view.list, query))
            yield (
                f"list(q) over 10,000 messages, 2 words, {label}",
                _milliseconds(times),
            )


class Retrieval:
    """Generated conversations over many sessions, with questions about them."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)
        names = [
            f"{a}{b}"
            for a in ("Ma", "Lo", "Te", "Ri", "Su")
            for b in ("ra", "vin", "li")
        ]
        places = [
            f"{a}{b}" for a in ("Nor", "El", "Kar") for b in ("ham", "dorf", "by")
        ]
        self.sessions: list[list[str]] = []
        self.questions: list[tuple[str, set[int]]] = []
        facts: dict[tuple[str, ...], set[int]] = {}
        for number in range(240):
            lines = []
            for _ in range(dice.randint(10, 30)):
                subject, other = dice.sample(SUBJECTS, 2)
                lines.append(
                    f"{dice.choice(names)}: I was thinking about the {subject} and what "
                    f"we said of {other}s in {dice.choice(places)}"
                )
            for _ in range(2):
                fact = (
                    dice.choice(names),
                    str(dice.randrange(len(VERBS))),
                    dice.choice(SUBJECTS),
                    dice.choice(places),
                )
                facts.setdefault(fact, set()).add(number)
                name, verb, subject, place = fact
                lines.insert(
                    dice.randrange(len(lines)),
                    f"{name}: yesterday I {VERBS[int(verb)][0]} the {subject} at {place}",
                )
            if number % 4 == 0:
                lines.append(
                    f"{dice.choice(names)}: 昨天讨论了{CHINESE[number // 4 % 6]}的事情{number}"
                )
            self.sessions.append(lines)
        for (name, verb, subject, place), where in facts.items():
            self.questions.append(
                (
                    f"When was {name} {VERBS[int(verb)][1]} their {subject}s in {place}?",
                    where,
                )
            )

    def recall(self, find: Callable[[str], list[int]], most: int) -> float:
        """Return the mean share of evidence sessions among the first `most`."""
        shares = [
            len(where.intersection(find(question)[:most])) / len(where)
            for question, where in self.questions
        ]
        return sum(shares) / len(shares)


def _plain_index(documents: list[tuple[int, str]]) -> Callable[[str], list[int]]:
    """Return a search in plain FTS5: Porter's stems, the query's stop words dropped."""
    index = sqlite3.connect(":memory:")
    index.execute(
        "CREATE VIRTUAL TABLE d USING fts5 (t, tokenize = 'porter unicode61')"
    )
    rows = {}
    for number, text in documents:
        rows[index.execute("INSERT INTO d VALUES (?)", (text,)).lastrowid] = number

    def find(question: str) -> list[int]:
        kept = {term for word in parse_wanted(question).words for term in word}
        typed = re.findall(r"\w+", question.lower())
        asked = [word for word in typed if word in kept] or typed
        expression = " OR ".join(f'"{word}"' for word in dict.fromkeys(asked))
        query = "SELECT rowid FROM d WHERE d MATCH ? ORDER BY rank LIMIT 200"
        hits = index.execute(query, (expression,)).fetchall()
        return list(dict.fromkeys(rows[row] for (row,) in hits))

    return find


def retrieval() -> Iterator[tuple[str, str]]:
    """Look for the sessions that hold the answer, beside plain FTS5."""
    made = Retrieval(11)
    whole = _plain_index(
        [(n, "\n".join(lines)) for n, lines in enumerate(made.sessions)]
    )
    single = _plain_index(
        [(n, line) for n, lines in enumerate(made.sessions) for line in lines]
    )
    with tempfile.TemporaryDirectory() as folder, _store(folder) as store:
        _fast(store)
        sessions = store.for_owner("user:ana")
        numbers = _filled(sessions, made)

        def listed(question: str) -> list[int]:
            return [numbers[s.id] for s in sessions.list(question, limit=200).items]

        def searched(question: str) -> list[int]:
            hits = sessions.search(question, limit=200)
            return list(dict.fromkeys(numbers[hit.session_id] for hit in hits))

        for most in (5, 10):
            for name, find in (
                ("list(q)", listed),
                ("plain FTS5, a session a text", whole),
                ("search()", searched),
                ("plain FTS5, a message a text", single),
            ):
                yield f"R@{most}, {name}", f"{made.recall(find, most):.3f}"
        made.questions = [
            (word, {n for n, lines in enumerate(made.sessions) if word in lines[-1]})
            for word in CHINESE
            if any(word in lines[-1] for lines in made.sessions)
        ]
        for name, find in (("list(q)", listed), ("plain FTS5", whole)):
            yield f"R@200 for Chinese words, {name}", f"{made.recall(find, 200):.3f}"


def _filled(sessions: SQLiteSessions, made: Retrieval) -> dict[str, int]:
    numbers = {}
    for number, lines in enumerate(made.sessions):
        id = sessions.create(f"k{number}").id
        numbers[id] = number
        for at, line in enumerate(lines):
            sessions.append(id, "assistant" if at % 2 else "user", line)
    return numbers


def processes() -> Iterator[tuple[str, str]]:
    """Append from six processes at once, durably."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        started = time.perf_counter()
        running = [
            subprocess.Popen(
                [sys.executable, str(WORKER), "append", str(path), f"w{n}", "50"]
            )
            for n in range(6)
        ]
        assert not any(process.wait() for process in running)
        took = time.perf_counter() - started
        with closing(sqlite3.connect(path)) as database:
            (count,) = database.execute("SELECT count(*) FROM messages").fetchone()
        yield "6 processes x 50 appends", f"{count} messages, {took:.2f} s"


def main() -> None:
    """Print one figure a line."""
    parts = (asyncio.run(side_by_side()), search_10_000(), retrieval(), processes())
    for name, figure in itertools.chain.from_iterable(parts):
        print(f"{name:<58} {figure}", flush=True)


if __name__ == "__main__":
    main()
