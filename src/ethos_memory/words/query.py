"""What a person typed into a search box."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.words.terms import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Query", "parse_query", "parts"]

#: Most words of a query that are looked for. A person types a dozen; a whole message
#: passed as a query would otherwise cost its length times the collection.
MAX_WORDS: Final = 128

#: Most terms that one word or phrase is made of, for the same reason.
MAX_TERMS: Final = 255

#: Signs that tie two terms into one word, as in ``node.js``, ``don't``, ``C:\\Users``.
_TIES: Final = frozenset("-_.'’‘:\\/@+#&~=$%·・‐‑‒–")

#: Every double quotation mark that a keyboard or a telephone makes.
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟＂«»", '"'))

_PHRASE: Final = re.compile(r'"([^"]*)"')


@frozen
class Query:
    """What to look for; false when there is nothing searchable in it.

    Attributes:
        terms: One for each word that was typed: the terms it is made of, which must
            stand side by side. A plain word is made of one.
        phrases: The same for what stood in double quotes. These must be found.
    """

    terms: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms or self.phrases)


def _is_tied(gap: str) -> bool:
    return all(character in _TIES for character in unicodedata.normalize("NFKC", gap))


def _words(text: str) -> Iterator[tuple[str, ...]]:
    word: list[str] = []
    last = 0
    for term, start, end in zip(*scan(text), strict=True):
        if word and not _is_tied(text[last:start]):
            yield tuple(word[:MAX_TERMS])
            word = []
        word.append(term)
        last = max(last, end)
    if word:
        yield tuple(word[:MAX_TERMS])


def _first(words: Iterator[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(words))[:MAX_WORDS]


def parse_query(text: str) -> Query:
    """Read what a person typed. Nothing in it is syntax but a pair of double quotes.

    Args:
        text: Any text at all.

    Returns:
        Its words, each once, and its quoted phrases; a quotation mark without a
        partner is ignored. At most 128 of each.
    """
    straight = text.translate(_QUOTES)
    quoted = (tuple(scan(match[1])[0]) for match in _PHRASE.finditer(straight))
    return Query(
        _first(_words(_PHRASE.sub(" ", straight))),
        _first(phrase[:MAX_TERMS] for phrase in quoted if phrase),
    )


def parts(word: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Take a word of a query apart, for when no text holds the whole of it.

    Args:
        word: One of `Query.terms`.

    Returns:
        Words of one term each: those of two characters and more when there are any.
    """
    long = [(term,) for term in word if len(term) > 1]
    return _first(iter(long or [(term,) for term in word]))
