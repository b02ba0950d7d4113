"""A folded line as a string of codes, one for each word."""

from __future__ import annotations

import re
from itertools import repeat
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
#: Before the next key of a record a sentence ends.
_SEAM: Final = (
    r"(?:(?<=[\"'\]}0-9])|(?<=true)|(?<=false)|(?<=null)|(?<=none))"
    r",(?=\s{0,8}[\"'][^\"'\n]{1,40}[\"']\s?:)"
)
#: A box to tick is no label of what follows.
_LABEL_END: Final = r"(?<!\[ )(?<!\[x)\]"
_WORD: Final = rf"[^{_BREAK}][^{_BREAK}']{{0,80}}(?:'[^{_BREAK}']{{1,40}})?"
_MARK: Final = (
    r"(?P<end>[.!?](?![a-z0-9])|[<|;{}]|[\u3002\uff01\uff1f\u0964\u0965\u061f\u06d4\u2026\uff61]|\\n|"
    rf"{_SEAM})|(?P<colon>[:\uff1a=>]|{_LABEL_END}|->)"
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

#: The same tokens of ASCII, each found as a text of its own.
_ASCII_MARK: Final = (
    rf"[.!?](?![a-z0-9])|[<|;{{}}:=>]|{_LABEL_END}|\\n|->|[\n\r\x0b\x0c]|{_SEAM}"
)
#: What of ASCII is in no break; a class of ASCII alone is searched much sooner.
_LETTER: Final = r"[0-9A-Za-z\x00-\x08\x0e-\x1b\x7f]"
_ASCII_WORD: Final = rf"{_LETTER}{{1,81}}(?:'{_LETTER}{{1,40}})?"
_PLAIN_TOKEN: Final = re.compile(f"{_ASCII_WORD}|{_ASCII_MARK}")
_FULL_TOKEN: Final = re.compile(f"{_URL}|{_EMAIL}|{_ASCII_WORD}|{_ASCII_MARK}")
_MARK_CODES: Final = {
    **dict.fromkeys((*".!?<|;{},", "\\n"), END),
    **dict.fromkeys((":", "=", "]", ">", "->"), COLON),
    **dict.fromkeys("\n\r\x0b\x0c", LINE),
}
#: A text without them has no numbers and no elided articles.
_ODD: Final = re.compile("['0-9]")

#: French, Italian and Catalan articles: what counts is the word behind them.
_ELIDED: Final = frozenset(
    key_of(head)
    for head in ("l", "d", "qu", "c", "j", "n", "m", "s", "t", "un", "dell", "all")
) | frozenset(key_of(head) for head in ("nell", "sull", "dall", "quell"))
_SHORTEST_ELIDED: Final = 3

#: Scripts that put no blanks between words, and Korean with its glued particles.
_FREE_RANGES: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
)
_FREE: Final = re.compile(f"[{_FREE_RANGES}]")
#: Scripts whose words are found by their stems.
_SCRIPTS: Final = re.compile(f"[\u0370-\u08ff\u0900-\u0dff\u10a0-\u10ff{_FREE_RANGES}]")
#: Arabic and Hebrew glue articles and prepositions to the front of a word.
_GLUED: Final = re.compile(
    "[\u0648\u0641\u0628\u0644\u0643]?(?:\u0627\u0644)?|[\u05d4\u05d5\u05d1\u05dc\u05de\u05e9\u05db]{0,2}"
)
#: What it can begin with.
_GLUE: Final = frozenset(
    "\u0648\u0641\u0628\u0644\u0643\u0627\u05d4\u05d5\u05d1\u05dc\u05de\u05e9\u05db"
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
    _known: Mapping[str, str] = field(init=False)

    @_lengths.default
    def _default_lengths(self) -> Mapping[str, tuple[int, ...]]:
        return _stems(self.codes)

    @_known.default
    def _default_known(self) -> Mapping[str, str]:
        return {**self.codes, **_MARK_CODES}

    def codes_of(self, text: str) -> str:
        """Return what `tokenize` has as codes; for a line of ASCII it is had sooner."""
        if not text.isascii():
            return self.tokenize(text).codes
        is_full = has_address(text)
        tokens = (_FULL_TOKEN if is_full else _PLAIN_TOKEN).findall(text)
        if not tokens:
            return ""
        # No token holds a blank.
        keys = key_of(" ".join(tokens)).split(" ")
        if is_full or _ODD.search(text) is not None:
            return "".join(map(self._ascii_code, tokens, keys))
        return "".join(map(self._known.get, keys, repeat(OTHER)))

    def _ascii_code(self, token: str, key: str) -> str:
        if token.isdecimal():
            return NUMBER
        code = self._known.get(key)
        if code is not None:
            return code
        if "://" in token or token.startswith("www."):
            return URL
        return EMAIL if "@" in token else self._odd(key)

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
        return _SCRIPTS.search(word) is not None

    def foreign_words(self, text: str) -> list[str]:
        """Return the known words among those of other scripts."""
        found: list[str] = []
        if _SCRIPTS.search(text) is None:
            return found
        for word in _FOREIGN_WORD.findall(text):
            if _SCRIPTS.search(word) is None:
                continue
            parts = (
                (self._stem(word),) if _FREE.search(word) is None else self._split(word)
            )
            found += [word[start:end] for code, start, end in parts if code != OTHER]
        return found

    def _split(self, word: str) -> Iterator[tuple[str, int, int]]:
        if _FREE.search(word) is None:
            yield self._stem(word)
            return
        start = place = 0
        while place < len(word):
            for length in self._lengths.get(word[place], ()):
                # Near the end of the word it is shorter than asked for.
                part = word[place : place + length]
                code = self.codes.get(part)
                if code is not None:
                    yield from _filled(start, place)
                    start = place + len(part)
                    yield code, place, start
                    break
            place = max(place + 1, start)
        yield from _filled(start, len(word))

    def _stem(self, word: str) -> tuple[str, int, int]:
        offsets: tuple[int, ...] = (0,)
        if word[0] in _GLUE:
            glued = _GLUED.match(word)
            end = glued.end() if glued else 0
            offsets = tuple(sorted({0, min(end, 1), end}))
        for offset in offsets:
            for length in self._lengths.get(word[offset : offset + 1], ()):
                stem = word[offset : offset + length]
                stop = offset + len(stem)
                if stem in self.codes and (len(stem) > _SHORT or len(word) == stop):
                    return self.codes[stem], offset, stop
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
