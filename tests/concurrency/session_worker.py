"""What `test_sessions.py` runs in processes of their own."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ethos_memory.sessions import SQLiteSessionStore

#: SQLite lets in whoever comes first: on a busy disk one of many waits for long.
BUSY_SECONDS = 300.0


def _store(path: str) -> SQLiteSessionStore:
    return SQLiteSessionStore(path, redact=str, busy_seconds=BUSY_SECONDS)


def append(path: str, name: str, count: int) -> None:
    """Open the store, begin a session and append to it."""
    with _store(path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create(name).id
        for number in range(count):
            role = "assistant" if number % 2 else "user"
            sessions.append(id, role, f"{name} number {number}")


def watch(path: str, stop: str) -> None:
    """Read until a file appears; what was seen must never shrink or be torn."""
    seen: dict[str, int] = {}
    with _store(path) as store:
        sessions = store.for_owner("user:ana")
        while not Path(stop).exists():
            for session in sessions.list().items:
                page = sessions.messages(session.id, turns=1_000)
                count = len(page.items)
                assert count >= max(session.message_count, seen.get(session.id, 0))
                numbers = [int(m.content.rpartition(" ")[2]) for m in page.items]
                assert numbers == list(range(count))
                seen[session.id] = count
            sessions.search("number", limit=5)


def forever(path: str) -> None:
    """Append until killed, and say what is stored once it is."""
    with _store(path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create(f"p{os.getpid()}").id
        for number in range(1_000_000):
            sessions.append(id, "user", f"number {number}")
            print(id, number, flush=True)


def fork(path: str, ending: str) -> None:
    """Go on with one store object in a parent and a child."""
    store = _store(path)
    sessions = store.for_owner("user:ana")
    id = sessions.create("shared").id
    sessions.append(id, "user", "before")
    child = os.fork()
    name = "parent" if child else "child"
    if ending != "unused" or child:
        for number in range(20):
            sessions.append(id, "user", f"{name} {number}")
    if not child:
        if ending != "exit":
            store.close()
        if ending != "kill":
            sys.exit(0)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0
    sessions.append(id, "user", "after")
    found = sessions.messages(id, turns=99).items
    assert len(found) == sessions.get(id).message_count
    assert len(found) == (22 if ending == "unused" else 42)
    store.close()


def hold(path: str, seconds: float) -> None:
    """Keep the file for a while, as another program might."""
    import sqlite3

    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("held", flush=True)
    time.sleep(seconds)
    connection.execute("ROLLBACK")
    connection.close()


def main(verb: str, *rest: str) -> None:
    """Do what is asked for."""
    match verb:
        case "append":
            append(rest[0], rest[1], int(rest[2]))
        case "watch":
            watch(*rest[:2])
        case "forever":
            forever(rest[0])
        case "fork":
            fork(*rest[:2])
        case "hold":
            hold(rest[0], float(rest[1]))
        case _:
            sys.exit(f"no such verb: {verb}")
