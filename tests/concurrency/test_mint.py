"""Two first messages at once give one id: in threads, tasks and processes."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import go, start
from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError
from ethos_memory.identity_map import IdentityMap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from concurrency.processes import Process

PROCESSES = 8


#: What each process does: it resolves accounts in a row, and tells each id once it
#: was returned. One write(2) a line, so that a killed process leaves no half line.
_WORKER = """
import os, sys
from pathlib import Path
from ethos_memory.identity_map import IdentityMap
home, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
known = IdentityMap(home, redact=str, durability="fast")
os.write(1, b"ready\\n")
sys.stdin.readline()
for number in range(first, first + count):
    os.write(1, f"{number} {known.resolve('telegram', number)}\\n".encode())
"""


def told(process: Process) -> list[tuple[str, str]]:
    """Return what a process told until it ended: account and id."""
    out, _ = process.communicate()
    pairs = [line.split() for line in out.splitlines()]
    return [(account, user_id) for account, user_id in pairs]


def on_disk(home: Path) -> dict[str, str]:
    """Return account to id, as the file has it, each account once."""
    rows = json.loads((home / "users" / "identity-map.json").read_bytes())
    accounts = {row["platformUserId"]: row["userId"] for row in rows}
    assert len(accounts) == len(rows)
    return accounts


def mint_in_processes(home: Path, count: int) -> None:
    """Have every process resolve the same new accounts, and compare."""
    workers = [start(_WORKER, home, 0, count) for _ in range(PROCESSES)]
    go(*workers)
    answers = [told(worker) for worker in workers]
    accounts = on_disk(home)
    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    assert len(accounts) == len(set(accounts.values())) == count
    for answer in answers:
        assert dict(answer) == accounts


def test_processes_agree_on_every_new_account(tmp_path: Path) -> None:
    """0 accounts with two ids, 0 ids that are not in the file."""
    mint_in_processes(tmp_path, 25)


@pytest.mark.long
def test_processes_agree_on_two_thousand_new_accounts(tmp_path: Path) -> None:
    """The figure of reliability.md 2.6: 8 processes × 2,000."""
    mint_in_processes(tmp_path, 2_000)


def mint_apart(home: Path, count: int) -> None:
    """Have every process resolve its own new accounts."""
    workers = [start(_WORKER, home, index * count, count) for index in range(PROCESSES)]
    go(*workers)
    answers = dict(pair for worker in workers for pair in told(worker))
    assert answers == on_disk(home)
    assert len(answers) == len(set(answers.values())) == PROCESSES * count


def test_no_process_erases_what_another_recorded(tmp_path: Path) -> None:
    """Each splices into what the others wrote."""
    mint_apart(tmp_path, 25)


@pytest.mark.long
def test_no_process_erases_any_of_two_thousand(tmp_path: Path) -> None:
    """8 processes × 2,000 accounts of their own."""
    mint_apart(tmp_path, 2_000)


def kill_while_minting(home: Path, times: int, *, seed: int) -> None:
    """Kill a process somewhere in its work, again and again."""
    source = random.Random(seed)
    returned: dict[str, str] = {}
    for round_number in range(times):
        process = start(_WORKER, home, round_number * 500, 500)
        go(process)
        time.sleep(source.uniform(0.002, 0.06))
        process.kill()
        returned |= dict(told(process))
        if (home / "users" / "identity-map.json").exists():
            accounts = on_disk(home)
            assert returned.items() <= accounts.items()
    known = IdentityMap(home, redact=str, durability="fast")
    for account, user_id in returned.items():
        assert known.resolve("telegram", account) == user_id
    known.resolve("telegram", "last")
    assert not list((home / "users").glob(".*"))


def test_a_killed_process_loses_no_id_it_returned(tmp_path: Path) -> None:
    """After each kill the map parses and holds every id that was handed out (B20)."""
    kill_while_minting(tmp_path, 5, seed=20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_killed_processes_lose_no_id(tmp_path: Path, seed: int) -> None:
    """The figure of reliability.md 2.6: 1,000 kills in all."""
    kill_while_minting(tmp_path, 100, seed=seed)


def test_threads_on_one_object_get_one_id(tmp_path: Path) -> None:
    """The first to come mints, and the others find."""
    known = IdentityMap(tmp_path, redact=str, durability="fast")
    gate = threading.Barrier(20)

    def resolve(_: int) -> list[str]:
        gate.wait()
        return [known.resolve("telegram", number) for number in range(10)]

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(resolve, range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert len(set(answers[0])) == 10
    assert len(on_disk(tmp_path)) == 10


def test_a_thousand_tasks_on_one_account_get_one_id(tmp_path: Path) -> None:
    """Through threads, as the asynchronous façade does it."""
    known = IdentityMap(tmp_path, redact=str, durability="fast")

    async def resolve_all() -> list[str]:
        calls = (asyncio.to_thread(known.resolve, "x", "1") for _ in range(1_000))
        return await asyncio.gather(*calls)

    assert len(set(asyncio.run(resolve_all()))) == 1


def test_two_objects_see_each_other(tmp_path: Path) -> None:
    """On one root or on two, without talking to each other."""
    root = Root(tmp_path)
    maps = [
        IdentityMap(root, redact=str, durability="fast"),
        IdentityMap(root, redact=str, durability="fast"),
        IdentityMap(tmp_path, redact=str, durability="fast"),
    ]
    for number in range(12):
        user_id = maps[number % 3].resolve("x", number)
        assert {one.resolve("x", number) for one in maps} == {user_id}
        maps[(number + 1) % 3].link("x", number, "same")
        assert {one.resolve("x", number) for one in maps} == {"same"}


@contextmanager
def editing(path: Path, texts: list[str]) -> Iterator[None]:
    """Rewrite a file in place all the time, as an editor does."""
    done = threading.Event()

    def edit() -> None:
        while not done.is_set():
            for text in texts:
                path.write_text(text)

    thread = threading.Thread(target=edit)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_file_that_is_being_written_is_never_half_understood(tmp_path: Path) -> None:
    """A known account resolves all the while; a list never shows half of the file."""
    texts = [
        json.dumps([{"platform": "x", "platformUserId": "1", "userId": user_id}])
        for user_id in ("ana", "bob")
    ]
    path = tmp_path / "users" / "identity-map.json"
    path.parent.mkdir()
    path.write_text(texts[0])
    known = IdentityMap(tmp_path, redact=str)
    assert known.resolve("x", "1") == "ana"
    end = time.monotonic() + 0.3
    with editing(path, texts):
        while time.monotonic() < end:
            assert known.resolve("x", "1") in {"ana", "bob"}
            try:
                (account,) = IdentityMap(tmp_path, redact=str).accounts()
            except CorruptFileError:
                continue
            assert account.user_id in {"ana", "bob"}
