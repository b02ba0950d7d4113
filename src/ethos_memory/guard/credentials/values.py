"""How random a value looks: words, numbers and names on one side, keys on the other.

Entropy is not asked. Hashes, lock files and model paths have more of it than most
passwords, so what is counted is parts, digits and changes of case.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Final

__all__ = [
    "MIN_TOKEN",
    "is_generated",
    "is_mixed",
    "is_name",
    "is_strong",
    "is_token_like",
    "is_wordy",
    "segments",
]

_DATED: Final = r"(?<!\d)20[0-4]\d-?[01]\d-?[0-3]\d(?!\d)"

#: A token that is all words and numbers needs a number this long, or this many parts.
LONG_NUMBER: Final = 4
MANY_PARTS: Final = 5

#: Fewer characters than this are no token, whatever stands beside them.
MIN_TOKEN: Final = 8

#: A token of letters alone; shorter ones cannot be told from names.
MIN_LETTERS: Final = 16

#: A name in code has this many words or more, of this many letters on average.
#: Random letters and digits have words of two.
MIN_NAME_WORDS: Final = 3
NAME_STRIDE: Final = 3.2

#: Random letters change case at every second step on average, names at one in five.
MIN_CHANGES: Final = 0.3


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def segments(value: str) -> list[str]:
    """Split a value at everything that is no letter and no digit."""
    return [part for part in _pattern(r"[\W_]{1,64}").split(value) if part]


def is_mixed(value: str) -> bool:
    """Tell whether a value holds a digit and a letter."""
    return _has_digit(value) and any(map(str.isalpha, value))


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def is_generated(value: str) -> bool:
    """Tell whether a value holds digits and letters, or letters in random cases."""
    return is_mixed(value) or _is_random_letters("".join(segments(value)))


def is_strong(value: str) -> bool:
    """Tell whether a value shows by itself that it is a password."""
    kinds = (
        any(map(str.islower, value)),
        any(map(str.isupper, value)),
        _has_digit(value),
        any(not (char.isalnum() or char in "-_./:'’,") for char in value),
    )
    return sum(kinds) >= 3 and any(kinds[:2]) and any(kinds[2:])  # noqa: PLR2004


def is_wordy(part: str) -> bool:
    """Tell whether a part is a word, a number, or a short mark such as ``v2``."""
    if part.isalpha():
        return not _is_random_letters(part)
    return _pattern(r"\d{1,16}|[A-Za-z]{1,8}\d{1,4}|\d{1,4}[A-Za-z]{1,4}|").fullmatch(
        part
    ) is not None  # fmt: skip


def _is_random_letters(value: str) -> bool:
    if len(value) < MIN_LETTERS or value.islower() or value.isupper():
        return False
    if not (value.isascii() and value.isalpha()):
        return False
    cases = [letter.isupper() for letter in value]
    changes = sum(here != there for here, there in pairwise(cases))
    return changes >= MIN_CHANGES * (len(value) - 1)


def is_name(value: str) -> bool:
    """Tell whether a value is a name in code, such as ``PKCS12PrivateKeyTypes``."""
    if not _pattern(r"[A-Za-z0-9_.]{1,512}").fullmatch(value):
        return False
    if value.isupper() or _pattern(r"\d{6}").search(value):
        return False
    words = _pattern(r"[A-Z]{1,64}(?![a-z])|[A-Z]?[a-z]{1,64}").findall(value)
    if len(words) < MIN_NAME_WORDS or not any(map(str.isupper, value)):
        return False
    return sum(map(len, words)) >= NAME_STRIDE * len(words)


def is_token_like(value: str, *, is_explicit: bool) -> bool:
    """Tell whether a value can be a generated token.

    Args:
        value: What stands where the token would.
        is_explicit: True when the words beside it say token, secret or API key; when
            they say no more than ``key``, it must show it by itself.
    """
    if len(value) < MIN_TOKEN or _pattern(_DATED).search(value) or is_name(value):
        return False
    parts = segments(value)
    if not is_explicit:
        return _is_bare_token(value, parts)
    if not is_mixed(value):
        return is_generated(value)
    if any(not is_wordy(part) for part in parts):
        return True
    longest = max((len(part) for part in parts if part.isdigit()), default=0)
    return longest >= LONG_NUMBER or len(parts) >= MANY_PARTS


def _is_bare_token(value: str, parts: list[str]) -> bool:
    if len(value) < MIN_LETTERS or _pattern(r"[:/.]|(?i:[0-9a-f]{16,128}\Z)").search(
        value
    ):
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    return all(any(map(kind, value)) for kind in kinds) and any(
        not is_wordy(part) for part in parts
    )
