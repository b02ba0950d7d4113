"""A home in files is copied into PostgreSQL: all of it, and nothing is written over."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve

from concurrency.processes import go, start
from ethos_memory.disk import Root
from ethos_memory.entry import Add, Replace
from ethos_memory.errors import CorruptFileError, NotWrittenError, UnsupportedError
from ethos_memory.guard import InjectionGuard
from ethos_memory.home import SESSIONS_FILE
from ethos_memory.identity_map.postgres_import import read_map, write_map
from ethos_memory.moving import HomeCopy, copying
from ethos_memory.pg import Database
from ethos_memory.pg.peek import is_empty
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.providers.postgres_import import (
    ScopeContents,
    change_of,
    read_contents,
    write_contents,
)
from ethos_memory.scope import ScopeId
from ethos_memory.sessions import postgres_import, postgres_source
from ethos_memory.sessions.labels import default_redact
from postgres.lossy import answer_lost
from postgres.moving_homes import ROOM, SCOPES, Move, live, make, told
from postgres.test_database import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory
    from ethos_memory.moving import CopyReport
    from postgres.server import Server

CY = ScopeId.user("cy")
WAITING = "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory, postgres: Server) -> Move:
    """Return a home in which everything happened, not to be changed."""
    made = make(postgres, tmp_path_factory.mktemp("lived"))
    live(made)
    return made


@pytest.fixture
def move(postgres: Server, tmp_path: Path, lived: Move) -> Move:
    """Return a home of one's own like it, and a database without tables."""
    made = make(postgres, tmp_path)
    for name, data in lived.files().items():
        path = made.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return made


@pytest.fixture
def database(move: Move) -> Iterator[Database]:
    """Return the database that the home is copied to."""
    with Database(move.server.dsn) as opened:
        yield opened


def copy_of(move: Move, memory: Memory, database: Database | None) -> HomeCopy:
    """Return a copy to be run."""
    path = move.home / SESSIONS_FILE
    return HomeCopy(
        Root(move.home),
        memory.provider,
        memory.teams,
        InjectionGuard(),
        sessions=path if path.exists() else None,
        database=database,
    )


def copied(move: Move, database: Database) -> CopyReport:
    """Copy, and return the report."""
    with move.open_home() as memory:
        return copy_of(move, memory, database).run()


def told_of_home(move: Move) -> dict[str, Any]:
    """Return what the home tells."""
    with move.open_home() as memory:
        return told(memory)


def told_of_moved(move: Move) -> dict[str, Any]:
    """Return what the database tells."""
    with move.open_moved() as memory:
        return told(memory)


def test_everything_is_told_alike(move: Move, database: Database) -> None:
    """Every field, time and order; and the home keeps every byte."""
    before, files = told_of_home(move), move.files()
    report = copied(move, database)
    assert report.is_whole
    assert move.files() == files
    assert told_of_moved(move) == before
    assert [one.scope for one in report.scopes] == [
        *("personality:aide", "personality:ops", "user:cy", "team:blue")
    ]
    assert [one.aside for one in report.scopes] == [0, 0, 1, 0]
    assert (report.accounts, report.merged) == (4, 2)
    assert (report.sessions, report.messages) == (5, 16)


def test_history_goes_with_the_pages(move: Move, database: Database) -> None:
    """Every state that the home can tell of, and what was done to it by hand."""
    copied(move, database)
    with move.open_home() as home, move.open_moved() as moved:
        for scope in SCOPES:
            old, new = (
                (one.teams if scope.startswith("team") else one.provider).history(scope)
                for one in (home, moved)
            )
            by_hand = new[: len(new) - len(old)]
            assert new[len(by_hand) :] == old
            assert {(one.key, one.content) for one in by_hand} == (
                {("gone.md", None), ("byhand.md", "\ufeff- by hand\r\n")}
                if scope == "user:cy"
                else set()
            )
        revision = moved.provider.history(scope, "a.md")[-1].revision
        moved.provider.restore(scope, "a.md", revision)
        moved.provider.sync(scope, [Add("MEMORY.md", "goes on")])


