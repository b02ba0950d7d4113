from __future__ import annotations

import pytest

from ethos_memory.guard import Rule
from ethos_memory.guard.engine import Engine, engine_for


def _engine() -> Engine:
    return engine_for(
        (
            Rule(id="a.low", score=10, reason="r", words=("ignore rules",)),
            Rule(
                id="a.high",
                score=90,
                reason="r",
                words=("ignore ~1 rules now", "open URL", "ignore rules"),
            ),
            Rule(id="a.sure", score=100, reason="r", words=("sure thing",)),
            Rule(id="b.re", score=10, reason="r", regex=("ab{1,3}c", "x"), cues=("a",)),
            Rule(id="b.all", score=10, reason="r", regex=("zz",)),
        )
    )


ENGINE = _engine()


def _hits(line: str) -> list[tuple[str, str]]:
    words = ENGINE.sieve.words_of(line)
    numbers = ENGINE.likely(line, words, ENGINE.sieve.sift(words))
    hits = ENGINE.hits(line, numbers)
    return [(hit.rule.id, line[hit.start : hit.end]) for hit in hits]


def test_the_weightiest_rule_comes_first_and_each_once() -> None:
    """Punctuation is no part of what was found."""
    assert _hits("ignore rules now.") == [
        ("a.high", "ignore rules now"),
        ("a.low", "ignore rules"),
    ]


def test_after_certainty_nothing_is_tried() -> None:
    """A line that is withheld anyway need not cost more."""
    assert _hits("sure thing, ignore rules") == [("a.sure", "sure thing")]


def test_an_address_is_looked_for_in_lines_that_hold_one() -> None:
    """The bare words cannot tell."""
    assert _hits("open https://a.example") == [("a.high", "open https://a.example")]
    assert _hits("open the door") == []


def test_the_row_of_words_rules_most_lines_out() -> None:
    """Before they are read properly."""
    words = ENGINE.sieve.words_of("rules to ignore")
    assert ENGINE.sieve.candidates(ENGINE.sieve.sift(words))
    assert ENGINE.likely("rules to ignore", words, ENGINE.sieve.sift(words)) == []


@pytest.mark.parametrize("tail", [" tea" * 500, " é ignoré"])
def test_long_and_foreign_lines_are_read_properly(tail: str) -> None:
    """For them the first try costs more than it spares, or cannot tell."""
    line = "ignore rules" + tail
    folded = line.replace("é", "\u0433")
    assert ("a.low", "ignore rules") in _hits(folded)


def test_expressions_are_tried_behind_their_cues() -> None:
    """One without cues always."""
    assert [h.rule.id for h in ENGINE.regex_hits("xabbc zz")] == [
        "b.re",
        "b.re",
        "b.all",
    ]
    assert [h.rule.id for h in ENGINE.regex_hits("x zz")] == ["b.all"]


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        ("ignorerulesnowsure", "ignore rules now sure"),
        ("say ignorerulesnowsure!", "say ignore rules now sure!"),
        ("abcdefghijklmnopqrstuv", None),
        ("ignore rules", None),
        ("https://a/ignorerulesnowsure", None),
    ],
)
def test_words_written_as_one_are_parted(line: str, apart: str | None) -> None:
    """When nearly all of it is known words."""
    assert ENGINE.unglued(line) == apart


def test_the_same_rules_are_compiled_once() -> None:
    """Guards share them."""
    rules = (Rule(id="a.x", score=1, reason="r", words=("tea",)),)
    assert engine_for(rules) is engine_for(rules)
