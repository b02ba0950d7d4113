from __future__ import annotations

import pytest

from ethos_memory.profile.clause import clauses
from ethos_memory.profile.repeats import patterns_in
from ethos_memory.profile.speech import cues_for


def keys(text: str) -> set[str]:
    cues = cues_for(text)
    return {
        one.key for clause in clauses(text, cues) for one in patterns_in(clause, cues)
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Can you make that shorter?", "Too long, condense it."),
        ("Use uv instead of pip for this.", "Here as well, uv and not pip."),
        ("Let's continue with the recipe scaler.", "Recipe scaler again: fractions."),
        ("Warum ist das so?", "Und warum geht das nicht?"),
    ],
)
def test_two_requests_of_a_kind_have_a_key_in_common(first: str, second: str) -> None:
    assert keys(first) & keys(second)


@pytest.mark.parametrize(
    "text",
    [
        "Run the tests.",
        "Try it again.",
        "Use port 5433 for a container.",
        "Give it to Odalys.",
        "I want a queue for it.",
        "Please add one more of it.",
        "Rename this function.",
        " ".join(["word"] * 20),
    ],
)
def test_routine_and_details_make_no_pattern(text: str) -> None:
    assert keys(text) == set()


def test_the_words_are_in_no_repr() -> None:
    cues = cues_for("the")
    (clause,) = clauses("Shorter?", cues)
    assert "short" not in repr([*patterns_in(clause, cues)])
