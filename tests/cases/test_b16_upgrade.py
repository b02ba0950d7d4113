"""Case B16: the update opens last month's file, and leaves next month's alone."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import NewerFormatError
from ethos_memory.sessions import schema, upgrade
from ethos_memory.sessions.schema import APPLICATION_ID, MIGRATIONS, VERSION
from session_store import open_store, say, texts

if TYPE_CHECKING:
    from pathlib import Path

LINES = [
    "hello there",
    "昨晚的项目",
    "the migrations ran",
    "naïve café",
    "party 🎉",
    "node.js",
    "one",
    "two",
    "three",
    "four",
]


def _old_file(folder: Path) -> Path:
    """Write a file as the first version made it: no search, no lengths."""
    path = folder / "memory-sessions.db"
    with closing(sqlite3.connect(path)) as old:
        for statement in MIGRATIONS[0].statements:
            old.execute(statement)
        old.execute("PRAGMA user_version = 1")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for number in range(3):
            old.execute(
                "INSERT INTO sessions VALUES (NULL, ?, 'user:ana', ?, '', '', '', NULL,"
                " NULL, NULL, ?, '{}', 0, 0, '{}', 0, 0, 0, 0, 0)",
                (f"s{number}", f"k{number}", f"Title {number}"),
            )
        for number, line in enumerate(LINES):
            old.execute(
                "INSERT INTO messages VALUES (NULL, ?, ?, 'user:ana', 'user', ?, NULL,"
                " NULL, NULL, NULL, NULL, NULL, ?)",
                (f"m{number}", f"s{number % 3}", number, line),
            )
        old.commit()
    return path


def _check(folder: Path) -> None:
    with open_store(folder) as store:
        sessions = store.for_owner("user:ana")
        assert len(sessions.list().items) == 3
        found = [texts(sessions.messages(f"s{number}").items) for number in range(3)]
        assert found == [LINES[0::3], LINES[1::3], LINES[2::3]]
        for query, line in [
            ("项目", 1),
            ("migration", 2),
            ("cafe", 3),
            ("🎉", 4),
            ("node.js", 5),
        ]:
            (hit,) = sessions.search(query)
            assert hit.message_id == f"m{line}"
        (titled,) = sessions.list('"Title 2"').items
        assert titled.id == "s2"
        say(sessions, "s0", "user: new words")
        assert len(sessions.search("words")) == 1


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def test_an_older_file_keeps_every_row_and_becomes_searchable(tmp_path: Path) -> None:
    """All thirteen rows, with what they say."""
    path = _old_file(tmp_path)
    _check(tmp_path)
    assert _version(path) == VERSION


def test_a_second_opening_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a step nor a reindexing runs again, and the bytes stay."""
    path = _old_file(tmp_path)
    open_store(tmp_path).close()
    before = path.read_bytes()
    monkeypatch.setattr("ethos_memory.sessions.sqlite.upgrade", None)
    open_store(tmp_path).close()
    assert path.read_bytes() == before


def test_two_that_open_it_at_once_upgrade_it_once(tmp_path: Path) -> None:
    """The second waits, looks again, and finds nothing to do."""
    _old_file(tmp_path)
    failures: list[BaseException] = []
    barrier = threading.Barrier(4)

    def opening() -> None:
        try:
            barrier.wait(60)
            open_store(tmp_path, busy_seconds=60).close()
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=opening) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failures == []
    _check(tmp_path)


@pytest.mark.parametrize("where", ["statement", "titles", "messages"])
def test_an_interrupted_upgrade_leaves_the_old_file_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Nothing of it stays, wherever it stopped; the next opening completes it."""
    path = _old_file(tmp_path)

    class Interrupted(Exception):  # noqa: N818 - no error, a kill
        pass

    calls = iter(range(100))

    def fail(text: str | None) -> str:
        if next(calls) == (1 if where == "titles" else 8):
            raise Interrupted
        return text or ""

    with monkeypatch.context() as patch:
        if where == "statement":
            broken = (*MIGRATIONS[1].statements[:5], "SELECT nothing()")
            steps = (MIGRATIONS[0], schema.Migration(2, broken))
            patch.setattr(upgrade, "MIGRATIONS", steps)
        else:
            patch.setattr(upgrade, "search_terms", fail)
        with pytest.raises((Interrupted, sqlite3.OperationalError)):
            open_store(tmp_path)
    assert _version(path) == 1
    with closing(sqlite3.connect(path)) as old:
        assert len(old.execute("SELECT * FROM messages").fetchall()) == 10
        columns = [row[1] for row in old.execute("PRAGMA table_info(messages)")]
        assert "terms" not in columns
    _check(tmp_path)


def test_a_newer_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """The message names both versions; not one byte changes."""
    with open_store(tmp_path) as store:
        store.for_owner("user:ana").create("k")
    path = tmp_path / "memory-sessions.db"
    with closing(sqlite3.connect(path)) as future:
        future.execute("PRAGMA user_version = 9999")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(NewerFormatError) as caught:
        open_store(tmp_path)
    assert (caught.value.found, caught.value.supported) == (9999, VERSION)
    assert "9999" in str(caught.value)
    assert str(VERSION) in str(caught.value)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_the_steps_have_no_gap() -> None:
    """A file at any version has exactly one way forward."""
    assert [step.version for step in MIGRATIONS] == list(range(1, VERSION + 1))
