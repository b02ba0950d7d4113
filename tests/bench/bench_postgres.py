"""Memory in PostgreSQL beside bare psycopg doing the same, in one run.

A swap stands beside two: one that keeps no history, and one that does as much durable
work as ours.

Starts a server of its own that waits for the disk; with ``--fast`` it does not, so that
a disk that others use as well hides nothing. ``--races`` adds eight processes.
"""

from __future__ import annotations

import statistics
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

import psycopg

from concurrency.processes import finish, go, start
from ethos_memory.entry import Add, Replace
from ethos_memory.identity_map.postgres import PostgresIdentityMap
from ethos_memory.pg import Database
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.sessions.postgres import PostgresSessionStore
from postgres.server import FAST, Server
from postgres.test_processes import COUNT, MINT, PROCESSES

if TYPE_CHECKING:
    from collections.abc import Callable

#: A machine that others use as well is judged by several rounds.
ROUNDS = 5
CALLS = 200
PAGE = "- a line of a page, as long as lines are wont to be\n" * 80
SCOPE = "user:ana"
KEYS = ("MEMORY.md", "USER.md")

BARE = """
create table bare (
    scope text, key text, content bytea, etag text, primary key (scope, key)
);
create table bare_history (
    id bigint generated always as identity primary key,
    scope text, key text, content bytea, etag text, at timestamptz
);
create table bare_accounts (
    platform text, account text, user_id text, primary key (platform, account)
);
"""

#: A page and its history, in one statement and one transaction.
SWAP_AND_KEEP = """
    with swapped as (
        update bare set content = %s, etag = %s
        where scope = %s and key = %s and etag = %s returning scope, key, content, etag
    )
    insert into bare_history (scope, key, content, etag, at)
    select scope, key, content, etag, now() from swapped returning 1
"""


def alternate(*calls: Callable[[int], Any]) -> list[list[float]]:
    """Return each call's medians in microseconds, one a round; they take turns."""
    rounds = [_round(calls, number * CALLS) for number in range(ROUNDS)]
    return [list(medians) for medians in zip(*rounds, strict=True)]


def _round(calls: tuple[Callable[[int], Any], ...], first: int) -> list[float]:
    times: list[list[float]] = [[] for _ in calls]
    for number in range(first, first + CALLS):
        for call, spent in zip(calls, times, strict=True):
            started = time.perf_counter()
            call(number)
            spent.append((time.perf_counter() - started) * 1e6)
    return [statistics.median(spent) for spent in times]


def show(what: str, ours: list[float], *floors: list[float]) -> None:
    """Print one line: medians over the rounds, and how far the ratio goes."""
    line = f"{what:<34}{statistics.median(ours):8.0f} us"
    for floor in floors:
        ratios = [one / other for one, other in zip(ours, floor, strict=True)]
        line += (
            f"   bare {statistics.median(floor):6.0f} us"
            f" {statistics.median(ratios):5.2f} x"
            f" ({min(ratios):.2f} to {max(ratios):.2f})"
        )
    print(line)


