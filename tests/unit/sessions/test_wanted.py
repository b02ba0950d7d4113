from __future__ import annotations

import pytest

from ethos_memory.sessions.wanted import is_phrase_in, locate, parse_wanted, quoted


def test_frequent_words_go_when_others_remain() -> None:
    """Not out of a quotation, and not when they are all there is."""
    assert parse_wanted("where is the invoice").words == (("invoice",),)
    assert parse_wanted("to be or not").words == (("to",), ("be",), ("or",), ("not",))
    assert parse_wanted('"the who"').phrases == (("the", "who"),)
    assert parse_wanted("don't").words == (("don", "t"),)
    assert not parse_wanted("  -- ")
    assert parse_wanted("x")


def test_a_query_becomes_quoted_strings_only() -> None:
    """Whatever was typed, the rest of the expression is ours."""
    wanted = parse_wanted('chat-send NEAR(invoice) "big bang"')
    assert wanted.all_of_it() == ('"big bang" AND "chat send" AND "near" AND "invoice"')
    assert wanted.any_of_it() == (
        '"big bang" AND ("big bang" OR "chat" OR "send" OR "near" OR "invoice")'
    )
    *_, unquoted = wanted.readings()
    assert unquoted.any_of_it() == '"chat" OR "send" OR "near" OR "invoice"'
    assert quoted(('a"b', "c")) == '"a""b c"'


def test_a_long_query_is_cut() -> None:
    """An expression has an end, in words, phrases and pieces."""
    many = " ".join(f"n{number}-m{number}" for number in range(500))
    assert len(parse_wanted(many).words) <= 128
    assert len(parse_wanted(many).pieces) <= 128
    phrases = " ".join(f'"n{number}"' for number in range(500))
    assert len(parse_wanted(f"{phrases} {many}").units) <= 128


@pytest.mark.parametrize(
    ("text", "query", "hit"),
    [
        ("a party of art", "art", "art"),
        ("Art and party", "art", "Art"),
        ("parts, part", "part", "part"),
        ("only parts here", "part", "parts"),
        ("nous étions à Zürich", "zurich", "Zürich"),
        ("use node.js or nodes", "node.js", "node.js"),
        ("a node in js", "node.js", "node"),
        ("明天项目评审", "项目", "项目"),
        ("we use C++ here", "c++", "C++"),
        ("in the end 20.04 came", "20.04", "20.04"),
        ("the deployment", "nothing", ""),
    ],
)
def test_a_hit_is_located(text: str, query: str, hit: str) -> None:
    """A whole word first, then another form of it, then a part of it."""
    start, end = locate(text, parse_wanted(query))
    assert text[start:end] == hit


def test_a_phrase_is_in_a_text_as_it_is_or_not() -> None:
    """Case and accents aside."""
    text = "Deploy the config, then the database migration ran. Thé end"
    assert is_phrase_in(text, [("database", "migration")])
    assert is_phrase_in(text, [("the", "end"), ("deploy",)])
    assert is_phrase_in(text, [])
    assert not is_phrase_in(text, [("the", "end"), ("deployed",)])
    assert not is_phrase_in(text, [("migration", "database")])
    assert not is_phrase_in(text, [("ran", "the", "end", "more")])
