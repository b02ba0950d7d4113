"""Patterns over words, and how they become regular expressions.

A pattern is a row of items, for example ``IGNORE ~3 PRIOR ~2 ORDERS``:

==================  ==========================================================
``word``            that word; ``two_words`` a phrase
``CONCEPT``         any word or phrase of a concept (`rules.concepts`)
``a|b|CONCEPT``     one of them
``item?``           the item or nothing
``~3``              up to three other words within the sentence
``~~3``             the same, across sentences and lines
``^``               the beginning of a sentence or clause
``$``               the end of one
``!a|b``            the next word is none of these
``<a|b``            neither of the two words before is one of these
``<<a|b``           none of the four words before is one of these
``URL`` ``EMAIL``   an address
``NUMBER``          a number
``COLON`` ``END``   a colon; the end of a sentence
==================  ==========================================================

A line becomes a string with one character for each word, so that a pattern is an
ordinary regular expression over that string, with bounded and never nested repeats.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from ethos_memory.guard.letters import fold_characters, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Pattern", "Vocabulary"]

OTHER: Final = "\x01"
NUMBER: Final = "\x02"
END: Final = "\x03"
COLON: Final = "\x04"
LINE: Final = "\x05"
URL: Final = "\x06"
EMAIL: Final = "\x07"

_SPECIAL: Final = {
    "NUMBER": NUMBER,
    "END": END,
    "COLON": COLON,
    "URL": URL,
    "EMAIL": EMAIL,
}

_ANCHORS: Final = {
    "^": f"(?:\\A|(?<=[{END}{COLON}{LINE}]))",
    "$": f"(?=[{END}{COLON}{LINE}]|\\Z)",
}

#: Of a phrase another word is looked for than these, which every line has.
_FUNCTION_WORDS: Final = frozenset(
    key_of(word)
    for word in ("you", "your", "are", "not", "the", "with", "that", "this", "have")
)

#: Items that begin so ask for no word.
_NO_WORD: Final = "~^$!<"

#: Words get their characters from here on; there is room for 50,000.
_FIRST_CODE: Final = 0x100

Entry = tuple[str, ...]


class Lazy:
    """A regular expression that is compiled when it is first needed."""

    __slots__ = ("_source", "search")

    def __init__(self, source: str) -> None:
        self._source = source
        self.search: Callable[[str], re.Match[str] | None] = self._first

    def _first(self, text: str) -> re.Match[str] | None:
        self.compile()
        return self.search(text)

    def compile(self) -> None:
        """Compile it now, to see that it can be."""
        self.search = re.compile(self._source, re.DOTALL).search

    @property
    def source(self) -> str:
        """The expression as text."""
        return self._source


@frozen
class Pattern:
    """A compiled pattern.

    Attributes:
        regex: Over the string of codes.
        quick: The same without punctuation, for a first try: it matches whatever
            `regex` matches, and more.
        needs: For each item that must be there, the words of which one must occur.
        wants_address: Whether it cannot match without an address.
        wants_colon: Whether it cannot match without a colon or the like.
    """

    regex: Lazy
    quick: Lazy
    needs: tuple[frozenset[str], ...]
    wants_address: bool
    wants_colon: bool


@define
class Vocabulary:
    """All words that any pattern knows, each with its character.

    Attributes:
        concepts: Entries by concept.
        codes: The character of each word.
    """

    concepts: Mapping[str, tuple[Entry, ...]]
    codes: dict[str, str] = field(factory=dict)
    _sets: dict[str, str] = field(factory=dict)
    _needs: dict[str, frozenset[str]] = field(factory=dict)

    def code(self, word: str) -> str:
        """Return the character of a word, a new one at its first use."""
        code = self.codes.get(word)
        if code is None:
            code = self.codes[word] = chr(_FIRST_CODE + len(self.codes))
        return code

    def entries(self, item: str) -> tuple[Entry, ...]:
        """Return the entries of ``a|b|CONCEPT``.

        Raises:
            KeyError: When there is no such concept.
        """
        found: list[Entry] = []
        for part in item.split("|"):
            if part.isupper():
                found += self.concepts[part]
            else:
                found.append(entry_of(part.replace("_", " ")))
        return tuple(found)

    def one_of(self, item: str) -> str:
        """Return a regular expression for ``a|b|CONCEPT``.

        It begins with a set of characters, which a search skips to quickly.
        """
        known = self._sets.get(item)
        if known is None:
            known = self._sets[item] = self._one_of(item)
        return known

    def _one_of(self, item: str) -> str:
        specials = [_SPECIAL[part] for part in item.split("|") if part in _SPECIAL]
        words = "|".join(part for part in item.split("|") if part not in _SPECIAL)
        entries = self.entries(words) if words else ()
        rows = {"".join(map(self.code, entry)) for entry in entries}
        single = "".join(sorted({row for row in rows if len(row) == 1} | {*specials}))
        phrases: dict[str, list[str]] = {}
        for row in sorted(rows - {*single}, key=lambda row: (-len(row), row)):
            phrases.setdefault(row[0], []).append(row[1:])
        if not phrases:
            return f"[{single}]"
        tails = [f"(?<={first})(?:{'|'.join(rest)})" for first, rest in phrases.items()]
        tails += [f"(?<=[{single}])"] if single else []
        return f"[{''.join(sorted({*single, *phrases}))}](?:{'|'.join(tails)})"

    def compile(self, text: str) -> Pattern:
        """Read a pattern.

        Raises:
            KeyError: When it names a concept that there is not.
            ValueError: When it asks for no word at all.
        """
        items = text.split()
        needs = [self._need(item) for item in items if item[0] not in _NO_WORD]
        if not any(needs):
            msg = "a pattern must ask for a word"
            raise ValueError(msg)
        return Pattern(
            Lazy("".join(self._part(item) for item in items)),
            Lazy("".join(self._quick(item) for item in items)),
            tuple(need for need in needs if need),
            any(set(item.split("|")) <= {"URL", "EMAIL"} for item in items),
            "COLON" in items,
        )

    def _part(self, item: str) -> str:
        if item in _ANCHORS:
            return _ANCHORS[item]
        if item.startswith("~"):
            within = "." if item.startswith("~~") else f"[^{END}{LINE}]"
            return f"{within}{{0,{int(item.lstrip('~'))}}}?"
        if item.startswith("!"):
            return f"(?!{self.one_of(item[1:])})"
        if item.startswith("<"):
            if any(len(entry) > 1 for entry in self.entries(item.lstrip("<"))):
                msg = "what must not stand before is a single word"
                raise ValueError(msg)
            words = self.one_of(item.lstrip("<"))
            reach = 4 if item.startswith("<<") else 2
            return "".join(f"(?<!{words}{'.' * far})" for far in range(reach))
        words = self.one_of(item.removesuffix("?"))
        return f"(?:{words})?" if item.endswith("?") else words

    def _quick(self, item: str) -> str:
        if item.startswith("~"):
            return f".{{0,{int(item.lstrip('~'))}}}?"
        if item[0] in "^$!<":
            return ""
        plain = item.removesuffix("?")
        words = "|".join(part for part in plain.split("|") if part not in _SPECIAL)
        if not words:
            return ".?"
        is_optional = item.endswith("?") or len(words) < len(plain)
        return f"(?:{self.one_of(words)})?" if is_optional else self.one_of(words)

    def _need(self, item: str) -> frozenset[str]:
        if item.endswith("?") or any(part in _SPECIAL for part in item.split("|")):
            return frozenset()
        known = self._needs.get(item)
        if known is None:
            known = frozenset(max(entry, key=_weight) for entry in self.entries(item))
            self._needs[item] = known
        return known


def _weight(word: str) -> tuple[bool, int]:
    return word not in _FUNCTION_WORDS, len(word)


def entry_of(text: str) -> Entry:
    """Return the words of an entry as they are looked up."""
    return tuple(
        key_of(fold_characters(word)).replace("'", "") for word in text.split()
    )


def misspellings(word: str) -> Iterable[str]:
    """Yield a word and what a slip makes of it: a letter lost, doubled or swapped."""
    yield word
    for place in range(1, len(word) - 1):
        head, letter, following, tail = (
            word[:place],
            word[place],
            word[place + 1],
            word[place + 2 :],
        )
        yield head + following + tail
        yield head + following + letter + tail
        yield head + letter + letter + following + tail


def expand(text: str) -> Iterable[str]:
    """Expand ``ignor{e,ing}`` to its forms, ``ignore~`` to its misspellings."""
    if text.endswith("~"):
        yield from misspellings(text[:-1])
        return
    head, opening, rest = text.partition("{")
    if not opening:
        yield text
        return
    choices, _, tail = rest.partition("}")
    for choice in choices.split(","):
        yield from expand(head + choice + tail)


def concepts_of(*sources: Mapping[str, str]) -> dict[str, tuple[Entry, ...]]:
    """Read concepts: entries separated by commas or lines, braces expanded."""
    found: dict[str, list[Entry]] = {}
    for source in sources:
        for name, text in source.items():
            entries = found.setdefault(name, [])
            for part in re.split(r"[,\n](?![^{}]*\})", text):
                entries += [
                    entry_of(form) for form in expand(part.strip()) if form.strip()
                ]
    return {name: tuple(dict.fromkeys(entries)) for name, entries in found.items()}