def test_a_copy_is_repeated_and_follows_what_grew(
    move: Move, database: Database
) -> None:
    """Nothing is there twice, and nothing of what came later is missing."""
    copied(move, database)
    again = copied(move, database)
    assert {one.outcome for one in again.scopes} == {"equal"}
    assert (again.accounts, again.merged, again.sessions, again.messages) == (0,) * 4
    assert again.equal_sessions == 5
    with move.open_home() as memory:
        memory.identity_map.resolve("telegram", 77)
        memory.provider.sync("user:cy", [Add("USER.md", "- new"), Add("a.md", "more")])
        room = memory.sessions.for_owner(ROOM)
        (known,) = room.list(key_prefix="room").items
        room.append(known.id, "user", "once more", usage={"in": 1})
        room.fork(known.id)
        room.create("nothing said")
    later = copied(move, database)
    assert later.is_whole
    assert (later.accounts, later.sessions) == (1, 3)
    assert told_of_moved(move) == told_of_home(move)


def test_what_is_there_is_not_written_over(move: Move, database: Database) -> None:
    """A page, a conversation and a key that mean something else there."""
    copied(move, database)
    with move.open_moved() as moved:
        moved.provider.sync("user:cy", [Add("USER.md", "- said there")])
        room = moved.sessions.for_owner(ROOM)
        (known,) = room.list(key_prefix="room").items
        room.append(known.id, "user", "said there")
        (other,) = room.list(key_prefix="another").items
        room.delete(other.id)
        room.create("another")
    before = told_of_moved(move)
    with move.open_home() as memory:
        memory.provider.sync("user:cy", [Add("USER.md", "- said in the home")])
        memory.sessions.for_owner(ROOM).append(known.id, "user", "said in the home")
        memory.sessions.for_owner(ROOM).fork(known.id)
    report = copied(move, database)
    assert not report.is_whole
    outcomes = {one.scope: one.outcome for one in report.scopes}
    assert outcomes.pop("user:cy") == "differs"
    assert set(outcomes.values()) == {"equal"}
    assert report.differing_sessions == (known.id, other.id)
    assert report.sessions == 1
    after = told_of_moved(move)
    *rest, fork = after["sessions"].pop(ROOM)
    assert tuple(rest) == before["sessions"].pop(ROOM)
    assert fork.session.parent_session_id is None
    assert after["pages"] == before["pages"]


def test_a_scope_in_another_casing_is_another_one(
    move: Move, database: Database
) -> None:
    """What a disk that ignores case could not keep apart is not put side by side."""
    with move.open_moved() as moved:
        moved.provider.sync("user:Cy", [Add("USER.md", "- Cy")])
    report = copied(move, database)
    (other,) = [one for one in report.scopes if one.outcome == "differs"]
    assert other.scope == "user:cy"
    assert not database.read(lambda connection: read_contents(connection, CY))


@pytest.mark.parametrize(
    "statement",
    [
        "update accounts set user_id = 'dee' where platform = 'matrix'",
        "update accounts set platform = 'irc' where platform = 'matrix'",
        "update merged_ids set kept_id = 'dee' where user_id = 'cy'",
    ],
)
def test_accounts_that_say_otherwise_stop_everything(
    statement: str, move: Move, database: Database
) -> None:
    """No page may come under an id that is somebody else's."""
    copied(move, database)
    move.execute("delete from states where scope = 'none'", statement)
    with move.open_home() as memory:
        memory.provider.sync("user:new", [Add("USER.md", "- new")])
        memory.identity_map.resolve("telegram", 99)
        copy = copy_of(move, memory, database)
        reports = copy.preview(), copy.run()
    for report in reports:
        assert report.account_conflicts == 1
        assert not report.is_whole
        assert report.scopes == ()
    assert move.execute("select 1 from accounts where account_id = '99'") == []
    assert move.execute("select 1 from scopes where scope = 'user:new'") == []


