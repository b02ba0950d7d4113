"""What a person typed, read without any syntax."""

from __future__ import annotations

import pytest

from ethos_memory.words import Query, parse_query, parts
from ethos_memory.words.query import MAX_TERMS, MAX_WORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("migration deploy", [("migration",), ("deploy",)]),
        ("chat-send", [("chat", "send")]),
        (r"C:\Users", [("c", "users")]),
        ("don’t", [("don", "t")]),
        ("TODO: fix", [("todo",), ("fix",)]),
        ("a, b;c (d) e—f", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",)]),
        ("设备 NAS", [("设", "设备", "备"), ("nas",)]),
        ("设备,NAS", [("设", "设备", "备"), ("nas",)]),
        ("设备NAS", [("设", "设备", "备", "nas")]),
        ("fix fix FIX", [("fix",)]),
        (
            "NEAR(a b) AND NOT ^c*",
            [("near",), ("a",), ("b",), ("and",), ("not",), ("c",)],
        ),
        ("👩\u200d💻", [("👩", "💻")]),
        ("foo．bar", [("foo", "bar")]),
    ],
)
def test_terms_that_are_tied_together_are_one_word(
    text: str, expected: list[tuple[str, ...]]
) -> None:
    """White space and punctuation divide words; a dash or dot ties them."""
    assert parse_query(text) == Query(tuple(expected))


@pytest.mark.parametrize(
    ("text", "words", "phrases"),
    [
        ('"database migration"', [], [("database", "migration")]),
        ("“database migration” x", [("x",)], [("database", "migration")]),
        ('"hello', [("hello",)], []),
        ('say "a b" and "c', [("say",), ("and",), ("c",)], [("a", "b")]),
        ('""', [], []),
        ('"-" a', [("a",)], []),
        ('"a" "a" "A"', [], [("a",)]),
        ('a" OR 1=1 --', [("a",), ("or",), ("1", "1")], []),
        ('x"a b"y', [("x",), ("y",)], [("a", "b")]),
    ],
)
def test_a_pair_of_quotes_makes_a_phrase(
    text: str, words: list[tuple[str, ...]], phrases: list[tuple[str, ...]]
) -> None:
    """A mark without a partner is text, and an empty pair nothing."""
    assert parse_query(text) == Query(tuple(words), tuple(phrases))


@pytest.mark.parametrize(
    "text", ["", " ", "''", "'", "*", "-", "(", "\x00", "\ud83d", "§"]
)
def test_a_query_with_nothing_searchable_is_false(text: str) -> None:
    """It finds nothing, and does not raise."""
    assert not parse_query(text)
    assert parse_query(text) == Query(())


def test_a_query_with_words_or_phrases_is_true() -> None:
    """Either is something to look for."""
    assert parse_query("a")
    assert parse_query('"a"')


def test_long_queries_are_bounded() -> None:
    """A whole message passed as a query costs no more than a long question."""
    many = parse_query(" ".join(f"w{n}" for n in range(10_000)))
    assert many.terms[-1] == (f"w{MAX_WORDS - 1}",)
    (long,) = parse_query("项" * 10_000).terms
    assert len(long) == MAX_TERMS
    (phrase,) = parse_query('"' + "a " * 10_000 + '"').phrases
    assert len(phrase) == MAX_TERMS


def test_a_word_is_taken_apart_into_what_can_be_looked_for() -> None:
    """Single letters are left out when there is anything longer."""
    assert parts(("设", "设备", "备", "备清", "清")) == (("设备",), ("备清",))
    assert parts(("don", "t")) == (("don",),)
    assert parts(("a", "b", "a")) == (("a",), ("b",))
