"""Case B11: what was deleted from a conversation is not found any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import SessionNotFoundError
from session_store import open_store, say, texts

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.sessions import Sessions

TABLES = ("sessions", "messages", "message_search", "title_search")
SHADOWS = ("message_search_docsize", "title_search_docsize")


def _rows(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as database:
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in (*TABLES, *SHADOWS)
        }


def _talk(sessions: Sessions) -> str:
    id = sessions.create("telegram:1", title="Birds").id
    say(sessions, id, "user: my pin is heron", "assistant: noted heron")
    say(sessions, id, "user: and the next thing")
    return id


def test_undo_takes_the_last_turn_from_everywhere(tmp_path: Path) -> None:
    """From pages, counts, search and list, before and after opening again."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(sessions)
        assert sessions.undo(id, 1) == 1
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        assert texts(sessions.messages(id).items) == ["my pin is heron", "noted heron"]
        assert sessions.get(id).message_count == 2
        assert sessions.search("thing") == ()
        assert sessions.list("thing").items == ()
        assert len(sessions.search("heron")) == 2
        sessions.undo(id)
        assert sessions.search("heron") == ()


def test_delete_leaves_no_row_in_any_table(tmp_path: Path) -> None:
    """Not even when a fork of it exists; the fork keeps its own."""
    path = tmp_path / "memory-sessions.db"
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(sessions)
        fork = sessions.fork(id).id
        sessions.delete(id)
        assert _rows(path) == {
            "sessions": 1,
            "messages": 3,
            "message_search": 3,
            "title_search": 1,
            "message_search_docsize": 3,
            "title_search_docsize": 1,
        }
        assert {hit.session_id for hit in sessions.search("heron")} == {fork}
        sessions.delete(fork)
        assert set(_rows(path).values()) == {0}
        assert sessions.search("heron") == ()
        assert sessions.list("birds").items == ()
        with pytest.raises(SessionNotFoundError):
            sessions.messages(id)
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        assert sessions.search("heron") == sessions.search("thing") == ()


def test_a_renamed_session_is_not_found_by_its_old_title(tmp_path: Path) -> None:
    """Edited text stops matching its old words."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k", title="Zebrafish").id
        sessions.update(id, title="Ducks")
        assert sessions.list("zebrafish").items == ()
        assert [found.id for found in sessions.list("duck").items] == [id]
        sessions.update(id, title=None)
        assert sessions.list("ducks").items == ()


def test_an_index_agrees_with_its_table_after_every_change(tmp_path: Path) -> None:
    """SQLite's own check finds no entry without a row and no row without one."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        first = _talk(sessions)
        second = sessions.fork(first).id
        sessions.update(second, title="Other birds")
        sessions.undo(second)
        sessions.delete(first)
    with closing(sqlite3.connect(tmp_path / "memory-sessions.db")) as database:
        for index in ("message_search", "title_search"):
            database.execute(
                f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)"
            )


def test_an_erased_owner_leaves_no_word_in_any_file(tmp_path: Path) -> None:
    """Neither text nor search terms nor titles stay in a free page or the log."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create(
            "telegram:774411", title="Quetzalcoatl", metadata={"x": "axolotl"}
        ).id
        for number in range(300):
            say(sessions, id, f"user: ocelot number {number}", "assistant: peccary")
        others = store.for_owner("user:ben")
        say(others, others.create("k").id, "user: keeps bees")
        assert store.erase_owner("user:ana") == 1
        for file in tmp_path.iterdir():
            raw = file.read_bytes().lower()
            for word in (b"ocelot", b"peccar", b"quetzal", b"axolotl", b"774411"):
                assert word not in raw, file.name
        assert len(others.search("bees")) == 1
