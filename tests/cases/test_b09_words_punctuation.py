"""B09: search dies on ordinary punctuation."""

from __future__ import annotations

import pytest

from ethos_memory.words import Index, snippet

DOCS = {
    "a": "please update the chat-send handler in gpt-4o_v2.py",
    "b": "we don't use C++ here, only node.js 20.04",
    "c": "deploy the config, then the database migration ran",
    "d": r"path C:\Users\ana\notes: TODO: fix",
    "e": 'say "hello there" now',
    "f": "Müller prefers the résumé in PDF",
    "g": "party time 🎉",
}


@pytest.fixture
def index() -> Index:
    collection = Index()
    for name, text in DOCS.items():
        collection.put(name, text)
    return collection


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("chat-send", "a"),
        ("gpt-4o", "a"),
        ("don't", "b"),
        ("C++", "b"),
        ("node.js", "b"),
        ("20.04", "b"),
        (r"C:\Users", "d"),
        ("TODO: fix", "d"),
        ("migration deploy", "c"),
        ("config deploy", "c"),
        ('"database migration"', "c"),
        ("muller", "f"),
        ("Müller", "f"),
        ("resume", "f"),
        ("🎉", "g"),
        ('"hello', "e"),
    ],
)
def test_what_a_person_types_is_found(index: Index, query: str, name: str) -> None:
    """It is the best hit, and the snippet shows it."""
    match = index.search(query, 10)[0]
    assert match.name == name
    text = DOCS[name]
    assert text[match.start : match.end] in snippet(text, match.start, match.end)


def test_a_quoted_phrase_in_the_wrong_order_is_not_found(index: Index) -> None:
    """Words in double quotes mean that phrase."""
    assert index.search('"migration database"', 10) == ()


@pytest.mark.parametrize(
    "query",
    [
        "deploy*",
        "^deploy",
        "NEAR(a b)",
        "foo:bar",
        'a" OR 1=1 --',
        '""',
        "''",
        "'",
        "*",
        "-",
        "(",
        "AND",
        "NOT",
        "   ",
        "",
        "x" * 10_000,
        "deploy " * 1_500,
        "a\x00b",
    ],
)
def test_no_query_is_an_error(index: Index, query: str) -> None:
    """At worst it finds nothing."""
    names = {match.name for match in index.search(query, 10)}
    assert names == ({"c"} if "deploy" in query else set())


def test_a_snippet_of_a_long_message_shows_the_word() -> None:
    """Not the first 200 characters of the message."""
    text = f"{'filler ' * 300}the needle is here{' filler' * 300}"
    index = Index()
    index.put("long", text)
    (match,) = index.search("needle", 1)
    assert "needle" in snippet(text, match.start, match.end)
