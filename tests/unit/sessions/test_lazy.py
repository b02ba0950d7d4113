"""A store that creates nothing before there is something to keep."""

from __future__ import annotations

import os
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import (
    CorruptFileError,
    EthosMemoryError,
    InvalidCursorError,
    MessageOrderError,
    NotWrittenError,
    SessionNotFoundError,
    UnsafePathError,
)
from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions, SQLiteSessionStore

NAME = "memory-sessions.db"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "a" / "home"


@pytest.fixture
def store(home: Path) -> Iterator[SQLiteSessionStore]:
    """A store below it."""
    with open_store(home, lazily=True) as store:
        yield store


CALLS: dict[str, Callable[[Sessions], object]] = {
    "get": lambda mine: mine.get("x"),
    "append": lambda mine: mine.append("x", "user", "hello"),
    "orphan": lambda mine: mine.append("x", "tool_result", "42"),
    "role": lambda mine: mine.append("x", "robot", "hello"),
    "fork": lambda mine: mine.fork("x"),
    "update": lambda mine: mine.update("x", title="t"),
    "undo": lambda mine: mine.undo("x"),
    "delete": lambda mine: mine.delete("x"),
    "messages": lambda mine: mine.messages("x"),
    "list": lambda mine: mine.list(),
    "list words": lambda mine: mine.list("two words"),
    "list 0": lambda mine: mine.list(limit=0),
    "list -1": lambda mine: mine.list(limit=-1),
    "list naive": lambda mine: mine.list(since="2026-05-04T10:00:00"),
    "list cursor": lambda mine: mine.list(cursor="abc"),
    "search": lambda mine: mine.search('"hello'),
    "search in": lambda mine: mine.search("hello", session_id="x"),
    "parent": lambda mine: mine.create("k", parent_session_id="x"),
    "key": lambda mine: mine.create(""),
}


def outcome(call: Callable[[Sessions], object], sessions: Sessions) -> object:
    """Return what a call answers or raises."""
    try:
        return call(sessions)
    except (EthosMemoryError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("call", CALLS)
def test_without_a_file_it_answers_like_an_empty_one_and_makes_none(
    call: str, store: SQLiteSessionStore, home: Path, tmp_path: Path
) -> None:
    """Same values, same errors; whoever only looks leaves no trace."""
    (tmp_path / "b").mkdir()
    with open_store(tmp_path / "b") as empty:
        for one, other in (
            (store.for_owner("user:u1"), empty.for_owner("user:u1")),
            (store.unsafe_everyone(), empty.unsafe_everyone()),
        ):
            assert outcome(CALLS[call], one) == outcome(CALLS[call], other)
    assert not home.parent.exists()


def test_the_errors_are_the_stores_own(store: SQLiteSessionStore) -> None:
    """Of the right class, and not only equal to each other."""
    mine = store.for_owner("user:u1")
    for call, kind in (
        ("get", SessionNotFoundError),
        ("orphan", SessionNotFoundError),
        ("list cursor", InvalidCursorError),
        ("list -1", ValueError),
    ):
        with pytest.raises(kind):
            CALLS[call](mine)


def test_owners_without_a_file_have_nothing(
    store: SQLiteSessionStore, home: Path
) -> None:
    """Counting, exporting and erasing make no file either."""
    assert store.count_owner("user:u1") == 0
    assert list(store.export_owner("user:u1")) == []
    assert store.erase_owner("user:u1") == 0
    assert not home.parent.exists()


def test_the_first_conversation_makes_file_and_folder_private(
    store: SQLiteSessionStore, home: Path
) -> None:
    """And what was asked before sees it afterwards."""
    mine = store.for_owner("user:u1")
    assert mine.list().items == ()
    old = os.umask(0)
    try:
        id = mine.create("k", title="boiler").id
    finally:
        os.umask(old)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o600
    say(mine, id, "user: hello", "assistant: hi")
    with pytest.raises(MessageOrderError):
        say(mine, mine.create("other").id, "tool_result: 1")
    assert [hit.session_id for hit in mine.search("hello")] == [id]
    assert store.erase_owner("user:u1") == 2
    assert mine.list().items == ()


def test_a_file_that_another_store_made_is_found(
    store: SQLiteSessionStore, home: Path
) -> None:
    """Also when this store has answered without one before."""
    mine = store.for_owner("user:u1")
    assert mine.list().items == ()
    home.mkdir(parents=True)
    with open_store(home) as other:
        id = other.for_owner("user:u1").create("k").id
    assert [session.id for session in mine.list().items] == [id]


def test_two_first_conversations_at_once_are_both_kept(
    store: SQLiteSessionStore,
) -> None:
    """One file, opened once."""
    mine = store.for_owner("user:u1")
    together = threading.Barrier(4)

    def begin(number: int) -> None:
        together.wait()
        mine.create(f"k{number}")

    threads = [threading.Thread(target=begin, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {session.key for session in mine.list().items} == {"k0", "k1", "k2", "k3"}


def test_a_closed_store_stays_closed(home: Path) -> None:
    """With a file or without; closing twice is fine."""
    for has_file in (False, True):
        store = open_store(home, lazily=True)
        mine = store.for_owner("user:u1")
        if has_file:
            mine.create("k")
        store.close()
        store.close()
        with pytest.raises(ValueError, match="closed"):
            mine.list()
        with pytest.raises(ValueError, match="closed"):
            mine.create("other")


def test_a_file_that_is_no_database_is_an_error_at_each_call(
    store: SQLiteSessionStore, home: Path
) -> None:
    """Never an empty list, and never a new file in its place."""
    home.mkdir(parents=True)
    (home / NAME).write_bytes(b"not SQLite" * 100)
    for _ in range(2):
        with pytest.raises(CorruptFileError):
            store.for_owner("user:u1").list()
    assert (home / NAME).read_bytes() == b"not SQLite" * 100


def test_what_cannot_be_looked_at_is_not_taken_for_empty(
    store: SQLiteSessionStore, home: Path
) -> None:
    """A file where the home should be, or a link where the database should be."""
    home.parent.mkdir()
    home.write_text("x")
    mine = store.for_owner("user:u1")
    for call in (mine.list, lambda: mine.create("k")):
        with pytest.raises(UnsafePathError):
            call()
    home.unlink()
    home.mkdir()
    (home / NAME).symlink_to(home / "elsewhere.db")
    with pytest.raises(UnsafePathError):
        mine.list()


def test_a_folder_that_cannot_be_made_is_named(
    store: SQLiteSessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a database that cannot be made."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "mkdir", full)
    with pytest.raises(NotWrittenError, match="No space") as caught:
        store.for_owner("user:u1").create("k")
    assert caught.value.__context__ is None


def test_a_backup_of_nothing_is_an_empty_store(
    store: SQLiteSessionStore, tmp_path: Path
) -> None:
    """Over an earlier backup as well, and restored like any other."""
    (tmp_path / "c").mkdir()
    for _ in range(2):
        store.backup(tmp_path / "c" / NAME)
    with open_store(tmp_path / "c") as copy:
        assert copy.unsafe_everyone().list().items == ()
        copy.for_owner("user:u1").create("k")
