"""Which rules a line hits: a cheap look at its words first, patterns after that."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.guard.letters import key_of
from ethos_memory.guard.pattern import (
    COLON,
    END,
    LINE,
    OTHER,
    Pattern,
    Vocabulary,
    concepts_of,
)
from ethos_memory.guard.sieve import Sieve, Words, sieve_of
from ethos_memory.guard.tokens import Tokenizer, has_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ethos_memory.guard.rule import Rule

__all__ = ["Engine", "Hit", "engine_for"]

#: Words without blanks between them; a longer run is no sentence.
_GLUED: Final = re.compile(r"(?<![a-z0-9/+=])[a-z]{16,200}(?![a-z0-9/+=])")
_LONGEST_WORD: Final = 16
_SHORTEST_WORD: Final = 3
_MOST_RUNS: Final = 64
_FEWEST_WORDS: Final = 3

#: Punctuation at the end of a match is no part of what was found.
_MARKS: Final = END + COLON + LINE

#: When so little doubt is left, a line needs no further pattern.
_CERTAIN: Final = 100
_ENOUGH: Final = 0.05

#: In a longer line the first try costs more than it spares.
_MANY: Final = 400
_KNOWN_SHARE: Final = 0.8


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
        sieve: Tells cheaply which patterns a line could match.
        tokenizer: Turns lines into codes.
        patterns: Every word pattern with its rule.
        regexes: Every regular expression with its rule.
        lengths: How long the words are that begin with two letters, longest first.
    """

    sieve: Sieve
    tokenizer: Tokenizer
    patterns: tuple[tuple[Rule, Pattern], ...]
    regexes: tuple[tuple[Rule, re.Pattern[str]], ...]
    lengths: Mapping[str, tuple[int, ...]]

    def check(self, rules: Iterable[Rule]) -> None:
        """Compile the patterns of some rules now.

        Raises:
            re.error: When one cannot be compiled.
        """
        ids = {rule.id for rule in rules}
        for rule, pattern in self.patterns:
            if rule.id in ids:
                pattern.regex.compile()
                pattern.quick.compile()

    def likely(self, folded: str, words: Words, sifted: int) -> list[int]:
        """Return the patterns that the bare row of words does not rule out."""
        numbers = self.sieve.candidates(sifted)
        if not numbers or len(words) > _MANY or has_address(folded):
            return numbers
        if not folded.isascii():
            return numbers
        codes = "".join(map(self.tokenizer.codes.get, words, repeat(OTHER)))
        has_colon = ":" in folded or "]" in folded or "=" in folded or ">" in folded
        patterns = self.patterns
        found: list[int] = []
        for number in numbers:
            pattern = patterns[number][1]
            if pattern.wants_address or (pattern.wants_colon and not has_colon):
                continue
            if pattern.quick.search(codes) is not None:
                found.append(number)
        return found

    def hits(self, folded: str, numbers: Sequence[int]) -> list[Hit]:
        """Try patterns on a folded line."""
        if not numbers:
            return []
        tokens = None if folded.isascii() else self.tokenizer.tokenize(folded)
        codes = tokens.codes if tokens else self.tokenizer.codes_of(folded)
        found: dict[str, Hit] = {}
        left = 1.0
        for number in numbers:
            rule, pattern = self.patterns[number]
            if rule.id in found or left < _ENOUGH:
                continue
            match = pattern.regex.search(codes)
            if match is not None:
                # Most lines have no match, and need no positions.
                tokens = tokens or self.tokenizer.tokenize(folded)
                last = match.start() + len(match.group().rstrip(_MARKS)) - 1
                last = max(last, match.start())
                start, end = tokens.spans[match.start()][0], tokens.spans[last][1]
                found[rule.id] = Hit(rule, start, end)
                left *= 1 - rule.score / _CERTAIN
        return list(found.values())

    def unglued(self, folded: str) -> str | None:
        """Put blanks between words that were written as one, `None` when none was."""
        found = _GLUED.sub(self._spaced, folded, count=_MOST_RUNS)
        return None if found == folded else found

    def _spaced(self, match: re.Match[str]) -> str:
        run = match.group()
        keyed = key_of(run)
        parts: list[str] = []
        place = known = 0
        while place < len(run):
            length = self._longest(keyed, place)
            known += length if length >= _SHORTEST_WORD else 0
            parts.append(run[place : place + length])
            place += length
        is_glued = known >= _KNOWN_SHARE * len(run) and len(parts) >= _FEWEST_WORDS
        return " ".join(parts) if is_glued else run

    def _longest(self, keyed: str, place: int) -> int:
        """Return how long the longest known word is that begins there, or 1."""
        codes = self.tokenizer.codes
        for length in self.lengths.get(keyed[place : place + 2], ()):
            # At the end of a run, a slice is shorter than it was asked to be.
            word = keyed[place : place + length]
            if len(word) == length and word in codes:
                return length
        return 1

    def regex_hits(self, folded: str) -> Iterator[Hit]:
        """Try regular expressions on a folded line."""
        for rule, regex in self.regexes:
            if not rule.cues or any(cue in folded for cue in rule.cues):
                match = regex.search(folded)
                if match is not None:
                    yield Hit(rule, *match.span())


@lru_cache(maxsize=8)
def engine_for(rules: tuple[Rule, ...]) -> Engine:
    """Compile rules; the same rules are compiled once."""
    from ethos_memory.guard.rules import concepts, languages  # noqa: PLC0415, at first use

    vocabulary = Vocabulary(concepts_of(concepts.CONCEPTS, languages.CONCEPTS))
    # The weightiest first: few lines need the others.
    weighty = sorted(rules, key=lambda rule: rule.score, reverse=True)
    patterns = tuple(
        (rule, vocabulary.compile(text)) for rule in weighty for text in rule.words
    )
    tokenizer = Tokenizer(vocabulary.codes)
    cues = frozenset(cue for rule in rules for cue in rule.cues)
    return Engine(
        sieve_of(tokenizer, [pattern for _, pattern in patterns], cues),
        tokenizer,
        patterns,
        tuple((rule, re.compile(text)) for rule in rules for text in rule.regex),
        _lengths(vocabulary.codes),
    )


def _lengths(words: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for word in words:
        if 1 < len(word) <= _LONGEST_WORD:
            found.setdefault(word[:2], set()).add(len(word))
    return {head: tuple(sorted(each, reverse=True)) for head, each in found.items()}
