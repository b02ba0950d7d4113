"""What `PostgresSessionStore` does beyond the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.errors import (
    CorruptFileError,
    NotPermittedError,
    SessionNotFoundError,
    UnsupportedError,
)
from ethos_memory.sessions.postgres import PostgresSessionStore
from postgres.lossy import answer_lost
from session_store import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.pg import Database
    from ethos_memory.sessions import Session
    from ethos_memory.sessions.postgres_bound import PostgresSessions
    from postgres.server import Server

ANA = "user:ana"


@pytest.fixture
def database(postgres: Server) -> Database:
    """Return the shared database, empty."""
    return postgres.emptied()


@pytest.fixture
def store(database: Database) -> PostgresSessionStore:
    """Return a store of the shared database."""
    return PostgresSessionStore(database, clock=Clock())


@pytest.fixture
def ana(store: PostgresSessionStore) -> PostgresSessions:
    """Return one owner's conversations."""
    return store.for_owner(ANA)


def damage(database: Database, statement: str, *values: object) -> None:
    """Change rows as only a faulty program would."""
    database.transact(lambda work: work.connection.execute(statement.encode(), values))


def keys(sessions: tuple[Session, ...]) -> list[str]:
    """Return the sessions' keys."""
    return [session.key for session in sessions]


def test_a_store_closes_what_it_opened(postgres: Server, tmp_path: Path) -> None:
    """A database that was passed in stays open."""
    postgres.emptied()
    with PostgresSessionStore(postgres.dsn, schema="shared") as own:
        assert own.count_owner(ANA) == 0
        with pytest.raises(UnsupportedError, match="pg_dump"):
            own.backup(tmp_path / "copy")
    with pytest.raises(ValueError, match="closed"):
        own.count_owner(ANA)
    with PostgresSessionStore(postgres.emptied()) as borrowed:
        pass
    assert borrowed.count_owner(ANA) == 0


def test_any_text_is_kept_in_every_field(ana: PostgresSessions) -> None:
    """A NUL, half a character and a very long name among them."""
    text = "a\0b" * 3_000
    session = ana.create(text, platform=text, working_dir=text, metadata={text: text})
    assert (session.key, session.platform, session.working_dir) == (text,) * 3
    assert session.metadata == {text: text}
    assert ana.get(session.id) == session
    said = ana.append(
        session.id, "assistant", f"{text}\ud800", tool_call_id=text, trace_id=text
    )
    assert said.content == f"{text}\ufffd"
    assert (said.tool_call_id, said.trace_id) == (text, text)
    assert ana.messages(session.id).items == (said,)
    with pytest.raises(SessionNotFoundError):
        ana.get(text)
    with pytest.raises(SessionNotFoundError):
        ana.search("x", session_id=text)


def test_a_very_long_message_is_found(ana: PostgresSessions) -> None:
    """Longer than PostgreSQL's own full-text search takes, with words of any length."""
    id = ana.create("k").id
    words = " ".join(f"w{number}" for number in range(60_000))
    ana.append(id, "user", f"{words} {'x' * 5_000} needle")
    (hit,) = ana.search("needle")
    assert "needle" in hit.snippet
    assert len(ana.search("x" * 5_000)) == 1
    assert keys(ana.list("w59999 needle").items) == ["k"]


def test_bad_arguments_are_refused(ana: PostgresSessions) -> None:
    """Before the server is asked."""
    id = ana.create("k").id
    with pytest.raises(TypeError, match="whole number"):
        ana.list(limit=True)
    with pytest.raises(TypeError):
        ana.append(id, "user", 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="JSON"):
        ana.append(id, "user", "x", usage={"a": object()})
    with pytest.raises(SessionNotFoundError):
        ana.create("k2", parent_session_id="nobody")
    assert ana.messages(id).items == ()
    assert ana.update(id) == ana.get(id)


def test_a_parent_that_goes_leaves_its_forks(ana: PostgresSessions) -> None:
    """Whole, and without a parent."""
    parent = ana.create("k")
    child = ana.create("k2", parent_session_id=parent.id)
    assert child.parent_session_id == parent.id
    ana.append(parent.id, "user", "one", usage={"tokens": 2})
    copy = ana.fork(parent.id)
    ana.delete(parent.id)
    assert ana.get(child.id).parent_session_id is None
    left = ana.get(copy.id)
    assert (left.parent_session_id, left.message_count, left.usage) == (
        None,
        1,
        {"tokens": 2},
    )


