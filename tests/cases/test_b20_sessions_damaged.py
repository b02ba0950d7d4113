"""Case B20: one damaged row of a conversation does not hide the others."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import CorruptFileError
from session_store import open_store, say, texts, walk

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.sessions import SQLiteSessionStore

SECRET = "the-private-words"

DAMAGES = {
    "cut short": 'tool_calls = \'[{"id": "the-private-words\'',
    "another kind": "tool_calls = '{}'",
    "empty": "tool_calls = ''",
    "nested too deep": f"content_blocks = '{'[' * 100_000}'",
    "usage": "usage = '[1]'",
    "role": "role = 'the-private-words'",
    "time": "at = 9223372036854775807",
}


def _damage(folder: Path, change: str, where: str) -> None:
    with closing(sqlite3.connect(folder / "memory-sessions.db")) as database:
        done = database.execute(f"UPDATE messages SET {change} WHERE {where}")
        assert done.rowcount == 1
        database.commit()


def _talk(store: SQLiteSessionStore) -> str:
    sessions = store.for_owner("user:ana")
    id = sessions.create("k").id
    say(sessions, id, "user: u1", "user: u2", "user: u3", "user: u4")
    return id


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_limit_counts_readable_messages_and_the_damaged_one_is_reported(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The newest row is damaged: two readable turns come, and its id."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(store)
        newest = sessions.messages(id, turns=1).items[0].id
        _damage(tmp_path, DAMAGES[damage], "content = 'u4'")
        with caplog.at_level(logging.WARNING):
            page = sessions.messages(id, turns=2)
        assert texts(page.items) == ["u2", "u3"]
        assert page.unreadable == (newest,)
        rest = sessions.messages(id, before=page.next_cursor)
        assert texts(rest.items) == ["u1"]
        assert rest.unreadable == ()
        assert newest in caplog.text
        assert SECRET not in caplog.text
        assert SECRET not in repr(page)


@pytest.mark.parametrize("row", ["u1", "u2", "u3", "u4"])
@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_the_others_are_paged_once_each_wherever_the_damage_is(
    tmp_path: Path, row: str, size: int
) -> None:
    """A turn that is damaged in whole counts for no page."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(store)
        _damage(tmp_path, "tool_calls = 'x'", f"content = '{row}'")
        pages = walk(sessions, id, size)
        found = [text for page in reversed(pages) for text in page]
        assert found == [text for text in ("u1", "u2", "u3", "u4") if text != row]


def test_a_damaged_message_can_be_found_forked_exported_undone(tmp_path: Path) -> None:
    """Nothing else depends on the damaged value; a fork keeps its bytes."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(store)
        _damage(tmp_path, "tool_calls = 'x'", "content = 'u4'")
        assert len(sessions.search("u4")) == 1
        fork = sessions.fork(id).id
        assert len(sessions.messages(fork).unreadable) == 1
        (first, second) = store.export_owner("user:ana")
        assert len(first.messages) == len(second.messages) == 3
        assert len(first.unreadable) == len(second.unreadable) == 1
        sessions.append(id, "user", "u5", usage={"tokens": 1})
        assert sessions.undo(id, 2) == 2
        assert texts(sessions.messages(id).items) == ["u1", "u2", "u3"]


def test_a_damaged_session_hides_no_other(tmp_path: Path) -> None:
    """A list leaves it out and reports it; its messages stay readable."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        ids = [sessions.create(f"k{number}").id for number in range(3)]
        for id in ids:
            say(sessions, id, "user: word")
        with closing(sqlite3.connect(tmp_path / "memory-sessions.db")) as database:
            database.execute("UPDATE sessions SET metadata = '{' WHERE key = 'k1'")
            database.commit()
        for q in ("", "word"):
            page = sessions.list(q, limit=2)
            assert [session.key for session in page.items] == ["k2", "k0"]
            assert page.unreadable == (ids[1],)
            assert page.next_cursor is None
        with pytest.raises(CorruptFileError) as caught:
            sessions.get(ids[1])
        assert caught.value.__context__ is None
        with pytest.raises(CorruptFileError):
            sessions.fork(ids[1])
        assert store.count_owner("user:ana") == 3
        assert texts(sessions.messages(ids[1]).items) == ["word"]
        exported = list(store.export_owner("user:ana"))
        assert [found.session is None for found in exported] == [False, True, False]
        assert exported[1].unreadable == (ids[1],)
        assert texts(exported[1].messages) == ["word"]
        sessions.update(ids[1], metadata=None)
        assert sessions.get(ids[1]).metadata == {}


def test_a_damaged_sum_is_added_up_again(tmp_path: Path) -> None:
    """The messages are the truth; an append is not refused."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        sessions.append(id, "user", "a", usage={"tokens": 2, "model": "m"})
        with closing(sqlite3.connect(tmp_path / "memory-sessions.db")) as database:
            database.execute("UPDATE sessions SET usage = 'x'")
            database.commit()
        sessions.append(id, "assistant", "b", usage={"tokens": 3, "cost": 0.5})
        assert sessions.get(id).usage == {"tokens": 5, "cost": 0.5}


def test_text_that_is_not_utf8_is_shown_in_part(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Python's own complaint about it would quote the text and lose the page."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = _talk(store)
        _damage(tmp_path, "content = CAST(x'7534ff' AS TEXT)", "content = 'u4'")
        assert texts(sessions.messages(id).items) == ["u1", "u2", "u3", "u4\ufffd"]
        assert len(sessions.search("u1")) == 1
        fork = sessions.fork(id).id
        assert len(sessions.messages(fork).items) == 4
        assert "UTF-8" in caplog.text


def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    """Zeros in the middle of it are found by the call that reads them."""
    with open_store(tmp_path) as store:
        id = _talk(store)
    path = tmp_path / "memory-sessions.db"
    raw = bytearray(path.read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    path.write_bytes(raw)
    with (
        pytest.raises(CorruptFileError, match=r"memory-sessions\.db"),
        open_store(tmp_path) as store,
    ):
        store.for_owner("user:ana").messages(id)
    assert path.read_bytes() == bytes(raw)
