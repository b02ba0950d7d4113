"""Where the value stands that a keyword announces, and what stands around it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal, TypeAlias

from attrs import field, frozen

__all__ = ["Link", "Place", "is_unit", "place_at"]

#: How a value is tied to its keyword, from the firmest to the loosest.
Link: TypeAlias = Literal["sep", "says", "joint", "verb", "dash", "gap"]

#: Longest value without quotes. A longer run is taken whole when it is a secret.
MAX_BARE: Final = 256

#: Longest value between quotes, in characters.
MAX_QUOTED: Final = 512

#: A value is judged by its beginning: the rest of a long one says nothing new.
MAX_JUDGED: Final = 96

#: What closes a sentence and its markup is nested no deeper than this.
MAX_TRIMS: Final = 6

_QUOTES: Final = {
    '"': '"', "'": "'", "`": "`", "“": "”", "”": "”", "„": "“", "«": "»", "»": "«",
    "‘": "’", "‚": "‘", "「": "」", "『": "』", "《": "》",
}  # fmt: skip

_BARE: Final = r"[^\s<>\ue000]"
_ASCII: Final = r"[!-;=?-~]"

#: Where a value without quotes ends before the next white space.
#: One class comes first, so that a search skips to it quickly.
_CUT: Final = (
    r"[。，、；：！？）」』】》\"'`”’»,;&\\](?:(?<=[。，、；：！？）」』】》])|"
    r"(?<=[\"'`”’»])(?=[\s),;:}\]|]|\Z)|(?<=[,;&])(?=[\w.-]{1,40}[=:])|"
    r"(?<=\\)[\"'nrt]|(?<=,)(?=[\"']))"
)
_QUERY_CUT: Final = r"[&#;]"
_FINAL: Final = r"[\"'`*_)\]}”’»]{0,3}(?:[ \t]{0,8}(?:\r?\n|\Z|\|)|[.,;!?)。，])"
_UNIT: Final = (
    r"[ \t]{0,2}-?(?:characters?|chars?|digits?|letters?|symbols?|words?|bytes?|bits?|"
    r"minutes?|seconds?|hours?|days?|weeks?|months?|years?|times|tokens?|attempts?|"
    r"Zeichen|Stellen|Ziffern|Wörter|caract|chiffres|dígitos|cifre|tekens|tecken|tegn|"
    r"znak|символ|знак|цифр|文字|桁|位|个|個|자리|글자|k\b|%)"
)


@frozen
class Place:
    """A value and its surroundings.

    Attributes:
        text: The whole text. Private: in no `repr`.
        start: The value's first code point.
        end: One past its last code point.
        link: How it is tied to its keyword.
        is_quoted: Whether it stands between quotes.
        is_assigned: Whether it is an assignment without spaces, or a command's flag.
    """

    text: str = field(repr=False)
    start: int
    end: int = field(kw_only=True)
    link: Link = field(kw_only=True)
    is_quoted: bool = field(kw_only=True)
    is_assigned: bool = field(kw_only=True)

    @property
    def value(self) -> str:
        """The value, or the beginning of a long one."""
        return self.text[self.start : min(self.end, self.start + MAX_JUDGED)]

    @property
    def is_final(self) -> bool:
        """Whether the sentence, line or cell ends behind the value."""
        return _pattern(_FINAL).match(self.text, self.end) is not None

    @property
    def is_counted(self) -> bool:
        """Whether a unit follows, as in "12 characters"."""
        return is_unit(self.text, self.end)

    @property
    def is_cut(self) -> bool:
        """Whether an ellipsis stands for the rest of the value."""
        return self.text.startswith(("...", "…"), self.end)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def is_unit(text: str, at: int) -> bool:
    """Tell whether a unit stands at `at`, as in "12 characters"."""
    return _pattern(_UNIT).match(text, at) is not None


def _quoted(text: str, at: int) -> tuple[int, int] | None:
    """Return the span between quotes that open at `at`."""
    begin = at + 1 if text[at : at + 1] == "\\" else at
    close = _QUOTES.get(text[begin : begin + 1])
    if close is None:
        return None
    end = text.find(close, begin + 1, begin + 1 + MAX_QUOTED)
    if end < 0 or "\n" in text[begin:end]:
        return None
    if begin > at and text[end - 1] == "\\":
        end -= 1
    return (begin + 1, end) if end > begin + 1 else None


def _trimmed(value: str, before: str) -> str:
    """Drop what closes the sentence or the markup around a value."""
    for _ in range(MAX_TRIMS):
        kept = value.rstrip(".,;:…\"'`|”’»\\")
        kept = kept.removesuffix("**").removesuffix("__")
        if before in ("*", "_"):
            kept = kept.rstrip(before)
        for opening, closing in ("()", "[]", "{}"):
            if opening not in kept:
                kept = kept.rstrip(closing)
        if kept == value:
            break
        value = kept
    return value


def _bare(text: str, at: int, *, is_ascii: bool, is_query: bool) -> tuple[int, int]:
    """Return the span of a value without quotes that begins at `at`."""
    at += text[at : at + 1] in _QUOTES
    run = _pattern(f"{_ASCII if is_ascii else _BARE}{{0,{MAX_BARE}}}").match(text, at)
    value = run.group() if run else ""
    for source in (_CUT, _QUERY_CUT) if is_query else (_CUT,):
        cut = _pattern(source).search(value)
        value = value[: cut.start()] if cut else value
    value = _trimmed(value, text[at - 1 : at])
    if value[:1] + value[1:][-1:] in ("**", "__", "()"):
        return at + 1, at + len(value) - 1
    return at, at + len(value)


def place_at(
    text: str,
    at: int,
    *,
    link: Link,
    is_ascii: bool = False,
    is_query: bool = False,
    is_assigned: bool = False,
) -> Place:
    """Return the value that begins at `at`, which may be empty.

    Args:
        text: The whole text.
        at: Where the link ends.
        link: How the value is tied to its keyword.
        is_ascii: Whether letters of another script end the value.
        is_query: Whether it is a parameter of an address.
        is_assigned: Whether it is an assignment without spaces, or a command's flag.
    """
    span = _quoted(text, at)
    begin, end = span or _bare(text, at, is_ascii=is_ascii, is_query=is_query)
    return Place(
        text,
        begin,
        end=end,
        link=link,
        is_quoted=span is not None,
        is_assigned=is_assigned,
    )