@pytest.mark.parametrize("last", [1, 2, 4])
def test_a_copy_that_broke_off_goes_on(
    last: int, move: Move, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it broke off, in the end the lists are the home's."""
    add, calls = postgres_import._add_messages, iter(range(last))

    def broken(*args: Any, **options: Any) -> dict[str, int]:
        if next(calls, None) is None:
            raise NotWrittenError("server", cause=OSError())
        return add(*args, **options)

    monkeypatch.setattr(postgres_source, "_AT_ONCE", 3)
    with monkeypatch.context() as patch:
        patch.setattr(postgres_import, "_add_messages", broken)
        with pytest.raises(NotWrittenError):
            copied(move, database)
    report = copied(move, database)
    assert report.is_whole
    assert report.messages == 16 - 3 * last
    assert told_of_moved(move) == told_of_home(move)


def test_a_copy_that_broke_off_at_the_end_goes_on(
    move: Move, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every message is there, and nobody knows yet where the list has it."""
    with monkeypatch.context() as patch:
        patch.delattr(postgres_import, "_finish")
        with pytest.raises(NameError):
            copied(move, database)
    report = copied(move, database)
    assert (report.sessions, report.messages) == (5, 0)
    assert told_of_moved(move) == told_of_home(move)


#: Dies at its so-many-th question that is asked within a transaction.
KILLED = """
import os, sys
import psycopg
from ethos_memory.cli import main
from ethos_memory.sessions import postgres_source

home, last = sys.argv[1], int(sys.argv[2])
postgres_source._AT_ONCE = 1
left = [last]

def dying(call):
    def counted(connection, *args, **more):
        if connection.pgconn.transaction_status:
            left[0] -= 1
            if not left[0]:
                os._exit(9)
        return call(connection, *args, **more)
    return counted

psycopg.Connection.execute = dying(psycopg.Connection.execute)
sys.stdout = sys.stderr = open(os.devnull, "w")
print("ready", file=sys.__stdout__, flush=True)
input()
code = main(["copy", "--to-postgres", "--root", home])
print(code, file=sys.__stdout__)
"""


def test_a_copy_that_is_killed_again_and_again_comes_to_its_end(
    move: Move, database: Database
) -> None:
    """Each process gets a little further than the one before it."""
    answer, codes = "", []
    for last in itertools.count(1, 9):
        process = start(KILLED, move.home, last)
        go(process)
        answer, _ = process.communicate()
        codes.append(process.returncode)
        if answer:
            break
    assert answer == "0\n"
    assert codes == [*[9] * (len(codes) - 1), 0]
    assert len(codes) > 3
    assert told_of_moved(move) == told_of_home(move)


def test_what_was_taken_back_stays_so(move: Move, database: Database) -> None:
    """A conversation that went on there is not completed from the home."""
    copied(move, database)
    with move.open_moved() as moved:
        room = moved.sessions.for_owner(ROOM)
        (known,) = room.list(key_prefix="room").items
        room.undo(known.id)
    report = copied(move, database)
    assert report.differing_sessions == (known.id,)
    assert report.messages == 0


@pytest.mark.parametrize("happens", [True, False])
def test_a_lost_answer_copies_nothing_twice(
    happens: bool, move: Move, database: Database
) -> None:
    """A scope or a map is there once, whether or not the commit was heard of."""
    at = told_of_home(move)["accounts"][0].first_seen_at
    contents = ScopeContents(
        (change_of("a.md", "x\n", at=at, source="a\ud800", actions=("b\0",)),),
        {"a.md": at},
    )
    with answer_lost(database, happens=happens):
        assert write_contents(database, CY, contents)
    assert database.read(lambda connection: read_contents(connection, CY)) == contents
    assert not write_contents(database, CY, evolve(contents, states=(), pages={}))
    accounts = read_map(Root(move.home), redact=default_redact)
    with answer_lost(database, happens=happens):
        found = write_map(database, accounts, now=at)
    assert len(found.missing.accounts) == 4
    assert move.execute("select count(*) from accounts") == [(4,)]


def test_a_preview_writes_nothing(move: Move, postgres: Server) -> None:
    """No table is made; and what is there is compared."""
    with move.open_home() as memory:
        report = copy_of(move, memory, None).preview()
        with pytest.raises(ValueError, match="no database"):
            copy_of(move, memory, None).run()
    assert report.is_dry_run
    assert (report.accounts, report.messages) == (4, 16)
    assert is_empty(postgres.dsn, schema="ethos_memory")
    with Database(postgres.dsn) as database:
        done = copied(move, database)
        assert evolve(report, is_dry_run=False) == done
        before = told_of_moved(move)
        with move.open_home() as memory:
            memory.provider.sync("user:cy", [Add("USER.md", "- later")])
            again = copy_of(move, memory, database).preview()
        assert again.is_whole
        assert [one.outcome for one in again.scopes].count("copied") == 1
        assert told_of_moved(move) == before
    assert not is_empty(postgres.dsn, schema="ethos_memory")


def test_what_cannot_be_copied_is_said(move: Move, database: Database) -> None:
    """It hides nothing else, and no text of it is in the reason."""
    users = move.home / "users"
    for name, page, data in (
        ("latin", "USER.md", b"- SECRET caf\xe9"),
        ("twins", "a.md", b"one"),
        ("old", "memory-archive.md", b"\xff"),
    ):
        (users / name).mkdir()
        (users / name / page).write_bytes(data)
    (users / "twins/A.md").write_bytes(b"two")
    (users / "empty").mkdir()
    (users / "no scope").mkdir()
    (users / "link").symlink_to(users / "cy")
    (move.home / "personalities/own").mkdir()
    (move.home / "personalities/own/config.yaml").write_text(
        "memory:\n  provider: markdown\n", "utf-8"
    )
    (move.home / "personalities/odd").mkdir()
    (move.home / "personalities/odd/config.yaml").mkdir()
    report = copied(move, database)
    failed = {one.scope: one.reason for one in report.scopes if one.reason}
    assert failed.pop("user:latin") == "USER.md is not UTF-8"
    assert failed.pop("user:twins") == "two pages differ in case only"
    assert failed.pop("user:old") == "memory-archive.md is not UTF-8"
    assert failed.keys() == {"user:link", "personality:odd"}
    outcomes = {one.scope: one.outcome for one in report.scopes}
    assert outcomes["personality:own"] == "elsewhere"
    assert outcomes["user:cy"] == "copied"
    assert "user:empty" not in outcomes
    assert not report.is_whole


@pytest.mark.parametrize("at_once", [1, 500])
def test_damaged_rows_are_left_out(
    at_once: int, move: Move, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation that cannot be read, and a message; the others are copied."""
    monkeypatch.setattr(postgres_source, "_AT_ONCE", at_once)
    with closing(sqlite3.connect(move.home / SESSIONS_FILE)) as file:
        file.execute("update sessions set metadata = '[' where key = 'another'")
        file.execute("update messages set tool_calls = '{' where content = 'boiler 1'")
        file.commit()
    report = copied(move, database)
    assert len(report.damaged_sessions) == 1
    assert (report.sessions, report.messages) == (4, 15)
    assert not report.is_whole
    assert copied(move, database).equal_sessions == 4


def test_a_home_without_conversations_is_copied(move: Move, database: Database) -> None:
    """There is no file of them, and none is made."""
    (move.home / SESSIONS_FILE).unlink()
    report = copied(move, database)
    assert report.is_whole
    assert report.sessions == 0
    assert not (move.home / SESSIONS_FILE).exists()


def test_credentials_become_markers(move: Move, database: Database) -> None:
    """In pages edited by hand, earlier states, the archive and titles."""
    folder = move.home / "users/cy"
    (folder / "MEMORY.md").write_text(f"- tea\n- my token is {SECRET}\n", "utf-8")
    (folder / "memory-archive.md").write_text(f"old {SECRET}\n", "utf-8")
    with move.open_home() as memory:
        memory.provider.sync("user:cy", [Add("MEMORY.md", "- later")])
    with closing(sqlite3.connect(move.home / SESSIONS_FILE)) as file:
        file.execute("update sessions set title = ? where key = 'room'", (SECRET,))
        file.commit()
    report = copied(move, database)
    assert report.is_whole
    (cy,) = [one for one in report.scopes if one.redacted]
    assert (cy.scope, cy.redacted) == ("user:cy", 3)
    texts = move.execute(
        "select encode(content, 'escape') from states union all "
        "select encode(content, 'escape') from archive union all "
        "select encode(title, 'escape') from sessions"
    )
    assert not [text for (text,) in texts if text and SECRET in text]
    with move.open_moved() as moved:
        page = moved.provider.unsafe_read("user:cy", "MEMORY.md")
    assert page is not None
    assert page.content.startswith("- tea\n- my token is [")
    assert copied(move, database).is_whole


@pytest.mark.parametrize(
    ("where", "reason"),
    [("home", "changed in the home"), ("database", "changed where it came to")],
)
def test_what_changed_meanwhile_is_noticed(
    where: str,
    reason: str,
    move: Move,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A copy that is not what it was made of is none; the next one follows the home."""

    def meanwhile(*args: Any) -> bool:
        done = write_contents(*args)
        if args[1] == CY:
            with move.open_home() if where == "home" else move.open_moved() as memory:
                memory.provider.sync("user:cy", [Replace("a.md", "meanwhile")])
        return done

    with monkeypatch.context() as patch:
        patch.setattr(copying, "write_contents", meanwhile)
        report = copied(move, database)
    (failed,) = [one for one in report.scopes if one.outcome == "failed"]
    assert failed.reason.startswith(reason)
    assert copied(move, database).is_whole == (where == "home")


def test_a_scope_that_is_taken_meanwhile_is_left_alone(
    move: Move, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote first is there."""

    def there(*_: object) -> ScopeContents:
        return ScopeContents()

    with move.open_moved() as moved:
        moved.provider.sync("user:cy", [Add("USER.md", "- first")])
    with monkeypatch.context() as patch:
        patch.setattr(copying, "read_contents", there)
        report = copied(move, database)
    outcomes = {one.scope: one.outcome for one in report.scopes}
    assert outcomes["user:cy"] == "differs"
    with move.open_moved() as moved:
        (change,) = moved.provider.history("user:cy")
    assert change.content == "- first\n"


def test_a_copy_waits_for_who_is_writing(
    move: Move, database: Database, postgres: Server
) -> None:
    """And leaves what was written then: it is no earlier state of the home's."""
    at = datetime(2026, 1, 2, tzinfo=UTC)
    first, second = (change_of("a.md", text, at=at, source="cli") for text in "xy")
    assert write_contents(database, CY, ScopeContents((first,), {"a.md": at}))
    answers: list[bool] = []
    calls = itertools.count()
    with Database(postgres.dsn) as theirs:
        contents = ScopeContents((first, second), {"a.md": at})
        copier = threading.Thread(
            target=lambda: answers.append(write_contents(database, CY, contents))
        )

        def slow() -> datetime:
            if next(calls) == 1:
                copier.start()
                wait_for(lambda: bool(postgres.execute(WAITING)))
            return at

        provider = PostgresProvider(theirs, clock=slow)
        provider.sync(CY, [Add("a.md", "theirs"), Add("b.md", "as well")])
        copier.join()
        assert answers == [False]
        page = provider.read(CY, "a.md")
        assert page is not None
        assert page.content == "x\n\ntheirs\n"


def test_conversations_that_grow_meanwhile_are_told(
    move: Move, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came after the copy began is for the next one."""

    def grow() -> None:
        with move.open_home() as memory:
            room = memory.sessions.for_owner(ROOM)
            (known,) = room.list(key_prefix="room").items
            room.append(known.id, "user", "meanwhile")

    add: Callable[..., Any] = postgres_import._add_sessions

    def growing(*args: Any, **options: Any) -> Any:
        grow()
        return add(*args, **options)

    monkeypatch.setattr(postgres_source, "_AT_ONCE", 1)
    with monkeypatch.context() as patch:
        patch.setattr(postgres_import, "_add_sessions", growing)
        report = copied(move, database)
    assert report.lacking_sessions == 1
    assert not report.is_whole
    assert copied(move, database).is_whole
    assert told_of_moved(move) == told_of_home(move)


def test_a_look_makes_no_table(postgres: Server) -> None:
    """And says what opening would meet."""
    schema, other = postgres.schema(), postgres.schema()
    assert is_empty(postgres.dsn, schema=schema)
    assert is_empty(postgres.dsn, schema=schema)
    Database(postgres.dsn, schema=schema).close()
    assert not is_empty(postgres.dsn, schema=schema)
    postgres.execute(f"update {schema}.store set version = 1")
    with pytest.raises(UnsupportedError, match="older release"):
        is_empty(postgres.dsn, schema=schema)
    postgres.execute(f"create schema {other}", f"create table {other}.t (a int)")
    with pytest.raises(CorruptFileError, match="not ours"):
        is_empty(postgres.dsn, schema=other)
    with pytest.raises(NotWrittenError) as caught:
        is_empty(f"host={postgres.folder}/none password=SECRET", schema=schema)
    assert "SECRET" not in str(caught.value)
    assert caught.value.__context__ is None
