"""Real processes on one server: nothing is lost, nobody gets two ids."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import finish, go, start
from ethos_memory.providers.postgres import PostgresProvider

if TYPE_CHECKING:
    from postgres.server import Server

PROCESSES = 8

COUNT = """
import sys
from ethos_memory import Add, Replace
from ethos_memory.errors import RevisionConflictError
from ethos_memory.providers.postgres import PostgresProvider

dsn, schema, rounds, name = sys.argv[1:]
conflicts = 0
with PostgresProvider(dsn, schema=schema) as provider:
    print("ready", flush=True)
    input()
    for number in range(int(rounds)):
        while True:
            page = provider.read("user:ana", "counter.md")
            value = int(page.content) + 1
            swap = Replace("counter.md", str(value), if_revision=page.revision)
            try:
                provider.sync("user:ana", [swap, Add("lines.md", f"- {name} {number}")])
                break
            except RevisionConflictError:
                conflicts += 1
print(conflicts)
"""

MINT = """
import sys
from ethos_memory.identity_map.postgres import PostgresIdentityMap

dsn, schema, accounts = sys.argv[1:]
people = PostgresIdentityMap(dsn, schema=schema)
print("ready", flush=True)
input()
for number in range(int(accounts)):
    print(people.resolve("telegram", number))
people.close()
"""


def count(server: Server, rounds: int) -> None:
    """Let every process count up, and add a line in the same batch."""
    schema = server.schema()
    with PostgresProvider(server.dsn, schema=schema) as provider:
        from ethos_memory import Replace

        provider.sync("user:ana", [Replace("counter.md", "0")])
        processes = [
            start(COUNT, server.dsn, schema, rounds, name) for name in range(PROCESSES)
        ]
        go(*processes)
        finish(*processes)
        page = provider.read("user:ana", "counter.md")
        assert page is not None
        assert int(page.content) == PROCESSES * rounds
        lines = provider.read("user:ana", "lines.md")
        assert lines is not None
        assert set(lines.content.split("\n")) - {""} == {
            f"- {name} {number}"
            for name in range(PROCESSES)
            for number in range(rounds)
        }
        changes = provider.history("user:ana", "counter.md")
        assert [int(change.content or "") for change in changes] == list(
            range(PROCESSES * rounds, -1, -1)
        )


def test_no_update_is_lost(postgres: Server) -> None:
    """Compare and swap, with an Add beside it that must happen exactly as often."""
    count(postgres, rounds=6)


@pytest.mark.long
def test_no_update_is_lost_in_a_long_run(postgres: Server) -> None:
    """The same for as long as the figures of DESIGN section 13."""
    count(postgres, rounds=200)


def mint(server: Server, accounts: int) -> None:
    """Let every process ask for the same accounts at the same time."""
    schema = server.schema()
    PostgresProvider(server.dsn, schema=schema).close()
    processes = [start(MINT, server.dsn, schema, accounts) for _ in range(PROCESSES)]
    go(*processes)
    answers = {tuple(text.split()) for text in finish(*processes)}
    assert len(answers) == 1
    (ids,) = answers
    assert len(ids) == accounts
    assert set(Counter(ids).values()) == {1}
    rows = server.execute(f"select count(*) from {schema}.accounts")
    assert rows == [(accounts,)]


def test_first_messages_give_one_id(postgres: Server) -> None:
    """In eight processes at once, each person one id and each id one person."""
    mint(postgres, accounts=100)


@pytest.mark.long
def test_first_messages_give_one_id_in_a_long_run(postgres: Server) -> None:
    """The same with 2,000 people."""
    mint(postgres, accounts=2_000)
