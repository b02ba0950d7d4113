"""Text, cut into search terms that know where they stand."""

from __future__ import annotations

import re
from operator import add
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.words.letters import CLASSES, CLUSTER, KINDS, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Term", "scan", "terms"]

#: Words, and the signs that make another word of them: C, C++, C#.
_ASCII: Final = re.compile(r"[a-z0-9]+|(?<=[a-z0-9])[+#]+")

#: The same over the classes of folded text, with the terms of other scripts.
_ANY: Final = re.compile(r"w+|(?P<unspaced>c+)|(?<=[wc])\++|st*|rr?")


@frozen
class Term:
    """One search term of a text.

    Attributes:
        text: What it is compared as: folded, without blanks or control characters.
        start: Its first code point in the original text.
        end: One past its last code point there, marks and joiners included.
    """

    text: str
    start: int
    end: int


def _folded(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Fold a text, and say where each folded character begins and ends in it."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in CLUSTER.finditer(text.translate(KINDS)):
        start, end = match.span()
        cluster = text[start:end]
        if match.lastgroup:
            piece = cluster.lower()
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:
            piece = fold(cluster)
            starts.extend([start] * len(piece))
            ends.extend([end] * len(piece))
        pieces.append(piece)
    return "".join(pieces), starts, ends


def _pairs(run: str) -> list[str]:
    """Return every character of a run and every pair of neighbours, in turns.

    Whatever part of the run is asked for, its terms stand side by side here as well.
    """
    found = [""] * (2 * len(run) - 1)
    found[::2] = run
    found[1::2] = map(add, run, run[1:])
    return found


def _turns(first: Sequence[int], second: Sequence[int]) -> list[int]:
    found = [0] * (len(first) + len(second))
    found[::2], found[1::2] = first, second
    return found


def scan(text: str) -> tuple[list[str], list[int], list[int]]:
    """Return the terms of a text as three lists: texts, starts, ends.

    The same as `terms`, without a value for each; for whole collections.
    """
    if text.isascii():
        plain = list(_ASCII.finditer(text.lower()))
        return (
            [match[0] for match in plain],
            [match.start() for match in plain],
            [match.end() for match in plain],
        )
    folded, starts, ends = _folded(text)
    found: tuple[list[str], list[int], list[int]] = ([], [], [])
    for match in _ANY.finditer(folded.translate(CLASSES)):
        low, high = match.span()
        if match.lastgroup:
            found[0].extend(_pairs(folded[low:high]))
            found[1].extend(_turns(starts[low:high], starts[low : high - 1]))
            found[2].extend(_turns(ends[low:high], ends[low + 1 : high]))
        else:
            found[0].append(folded[low:high])
            found[1].append(starts[low])
            found[2].append(ends[high - 1])
    return found


def terms(text: str) -> tuple[Term, ...]:
    """Cut a text into search terms.

    Case, accents and compatibility forms are folded. ``chat-send`` gives two terms
    that stand side by side; a script without spaces gives every character and every
    pair of neighbours; an emoji is a term. Linear in the text; nothing raises.

    A term holds no blank, so that the terms of a text, joined by blanks, can be kept
    in a full-text table. SQLite keeps them as they are with ``unicode61
    remove_diacritics 0 categories 'L* M* N* P* S* C*'``.

    Returns:
        The terms in order, with their places in `text`.
    """
    return tuple(map(Term, *scan(text)))
