from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.errors import NotWrittenError, UnsafePathError
from ethos_memory.sessions import backup
from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import SQLiteSessionStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteSessionStore]:
    """Return a store with one conversation, in a folder of its own."""
    folder = tmp_path / "home"
    folder.mkdir()
    with open_store(folder) as store:
        sessions = store.for_owner("user:ana")
        say(sessions, sessions.create("k").id, "user: hello")
        yield store


def test_a_copy_never_replaces_the_store_itself(
    tmp_path: Path, store: SQLiteSessionStore
) -> None:
    """Under whatever name."""
    path = tmp_path / "home" / "memory-sessions.db"
    (tmp_path / "other name").hardlink_to(path)
    (tmp_path / "linked folder").symlink_to(tmp_path / "home")
    for name in (
        path,
        tmp_path / "other name",
        tmp_path / "linked folder" / "memory-sessions.db",
        tmp_path / "home" / ".." / "home" / "memory-sessions.db",
    ):
        with pytest.raises(ValueError):
            store.backup(name)
    assert store.count_owner("user:ana") == 1


@pytest.mark.parametrize("kind", ["folder", "link", "dangling link"])
def test_what_is_no_file_is_not_replaced(
    tmp_path: Path, store: SQLiteSessionStore, kind: str
) -> None:
    """Nor followed."""
    path, target = tmp_path / "copy.db", tmp_path / "target"
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(target)
    if kind == "link":
        target.write_bytes(b"precious")
    with pytest.raises(UnsafePathError):
        store.backup(path)
    assert target.exists() == (kind == "link")


def test_a_missing_folder_is_said(tmp_path: Path, store: SQLiteSessionStore) -> None:
    """Nothing is made."""
    with pytest.raises(NotWrittenError, match="No such file"):
        store.backup(tmp_path / "no" / "copy.db")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("fault", [OSError(28, "No space"), sqlite3.Error("full")])
def test_a_copy_that_fails_leaves_the_earlier_one(
    tmp_path: Path,
    store: SQLiteSessionStore,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
) -> None:
    """And no temporary file."""
    path = tmp_path / "copy.db"
    path.write_bytes(b"last week's")

    def fail(*_: Any) -> None:
        raise fault

    monkeypatch.setattr(backup, "_copy", fail)
    with pytest.raises(NotWrittenError) as caught:
        store.backup(path)
    assert caught.value.__context__ is None
    assert path.read_bytes() == b"last week's"
    assert {found.name for found in tmp_path.iterdir()} == {"home", "copy.db"}


def test_a_copy_is_one_sound_file(tmp_path: Path, store: SQLiteSessionStore) -> None:
    """It needs nothing beside it, and reading it leaves nothing beside it."""
    path = tmp_path / "copy.db"
    store.backup(str(path))
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("SELECT count(*) FROM messages").fetchone() == (1,)
    assert {found.name for found in tmp_path.iterdir()} == {"home", "copy.db"}
