"""The cheap look that almost all text passes: which patterns could its words match?

Each known word has a whole number whose bits say which items of which patterns it could
fill. The numbers of a line's words are or-ed together, and a pattern is worth a try when
all its items are there. That is a few hundred nanoseconds for a line.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ethos_memory.guard.decode import CIPHER_WORDS
from ethos_memory.guard.letters import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ethos_memory.guard.pattern import Pattern
    from ethos_memory.guard.tokens import Tokenizer

__all__ = ["Sieve", "Words", "sieve_of"]

#: The words of a line as they are looked up; those with an apostrophe come twice.
Words: TypeAlias = list[str]

#: ASCII punctuation becomes blanks, digits the letters they stand for: see `key_of`.
_WORDS: Final = bytes.maketrans(
    b"013457l" + b'!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~',
    b"oieasti" + b" " * 31,
)
_ELISIONS: Final = (b"l'", b"d'", b"qu'")

#: Items of a pattern that are looked at; the smallest ones say most.
_ITEMS: Final = 5

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
#: So many different letters that stand alone may be one word, letter by letter.
_APART: Final = 4

#: A cue that consists of words is looked up as a word.
_WORDY: Final = re.compile(r"[a-z0-9_.:/ -]{3,40}")
_CUE_WORD: Final = re.compile(r"[a-z0-9]{2,40}")


@frozen
class Sieve:
    """What is known about words.

    Attributes:
        tokenizer: Finds words in other scripts.
        masks: The number of each known word.
        base: The number of no words: items that a pattern has not.
        patterns: How many patterns there are.
        cues: Texts of which one must occur for some regular expression.
        signs: Those that are no words.
        plain_cues: The same, one by one.
        cue_words: A word of each of the others.
    """

    tokenizer: Tokenizer
    masks: Mapping[str, int]
    base: int
    patterns: int
    cues: tuple[str, ...]
    signs: re.Pattern[str]
    plain_cues: tuple[str, ...]
    cue_words: frozenset[str]

    def words_of(self, folded: str) -> Words:
        """Return the words of a folded text as they are looked up."""
        if folded.isascii():
            return _ascii_words(folded.encode())
        words = _ascii_words(folded.encode("ascii", "replace"))
        return words + self.tokenizer.foreign_words(folded)

    def sift(self, words: Words) -> int:
        """Return the numbers of all words together."""
        return reduce(or_, filter(None, map(self.masks.get, words)), self.base)

    def candidates(self, sifted: int) -> list[int]:
        """Return the patterns that the words could match, by their place."""
        count = self.patterns
        fitting = sifted & ((1 << count) - 1)
        for item in range(1, _ITEMS):
            fitting &= sifted >> (item * count)
        found: list[int] = []
        while fitting:
            lowest = fitting & -fitting
            found.append(lowest.bit_length() - 1)
            fitting ^= lowest
        return found

    def is_spaced_out(self, sifted: int) -> bool:
        """Tell whether many letters stand alone."""
        letters = (sifted >> (_ITEMS * self.patterns)) & ((1 << len(_LETTERS)) - 1)
        return letters.bit_count() >= _APART

    def has_cue(self, folded: str, sifted: int) -> bool:
        """Tell whether a regular expression is worth a try."""
        if sifted >> (_ITEMS * self.patterns + len(_LETTERS)) & 1:
            return any(cue in folded for cue in self.cues)
        return self.signs.search(folded) is not None

    def has_cipher(self, sifted: int, words: Words) -> bool:
        """Tell whether two words may be shifted or turned around."""
        if not sifted >> (_ITEMS * self.patterns + len(_LETTERS) + 1) & 1:
            return False
        return len(CIPHER_WORDS.intersection(words)) > 1


def _ascii_words(folded: bytes) -> Words:
    words = folded.translate(_WORDS).decode()
    if "'" not in words:
        return words.split()
    plain = words.replace("'", "").split()
    if any(elision in folded for elision in _ELISIONS):
        plain += words.replace("'", " ").split()
    return plain


def sieve_of(
    tokenizer: Tokenizer, patterns: Sequence[Pattern], cues: Iterable[str]
) -> Sieve:
    """Number the words that patterns and cues need.

    Args:
        tokenizer: Finds words in other scripts.
        patterns: In the order in which they are known from here on.
        cues: Of all regular expressions.

    Returns:
        The sieve.
    """
    masks: dict[str, int] = {}
    base = 0
    for place, pattern in enumerate(patterns):
        needs = sorted(pattern.needs, key=len)[:_ITEMS]
        for item in range(_ITEMS):
            bit = 1 << (item * len(patterns) + place)
            if item >= len(needs):
                base |= bit
            else:
                for word in needs[item]:
                    masks[word] = masks.get(word, 0) | bit
    cues = tuple(sorted(cues))
    signs = tuple(cue for cue in cues if _WORDY.fullmatch(cue) is None)
    cue_words = frozenset(_cue_word(cue) for cue in cues if cue not in signs)
    first = _ITEMS * len(patterns)
    for word, bit in _signs(first, cue_words):
        masks[word] = masks.get(word, 0) | bit
    return Sieve(
        tokenizer,
        masks,
        base,
        len(patterns),
        cues,
        re.compile("|".join(map(re.escape, signs)) or r"(?!)"),
        signs,
        cue_words,
    )


def _cue_word(cue: str) -> str:
    return key_of(max(_CUE_WORD.findall(cue), key=len))


def _signs(first: int, cue_words: Iterable[str]) -> Iterator[tuple[str, int]]:
    for place, letter in enumerate(_LETTERS):
        yield letter, 1 << (first + place)
    for word in cue_words:
        yield word, 1 << (first + len(_LETTERS))
    for word in CIPHER_WORDS:
        yield word, 1 << (first + len(_LETTERS) + 1)
