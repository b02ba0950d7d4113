"""Whether a store can be used, told without a change to anything."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ethos_memory.sessions import soundness
from ethos_memory.sessions.schema import APPLICATION_ID, VERSION
from ethos_memory.sessions.soundness import find_fault
from session_store import open_store, say

if TYPE_CHECKING:
    from pathlib import Path

NAME = "memory-sessions.db"
NEWER = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION + 1};
"""


def filled(folder: Path) -> Path:
    """A store that was closed, with enough in it to fill several pages."""
    with closing(open_store(folder)) as store:
        mine = store.for_owner("user:a")
        session = mine.create("k")
        say(
            mine,
            session.id,
            *(f"user: {number} " + "tea " * 200 for number in range(40)),
        )
    return folder / NAME


def names(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_no_store_and_an_empty_one_are_fine(tmp_path: Path) -> None:
    """Both are what the first write makes a store of."""
    assert find_fault(tmp_path / NAME) == ""
    assert not names(tmp_path)
    (tmp_path / NAME).touch()
    assert find_fault(tmp_path / NAME) == ""


def test_a_store_that_was_closed_is_sound_and_stays_as_it_is(tmp_path: Path) -> None:
    """No log and no shared memory appears beside it."""
    path = filled(tmp_path)
    before = names(tmp_path)
    assert find_fault(path) == ""
    assert names(tmp_path) == before == {NAME: path.read_bytes()}


def test_a_store_in_use_is_sound_and_goes_on(tmp_path: Path) -> None:
    """What its log holds counts, and its writer notices nothing."""
    with closing(open_store(tmp_path)) as store:
        mine = store.for_owner("user:a")
        session = mine.create("k")
        say(mine, session.id, "user: tea")
        assert (tmp_path / f"{NAME}-wal").stat().st_size
        assert find_fault(tmp_path / NAME) == ""
        say(mine, session.id, "user: more")
    assert find_fault(tmp_path / NAME) == ""


def test_a_log_without_its_writer_is_left_alone(tmp_path: Path) -> None:
    """A copied home: reading the log would make a file beside it."""
    (tmp_path / "copy").mkdir()
    with closing(open_store(tmp_path)) as store:
        store.for_owner("user:a").create("k")
        for suffix in ("", "-wal"):
            shutil.copyfile(
                tmp_path / f"{NAME}{suffix}", tmp_path / f"copy/{NAME}{suffix}"
            )
    before = names(tmp_path / "copy")
    assert find_fault(tmp_path / "copy" / NAME) == ""
    assert names(tmp_path / "copy") == before


def test_a_rotten_page_is_found(tmp_path: Path) -> None:
    """A disk that returns other bytes than were written."""
    path = filled(tmp_path)
    data = bytearray(path.read_bytes())
    data[4096 * 3 : -4096] = b"\xa5" * (len(data) - 4096 * 4)
    path.write_bytes(data)
    assert find_fault(path) in {
        "SQLite finds it damaged",
        "SQLite cannot read it (SQLITE_CORRUPT)",
    }


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"tea" * 1000, "SQLite cannot read it (SQLITE_NOTADB)"),
        (b"t", "too short for a SQLite database"),
    ],
)
def test_what_is_no_database_is_found(tmp_path: Path, data: bytes, fault: str) -> None:
    """SQLite itself takes a file of one byte for an empty one."""
    (tmp_path / NAME).write_bytes(data)
    assert find_fault(tmp_path / NAME) == fault


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("CREATE TABLE t (x)", "another program's database"),
        ("PRAGMA user_version = 3", "another program's database"),
        (
            NEWER,
            "a newer release wrote it",
        ),
    ],
)
def test_whose_file_it_is_is_told(tmp_path: Path, script: str, fault: str) -> None:
    """The store itself would refuse both."""
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        connection.executescript(script)
    assert find_fault(tmp_path / NAME) == fault


def test_what_is_no_file_is_named_and_does_not_hang(tmp_path: Path) -> None:
    """A pipe would block whoever opens it."""
    os.mkfifo(tmp_path / NAME)
    assert find_fault(tmp_path / NAME) == "not a regular file"
    (tmp_path / "link").symlink_to(NAME)
    assert find_fault(tmp_path / "link").startswith("a link")


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (OSError("odd"), "OSError"),
    ],
)
def test_what_the_system_refuses_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, fault: str
) -> None:
    """In its words, without ours around them."""

    def refuse(_: object) -> str:
        raise error

    (tmp_path / NAME).touch()
    monkeypatch.setattr(soundness, "_fault_of", refuse)
    assert find_fault(tmp_path / NAME) == fault