class Bare:
    """The same with nothing but the driver, prepared and in binary."""

    def __init__(self, dsn: str) -> None:
        self.connection = psycopg.connect(dsn, autocommit=True)
        self.connection.execute(BARE.encode())
        for key in KEYS:
            self.write(key, PAGE)

    def write(self, key: str, text: str) -> None:
        """Insert a page."""
        data = text.encode()
        self.connection.execute(
            "insert into bare values (%s, %s, %s, %s)",
            (SCOPE, key, data, sha256(data).hexdigest()),
        )

    def read(self, keys: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        """Read pages in one question."""
        with self.connection.cursor(binary=True) as cursor:
            rows = cursor.execute(
                "select key, content, etag from bare where scope = %s and key = any(%s)",
                (SCOPE, list(keys)),
            ).fetchall()
        return {key: (content.decode(), etag) for key, content, etag in rows}

    def swap(self, number: int) -> None:
        """Read a page, and compare and swap it."""
        text, etag = self.read(KEYS[:1])[KEYS[0]]
        data = f"{number}{text[4:]}".encode()
        swapped = self.connection.execute(
            "update bare set content = %s, etag = %s "
            "where scope = %s and key = %s and etag = %s returning 1",
            (data, sha256(data).hexdigest(), SCOPE, KEYS[0], etag),
        ).fetchone()
        assert swapped

    def swap_and_keep(self, number: int) -> None:
        """The same, and keep every text that ever was, as we do."""
        text, etag = self.read(KEYS[1:])[KEYS[1]]
        data = f"{number}{text[4:]}".encode()
        asked = (data, sha256(data).hexdigest(), SCOPE, KEYS[1], etag)
        assert self.connection.execute(SWAP_AND_KEEP, asked).fetchone()

    def resolve(self, number: int) -> str:
        """Look up an account, and insert it when it is new."""
        asked = ("telegram", str(number))
        row = self.connection.execute(
            "select user_id from bare_accounts where platform = %s and account = %s",
            asked,
        ).fetchone()
        if row is None:
            self.connection.execute(
                "insert into bare_accounts values (%s, %s, %s) on conflict do nothing",
                (*asked, sha256(asked[1].encode()).hexdigest()[:12]),
            )
            return self.resolve(number)
        return str(row[0])


def pages(provider: PostgresProvider, bare: Bare) -> None:
    """Measure reads and writes of pages."""
    provider.sync(SCOPE, [Replace(key, PAGE) for key in KEYS])

    def swap(number: int) -> None:
        page = provider.read(SCOPE, KEYS[0])
        assert page is not None
        text = f"{number}{page.content[4:]}"
        provider.sync(SCOPE, [Replace(KEYS[0], text, if_revision=page.revision)])

    show(
        "two keys of 4 KiB",
        *alternate(lambda _: provider.prefetch(SCOPE), lambda _: bare.read(KEYS)),
    )
    show(
        "read and compare-and-swap",
        *alternate(swap, bare.swap, bare.swap_and_keep),
    )
    [add] = alternate(lambda n: provider.sync("user:bo", [Add("a.md", f"- {n}")]))
    show("add a line", add)


def accounts(people: PostgresIdentityMap, bare: Bare) -> None:
    """Measure the identity map."""
    show(
        "resolve a new account",
        *alternate(lambda n: people.resolve("telegram", n), bare.resolve),
    )
    show(
        "resolve a known account",
        *alternate(lambda n: people.resolve("telegram", n), bare.resolve),
    )


def search(provider: PostgresProvider) -> None:
    """Measure a search over 300 notes of 2 kB."""
    words = ["red", "van", "tea", "harbor", "invoice", "garden", "letter", "winter"]
    notes = [
        Add(f"n{n}.md", " ".join(words[(n * k) % 8] for k in range(1, 400)) + f" w{n}")
        for n in range(300)
    ]
    provider.sync("personality:ops", notes)
    provider.search("personality:ops", "van")
    times = alternate(
        lambda n: provider.search("personality:ops", f"w{n % 300}"),
        lambda n: provider.search("personality:ops", words[n % 8]),
    )
    show("search 300 notes, a rare word", times[0])
    show("search 300 notes, a frequent word", times[1])


def conversations(store: PostgresSessionStore) -> None:
    """Measure a session of 1,000 messages."""
    sessions = store.for_owner("user:ana")
    id = sessions.create("k").id
    text = "Could you look at the red van once more, please?"
    [append] = alternate(lambda n: sessions.append(id, "user", f"{n} {text}"))
    show("append a message", append)
    times = alternate(
        lambda _: sessions.messages(id, turns=20),
        lambda n: sessions.search(f"{n} van", limit=5),
    )
    show("20 turns", times[0])
    show("search 1,000 messages", times[1])


def races(server: Server) -> None:
    """Run eight processes at once, as long as DESIGN section 13 says."""
    schema = server.schema()
    with PostgresProvider(server.dsn, schema=schema) as provider:
        provider.sync(SCOPE, [Replace("counter.md", "0")])
        processes = [
            start(COUNT, server.dsn, schema, 200, name) for name in range(PROCESSES)
        ]
        started = time.perf_counter()
        go(*processes)
        conflicts = sum(map(int, finish(*processes)))
        spent = time.perf_counter() - started
        page = provider.read(SCOPE, "counter.md")
    assert page is not None
    lost = PROCESSES * 200 - int(page.content)
    rate = PROCESSES * 200 / spent
    print(f"CAS 8 x 200: lost {lost}, conflicts {conflicts}, {rate:.0f}/s")
    processes = [start(MINT, server.dsn, schema, 2000) for _ in range(PROCESSES)]
    started = time.perf_counter()
    go(*processes)
    answers = [text.split() for text in finish(*processes)]
    spent = time.perf_counter() - started
    people = {tuple(answer) for answer in answers}
    doubles = (len(people) - 1) + (2000 - len(set(answers[0])))
    rate = PROCESSES * 2000 / spent
    print(f"mint 8 x 2,000: doubles {doubles}, {rate:.0f} resolves/s")


def main() -> None:
    """Measure everything."""
    server = Server(*FAST if "--fast" in sys.argv else ())
    try:
        with Database(server.dsn) as database:
            bare = Bare(server.dsn)
            provider = PostgresProvider(database)
            pages(provider, bare)
            accounts(PostgresIdentityMap(database), bare)
            search(provider)
            conversations(PostgresSessionStore(database))
            bare.connection.close()
        if "--races" in sys.argv:
            races(server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
