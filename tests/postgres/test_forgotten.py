"""Whoever was forgotten in one place does not come back with a copy from the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.identity_map.audit import AUDIT_NAME
from ethos_memory.pg import Database
from postgres.moving_homes import Move, make
from postgres.test_copying import copied, copy_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.moving import CopyReport
    from postgres.server import Server

PART = ["account", "pages", "conversations"]


@pytest.fixture
def move(postgres: Server, tmp_path: Path) -> Move:
    """Return a home with a personality's notes, and a database without tables."""
    made = make(postgres, tmp_path)
    with made.open_home() as memory:
        memory.provider.sync("personality:ops", [Add("MEMORY.md", "- notes")])
        memory.identity_map.link("telegram", "9", "other")
        memory.forget("nobody")
    return made


@pytest.fixture
def database(move: Move) -> Iterator[Database]:
    """Return the database that the home is copied to."""
    with Database(move.server.dsn) as opened:
        yield opened


def hold(move: Move, part: str) -> None:
    """Let the home hold something of somebody."""
    with move.open_home() as memory:
        if part == "account":
            memory.identity_map.link("telegram", "1", "ana")
        if part == "pages":
            memory.provider.sync("user:ana", [Add("USER.md", "- PRIVATE")])
        if part == "conversations":
            talk = memory.sessions.for_owner("user:ana")
            talk.append(talk.create("dm").id, "user", "PRIVATE")


def forget_at_home(move: Move) -> None:
    """Forget her in the home."""
    with move.open_home() as memory:
        assert memory.forget("ana")


def forget_in_database(move: Move) -> None:
    """Forget her in the database."""
    with move.open_moved() as memory:
        assert memory.forget("ana")


def previewed(move: Move, database: Database) -> CopyReport:
    """Tell what a copy would do."""
    with move.open_home() as memory:
        return copy_of(move, memory, database).preview()


@pytest.mark.parametrize("part", PART)
def test_who_is_forgotten_between_two_copies_is_told(
    move: Move, database: Database, part: str
) -> None:
    """Until they are forgotten in the database as well; the rest is copied."""
    hold(move, part)
    assert copied(move, database).is_whole
    forget_at_home(move)
    with move.open_home() as memory:
        memory.provider.sync("personality:ops", [Add("MEMORY.md", "- more")])
    assert previewed(move, database).forgotten_here == ("ana",)
    report = copied(move, database)
    assert report.forgotten_here == ("ana",)
    assert not report.is_whole
    with move.open_moved() as memory:
        notes = memory.provider.read("personality:ops", "MEMORY.md")
        assert notes is not None
        assert "more" in notes.content
    forget_in_database(move)
    assert copied(move, database).is_whole


@pytest.mark.parametrize("part", PART)
def test_who_was_forgotten_in_the_database_is_not_brought_back(
    move: Move, database: Database, part: str
) -> None:
    """Nothing is copied at all, until the home has forgotten them too."""
    hold(move, part)
    assert copied(move, database).is_whole
    forget_in_database(move)
    assert previewed(move, database).forgotten_there == ("ana",)
    report = copied(move, database)
    assert report.forgotten_there == ("ana",)
    assert (report.accounts, report.scopes, report.sessions) == (0, (), 0)
    assert not report.is_whole
    with move.open_moved() as memory:
        assert not memory.forget("ana", dry_run=True).held
    forget_at_home(move)
    assert copied(move, database).is_whole


def test_who_has_the_id_again_is_not_forgotten(move: Move, database: Database) -> None:
    """In the home before the copy, or in both places after it."""
    hold(move, "account")
    forget_at_home(move)
    hold(move, "account")
    assert copied(move, database).is_whole
    forget_in_database(move)
    with move.open_moved() as memory:
        memory.identity_map.link("telegram", "1", "ana")
    assert copied(move, database).is_whole


def test_damaged_lines_of_the_audit_say_nothing(move: Move, database: Database) -> None:
    """Nor do ids that are none."""
    hold(move, "pages")
    copied(move, database)
    forget_at_home(move)
    audit = move.home / "users" / AUDIT_NAME
    torn = (
        b'{"verb": "forget", "userIds": [1, "../x", "a:b", null]}\n[]\n{"verb": "forg'
    )
    deep = b'\n{"verb": "forget", "userIds": "ana"}\n' + b"[" * 100_000 + b"\n"
    audit.write_bytes(audit.read_bytes() + torn + deep)
    assert copied(move, database).forgotten_here == ("ana",)
    audit.unlink()
    assert copied(move, database).forgotten_here == ()


def test_a_home_where_nobody_was_ever_met_is_copied(
    postgres: Server, tmp_path: Path
) -> None:
    """It has no audit."""
    move = make(postgres, tmp_path)
    with Database(move.server.dsn) as database:
        assert copied(move, database).is_whole


def test_a_mark_that_came_later_follows(move: Move, database: Database) -> None:
    """A conversation that ran shared meanwhile must not be private again."""
    hold(move, "conversations")
    copied(move, database)
    with move.open_home() as memory:
        talk = memory.sessions.for_owner("user:ana")
        (session,) = talk.list().items
        talk.update(session.id, was_shared=True)
    report = copied(move, database)
    assert (report.sessions, report.messages) == (1, 0)
    assert report.is_whole
    with move.open_moved() as memory:
        talk = memory.sessions.for_owner("user:ana")
        assert talk.get(session.id).was_shared
        assert [one.content for one in talk.messages(session.id).items] == ["PRIVATE"]
    assert copied(move, database).equal_sessions == 1
