"""Case B18: searching old talks finds nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import (
    InvalidNameError,
    NotPermittedError,
    SessionNotFoundError,
)
from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions, SQLiteSessionStore

OWNERS = {
    "telegram:bot:1": "user:u1",
    "telegram:bot:12": "user:u2",
    "telegram:bot:-100777:topic:5": "telegram:-100777",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteSessionStore]:
    """Return a store in which others rank higher and came later."""
    with open_store(tmp_path) as store:
        for key, owner in OWNERS.items():
            sessions = store.for_owner(owner)
            id = sessions.create(key, title=f"invoice of {owner}").id
            padding = "and more of it " * 20 if owner == "user:u1" else ""
            say(sessions, id, *(f"user: invoice {n} {padding}" for n in range(30)))
        yield store


def _id(store: SQLiteSessionStore, owner: str) -> str:
    return store.for_owner(owner).list().items[0].id


def test_only_the_callers_own_is_found_and_the_limit_counts_it(
    store: SQLiteSessionStore,
) -> None:
    """Five of five, although sixty others rank higher."""
    mine = store.for_owner("user:u1")
    own = _id(store, "user:u1")
    for limit in (1, 5, 30):
        hits = mine.search("invoice", limit=limit)
        assert [hit.session_id for hit in hits] == [own] * limit
    assert len(mine.search("invoice", limit=1_000)) == 30
    for q in ("", "invoice", '"invoice of"', "user u2"):
        assert [s.id for s in mine.list(q, limit=1).items] == [own]
        assert mine.list(q, limit=1).next_cursor is None


CALLS: dict[str, Callable[[Sessions, str], object]] = {
    "get": lambda mine, of: mine.get(of),
    "messages": lambda mine, of: mine.messages(of),
    "messages 0": lambda mine, of: mine.messages(of, turns=0),
    "search": lambda mine, of: mine.search("invoice", session_id=of),
    "search nothing": lambda mine, of: mine.search("", session_id=of),
    "append": lambda mine, of: mine.append(of, "user", "x"),
    "orphan": lambda mine, of: mine.append(of, "tool_result", "x"),
    "fork": lambda mine, of: mine.fork(of),
    "update": lambda mine, of: mine.update(of, title="x"),
    "rebind": lambda mine, of: mine.update(of, personality_id="other"),
    "update nothing": lambda mine, of: mine.update(of),
    "undo": lambda mine, of: mine.undo(of),
    "undo 0": lambda mine, of: mine.undo(of, 0),
    "delete": lambda mine, of: mine.delete(of),
    "parent": lambda mine, of: mine.create("new", parent_session_id=of),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_foreign_id_answers_like_an_unknown_one(
    store: SQLiteSessionStore, call: str
) -> None:
    """Same class, same words, and nothing happened."""
    mine = store.for_owner("user:u1")
    foreign = _id(store, "user:u2")
    before = list(store.export_owner("user:u2"))
    answers = []
    for id in (foreign, "0" * 32, "", "\ud800", foreign.upper()):
        with pytest.raises(SessionNotFoundError) as caught:
            CALLS[call](mine, id)
        answers.append((type(caught.value), str(caught.value), caught.value.args))
        assert caught.value.__context__ is None
    assert len(set(answers)) == 1
    assert list(store.export_owner("user:u2")) == before
    assert store.count_owner("user:u1") == 1


def test_a_cursor_opens_nobody_elses_list(store: SQLiteSessionStore) -> None:
    """It is bound to the owner it was made for."""
    from ethos_memory.errors import InvalidCursorError

    theirs = store.for_owner("user:u2")
    for number in range(3):
        theirs.create(f"k{number}")
    cursor = theirs.list(limit=1).next_cursor
    assert cursor
    with pytest.raises(InvalidCursorError):
        store.for_owner("user:u1").list(limit=1, cursor=cursor)
    with pytest.raises(InvalidCursorError):
        store.unsafe_everyone().list(limit=1, cursor=cursor)


def test_a_key_is_unique_within_an_owner(store: SQLiteSessionStore) -> None:
    """A second create returns the first; another owner's equal key is another."""
    mine = store.for_owner("user:u1")
    first = mine.create("same", title="first")
    assert mine.create("same", title="second") == first
    other = store.for_owner("user:u3").create("same")
    assert other.id != first.id
    assert mine.list(key_prefix="telegram:bot:1").items == (
        mine.get(_id_of(mine, "telegram:bot:1")),
    )
    assert store.count_owner("user:u1") == 2