def test_usage_is_made_anew_when_the_sum_is_damaged(
    ana: PostgresSessions, database: Database
) -> None:
    """The messages are the truth; a damaged one of them counts for nothing."""
    id = ana.create("k").id
    for number in (1, 2, 4):
        ana.append(
            id, "user", "x", usage={"tokens": number, "model": "m", "big": 2**60}
        )
    damage(database, "update sessions set usage = '[]'")
    damage(database, "update messages set usage = '{' where usage like %s", '%":2,%')
    ana.append(id, "user", "x", usage={"tokens": 8})
    assert ana.get(id).usage == {"tokens": 13}
    assert ana.undo(id) == 1
    assert ana.get(id).usage == {"tokens": 5}
    assert ana.undo(id, turns=0) == 0


def test_a_damaged_row_hides_no_other(
    ana: PostgresSessions, store: PostgresSessionStore, database: Database
) -> None:
    """It is named, and left out."""
    first, second = ana.create("a").id, ana.create("b").id
    said = ana.append(first, "user", "one", tool_calls=[1])
    ana.append(first, "assistant", "two")
    damage(database, "update messages set tool_calls = '{}' where id = %s", said.id)
    damage(database, "update sessions set metadata = '[' where id = %s", second)
    page = ana.messages(first)
    assert [message.content for message in page.items] == ["two"]
    assert page.unreadable == (said.id,)
    with pytest.raises(CorruptFileError):
        ana.get(second)
    listed = ana.list()
    assert (keys(listed.items), listed.unreadable) == (["a"], (second,))
    whole, broken = store.export_owner(ANA)
    assert whole.unreadable == (said.id,)
    assert (broken.session, broken.unreadable) == (None, (second,))


def test_a_session_that_goes_during_an_export_is_left_out(
    ana: PostgresSessions, store: PostgresSessionStore
) -> None:
    """The others are told."""
    ids = [ana.create(key).id for key in "abc"]
    exported = store.export_owner(ANA)
    next(exported)
    ana.delete(ids[1])
    assert [one.session and one.session.key for one in exported] == ["c"]


def test_a_list_can_be_narrowed_by_time(ana: PostgresSessions) -> None:
    """And by the beginning of a key; a word in a title counts for more."""
    a = ana.create("t:a", title="the red van")
    b = ana.create("t:b")
    ana.append(b.id, "user", "a red van, and another red van")
    assert keys(ana.list("red van").items) == ["t:a", "t:b"]
    later = ana.get(b.id).updated_at
    assert keys(ana.list("van", since=later).items) == ["t:b"]
    assert keys(ana.list(key_prefix="t:a").items) == ["t:a"]
    assert keys(ana.list('"red van" nothing').items) == ["t:a", "t:b"]
    assert keys(ana.list('"van red" another').items) == ["t:b"]
    page = ana.list("van", limit=1)
    assert keys(ana.list("van", limit=1, cursor=page.next_cursor).items) == ["t:b"]
    assert a.updated_at < later


def test_any_of_the_words_is_found_after_all_of_them(ana: PostgresSessions) -> None:
    """The rarer word counts for more, and the newest is first among equals."""
    id = ana.create("k").id
    texts = ["red van", "red car", "red bus", "blue van with a long story", "green"]
    said = {text: ana.append(id, "user", text).id for text in texts}
    hits = ana.search("red van")
    by_id = {message: text for text, message in said.items()}
    found = [by_id[hit.message_id] for hit in hits]
    assert found[0] == "red van"
    assert found[1:] == ["blue van with a long story", "red bus", "red car"]
    assert hits[0].score == 1.0
    assert hits[1].score <= 0.5
    assert len(ana.search("red van", limit=2)) == 2
    assert [by_id[hit.message_id] for hit in ana.search("long-story van")] == [
        "blue van with a long story",
        "red van",
    ]


def test_only_an_owner_creates(store: PostgresSessionStore) -> None:
    """An operator sees all, and creates for nobody."""
    with pytest.raises(NotPermittedError):
        store.unsafe_everyone().create("k")


@pytest.mark.parametrize("happens", [True, False])
def test_a_change_whose_answer_was_lost_happens_once(
    happens: bool,
    ana: PostgresSessions,
    store: PostgresSessionStore,
    database: Database,
) -> None:
    """Each of them, and is told as it was."""

    def losing(call: Any, *arguments: Any) -> Any:
        with answer_lost(database, happens=happens):
            return call(*arguments)

    session = losing(ana.create, "k")
    assert losing(ana.append, session.id, "user", "one").content == "one"
    ana.append(session.id, "user", "two")
    assert len(ana.messages(session.id).items) == 2
    copy = losing(ana.fork, session.id)
    assert len(ana.list().items) == 2
    assert losing(ana.undo, session.id) == 1
    assert [one.content for one in ana.messages(session.id).items] == ["one"]
    losing(ana.delete, copy.id)
    assert losing(store.erase_owner, ANA) == 1
    assert store.count_owner(ANA) == 0
