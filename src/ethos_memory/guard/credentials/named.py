"""Secrets that the words around them give away: ``password: …``, "the PIN is …".

A keyword is found first, then the link behind it (a colon, an equals sign, a verb in
one of many languages), then the value, which is judged by what the keyword promises.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ethos_memory.guard.credentials.needles import any_of
from ethos_memory.guard.credentials.readers import (
    Named,
    is_closed,
    read,
    read_reversed,
)
from ethos_memory.guard.credentials.secret import OPAQUE
from ethos_memory.guard.credentials.words import HEADS, KEYWORDS, LINK, NO_SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.guard.credentials.place import Link
    from ethos_memory.guard.credentials.secret import Hit
    from ethos_memory.guard.credentials.words import Family, Keyword

__all__ = ["find_named"]

#: How far before a keyword its own name is read, in characters.
MAX_HEAD: Final = 24

#: Names that mean other things more often: "pass the salt".
_WEAK: Final = ("pass",)

#: How a value begins that is worth a closer look: with a quote, or with a digit or a
#: symbol in its first word, or as a word of some length.
_PLAUSIBLE: Final = (
    r"[\\\"'`“„«»‘‚「『《]|[^\s\ue0000-9@#$%^&*+=~!?]{0,48}+[0-9@#$%^&*+=~!?]|"
    r"[^\W\d_]{2,64}+(?:[ -]|[.,;)\"'`|*_”’]?(?:\s|\Z))"
)
#: What the name of a variable, a flag or a parameter is made of.
_IDENTIFIER: Final = "abcdefghijklmnopqrstuvwxyz0123456789_-."


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _is_word_start(text: str, at: int) -> bool:
    left = text[at - 1 : at]
    if not left.isalnum() and left != OPAQUE:
        return True
    return text[at : at + 1].isupper() and not left.isupper()


def _may_be_glued(folded: str, at: int, word: Keyword) -> bool:
    """Tell whether a keyword may end the longer word that it stands in."""
    if word.is_glued:
        return True
    heads = HEADS.get(word.family if word.kind != "secret" else "", ())
    return folded[max(0, at - MAX_HEAD) : at].endswith(heads)


#: What joins the words of a name.
_JOINTS: Final = ("_", "-", ".")


def _ends_with_word(head: str, words: tuple[str, ...]) -> bool:
    if not head.endswith(words):
        return False
    return any(
        head.endswith(word) and not head[-len(word) - 1 : -len(word)].isalnum()
        for word in words
    )


def _family(folded: str, at: int, end: int, word: Keyword) -> Family | None:
    """Return how the value is judged, `None` when the name holds no secret."""
    if folded[at - 1 : at] == ":" and folded[end : end + 1] == ":":
        return None  # a part of an ARN, such as "…:secret:name"
    is_camel = folded[at - 1 : at].isalpha()
    head = folded[max(0, at - MAX_HEAD) : at].rstrip(" _.-")
    if _ends_with_word(head, NO_SECRETS.get(word.family, ())):
        return None
    if word.family not in ("key", "code", "phrase"):
        return word.family
    if head.endswith(HEADS[word.family]):
        return "token" if word.family == "key" else word.family
    if word.family == "key":
        return "joined" if folded[at - 1 : at] in _JOINTS or is_camel else "key"
    return word.family if word.needle == "mnemonic" else None


_LINKS: Final[tuple[Link, ...]] = ("sep", "verb", "joint", "dash", "gap")


#: From here on scripts are not Latin: a Latin word behind one stands out by itself.
_NOT_LATIN: Final = "\u0370"


def _link(match: re.Match[str], word: Keyword) -> Link:
    if match["gap"] is not None and word.needle >= _NOT_LATIN:
        return "verb"
    for name in _LINKS:
        if match[name] is not None:
            return name
    return "verb" if match["rule"] else "says"


def _read(text: str, folded: str, at: int, word: Keyword) -> tuple[int, list[Hit]]:
    """Read one keyword; return where to go on, and what it announces."""
    after = at + len(word.needle)
    whole = _pattern(word.pattern).match(folded, at)
    if whole is None:
        return after, []
    # What costs least comes first: a hostile text has thousands of keywords.
    is_weak = whole.group() in _WEAK
    is_start = _is_word_start(text, at)
    if not is_start and (is_weak or not _may_be_glued(folded, at, word)):
        return after, []
    family = _family(folded, at, whole.end(), word)
    if family is None:
        return after, []
    link = _pattern(LINK).match(folded, whole.end())
    if link is not None and not _pattern(_PLAUSIBLE).match(text, link.end()):
        link = None
    may_close = word.family == "password" and is_closed(text, whole.end())
    if link is None and not may_close:
        return after, []
    hits: list[Hit] = []
    if link is not None:
        head = folded[max(0, at - MAX_HEAD) : at]
        name_start = at - len(head) + len(head.rstrip(_IDENTIFIER))
        named = Named(word, family, link, is_weak, name_start, _link(link, word))
        hits = read(named, text)
    if not hits and may_close:
        hits = list(read_reversed(text, folded, at))
    return max([after, *(hit.end for hit in hits)]), hits


@cache
def _needles(*, is_ascii: bool, has_digit: bool) -> tuple[tuple[str, Keyword], ...]:
    return tuple(
        (word.needle, word)
        for word in KEYWORDS
        if (word.needle.isascii() or not is_ascii) and (has_digit or word.is_plain)
    )


@cache
def _any(*, is_ascii: bool, has_digit: bool) -> re.Pattern[str]:
    needles = _needles(is_ascii=is_ascii, has_digit=has_digit)
    return any_of(needle for needle, _ in needles)


def _present(folded: str, *, has_digit: bool) -> list[Keyword]:
    is_ascii = folded.isascii()
    if _any(is_ascii=is_ascii, has_digit=has_digit).search(folded) is None:
        return []
    needles = _needles(is_ascii=is_ascii, has_digit=has_digit)
    return [word for needle, word in needles if needle in folded]


def find_named(text: str, folded: str, *, has_digit: bool) -> Iterator[Hit]:
    """Find secrets by the words around them.

    Args:
        text: What is searched.
        folded: The same in lower case, position by position.
        has_digit: Whether the text holds a digit; few kinds of secret have none.
    """
    for word in _present(folded, has_digit=has_digit):
        at = folded.find(word.needle)
        while at >= 0:
            at, hits = _read(text, folded, at, word)
            yield from hits
            at = folded.find(word.needle, at)
