"""The server is killed under load: nothing that was acknowledged is lost."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import finish, go, start
from ethos_memory.providers.postgres import PostgresProvider
from postgres.server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WRITERS = 4

WRITE = """
import sys, time
from pathlib import Path
from ethos_memory import Add
from ethos_memory.errors import NotWrittenError
from ethos_memory.providers.postgres import PostgresProvider

dsn, name, stop = sys.argv[1:]
failures = 0
with PostgresProvider(dsn) as provider:
    print("ready", flush=True)
    input()
    number = 0
    while not Path(stop).exists():
        try:
            provider.sync(f"user:w{name}", [Add("MEMORY.md", f"- {number}")])
        except NotWrittenError:
            failures += 1
            time.sleep(0.02)
        else:
            number += 1
print(number, failures)
"""


@pytest.fixture
def careful() -> Iterator[Server]:
    """Run a server of its own that waits for the disk."""
    server = Server()
    yield server
    server.stop()


def kill_under_load(server: Server, folder: Path, *, kills: int) -> None:
    """Kill the server again and again while processes write."""
    PostgresProvider(server.dsn).close()
    stop = folder / "stop"
    writers = [start(WRITE, server.dsn, name, stop) for name in range(WRITERS)]
    go(*writers)
    for _ in range(kills):
        time.sleep(random.uniform(0.3, 0.9))
        server.kill()
        server.start()
    time.sleep(0.3)
    stop.touch()
    told = [text.split() for text in finish(*writers)]
    with PostgresProvider(server.dsn) as provider:
        for name, (acknowledged, _) in enumerate(told):
            page = provider.read(f"user:w{name}", "MEMORY.md")
            assert page is not None
            # In order, each once: neither lost nor written twice.
            lines = [line for line in page.content.split("\n") if line]
            assert lines == [f"- {number}" for number in range(int(acknowledged))]
            changes = provider.history(f"user:w{name}")
            assert len(changes) == int(acknowledged)
            assert changes[0].revision == page.revision
    assert sum(int(acknowledged) for acknowledged, _ in told) > kills


def test_nothing_acknowledged_is_lost(careful: Server, tmp_path: Path) -> None:
    """And nothing is written twice, though answers were lost as well."""
    kill_under_load(careful, tmp_path, kills=2)


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_a_long_run(
    careful: Server, tmp_path: Path
) -> None:
    """The same, twenty times."""
    kill_under_load(careful, tmp_path, kills=20)
