"""A collection of texts, searched."""

from __future__ import annotations

import pytest

from ethos_memory.words import Index, Match


def index_of(**texts: str) -> Index:
    index = Index()
    for name, text in texts.items():
        index.put(name, text)
    return index


def found(index: Index, query: str, limit: int = 10) -> list[str]:
    return [match.name for match in index.search(query, limit)]


def test_texts_with_all_words_come_before_texts_with_some() -> None:
    """However often the one word occurs."""
    index = index_of(
        a="apple apple apple apple", b=f"{'x ' * 200} pear {'x ' * 200} apple", c="plum"
    )
    assert found(index, "apple pear") == ["b", "a"]
    scores = [match.score for match in index.search("apple pear", 10)]
    assert scores[0] > scores[1] > 0


def test_a_rarer_word_counts_for_more() -> None:
    """Of two texts with one word each, the one with the telling word wins."""
    texts = {f"n{n}": "common words here" for n in range(9)}
    index = index_of(**texts, a="common thing here", b="rare words there")
    assert found(index, "rare common")[0] == "b"


def test_a_shorter_text_wins_and_a_tie_goes_by_name() -> None:
    """The same word in less text says more."""
    index = index_of(b="tea", a="tea", c="tea and a long line of other things")
    assert found(index, "tea") == ["a", "b", "c"]


def test_the_limit_is_the_most_that_is_found() -> None:
    """The best are kept; none are wanted with 0."""
    index = index_of(a="tea", b="tea tea tea", c="tea")
    assert found(index, "tea", 1) == ["b"]
    assert found(index, "tea", 0) == []


def test_a_quoted_phrase_must_be_there() -> None:
    """In that order, and as it is written."""
    index = index_of(a="the database migration ran", b="migration of the database")
    assert found(index, '"database migration"') == ["a"]
    assert found(index, '"migration database"') == []
    assert found(index, '"database migration" of') == ["a"]
    assert found(index, '"migrations"') == []
    assert found(index, '"database" nothing') == ["a", "b"]


def test_another_form_of_a_word_is_found_for_less() -> None:
    """The word itself is the better hit."""
    index = index_of(a="we deployed it", b="we deploy it", c="we deploy-ment it")
    assert found(index, "deploy") == ["b", "c", "a"]
    assert found(index, "deploying") == ["a", "b", "c"]


def test_a_joined_word_must_stand_side_by_side() -> None:
    """Its parts are looked for only when no text has the whole."""
    index = index_of(a="the chat-send handler", b="send a chat", c="chat")
    assert found(index, "chat-send") == ["a"]
    assert found(index, "send-chat") == ["b", "a", "c"]
    assert found(index, "nothing-there") == []


def test_the_parts_of_a_joined_word_are_found_in_any_form() -> None:
    """As words of their own they are words."""
    assert found(index_of(a="two meetings"), "team-meeting") == ["a"]


def test_a_term_does_not_match_the_beginning_of_another() -> None:
    """`cat dog` is not in `bobcat dogma`."""
    assert found(index_of(a="bobcat dogma"), '"cat dog"') == []
    assert found(index_of(a="cat dogma dog cat"), "cat-dog") == ["a"]
    assert found(index_of(a="cat dogma"), '"cat dog"') == []


@pytest.mark.parametrize(
    ("text", "query", "hit"),
    [
        ("x\nMüller prefers PDF", "muller", "Müller"),
        ("the the the deploy", "the deploy", "deploy"),
        ("in gpt-4o_v2.py here", "gpt-4o", "gpt-4o"),
        ("明天开项目评审会议", "评审会议", "评审会议"),
        ("one meetings two meeting", "meeting", "meetings"),
        ("ab ﬃ", "ffi", "ﬃ"),
    ],
)
def test_a_match_tells_where_the_rarest_word_stands(
    text: str, query: str, hit: str
) -> None:
    """Its first place, in the original text."""
    index = index_of(a=text, **{f"n{n}": "the" for n in range(5)})
    (match,) = (match for match in index.search(query, 10) if match.name == "a")
    assert text[match.start : match.end] == hit


def test_a_text_can_be_replaced_and_dropped() -> None:
    """What it held before is found no more, whatever the form asked for."""
    index = index_of(a="two meetings", b="tea")
    index.put("a", "one meeting")
    assert found(index, "two") == []
    assert found(index, "meetings") == ["a"]
    assert "a" in index
    assert len(index) == 2
    index.discard("a")
    index.discard("a")
    assert found(index, "meeting") == []
    assert "a" not in index
    assert len(index) == 1
    assert found(index, "tea") == ["b"]


def test_nothing_is_left_behind_by_what_was_dropped() -> None:
    """An index that is used for months does not grow."""
    index = index_of(a="two meetings 项目", b="two meeting meets")
    index.discard("a")
    index.discard("b")
    assert not any(value for value in vars(index).values())


def test_an_empty_index_and_empty_texts_are_searched() -> None:
    """Neither raises."""
    assert found(Index(), "tea") == []
    index = index_of(a="", b=" - ")
    assert found(index, "tea") == []
    assert found(index, "") == []


def test_a_match_is_a_plain_value() -> None:
    """Two searches give equal matches."""
    index = index_of(a="tea")
    (match,) = index.search("tea", 1)
    assert match == Match("a", match.score, start=0, end=3)
