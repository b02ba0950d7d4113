"""English endings."""

from __future__ import annotations

import pytest

from ethos_memory.words import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("deploy", "deploys", "deployed", "deploying"),
        ("memory", "memories"),
        ("change", "changes", "changed", "changing"),
        ("plan", "plans", "planned", "planning"),
        ("hope", "hopes", "hoped", "hoping"),
        ("class", "classes"),
        ("create", "creates", "created", "creating"),
        ("enable", "enabled", "enabling"),
        ("size", "sizes", "sized", "sizing"),
        ("agree", "agrees", "agreed", "agreeing"),
        ("fall", "falls", "falling"),
        ("control", "controls", "controlled", "controlling"),
        ("fix", "fixed", "fixing"),
        ("happy", "happy"),
        ("note", "notes", "noted", "noting"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    """Plural, past and -ing compare as the word itself."""
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("note", "not"),
        ("hope", "hop"),
        ("feed", "fee"),
        ("sing", "s"),
        ("thing", "th"),
        ("red", "r"),
        ("pass", "pas"),
    ],
)
def test_other_words_stay_apart(one: str, other: str) -> None:
    """A vowel must be left, and a short word keeps its ending."""
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    "text", ["", "is", "gas", "v2s", "café", "项目", "users2", "++"]
)
def test_anything_but_an_english_word_is_its_own_stem(text: str) -> None:
    """Short words, numbers and other scripts are left alone."""
    assert stem(text) == text