def _id_of(sessions: Sessions, key: str) -> str:
    return next(s.id for s in sessions.list().items if s.key == key)


@pytest.mark.parametrize("prefix", ["%", "_", "TELEGRAM", "telegram:bot:1_", "'"])
def test_a_prefix_is_compared_exactly(store: SQLiteSessionStore, prefix: str) -> None:
    """No pattern, no folding of case."""
    assert store.for_owner("user:u1").list(key_prefix=prefix).items == ()


def test_owners_are_compared_exactly(store: SQLiteSessionStore) -> None:
    """Case, padding and patterns make another owner."""
    for owner in ("USER:u1", "user:u1 ", "user:u", "user:%", "user:u1\0", "*"):
        assert store.for_owner(owner).list().items == ()
        assert store.for_owner(owner).search("invoice") == ()


@pytest.mark.parametrize("owner", ["", "\ud800", "user:\udfff"])
def test_an_owner_is_never_altered_into_another(
    store: SQLiteSessionStore, owner: str
) -> None:
    """What cannot be stored as it is is refused by every call, and not echoed."""
    for call in (
        store.for_owner,
        store.count_owner,
        store.erase_owner,
        lambda name: list(store.export_owner(name)),
        store.for_owner("user:u1").create,
    ):
        with pytest.raises(InvalidNameError) as caught:
            call(owner)
        assert "user" not in str(caught.value)
    with pytest.raises(TypeError):
        store.for_owner(None)  # type: ignore[arg-type]


def test_everyone_is_the_operators_and_does_all_but_create(
    store: SQLiteSessionStore,
) -> None:
    """A session needs an owner, and nobody is none."""
    everyone = store.unsafe_everyone()
    assert len(everyone.list().items) == 3
    assert len(everyone.list("invoice").items) == 3
    assert len(everyone.search("invoice", limit=200)) == 90
    theirs = _id(store, "user:u2")
    assert everyone.get(theirs).owner == "user:u2"
    assert len(everyone.messages(theirs, turns=99).items) == 30
    fork = everyone.fork(theirs)
    assert fork.owner == "user:u2"
    assert store.for_owner("user:u2").get(fork.id) == fork
    everyone.append(theirs, "user", "from the operator")
    assert everyone.update(theirs, title="renamed").title == "renamed"
    assert everyone.undo(theirs) == 1
    everyone.delete(theirs)
    assert store.count_owner("user:u2") == 1
    with pytest.raises(NotPermittedError):
        everyone.create("key")
    assert len(everyone.list().items) == 3


def test_a_score_does_not_tell_how_frequent_a_word_is_elsewhere(
    tmp_path: Path,
) -> None:
    """The same talk scores the same in an empty and in a crowded store."""
    scores = []
    for crowd in (0, 60):
        folder = tmp_path / str(crowd)
        folder.mkdir()
        with open_store(folder) as store:
            others = store.for_owner("user:others")
            talk = others.create("k").id
            say(others, talk, *["user: the diagnosis is hepatitis"] * crowd)
            mine = store.for_owner("user:me")
            id = mine.create("k").id
            say(mine, id, "user: hepatitis", "user: about another thing entirely")
            scores.append([hit.score for hit in mine.search("hepatitis")])
    assert scores == [[1.0], [1.0]]


def test_nothing_private_is_in_a_repr(store: SQLiteSessionStore) -> None:
    """Keys and owners may hold account ids; texts are private anyway."""
    mine = store.for_owner("telegram:-100777")
    (session,) = mine.list().items
    shown = repr(
        (
            mine,
            session,
            mine.messages(session.id),
            mine.search("invoice"),
            list(store.export_owner("telegram:-100777")),
        )
    )
    assert "100777" not in shown
    assert "invoice" not in shown
