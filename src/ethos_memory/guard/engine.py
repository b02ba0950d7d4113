"""Which rules a line hits: a cheap look at its words first, patterns after that."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve, frozen

from ethos_memory.guard.decode import CIPHER_WORDS
from ethos_memory.guard.letters import key_of
from ethos_memory.guard.pattern import OTHER, Pattern, Vocabulary, concepts_of
from ethos_memory.guard.tokens import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ethos_memory.guard.rule import Rule

__all__ = ["Engine", "Hit", "engine_for"]

#: ASCII punctuation becomes blanks, digits the letters they stand for: see `key_of`.
_WORDS: Final = str.maketrans(
    "013457l" + '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~',
    "oieasti" + " " * 31,
)

#: Words without blanks between them; a longer run is no sentence.
_GLUED: Final = re.compile(r"(?<![a-z0-9/+=])[a-z]{16,200}(?![a-z0-9/+=])")
_LONGEST_WORD: Final = 16
_FEWEST_WORDS: Final = 3
_KNOWN_SHARE: Final = 0.8

#: What a word is taken to cost that the table of frequent words does not know.
_RARE: Final = 0.2


#: The words of a line, some of them twice.
Words: TypeAlias = list[str]


@frozen
class Hit:
    """A rule that a line hits.

    Attributes:
        rule: The rule.
        start: Where in the folded line.
        end: One past its end.
    """

    rule: Rule
    start: int
    end: int


@frozen
class Engine:
    """Compiled rules.

    Attributes:
        tokenizer: Turns lines into codes.
        patterns: Every word pattern with its rule.
        by_word: For each word that patterns are looked up by, their numbers.
        others: The words that each pattern needs besides.
        regexes: Every regular expression with its rule.
        cue_words: Words of which one must occur for some regular expression.
        cue_texts: The same, for cues that are no words.
        known: Every word that makes a line worth a second look.
    """

    tokenizer: Tokenizer
    patterns: tuple[tuple[Rule, Pattern], ...]
    by_word: Mapping[str, tuple[int, ...]]
    others: tuple[tuple[frozenset[str], ...], ...]
    regexes: tuple[tuple[Rule, re.Pattern[str]], ...]
    cue_words: frozenset[str]
    cue_texts: tuple[str, ...]
    known: frozenset[str]

    def words_of(self, folded: str) -> Words:
        """Return the words of a folded text as they are looked up."""
        if folded.isascii():
            return _ascii_words(folded)
        words = _ascii_words(folded.encode("ascii", "replace").decode("ascii"))
        return words + self.tokenizer.foreign_words(folded)

    def candidates(self, words: Words) -> list[int]:
        """Return the numbers of the patterns that these words could match."""
        found = self.known.intersection(words)
        if not found:
            return []
        every = frozenset(words)
        numbers: set[int] = set()
        for word in found:
            numbers.update(self.by_word.get(word, ()))
        fitting: list[int] = []
        for number in numbers:
            for need in self.others[number]:
                if need.isdisjoint(every):
                    break
            else:
                fitting.append(number)
        fitting.sort()
        return fitting

    def likely(self, folded: str, words: Words) -> list[int]:
        """Return the candidates that the bare row of words does not rule out."""
        numbers = self.candidates(words)
        if not numbers or not folded.isascii():
            return numbers
        if "://" in folded or "www." in folded or "@" in folded:
            return numbers
        get = self.tokenizer.codes.get
        codes = "".join([get(word, OTHER) for word in words])
        patterns = self.patterns
        found: list[int] = []
        for number in numbers:
            pattern = patterns[number][1]
            if not pattern.wants_address and pattern.quick.search(codes) is not None:
                found.append(number)
        return found

    def hits(self, folded: str, candidates: Iterable[int]) -> list[Hit]:
        """Try patterns on a folded line."""
        numbers = list(candidates)
        if not numbers:
            return []
        tokens = self.tokenizer.tokenize(folded)
        found: dict[str, Hit] = {}
        for number in numbers:
            rule, pattern = self.patterns[number]
            if rule.id in found:
                continue
            match = pattern.regex.search(tokens.codes)
            if match is not None and match.end() > match.start():
                start, end = (
                    tokens.spans[match.start()][0],
                    tokens.spans[match.end() - 1][1],
                )
                found[rule.id] = Hit(rule, start, end)
        return list(found.values())

    def has_cue(self, folded: str, words: Words) -> bool:
        """Tell whether a regular expression is worth a try."""
        if any(cue in folded for cue in self.cue_texts):
            return True
        return not self.cue_words.isdisjoint(words)

    def unglued(self, folded: str) -> str | None:
        """Put blanks between words that were written as one, `None` when none was."""
        found = _GLUED.sub(self._spaced, folded)
        return None if found == folded else found

    def _spaced(self, match: re.Match[str]) -> str:
        run = match.group()
        codes = self.tokenizer.codes
        parts: list[str] = []
        place = known = 0
        while place < len(run):
            for length in range(min(_LONGEST_WORD, len(run) - place), 1, -1):
                part = run[place : place + length]
                if key_of(part) in codes:
                    known += length
                    break
            else:
                part = run[place]
            parts.append(part)
            place += len(part)
        is_glued = known >= _KNOWN_SHARE * len(run) and len(parts) >= _FEWEST_WORDS
        return " ".join(parts) if is_glued else run

    def regex_hits(self, folded: str) -> Iterator[Hit]:
        """Try regular expressions on a folded line."""
        for rule, regex in self.regexes:
            if not rule.cues or any(cue in folded for cue in rule.cues):
                match = regex.search(folded)
                if match is not None:
                    yield Hit(rule, *match.span())


def _ascii_words(folded: str) -> Words:
    words = folded.translate(_WORDS)
    if "'" in words:
        return (words.replace("'", "") + " " + words.replace("'", " ")).split()
    return words.split()


def _frequencies(table: Mapping[int, str]) -> dict[str, int]:
    return {
        key_of(word): lines for lines, words in table.items() for word in words.split()
    }


def _by_rarity(pattern: Pattern, frequencies: Mapping[str, int]) -> Pattern:
    def cost(need: frozenset[str]) -> float:
        return sum(frequencies.get(word, _RARE) for word in need)

    return evolve(pattern, needs=tuple(sorted(pattern.needs, key=cost)))


@lru_cache(maxsize=8)
def engine_for(rules: tuple[Rule, ...]) -> Engine:
    """Compile rules; the same rules are compiled once."""
    from ethos_memory.guard.rules import concepts, frequency, languages  # noqa: PLC0415, at first use

    vocabulary = Vocabulary(concepts_of(concepts.CONCEPTS, languages.CONCEPTS))
    frequencies = _frequencies(frequency.FREQUENT)
    patterns = tuple(
        (rule, _by_rarity(vocabulary.compile(text), frequencies))
        for rule in rules
        for text in rule.words
    )
    by_word: dict[str, list[int]] = {}
    for number, (_, pattern) in enumerate(patterns):
        for word in pattern.needs[0]:
            by_word.setdefault(word, []).append(number)
    regexes = tuple((rule, re.compile(text)) for rule in rules for text in rule.regex)
    cues = {cue for rule in rules for cue in rule.cues}
    cue_words = frozenset(key_of(cue) for cue in cues if cue.isalnum())
    return Engine(
        Tokenizer(vocabulary.codes),
        patterns,
        {word: tuple(numbers) for word, numbers in by_word.items()},
        tuple(pattern.needs[1:] for _, pattern in patterns),
        regexes,
        cue_words,
        tuple(sorted(cue for cue in cues if not cue.isalnum())),
        frozenset(by_word) | cue_words | CIPHER_WORDS,
    )
