"""The fast way out: text in which no rule for credentials need look.

Most lines end here. What is left of a line without its letters says whether it has a
digit, a colon, an equals sign or a quote; without them few words announce a secret.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ethos_memory.guard.credentials.forms import FORMS
from ethos_memory.guard.credentials.needles import any_of
from ethos_memory.guard.credentials.shapes import SHAPES
from ethos_memory.guard.credentials.words import KEYWORDS

if TYPE_CHECKING:
    from ethos_memory.guard.credentials.forms import Form
    from ethos_memory.guard.credentials.shapes import Shape
    from ethos_memory.guard.credentials.words import Keyword

__all__ = ["is_prose"]

#: What makes a text more than plain words: it tells something, or begins a key block.
_TELLING: Final = b':="'
_DASH: Final = b"-"
_DIGITS: Final = b"0123456789"
_SILENT: Final = bytes(
    code for code in range(128) if code not in _TELLING + _DASH + _DIGITS
)
_BLOCK: Final = "-----"


@cache
def _digit() -> re.Pattern[str]:
    return re.compile("[0-9]")


def _needles(*, is_told: bool) -> tuple[str, ...]:
    """Return what no secret without a digit goes without.

    Args:
        is_told: Whether the text has a colon, an equals sign or a quote. Without one,
            letters alone are a secret only behind the commonest words.
    """
    words = (word for word in KEYWORDS if is_told or word.is_common)
    rows: tuple[Shape | Form | Keyword, ...] = (*SHAPES, *FORMS, *words)
    return tuple(
        needle.lower() for row in rows if row.is_plain for needle in row.needles
    )


@cache
def _any() -> re.Pattern[str]:
    return any_of(_needles(is_told=True))


@cache
def _any_told() -> re.Pattern[str]:
    return any_of(filter(str.isascii, _needles(is_told=True)))


@cache
def _any_untold() -> re.Pattern[str]:
    """Return a search for needles, less those that hold a sign themselves."""
    telling = set(_TELLING.decode())
    needles = filter(str.isascii, _needles(is_told=False))
    return any_of(needle for needle in needles if telling.isdisjoint(needle))


def is_prose(text: str) -> bool:
    """Tell whether no rule need look at a text, as at most lines."""
    folded = text.lower()
    if not text.isascii():
        is_told = _digit().search(text) is not None or _BLOCK in text
        return not is_told and _any().search(folded) is None
    signs = text.encode().translate(None, _SILENT)
    if not signs:
        return _any_untold().search(folded) is None
    telling = signs.translate(None, _DIGITS)
    if len(telling) < len(signs) or (_DASH in signs and _BLOCK in text):
        return False
    search = (_any_told if telling.strip(_DASH) else _any_untold)().search
    return search(folded) is None
