"""What stands behind a keyword, read by what the keyword promises."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.guard.credentials.judge import (
    MIN_QUOTED_SEED_WORDS,
    MIN_SEED_WORDS,
    MIN_WORDS,
    is_code_group,
    is_phrase,
    is_pin,
    is_secret,
    is_uncommon,
)
from ethos_memory.guard.credentials.place import MAX_BARE, Place, is_unit, place_at
from ethos_memory.guard.credentials.secret import Hit
from ethos_memory.guard.credentials.values import is_mixed, is_strong
from ethos_memory.guard.credentials.words import CONDITION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.guard.credentials.place import Link
    from ethos_memory.guard.credentials.words import Family, Keyword

__all__ = ["Named", "is_closed", "read", "read_reversed"]

#: How far before a keyword a condition is looked for, in characters.
MAX_CONDITION: Final = 60

#: A password in a pair such as ``login: ana / …`` is at least this long.
MIN_PAIRED: Final = 6

#: What "credentials" are given in one piece is a token of at least this length.
MIN_CREDENTIALS: Final = 20

#: What ends a value without quotes.
_AFTER_DIGITS: Final = ("", " ", "\t", "\n")

#: A list of recovery codes is followed for this many.
MAX_CODES: Final = 64

_DIGITS: Final = (
    r"[\"'“`]?(?P<value>[#*]?[0-9][0-9 -]{2,18}[0-9][#*]?)(?![\w./:]?[0-9A-Za-z])"
)
_CODE: Final = (
    r"[\"'“`]?(?P<value>[A-Za-z0-9][A-Za-z0-9-]{2,46}[A-Za-z0-9])(?![\w./:@])"
)
_NEXT_CODE: Final = (
    r"[\"'”`]?[ \t]{0,2}(?:[,;/|]|\band\b|\r?\n)[ \t]{0,4}(?:[-*] |\d\. )?"
)
#: A run of words that does not end in time is seen to before any of it is tried.
_SEED: Final = r"(?=[a-z ]{16,250}+(?![a-z ]))(?P<value>[a-z][a-z ]{14,240}[a-z])[\"'`*]{0,3}(?:[.,;!)]|[ \t]{0,8}(?:\r?\n|\Z))"
_WORDS: Final = r"(?=[a-z ]{16,90}+(?![a-z ]))(?P<value>[a-z][a-z ]{14,80}[a-z])[\"'`*]{0,3}(?:[.,;!)]|[ \t]{0,8}(?:\r?\n|\Z))"
_PAIR: Final = (
    r"[\"'`]?(?P<user>[^\s/:,|<>\"'`]{2,64})[\"'`]?"
    r"(?:[ \t]{1,2}[/:|,][ \t]{1,2}|,[ \t]|[/:](?!/))[\"'`]?"
)
#: "… is my password": the words between, and what may follow.
_REVERSING: Final = (" is ", " as ", " ist ", " als ", " es ", " como ", " est ")
_MAX_REVERSED: Final = 44
_OWNER: Final = r"[\w' -]{0,40}\Z"
_CLOSED: Final = (
    r"[\"'`*_)]{0,3}(?:\s{0,8}\Z|\s{0,4}[.,;!)\n]|\s(?:for|of|on|für|para|pour)\b)"
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


@frozen
class Named:
    """A keyword with its link, and the name it is part of.

    Attributes:
        word: The keyword.
        family: How the value is judged.
        match: The link behind the keyword.
        is_weak: Whether the keyword means other things more often.
        name_start: Where the name begins that the keyword is part of.
        link: How the value is tied to the keyword.
    """

    word: Keyword
    family: Family
    match: re.Match[str]
    is_weak: bool
    name_start: int
    link: Link

    def place(self, text: str, at: int) -> Place:
        """Return the value that begins at `at`."""
        before = text[max(0, self.name_start - 1) : self.name_start]
        is_flag = text.startswith("--", self.name_start)
        spaced = self.match.group().strip() != self.match.group()
        is_equals = (self.match["sep"] or "") == "=" and not spaced
        return place_at(
            text,
            at,
            link=self.link,
            is_ascii=self.link == "joint" or self.word.needle[0] >= "\u0e00",
            is_query=before in ("?", "&"),
            is_assigned=is_flag or is_equals,
        )

    def is_element(self, text: str, place: Place) -> bool:
        """Tell whether the value stands in an XML element named by the keyword."""
        before = text[max(0, self.name_start - 1) : self.name_start]
        return before == "<" and text[place.end : place.end + 2] == "</"

    def is_default(self, text: str, place: Place) -> bool:
        """Tell whether the value is a call's second and last argument."""
        before = text[max(0, self.name_start - 2) : self.name_start - 1]
        return before == "(" and text[place.end + 1 : place.end + 2] == ")"

    def is_firm(self, place: Place) -> bool:
        """Tell whether a word that means other things announces a password here."""
        is_direct = not any(map(str.isalpha, self.match.group()))
        is_said = self.link == "sep" and is_direct and is_strong(place.value)
        return place.is_assigned or is_said

    def is_told(self, text: str) -> bool:
        """Tell whether letters alone can be the value: "if the password is valid"."""
        if self.link != "verb":
            # A bare word behind a spaced equals sign is a variable.
            return not (self.match["sep"] or "").endswith("=")
        if self.match["verb"] not in ("is", "was"):
            return False
        begin = max(0, self.name_start - MAX_CONDITION)
        before = text[begin : self.name_start].lower()
        sentence = before[before.rfind(".") + 1 :]
        return _pattern(CONDITION).search(sentence) is None


