"""What a person typed, as expressions for SQLite's full-text search.

Every word goes in as a quoted string of our own terms, so nothing that a person types
is query syntax.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from ethos_memory.words import parse_query, parts, stem
from ethos_memory.words.terms import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Wanted", "is_phrase_in", "locate", "parse_wanted", "quoted"]

#: Frequent English words tell nothing about what is sought. They are left out when
#: other words remain: each would cost a walk through most of the store.
_FREQUENT_TEXT: Final = """
    a about after again all also am an and any are as at be because been before
    being both but by can could d did do does doing don done during each for from
    further had has have having he her here hers him himself his how i if in into is
    it its itself just ll m me might more most must my myself no nor not now of off
    on once only or other our ours out over own re s same shall she should so some
    such t than that the their theirs them then there these they this those through
    to too under until up us ve very was we were what when where which while who
    whom whose why will with would you your yours
"""
_FREQUENT: Final = frozenset(_FREQUENT_TEXT.split())

#: Most alternatives in one expression: a long text costs its length otherwise.
_MOST: Final = 128


@frozen
class Wanted:
    """A query, ready to be asked; false when there is nothing to look for.

    Attributes:
        words: Each word as the terms that stand side by side in it, frequent ones
            left out when others remain.
        phrases: The same for what was quoted.
        pieces: What is looked for when not all words are found: the words of one
            term, and the parts of the others.
    """

    words: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...]
    pieces: tuple[tuple[str, ...], ...]

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases)

    @property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """Everything that was asked for: phrases and words."""
        return self.phrases + self.words

    @property
    def sought(self) -> tuple[tuple[str, ...], ...]:
        """Everything that may be looked for, each once: the units, then the pieces."""
        return tuple(dict.fromkeys((*self.units, *self.pieces)))

    def readings(self) -> tuple[Wanted, ...]:
        """Return what to ask until something is found.

        That is the query, then the same without its phrases when no text holds them.
        """
        if self.phrases and self.words:
            return self, evolve(self, phrases=())
        return (self,)

    def all_of_it(self) -> str:
        """Return the expression for texts that hold every word and phrase."""
        return " AND ".join(map(quoted, self.units))

    def any_of_it(self) -> str:
        """Return the expression for texts that hold every phrase, and any word."""
        if not self.phrases:
            return " OR ".join(map(quoted, self.pieces))
        must = [quoted(phrase) for phrase in self.phrases]
        # The phrase is among its own alternatives: words only raise the rank.
        may = " OR ".join([must[0], *map(quoted, self.pieces)])
        return f"{' AND '.join(must)} AND ({may})"


def quoted(word: tuple[str, ...]) -> str:
    """Return terms as one string of an expression; they hold no blank or NUL."""
    text = " ".join(word).replace('"', '""')
    return f'"{text}"'


def _telling(words: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    left = tuple(word for word in words if not _FREQUENT.issuperset(word))
    return left or words


def parse_wanted(text: str) -> Wanted:
    """Read what a person typed.

    Returns:
        At most 128 words and phrases; the first ones count.
    """
    query = parse_query(text)
    phrases = query.phrases[:_MOST]
    words = query.terms if phrases and not query.terms else _telling(query.terms)
    words = words[: _MOST - len(phrases)]
    taken_apart = dict.fromkeys(part for word in words for part in parts(word))
    return Wanted(words, phrases, _telling(tuple(taken_apart))[:_MOST])


def _holds(found: Sequence[str], word: tuple[str, ...]) -> bool:
    return _at(found, word) >= 0


def _at(found: Sequence[str], word: tuple[str, ...]) -> int:
    """Return where terms stand side by side, -1 when they do not."""
    first, length = word[0], len(word)
    for at, term in enumerate(found):
        if term == first and tuple(found[at : at + length]) == word:
            return at
    return -1


def is_phrase_in(text: str, phrases: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a text holds every phrase exactly as it was quoted.

    The index answers by stems, so a quoted phrase is looked up once more.
    """
    found = scan(text)[0] if phrases else ()
    return all(_holds(found, phrase) for phrase in phrases)


def locate(text: str, wanted: Wanted) -> tuple[int, int]:
    """Return where the first hit stands in a text that the index found.

    Returns:
        First code point and one past the last; the start of the text when the index
        knew a form of the word that `words.stem` does not.
    """
    quick = _plainly(text, wanted.units)
    if quick:
        return quick
    found, starts, ends = scan(text)
    stems = list(map(stem, found))
    for candidates in (wanted.units, wanted.pieces):
        places = [(_at(stems, _stems(word)), len(word)) for word in candidates]
        hits = [place for place in places if place[0] >= 0]
        if hits:
            at, length = min(hits)
            return starts[at], max(ends[at : at + length])
    return 0, 0


def _plainly(text: str, words: Sequence[tuple[str, ...]]) -> tuple[int, int] | None:
    """Find one of the words as it is in plain ASCII: most hits, at a tenth of the cost.

    Term by term the same as `words.terms`: there, ASCII terms are runs of letters and
    digits, lower-cased.
    """
    if not text.isascii():
        return None
    lower = text.lower()
    for word in words:
        if len(word) == 1 and word[0].isalnum():
            at, length = lower.find(word[0]), len(word[0])
            while at >= 0:
                around = lower[at - 1 : at] + lower[at + length : at + length + 1]
                if not any(map(str.isalnum, around)):
                    return at, at + length
                at = lower.find(word[0], at + 1)
    return None


def _stems(word: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem(term) for term in word)
