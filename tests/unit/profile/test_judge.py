from __future__ import annotations

import pytest

from ethos_memory.profile.clause import Clause, clauses
from ethos_memory.profile.judge import (
    expertise_in,
    is_correction,
    is_lecture,
    kind_of,
)
from ethos_memory.profile.speech import cues_for


def only(text: str) -> Clause:
    (clause,) = clauses(text, cues_for(text))
    return clause


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Always show the units", "preference"),
        ("The build always fails on Mondays", None),
        ("Oldest entries first in all lists", "preference"),
        ("It never ends in every line", None),
        ("In general it is a bug", None),
        ("Every plant needs water", None),
        ("I always eat at noon", None),
        ("I always sort my notes", "preference"),
        ("I always ask you for details", "preference"),
        ("I hate mornings so much", None),
        ("I hate comments on every line", "preference"),
        ("I hate decorators in code", "pushback"),
        ("My boss always wants long text", None),
        ("I'd like to leave now", None),
        ("Make the button blue", None),
        ("Can we not use an ORM?", "pushback"),
        ("Why is it never short?", None),
        ("Skip the pleasantries", "preference"),
        ("Run the program", None),
        ("Siempre con ejemplos", "preference"),
    ],
)
def test_a_clause_has_one_kind_or_none(text: str, kind: str | None) -> None:
    assert kind_of(only(text), cues_for(text)) == kind


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("No, use a queue instead", True),
        ("Use a queue instead", False),
        ("No, use a queue?", False),
        ("Stop", False),
        ("No, my boss wants a queue instead", False),
        ("No, that one", False),
        ("Not a list, a queue", True),
    ],
)
def test_a_correction_needs_an_objection_and_a_way(text: str, is_one: bool) -> None:
    clause = [*clauses(text, cues_for(text))][-1]
    assert is_correction(clause, cues_for(text)) is is_one


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I'm new to Rust", ("is learning", "Rust")),
        ("Never used Rust", ("is learning", "Rust")),
        ("I've been writing Go for years", ("is an expert in", "Go for years")),
        ("I know Django inside out", ("is an expert in", "I know Django inside out")),
        ("Am I new to Rust?", None),
        ("She is new to Rust", None),
        ("I ran it", None),
    ],
)
def test_expertise_is_ones_own_and_has_a_level(
    text: str, known: tuple[str, str] | None
) -> None:
    assert expertise_in(only(text), cues_for(text)) == known


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("A mutex only matters if two threads can reach the same state", True),
        ("Only if", False),
        ("A mutex only matters if two threads can reach the same state?", False),
        ("A mutex only matters if the customer can reach the same state", False),
        ("Keep the mutex only if two threads can reach the same state", False),
        ("A mutex and a queue in one small picture on the wall", False),
        ("It only crashed because it was full when we looked at it", False),
        ("My HNSW graph only works if the parameters are larger than that", True),
        ("间隙锁只有在隔离级别更高的时候才会出现问题", True),
    ],
)
def test_a_lecture_explains_a_subject(text: str, is_one: bool) -> None:
    assert is_lecture(text, cues_for(text)) is is_one