def _hit(kind: str, start: int, end: int) -> Hit:
    return Hit(kind, start, end=end, named=True)


def _value_of(named: Named, text: str) -> Iterator[Hit]:
    place = named.place(text, named.match.end())
    value = place.value
    if named.is_weak and not named.is_firm(place):
        return
    is_exact = place.is_quoted or place.is_assigned
    if value.isalpha() and not (is_exact or named.is_told(text)):
        return
    if named.match["sep"] == ">" and not named.is_element(text, place):
        return
    if named.match["sep"] == "," and not named.is_default(text, place):
        return
    if value and is_secret(place, named.family, named.word.kind):
        yield _hit(named.word.kind, place.start, _whole_end(text, place))
    elif named.family == "password" and named.link in ("sep", "says", "verb"):
        yield from _phrase(named, text, _WORDS, MIN_WORDS)


def _whole_end(text: str, place: Place) -> int:
    """Return where a value ends that was too long to be judged whole."""
    end = place.end
    if end - place.start >= MAX_BARE and not place.is_quoted:
        rest = _pattern(r"[^\s<>\"'`\ue000]{0,65536}").match(text, end)
        end = rest.end() if rest else end
    return end


def _phrase(named: Named, text: str, pattern: str, least: int) -> Iterator[Hit]:
    match = _pattern(pattern).match(text, named.match.end())
    words = match["value"].split() if match else []
    if match is None or not is_phrase(words, least):
        return
    if pattern is _SEED or is_uncommon(words):
        yield _hit(named.word.kind, match.start("value"), match.end("value"))


def _seed_of(named: Named, text: str) -> Iterator[Hit]:
    place = named.place(text, named.match.end())
    if place.is_quoted and is_phrase(place.value.split(), MIN_QUOTED_SEED_WORDS):
        yield _hit(named.word.kind, place.start, place.end)
    else:
        yield from _phrase(named, text, _SEED, MIN_SEED_WORDS)


def _pin_of(named: Named, text: str) -> Iterator[Hit]:
    at = named.match.start()
    is_loose = named.link in ("gap", "dash")
    if is_loose and not text[at - len("pin") : at].isupper():
        return
    yield from _digits(named, text)


def _digits(named: Named, text: str) -> Iterator[Hit]:
    begin = named.match.end()
    match = _pattern(_DIGITS).match(text, begin)
    if match is None or not is_pin(match["value"]):
        return
    start, end = match.span("value")
    is_bare = start == begin and text[end : end + 1] in _AFTER_DIGITS
    if is_bare and match["value"].isdigit():
        is_counted = is_unit(text, end)  # the place is the digits
    else:
        is_counted = named.place(text, begin).is_counted
    if not is_counted:
        yield _hit(named.word.kind, start, end)


def _codes_of(named: Named, text: str) -> Iterator[Hit]:
    if named.link in ("gap", "dash"):
        return
    at = named.match.end()
    for _ in range(MAX_CODES):
        code = _pattern(_CODE).match(text, at)
        digits = _pattern(_DIGITS).match(text, at)
        if digits is not None and is_pin(digits["value"]):
            match = digits
        elif code is not None and is_code_group(code["value"]):
            match = code
        else:
            return
        yield _hit(named.word.kind, match.start("value"), match.end("value"))
        following = _pattern(_NEXT_CODE).match(text, match.end())
        if following is None:
            return
        at = following.end()


def _login_of(named: Named, text: str) -> Iterator[Hit]:
    if named.link not in ("sep", "says", "verb"):
        return
    pair = _pattern(_PAIR).match(text, named.match.end())
    place = named.place(text, named.match.end())
    if place.is_quoted and len(place.value) >= MIN_CREDENTIALS:
        if is_secret(place, "token", named.word.kind):
            yield _hit("secret", place.start, place.end)
        return
    if pair is None or not pair["user"][0].isalpha() or "." in pair["user"]:
        return
    place = named.place(text, pair.end())
    if not is_mixed(place.value) or len(place.value) < MIN_PAIRED:
        return
    if is_secret(place, "password", named.word.kind):
        yield _hit(named.word.kind, place.start, place.end)


def is_closed(text: str, end: int) -> bool:
    """Tell whether a keyword that ends at `end` may close its sentence."""
    return _pattern(_CLOSED).match(text, end) is not None


def read_reversed(text: str, folded: str, at: int) -> Iterator[Hit]:
    """Find "… is my password", where the keyword begins at `at`."""
    verbs = (
        (folded.rfind(verb, max(0, at - _MAX_REVERSED), at), verb)
        for verb in _REVERSING
    )
    stop, verb = max(verbs)
    if stop < 1 or not _pattern(_OWNER).match(folded, stop + len(verb), at):
        return
    begin = max(0, stop - MAX_BARE)
    value = text[begin:stop].split()[-1:] or [""]
    bare = value[0].strip("\"'`“”*_,")
    start = text.rfind(bare, begin, stop) if bare else -1
    if len(bare) >= MIN_PAIRED and is_strong(bare) and is_mixed(bare):
        place = place_at(text, start, link="verb")
        if is_secret(place, "password", "password"):
            yield _hit("password", start, start + len(bare))


_READERS: Final = {
    "pin": _pin_of,
    "code": _codes_of,
    "phrase": _seed_of,
    "login": _login_of,
}


def read(named: Named, text: str) -> list[Hit]:
    """Return the secrets that stand behind a keyword."""
    return list(_READERS.get(named.family, _value_of)(named, text))
