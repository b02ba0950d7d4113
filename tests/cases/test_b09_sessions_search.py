"""Case B09: searching conversations does not die on ordinary punctuation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from session_store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions

DOCS = {
    "a": "please update the chat-send handler in gpt-4o_v2.py",
    "b": "we don't use C++ here, only node.js 20.04",
    "c": "deploy the config, then the database migration ran",
    "d": r"path C:\Users\ana\notes: TODO: fix",
    "e": 'say "hello there" now',
    "f": "Müller prefers the résumé in PDF",
    "g": "party time 🎉",
}
FOUND = {
    "chat-send": "a",
    "gpt-4o": "a",
    "don't": "b",
    "C++": "b",
    "node.js": "b",
    "20.04": "b",
    "C:\\Users": "d",
    "TODO: fix": "d",
    "migration deploy": "c",
    "config deploy": "c",
    '"database migration"': "c",
    "muller": "f",
    "Müller": "f",
    "resume": "f",
    "🎉": "g",
    '"hello': "e",
}
NOTHING = ['""', "''", "'", "*", "-", "(", "AND", "NOT", "   ", "", "\0", "\ud800"]
NO_SYNTAX = ["deploy*", "^deploy", "NEAR(a b)", "foo:bar", 'a" OR 1=1 --', "a\0b"]


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    """Return sessions that hold the messages of the case."""
    with open_store(tmp_path) as store:
        mine = store.for_owner("user:ana")
        for name, text in DOCS.items():
            mine.append(mine.create(name).id, "user", text)
        yield mine


def _found(sessions: Sessions, query: str) -> list[str]:
    keys = {session.id: session.key for session in sessions.list().items}
    return [keys[hit.session_id] for hit in sessions.search(query)]


@pytest.mark.parametrize(("query", "name"), FOUND.items())
def test_what_a_person_types_finds_its_message_first(
    sessions: Sessions, query: str, name: str
) -> None:
    """Punctuation, accents and emoji are words, in any order."""
    assert _found(sessions, query)[0] == name


@pytest.mark.parametrize(("query", "name"), FOUND.items())
def test_the_same_words_find_the_session_in_a_list(
    sessions: Sessions, query: str, name: str
) -> None:
    """The list's search and the messages' search read one language."""
    assert sessions.list(query).items[0].key == name


@pytest.mark.parametrize("query", NOTHING)
def test_a_query_without_words_finds_nothing(sessions: Sessions, query: str) -> None:
    """Neither an error nor everything, except in a list without a query."""
    assert _found(sessions, query) == []
    assert bool(sessions.list(query).items) == (not query.strip())


@pytest.mark.parametrize("query", NO_SYNTAX)
def test_nothing_is_query_syntax(sessions: Sessions, query: str) -> None:
    """Operators of the database are words like any other."""
    sessions.search(query)
    sessions.list(query)


def test_an_operator_is_a_word(sessions: Sessions) -> None:
    """A star after a word is no prefix search, and OR gives no alternatives."""
    assert _found(sessions, "deploy*") == ["c"]
    assert _found(sessions, "dep*") == []
    assert _found(sessions, '"party OR deploy"') == []


def test_a_phrase_is_found_as_it_is_only(sessions: Sessions) -> None:
    """Its words in another order, or another form of them, are no hit."""
    assert _found(sessions, '"migration database"') == []
    assert _found(sessions, '"databases migration"') == []
    assert sessions.list('"migration database"').items == ()
    assert sessions.list('"databases migration"').items == ()


def test_other_words_are_looked_for_when_no_message_holds_the_phrase(
    sessions: Sessions,
) -> None:
    """A misremembered quotation does not hide what the other words find."""
    assert _found(sessions, 'deploy "migration database"') == ["c"]
    assert [s.key for s in sessions.list('deploy "migration database"').items] == ["c"]


def test_a_phrase_must_be_there_when_one_message_holds_it(sessions: Sessions) -> None:
    """The other words only change the order."""
    assert _found(sessions, 'party "database migration"') == ["c"]
    assert [s.key for s in sessions.list('party "database migration"').items] == ["c"]


@pytest.mark.parametrize(
    "query", ["x" * 10_000, " ".join(f"word{n}" for n in range(2_000)), '"a" ' * 2_500]
)
def test_a_long_query_is_answered(sessions: Sessions, query: str) -> None:
    """A whole message pasted into the box is no error."""
    assert sessions.search(query) == ()
    assert sessions.list(query).items == ()


def test_a_snippet_holds_the_word_that_was_found(sessions: Sessions) -> None:
    """Far into a message, and in another form than the one that was typed."""
    start = "nothing of interest here. " * 40
    for text, query, word in [
        ("we migrated the zebra herd", "zebra", "zebra"),
        ("we migrated the zebra herd", "zebras", "zebra"),
        ("wir fuhren nach Zürich", "zurich", "Zürich"),
        ("昨晚的项目", "项目", "项目"),
        ("it was a node.js server", "node.js", "node.js"),
    ]:
        id = sessions.create(f"{query}").id
        sessions.append(id, "user", start + text)
        (hit,) = sessions.search(query, session_id=id)
        assert word in hit.snippet
        assert len(hit.snippet) < 200
