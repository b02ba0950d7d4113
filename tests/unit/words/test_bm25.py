"""What a word adds to a rank."""

from __future__ import annotations

from math import isclose, log

from ethos_memory.words.bm25 import K1, norm_of, weight_of


def test_the_rarer_word_weighs_more() -> None:
    """By Okapi's formula, and never below nothing."""
    assert isclose(weight_of(1, 10), log(1 + 9.5 / 1.5))
    weights = [weight_of(holders, 10) for holders in range(11)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_a_word_counted_more_often_than_there_are_texts_weighs_something() -> None:
    """A title counts as several texts."""
    assert 0 < weight_of(12, 10) < weight_of(10, 10)


def test_a_long_text_is_held_back() -> None:
    """One of average length by the usual constant."""
    assert isclose(norm_of(7, 7.0), K1)
    assert norm_of(0, 7.0) < norm_of(7, 7.0) < norm_of(70, 7.0)
