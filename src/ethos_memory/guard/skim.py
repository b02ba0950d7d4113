"""The fast way out: what is seen to be harmless before anything is taken apart.

Most lines end here. What `Skim.is_harmless` says of a text is what the full reading
(`lines.suspicions`) would find in it, namely nothing; when it is not sure, it says no.
Characters are deleted, translated and split by the interpreter in bulk; no loop here
touches a character.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import chain, repeat
from operator import or_
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.guard.decode import (
    CIPHER_WORDS,
    decoded,
    may_be_coded,
    respelled,
)
from ethos_memory.guard.hidden import has_hidden
from ethos_memory.guard.letters import fold_characters, key_of, latinize
from ethos_memory.guard.pattern import OTHER
from ethos_memory.guard.tokens import has_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ethos_memory.guard.engine import Engine
    from ethos_memory.guard.pattern import Pattern

__all__ = ["Skim", "skim_of"]

#: What is no part of a word, and digits that stand for letters, see `letters.key_of`.
_BLANKS: Final = b'!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n\v\f\r\x1c\x1d\x1e\x1f'
_KEYED: Final = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ013457l" + _BLANKS,
    b"abcdefghijkimnopqrstuvwxyzoieasti" + b" " * len(_BLANKS),
)
#: The same, with an end to the word at an apostrophe.
_ELIDED: Final = _KEYED.replace(b"'", b" ")
_ELISION: Final = re.compile(rb"[LlDdUu]'")

#: Of so many characters in a row one may be a code, see `judge`.
_LONGEST: Final = 16
_LONG_WORD: Final = re.compile(rb" [^ ]{%d}" % _LONGEST)

#: What hides or encodes has one of these, or dots by themselves.
_CONTROLS: Final = frozenset({*range(9), *range(0x0E, 0x20), 0x7F})
_CODING: Final = frozenset(b"0123456789\\%&-")
_DOTS: Final = b".. "

#: Cues are looked for by one of their characters, the least common in prose first.
_MARKS: Final = b"<[>|{}]~^\\$=@&%+*#`_/:;()?!-.,'\""

#: Items of a pattern that are looked at: as many as two steps can compare.
_ITEMS: Final = 4

#: In a longer text no pattern is tried, see `engine`.
_MANY: Final = 400

_LETTERS: Final = frozenset(bytes([letter]) for letter in b"abcdefghijklmnopqrstuvwxyz")
#: Letters that are words, the second as `l` and `1` are looked up.
_WORDS_OF_ONE: Final = frozenset({b"a", b"i"})
#: So many letters that stand alone may be one word, see `sieve`.
_APART: Final = 4

#: An item with one of these words says little.
_COMMON_TEXT: Final = """
    the to a and of in is for with i my on it that are be or this
    """
_COMMON: Final = frozenset(map(key_of, _COMMON_TEXT.split()))
_CIPHERS: Final = frozenset(word.encode() for word in CIPHER_WORDS)


@frozen
class Skim:
    """Compiled rules, as far as a first look needs them.

    Attributes:
        engine: The rules it was made of.
        masks: The number of each known ASCII word: a bit for each pattern and item.
        foreign: The numbers of the others.
        base: The number of no words: items that a pattern has not.
        width: How many bits an item takes.
        codes: The character of each ASCII word.
        untold: The bits of the patterns that can do without a colon or the like.
        placeless: The bits of those that can do without an address.
        marks: Characters of which each cue that is no word has one.
        dull: ASCII that is in no check of single characters.
    """

    engine: Engine
    masks: Mapping[bytes, int]
    foreign: Mapping[str, int]
    base: int
    width: int
    codes: Mapping[bytes, str]
    untold: int
    placeless: int
    marks: frozenset[int]
    dull: bytes

    def is_harmless(self, text: str) -> bool:
        """Tell whether the full reading of a text would find nothing.

        Args:
            text: Any text.

        Returns:
            True when it would find nothing; False when it would, or might.
        """
        foreign: Sequence[str] = ()
        if text.isascii():
            folded, raw = text, text.encode()
        else:
            if has_hidden(text):
                return False
            folded = latinize(fold_characters(text))
            raw = folded.encode("ascii", "replace")
            if not folded.isascii():
                foreign = self.engine.tokenizer.foreign_words(folded)
        signs = raw.translate(None, self.dull)
        keyed = b" " + raw.translate(_KEYED, b"'")
        is_long = _LONG_WORD.search(keyed) is not None
        if (
            is_long
            or foreign
            or _DOTS in raw
            or (signs and (signs.strip(b"-") or _has_dashes(raw)))
        ):
            is_long = is_long or _is_long(foreign)
            if not self._is_readable(text, folded, signs, is_long=is_long):
                return False
        words = keyed.split()
        found = reduce(or_, filter(None, map(self.masks.get, words)), self.base)
        if foreign or (b"'" in raw and _ELISION.search(raw) is not None):
            more = map(self.masks.get, raw.translate(_ELIDED).split())
            others = map(self.foreign.get, foreign)
            found = reduce(or_, filter(None, chain(more, others)), found)
            words = []
        width = self.width
        found &= found >> (2 * width)
        found &= found >> width
        found &= (1 << width) - 1
        return not found or self._is_refuted(found, words, text, folded)

    def _is_readable(
        self, text: str, folded: str, signs: bytes, *, is_long: bool
    ) -> bool:
        """Tell whether nothing hides in a text, and nothing is encoded in it."""
        if not _CONTROLS.isdisjoint(signs):
            return False
        find_sign = self.engine.sieve.signs.search
        if not self.marks.isdisjoint(signs) and find_sign(folded.lower()) is not None:
            return False
        if not is_long and not may_be_coded(text):
            return True
        return (
            _is_one_line(text)
            and next(decoded(text), None) is None
            and self.engine.unglued(folded.lower()) is None
        )

    def _is_refuted(
        self, found: int, words: list[bytes], text: str, folded: str
    ) -> bool:
        """Look closer at what the words could come to together.

        Args:
            found: The bits of the rows that have all their words.
            words: Of plain ASCII; none when some are hidden behind an apostrophe.
            text: The text as it is.
            folded: The folded text, in any letter case.
        """
        special = found >> len(self.engine.patterns)
        if special:
            if self._is_special(special, words, text, folded.lower()):
                return False
            found ^= special << len(self.engine.patterns)
        if not (":" in folded or "]" in folded or "=" in folded or ">" in folded):
            found &= self.untold
        folded = folded.lower()
        is_bare = found and words and len(words) <= _MANY and folded.isascii()
        if is_bare and not has_address(folded):
            found = self._likely(found & self.placeless, words)
        return not found or (_is_one_line(text) and not self._matches(found, folded))

    def _is_special(
        self, special: int, words: list[bytes], text: str, folded: str
    ) -> bool:
        """Look closer at words of cues, at shifted words and at letters."""
        if special & 1 and any(cue in folded for cue in self.engine.sieve.cues):
            return True
        if special & 2 and (not words or len(_CIPHERS.intersection(words)) > 1):
            return True
        if special & 4 and (not words or len(_LETTERS.intersection(words)) >= _APART):
            return not (_is_one_line(text) and respelled(folded) is None)
        return False

    def _likely(self, found: int, words: list[bytes]) -> int:
        """Return the bits of those patterns that the row of words does not refute."""
        codes = "".join(map(self.codes.get, words, repeat(OTHER)))
        patterns = self.engine.patterns
        likely = 0
        while found:
            lowest = found & -found
            found ^= lowest
            if patterns[lowest.bit_length() - 1][1].quick.search(codes) is not None:
                likely |= lowest
        return likely

    def _matches(self, found: int, folded: str) -> bool:
        """Tell whether a folded line matches one of some patterns."""
        codes = self.engine.tokenizer.codes_of(folded)
        while found:
            lowest = found & -found
            found ^= lowest
            _, pattern = self.engine.patterns[lowest.bit_length() - 1]
            if pattern.regex.search(codes) is not None:
                return True
        return False


def _has_dashes(raw: bytes) -> bool:
    """Tell whether dashes stand as they do in Morse code."""
    return b".-" in raw or b"-." in raw or b"- -" in raw


def _is_long(words: Iterable[str]) -> bool:
    return max(map(len, words), default=0) >= _LONGEST


def _is_one_line(text: str) -> bool:
    """Tell whether a text is one line without an end, and judged as it stands."""
    lines = text.splitlines()
    return len(lines) == 1 and len(lines[0]) == len(text)


def skim_of(engine: Engine) -> Skim:
    """Prepare a first look for compiled rules."""
    patterns = [pattern for _, pattern in engine.patterns]
    rows: list[Sequence[frozenset[str]]] = [
        *(sorted(pattern.needs, key=_commonness)[:_ITEMS] for pattern in patterns),
        (engine.sieve.cue_words,),
        (CIPHER_WORDS,),
        (frozenset(letter.decode() for letter in _LETTERS - _WORDS_OF_ONE),),
    ]
    masks, base = _masks(rows)
    marks = _marks(engine.sieve.plain_cues)
    kept = _CONTROLS | _CODING | marks
    ascii_codes = engine.tokenizer.codes.items()
    return Skim(
        engine,
        {word.encode(): mask for word, mask in masks.items() if word.isascii()},
        {word: mask for word, mask in masks.items() if not word.isascii()},
        base,
        len(rows),
        {word.encode(): code for word, code in ascii_codes if word.isascii()},
        _without(patterns, lambda pattern: pattern.wants_colon),
        _without(patterns, lambda pattern: pattern.wants_address),
        marks,
        bytes(code for code in range(128) if code not in kept),
    )


def _commonness(words: frozenset[str]) -> tuple[bool, int]:
    return not _COMMON.isdisjoint(words), len(words)


def _without(patterns: Sequence[Pattern], wants: Callable[[Pattern], bool]) -> int:
    """Return a number whose bits are those of the patterns that can do without."""
    return sum(1 << place for place, each in enumerate(patterns) if not wants(each))


def _masks(rows: Sequence[Sequence[frozenset[str]]]) -> tuple[dict[str, int], int]:
    masks: dict[str, int] = {}
    base = 0
    for place, items in enumerate(rows):
        for item in range(_ITEMS):
            bit = 1 << (item * len(rows) + place)
            if item >= len(items):
                base |= bit
            else:
                for word in items[item]:
                    masks[word] = masks.get(word, 0) | bit
    # Words of one concept share a number, and so a place in the processor's cache.
    shared: dict[int, int] = {}
    return {word: shared.setdefault(mask, mask) for word, mask in masks.items()}, base


def _marks(cues: Iterable[str]) -> frozenset[int]:
    """Return characters of which one stands in whatever holds a cue."""
    found: set[int] = set()
    for cue in cues:
        if not (cue and cue.isascii()):
            return frozenset(range(128))
        codes = cue.encode()
        mark = next((code for code in _MARKS if code in codes), codes[0])
        found |= {mark, *bytes([mark]).upper()}
    return frozenset(found)
