"""Conversations under several processes and threads."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from concurrency.processes import finish, launch
from concurrency.session_worker import BUSY_SECONDS
from session_store import open_store, say, texts

if TYPE_CHECKING:
    from pathlib import Path

    from concurrency.processes import Process

_WORKER = """
import sys
from concurrency import session_worker
session_worker.main(*sys.argv[1:])
"""


def _launch(*words: object) -> Process:
    return launch(_WORKER, *words)


def test_six_processes_lose_nothing_while_two_read(tmp_path: Path) -> None:
    """150 messages, each once and in order; a file that nobody had made before."""
    path = tmp_path / "memory-sessions.db"
    stop = tmp_path / "stop"
    writers = [_launch("append", path, f"w{number}", 25) for number in range(6)]
    readers = [_launch("watch", path, stop) for _ in range(2)]
    try:
        finish(*writers)
    finally:
        stop.touch()
    finish(*readers)
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        listed = sessions.list().items
        assert sorted(session.key for session in listed) == [
            f"w{number}" for number in range(6)
        ]
        for session in listed:
            found = texts(sessions.messages(session.id, turns=99).items)
            assert found == [f"{session.key} number {number}" for number in range(25)]
        assert len(sessions.search("number", limit=1_000)) == 150
    assert {file.name for file in tmp_path.iterdir()} == {path.name, stop.name}


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """The index and the counts agree with it."""
    path = tmp_path / "memory-sessions.db"
    told: dict[str, int] = {}
    for kill_after in (1, 7, 40):
        process = _launch("forever", path)
        for _ in range(kill_after):
            id, _, number = process.stdout.readline().partition(" ")
            told[id] = int(number)
        process.kill()
        process.communicate()
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        total = 0
        for id, last in told.items():
            found = texts(sessions.messages(id, turns=10_000).items)
            assert found == [f"number {n}" for n in range(len(found))]
            assert len(found) > last
            assert sessions.get(id).message_count == len(found)
            total += len(found)
        assert len(sessions.search("number", limit=100_000)) == total


@pytest.mark.parametrize("ending", ["close", "exit", "kill", "unused"])
def test_a_forked_process_goes_on_with_the_same_object(
    tmp_path: Path, ending: str
) -> None:
    """Each side opens the file for itself; neither spoils the other's."""
    finish(_launch("fork", tmp_path / "memory-sessions.db", ending))
    path = tmp_path / "memory-sessions.db"
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_hold_of_two_seconds_by_another_process_is_survived(tmp_path: Path) -> None:
    """With the waiting time that a store has by default."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        process = _launch("hold", tmp_path / "memory-sessions.db", 2)
        assert process.stdout.readline() == "held\n"
        say(sessions, id, "user: waited")
        finish(process)
        assert texts(sessions.messages(id).items) == ["waited"]


def test_one_store_is_right_for_many_threads(tmp_path: Path) -> None:
    """Writers and readers share an object; nothing is lost, torn or mixed up."""
    failures: list[BaseException] = []
    with open_store(tmp_path, busy_seconds=BUSY_SECONDS) as store:
        ids = [store.for_owner(f"user:{number}").create("k").id for number in range(4)]

        def work(number: int) -> None:
            sessions = store.for_owner(f"user:{number}")
            try:
                for turn in range(12):
                    say(sessions, ids[number], f"user: {number} says {turn}")
                    page = sessions.messages(ids[number], turns=99)
                    assert texts(page.items) == [
                        f"{number} says {n}" for n in range(turn + 1)
                    ]
                    assert len(sessions.search("says", limit=99)) == turn + 1
                    assert len(sessions.list("says").items) == 1
            except BaseException as error:  # noqa: BLE001 - shown by the assertion
                failures.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_closing_waits_for_a_thread_and_then_refuses(tmp_path: Path) -> None:
    """No call is cut off half way, and none is answered afterwards."""
    store = open_store(tmp_path)
    sessions = store.for_owner("user:ana")
    id = sessions.create("k").id
    stored: list[str] = []
    started = threading.Event()

    def write() -> None:
        while True:
            try:
                stored.append(sessions.append(id, "user", "x").id)
            except ValueError:
                return
            started.set()

    thread = threading.Thread(target=write)
    thread.start()
    assert started.wait(60)
    store.close()
    thread.join(60)
    with pytest.raises(ValueError, match="closed"):
        sessions.messages(id)
    with open_store(tmp_path) as store:
        found = store.for_owner("user:ana").messages(id, turns=10_000).items
        assert [message.id for message in found] == stored
