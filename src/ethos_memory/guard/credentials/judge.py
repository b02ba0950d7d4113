"""Whether a value is the secret that its keyword announces."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ethos_memory.guard.credentials.lookalikes import (
    is_code,
    is_listed_word,
    is_notation,
    is_plain_word,
    is_reference,
    is_template,
)
from ethos_memory.guard.credentials.values import (
    MIN_TOKEN,
    is_generated,
    is_mixed,
    is_strong,
    is_token_like,
    segments,
)

if TYPE_CHECKING:
    from ethos_memory.guard.credentials.place import Place
    from ethos_memory.guard.credentials.words import Family

__all__ = ["is_code_group", "is_phrase", "is_pin", "is_secret", "is_uncommon"]

#: Shorter values are no secrets: they are counts, initials, list marks.
MIN_PASSWORD: Final = 4

#: A token that a sentence names, rather than an assignment, is at least this long.
MIN_TOLD_TOKEN: Final = 10

#: Without a colon or a verb a token is taken only when it is at least this long.
MIN_LOOSE_TOKEN: Final = 16

#: A password of letters alone, behind the word "secret" in an assignment.
MIN_LETTERS_SECRET: Final = 12

#: A password of words has at least this many, at most as many as a seed phrase.
MIN_WORDS: Final = 4
MAX_WORDS: Final = 24

#: A seed phrase has 12 words or more; three are enough when they stand in quotes.
MIN_SEED_WORDS: Final = 12
MIN_QUOTED_SEED_WORDS: Final = 3

#: A PIN has 4 to 12 digits (ISO 9564), a recovery code up to 16.
MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 16

_FIRM: Final = ("sep", "says", "joint", "verb")
_SYMBOL: Final = r"[@#$%^&*+=~!?|]"

#: Words that tie a sentence together. A pass phrase hardly has one.
_TIES_TEXT: Final = """
    about above after all and any are ask because before below both but can did does
    each every for from get had has have her here him his how its let may not now off once one
    only our out over own per put say see set she should some such than that the their
    them then these they this those too under until use very via was were what when
    where which while who why will with would you your same time page note notes file
    in of to at on it is be by or an as we us no so if do up my me he
    """
_TIES: Final = frozenset(_TIES_TEXT.split())


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _is_something_else(value: str) -> bool:
    return (
        is_template(value)
        or is_reference(value)
        or is_code(value)
        or is_notation(value)
    )


def is_phrase(words: list[str], least: int) -> bool:
    """Tell whether words can be a pass phrase rather than a sentence."""
    if not least <= len(words) <= MAX_WORDS:
        return False
    return all(
        word.isalpha()
        and len(word) >= 3  # noqa: PLR2004 - the shortest word of a seed phrase
        and word.lower() not in _TIES
        for word in words
    )


def is_uncommon(words: list[str]) -> bool:
    """Tell whether at most one word in three is one that is said of passwords."""
    return 3 * sum(map(is_listed_word, words)) <= len(words)


def _is_password_of_letters(value: str, place: Place) -> bool:
    if place.link not in _FIRM and not place.is_assigned:
        return False
    is_exact = place.is_quoted or place.is_assigned or place.link == "joint"
    return (is_exact or place.is_final) and is_plain_word(value)


def _is_quoted_words(value: str) -> bool:
    if " -" in value:  # a command with its flags
        return False
    if any(map(is_strong, value.split())):
        return True
    words = [part for part in segments(value) if part.isalpha()]
    return is_phrase(words, 1 if is_mixed(value) else 2) and is_uncommon(words)


def _is_number(value: str, place: Place) -> bool:
    is_long = len(value) >= MIN_DIGITS
    return is_long and place.link in _FIRM and not place.is_counted


def _is_hyphenated(value: str, place: Place) -> bool:
    """Judge letters with marks between them, such as ``correct-horse-battery``."""
    if _pattern(_SYMBOL).search(value):
        return place.link in _FIRM or place.is_assigned
    parts = segments(value)
    if place.link == "verb" and not place.is_quoted:
        return False
    least = 2 if place.is_quoted or place.is_assigned else 3
    return is_phrase(parts, least) and is_uncommon(parts)


def _is_password(place: Place) -> bool:
    value = place.value if place.is_quoted else place.value.rstrip("!?")
    if len(value) < MIN_PASSWORD:
        return False
    if value.isalpha():
        return _is_password_of_letters(value, place)
    # The dearer question comes last, here and below.
    return _is_password_of_signs(value, place) and not _is_something_else(value)


def _is_password_of_signs(value: str, place: Place) -> bool:
    if " " in value:
        return _is_quoted_words(value)
    if value.isdigit():
        return _is_number(value, place)
    if place.link in ("gap", "dash") and not place.is_assigned:
        return is_mixed(value) and (is_strong(place.value) or place.is_quoted)
    if is_mixed(value):
        return not (place.is_counted and value[0].isdigit())
    return _is_hyphenated(value, place)


def _is_token(place: Place) -> bool:
    value = place.value
    if len(value) < MIN_TOKEN or place.is_cut or " " in value:
        return False
    if not (place.is_quoted or place.is_assigned or place.link == "sep"):
        least = MIN_TOLD_TOKEN if place.link in _FIRM else MIN_LOOSE_TOKEN
        is_loose = place.link not in _FIRM
        if len(value) < least or (
            is_loose and not (is_strong(value) and is_generated(value))
        ):
            return False
    return is_token_like(value, is_explicit=True) and not _is_something_else(value)


def _is_secret_word(place: Place) -> bool:
    """Judge what ``secret = …`` is given when it is letters alone."""
    is_exact = place.is_quoted or place.is_assigned
    return (
        is_exact
        and len(place.value) >= MIN_LETTERS_SECRET
        and is_plain_word(place.value)
    )


def _is_key(place: Place) -> bool:
    value = place.value
    if place.link not in _FIRM or len(value) < MIN_LOOSE_TOKEN or " " in value:
        return False
    return is_token_like(value, is_explicit=False) and not _is_something_else(value)


def _is_joined_key(place: Place) -> bool:
    """Judge what a name such as ``SNYK_KEY`` is given."""
    value = place.value
    if place.link not in _FIRM or len(value) < MIN_LOOSE_TOKEN:
        return False
    if _pattern(r"[:/.\s]").search(value):
        return False
    return is_token_like(value, is_explicit=True) and not _is_something_else(value)


def is_pin(value: str) -> bool:
    """Tell whether a value is the digits of a PIN, alone or in groups."""
    digits = sum(map(str.isdigit, value))
    return MIN_DIGITS <= digits <= MAX_DIGITS and not is_notation(value)


def is_code_group(value: str) -> bool:
    """Tell whether a value is a recovery code: groups of digits and letters."""
    parts = value.split("-")
    return (
        is_mixed(value)
        and 5 <= len(value) <= 48  # noqa: PLR2004 - the shortest and longest in use
        and all(part.isascii() and part.isalnum() for part in parts)
        and not _is_something_else(value)
    )


def is_secret(place: Place, family: Family, kind: str) -> bool:
    """Judge a value by what its keyword promises.

    Args:
        place: The value and its surroundings.
        family: ``password``, ``token`` or ``key``; others are judged elsewhere.
        kind: What the keyword calls it.
    """
    if family == "password":
        return _is_password(place)
    if family == "key":
        return _is_key(place)
    if family == "joined":
        return _is_joined_key(place)
    return _is_token(place) or (kind == "secret" and _is_secret_word(place))
