"""Which rules a line hits: a cheap look at its words first, patterns after that."""

from __future__ import annotations

import re
from functools import lru_cache
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
    from collections.abc import Iterable, Iterator, Sequence

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
    """

    sieve: Sieve
    tokenizer: Tokenizer
    patterns: tuple[tuple[Rule, Pattern], ...]
    regexes: tuple[tuple[Rule, re.Pattern[str]], ...]

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
        get = self.tokenizer.codes.get
        codes = "".join([get(word, OTHER) for word in words])
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
        tokens = self.tokenizer.tokenize(folded)
        found: dict[str, Hit] = {}
        left = 1.0
        for number in numbers:
            rule, pattern = self.patterns[number]
            if rule.id in found or left < _ENOUGH:
                continue
            match = pattern.regex.search(tokens.codes)
            if match is not None:
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
        codes = self.tokenizer.codes
        parts: list[str] = []
        place = known = 0
        while place < len(run):
            for length in range(min(_LONGEST_WORD, len(run) - place), 1, -1):
                part = run[place : place + length]
                if key_of(part) in codes:
                    known += length if length >= _SHORTEST_WORD else 0
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
    )
