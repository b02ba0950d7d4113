from __future__ import annotations

import pytest

from ethos_memory.guard.pattern import (
    Pattern,
    Vocabulary,
    concepts_of,
    entry_of,
    expand,
    misspellings,
)
from ethos_memory.guard.tokens import Tokenizer

CONCEPTS = concepts_of(
    {"FRUIT": "apple{,s}, pear, passion fruit", "COLOR": "red, green"}
)


def _matches(text: str, line: str) -> bool:
    vocabulary = Vocabulary(CONCEPTS)
    pattern = vocabulary.compile(text)
    tokens = Tokenizer(vocabulary.codes).tokenize(line)
    found = pattern.regex.search(tokens.codes) is not None
    assert not found or pattern.quick.search(tokens.codes) is not None
    return found


@pytest.mark.parametrize(
    ("text", "line", "is_match"),
    [
        ("eat apple", "eat apple", True),
        ("eat apple", "eat an apple", False),
        ("eat ~1 apple", "eat an apple", True),
        ("eat ~1 apple", "eat not an apple", False),
        ("eat ~2 apple", "eat. an apple", False),
        ("eat ~~3 apple", "eat. an apple", True),
        ("eat FRUIT", "eat apples", True),
        ("eat FRUIT", "eat passion fruit", True),
        ("eat FRUIT", "eat passion", False),
        ("eat passion_fruit|plum", "eat passion fruit", True),
        ("eat passion_fruit|plum", "eat plum", True),
        ("eat COLOR? FRUIT", "eat pear", True),
        ("eat COLOR? FRUIT", "eat red pear", True),
        ("eat COLOR? FRUIT", "eat big pear", False),
        ("^ eat", "eat it", True),
        ("^ eat", "you eat it", False),
        ("^ eat", "stop. eat it", True),
        ("eat $", "you eat", True),
        ("eat $", "you eat it", False),
        ("eat $", "you eat: it", True),
        ("eat !apple", "eat pear", True),
        ("eat !apple", "eat apple", False),
        ("<not eat", "you eat", True),
        ("<not eat", "not eat", False),
        ("<not eat", "not you eat", False),
        ("<not eat", "not for you eat", True),
        ("look URL", "look https://a.example/b", True),
        ("look URL|pear", "look pear", True),
        ("look URL", "look pear", False),
        ("write EMAIL", "write ana@a.example", True),
        ("take NUMBER", "take 100", True),
        ("take NUMBER", "take one", False),
        ("say COLON pear", "say: pear", True),
        ("say END pear", "say. pear", True),
    ],
)
def test_items_mean_what_the_table_says(
    text: str, line: str, *, is_match: bool
) -> None:
    """The quick form matches whatever the exact one does."""
    assert _matches(text, line) is is_match


def test_a_pattern_knows_which_words_it_needs() -> None:
    """Of a phrase the longest word; of an optional item none."""
    pattern = Vocabulary(CONCEPTS).compile("eat FRUIT COLOR? URL|now ~3 passion_fruit")
    assert pattern.needs == (
        frozenset({"eat"}),
        frozenset({"appie", "appies", "pear", "passion"}),
        frozenset({"passion"}),
    )
    assert not pattern.wants_address


def test_a_pattern_knows_whether_it_needs_an_address() -> None:
    """Most lines have none."""
    vocabulary = Vocabulary(CONCEPTS)
    assert vocabulary.compile("look URL|EMAIL").wants_address
    assert not vocabulary.compile("look URL|there").wants_address


@pytest.mark.parametrize("text", ["~3", "^ $", "URL", "pear?"])
def test_a_pattern_asks_for_a_word(text: str) -> None:
    """Without one it would be tried on every line."""
    with pytest.raises(ValueError, match="word"):
        Vocabulary(CONCEPTS).compile(text)


def test_an_unknown_concept_is_a_mistake() -> None:
    """Not a word in capitals."""
    with pytest.raises(KeyError):
        Vocabulary(CONCEPTS).compile("eat VEGETABLE")


def test_only_a_word_can_be_ruled_out_before() -> None:
    """How long a phrase is nobody knows from behind."""
    with pytest.raises(ValueError, match="single"):
        Vocabulary(CONCEPTS).compile("<not_now eat")


def test_an_expression_is_compiled_when_it_is_needed() -> None:
    """Hundreds of them would cost every start a second."""
    pattern: Pattern = Vocabulary(CONCEPTS).compile("eat apple")
    first = pattern.regex.search
    assert pattern.regex.search("\u0101") is None
    assert pattern.regex.search is not first
    assert pattern.regex.source


def test_entries_are_folded_like_lines() -> None:
    """Accents, digits for letters and apostrophes do not matter."""
    assert entry_of("Ne TIENS pas") == ("ne", "tiens", "pas")
    assert entry_of("l'été don't") == ("iete", "dont")


def test_braces_give_forms() -> None:
    """Each with each."""
    assert list(expand("a{b,c}d{,e}")) == ["abd", "abde", "acd", "acde"]
    assert list(expand("plain")) == ["plain"]


def test_a_tilde_gives_misspellings() -> None:
    """A letter lost, swapped or doubled, never the first."""
    found = set(expand("ignore~"))
    assert {"ignore", "ignroe", "inore", "iggnore"} <= found
    assert all(word[0] == "i" for word in found)
    assert set(misspellings("ab")) == {"ab"}


def test_concepts_add_up_over_sources() -> None:
    """One file for each language may give the same concept."""
    both = concepts_of({"A": "one\ntwo, one"}, {"A": "three", "B": "four"})
    assert both == {"A": (("one",), ("two",), ("three",)), "B": (("four",),)}
