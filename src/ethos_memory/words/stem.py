"""English endings: what a word is called when it is not plural or past."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["stem"]

#: Shorter words keep their endings: `is`, `bed`, `gas`.
_SHORTEST: Final = 4

_VOWELS: Final = re.compile(r"[aeiou]|(?<=[^aeiou])y")

#: A vowel and then a consonant: how often it occurs is the measure of a stem.
_SYLLABLE: Final = re.compile(r"(?:[aeiou]|(?<=[^aeiou])y)+(?:[^aeiouy]|(?<=[aeiou])y)")

#: Consonant, vowel, consonant at the end, as in `hop`: its `e` is heard.
_SHORT: Final = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]$")

_DOUBLED: Final = re.compile(r"([^aeioulsz])\1$")


def _singular(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "i"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _mended(root: str) -> str:
    """Give a root its last letter back after `ed` or `ing` went."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if _DOUBLED.search(root):
        return root[:-1]
    is_short = len(_SYLLABLE.findall(root)) == 1 and _SHORT.search(root)
    return root + "e" if is_short else root


def _present(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _SYLLABLE.search(word[:-3]) else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and _VOWELS.search(root):
            return _mended(root)
    return word


def _bare(word: str) -> str:
    """Drop a silent `e`, write a final `y` as `i`, and undo a double `l`."""
    if word.endswith("y") and _VOWELS.search(word[:-1]):
        return word[:-1] + "i"
    if word.endswith("e"):
        root = word[:-1]
        measure = len(_SYLLABLE.findall(root))
        if measure > 1 or (measure == 1 and not _SHORT.search(root)):
            word = root
    is_long = len(_SYLLABLE.findall(word)) > 1
    return word[:-1] if is_long and word.endswith("ll") else word


@lru_cache(maxsize=1 << 14)
def stem(term: str) -> str:
    """Return what English forms of one word have in common.

    Steps 1 and 5 of Porter's algorithm (Program 14, 1980): plural, past and `-ing`.
    Equal terms have equal stems, so comparing stems never loses an exact match.

    Args:
        term: A folded term; anything but ASCII letters is returned as it is.

    Returns:
        A key to compare by, not always a word.
    """
    if len(term) < _SHORTEST or not (term.isascii() and term.isalpha()):
        return term
    return _bare(_present(_singular(term)))
