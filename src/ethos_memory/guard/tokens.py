"""A folded line as a string of codes, one for each word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.guard.letters import key_of
from ethos_memory.guard.pattern import COLON, EMAIL, END, LINE, NUMBER, OTHER, URL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Tokenizer", "Tokens", "has_address"]

#: What is no part of a word: blanks and the punctuation of many scripts.
_BREAK: Final = (
    r"\s!-/:-@\[-`{-~\xa1-\xbf\u2010-\u206f\u3000-\u303f\u0964\u0965\u055d\u0589\u060c"
    r"\u061b\u061f\u06d4\u0df4\u0e2f\u104a\u104b\u17d4\u2190-\u2bff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)

_URL: Final = (
    r"(?:https?|ftp)://[!#-&*-;=?-Z_a-z~{}%$]{1,500}|www\.[!#-&*-;=?-Z_a-z~%$]{3,300}"
)
_EMAIL: Final = r"[a-z0-9._%+-]{1,64}@(?=[a-z0-9])[a-z0-9.-]{3,120}"
_WORD: Final = rf"[^{_BREAK}][^{_BREAK}']{{0,80}}(?:'[^{_BREAK}']{{1,40}})?"
_MARK: Final = (
    r"(?P<end>[.!?](?![a-z0-9])|[<|;{}]|[\u3002\uff01\uff1f\u0964\u0965\u061f\u06d4\u2026\uff61]|\\n)"
    r"|(?P<colon>[:\uff1a=\]>]|->)"
    r"|(?P<line>[\n\r\x0b\x0c\x85\u2028\u2029])"
)
#: Most lines hold no address, and are read by the first.
_PLAIN: Final = re.compile(rf"(?P<word>{_WORD})|{_MARK}")
_FULL: Final = re.compile(
    rf"(?P<url>{_URL})|(?P<email>{_EMAIL})|(?P<word>{_WORD})|{_MARK}"
)
_FOREIGN_WORD: Final = re.compile(rf"[^{_BREAK}\x00-\x7f][^{_BREAK}]{{0,200}}")

_CODES: Final = {
    "url": URL,
    "email": EMAIL,
    "end": END,
    "colon": COLON,
    "line": LINE,
}

#: French, Italian and Catalan articles: what counts is the word behind them.
_ELIDED: Final = frozenset(
    key_of(head)
    for head in ("l", "d", "qu", "c", "j", "n", "m", "s", "t", "un", "dell", "all")
) | frozenset(key_of(head) for head in ("nell", "sull", "dall", "quell"))
_SHORTEST_ELIDED: Final = 3

#: Scripts that put no blanks between words, and Korean with its glued particles.
_FREE: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
#: Scripts whose words are found by their stems.
_STEMMED: Final = re.compile("[\u0370-\u08ff\u0900-\u0dff\u10a0-\u10ff]")
#: Arabic and Hebrew glue articles and prepositions to the front of a word.
_GLUED: Final = re.compile(
    "[\u0648\u0641\u0628\u0644\u0643]?(?:\u0627\u0644)?|[\u05d4\u05d5\u05d1\u05dc\u05de\u05e9\u05db]{0,2}"
)
#: A stem so short must be the whole word.
_SHORT: Final = 3

#: One token stands for so many unknown characters in scripts without blanks.
_RUN: Final = 2


@frozen
class Tokens:
    """A tokenized line.

    Attributes:
        codes: One character for each token.
        spans: Where each token stands in the folded line.
    """

    codes: str
    spans: list[tuple[int, int]]


def has_address(text: str) -> bool:
    """Tell cheaply whether a text may hold an address of a page or a mailbox."""
    return "://" in text or "www." in text or "@" in text


def _stems(words: Iterable[str]) -> dict[str, tuple[int, ...]]:
    lengths: dict[str, set[int]] = {}
    for word in words:
        if not word.isascii():
            lengths.setdefault(word[0], set()).add(len(word))
    return {
        first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()
    }


@frozen
class Tokenizer:
    """Turns lines into codes.

    Attributes:
        codes: The character of each known word.
    """

    codes: Mapping[str, str]
    _lengths: Mapping[str, tuple[int, ...]] = field(init=False)

    @_lengths.default
    def _default_lengths(self) -> Mapping[str, tuple[int, ...]]:
        return _stems(self.codes)

    def tokenize(self, text: str) -> Tokens:
        """Tokenize a folded line."""
        codes: list[str] = []
        spans: list[tuple[int, int]] = []
        get = self.codes.get
        keyed = key_of(text)
        is_ascii = text.isascii()
        for match in (_FULL if has_address(text) else _PLAIN).finditer(text):
            span = match.span()
            kind = match.lastgroup
            if kind != "word":
                codes.append(_CODES[kind or ""])
                spans.append(span)
                continue
            word = keyed[span[0] : span[1]]
            code = get(word)
            if text[span[0]].isdecimal() and match.group().isdecimal():
                code = NUMBER
            elif code is None:
                if not is_ascii and self._is_stemmed(match.group()):
                    for code, start, end in self._split(match.group()):
                        codes.append(code)
                        spans.append((span[0] + start, span[0] + end))
                    continue
                code = self._odd(word)
            codes.append(code)
            spans.append(span)
        return Tokens("".join(codes), spans)

    def _odd(self, key: str) -> str:
        return self.codes.get(_without_apostrophe(key), OTHER) if "'" in key else OTHER

    @staticmethod
    def _is_stemmed(word: str) -> bool:
        return (_FREE.search(word) or _STEMMED.search(word)) is not None

    def foreign_words(self, text: str) -> list[str]:
        """Return the known words among those of other scripts."""
        found: list[str] = []
        for match in _FOREIGN_WORD.finditer(text):
            word = match.group()
            if self._is_stemmed(word):
                for code, start, end in self._split(word):
                    if code != OTHER:
                        found.append(word[start:end])
        return found

    def _split(self, word: str) -> Iterator[tuple[str, int, int]]:
        if _FREE.search(word) is None:
            yield self._stem(word)
            return
        start = place = 0
        while place < len(word):
            for length in self._lengths.get(word[place], ()):
                code = self.codes.get(word[place : place + length])
                if code is not None:
                    yield from _filled(start, place)
                    start = place + length
                    yield code, place, start
                    break
            place = max(place + 1, start)
        yield from _filled(start, len(word))

    def _stem(self, word: str) -> tuple[str, int, int]:
        glued = _GLUED.match(word)
        for offset in {
            0,
            glued.end() if glued else 0,
            1 if glued and glued.end() else 0,
        }:
            for length in self._lengths.get(word[offset : offset + 1], ()):
                stem = word[offset : offset + length]
                if stem in self.codes and (
                    length > _SHORT or len(word) == offset + length
                ):
                    return self.codes[stem], offset, offset + length
        return OTHER, 0, len(word)


def _without_apostrophe(word: str) -> str:
    head, _, tail = word.partition("'")
    if head in _ELIDED and len(tail) >= _SHORTEST_ELIDED:
        return tail
    return head + tail


def _filled(start: int, end: int) -> Iterator[tuple[str, int, int]]:
    # One character more or less is an ending, no word of its own.
    for place in range(start, end - 1, _RUN):
        yield OTHER, place, min(place + _RUN, end)
