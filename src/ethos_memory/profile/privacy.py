"""What is never stored about a person. A filter, not a guarantee.

It is asked about what any extractor returns, and again about what any synthesizer
returns. It errs on the side of forgetting: a wish that is missed is said again.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.profile.names import is_public_name
from ethos_memory.profile.private import Category
from ethos_memory.profile.private.category import CATEGORIES, LIFTABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Category", "PrivacyFilter"]

#: A person who builds such a system talks about its subject, not about themselves.
_TRADE: Final = (
    r"\b(?:we'?re|we are|i'?m|i am|i|we) (?:\w+ )?(?:build(?:ing)?|writ(?:e|ing)|develop"
    r"(?:ing)?|design(?:ing)?|maintain(?:ing)?|model(?:l?ing)?|implement(?:ing)?|"
    r"shipp?(?:ing)?) [^.;!?]*\b(?:engine|apps?|systems?|diary|tool|platform|service|"
    r"api|schema|parser|dashboard|database|software|module|pipeline|registry|tracker|"
    r"portal|product|model|library|ledger|simulator|calculator|index|feature)\b"
)

#: Subjects that are a trade for some: health, money, families.
_SUBJECTS: Final[frozenset[str]] = frozenset({"health", "finance", "relationship"})

#: Whose they are decides: "my debt" is private in every trade.
_ONES_OWN: Final = r"\b(?:my|our own|mine|myself|i have|i've had|i was diagnosed|i earn|i owe|i take)\b"

#: "I'm" and a word with a capital: a name, unless everybody knows it.
_INTRODUCTION: Final = re.compile(
    r"\b(?:[Ii]'m|[Ii] am|[Ii]t's|[Tt]his is) ([A-Z][^\W\d_]+)\b"
)

_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"'})


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    from ethos_memory.profile.private.elsewhere import (  # noqa: PLC0415, at first use
        CHINESE,
        FRENCH,
        GERMAN,
        SPANISH,
    )
    from ethos_memory.profile.private.english import ENGLISH  # noqa: PLC0415, the same

    tables = (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)
    return {
        category: re.compile(
            "|".join(table[category] for table in tables if category in table),
            re.IGNORECASE,
        )
        for category in CATEGORIES
    }


@cache
def _trade() -> re.Pattern[str]:
    return re.compile(_TRADE, re.IGNORECASE)


@cache
def _ones_own() -> re.Pattern[str]:
    return re.compile(_ONES_OWN, re.IGNORECASE)


def _allowed(categories: Iterable[str]) -> frozenset[str]:
    found = frozenset((categories,) if isinstance(categories, str) else categories)
    if found - LIFTABLE:
        msg = f"only these can be allowed: {', '.join(sorted(LIFTABLE))}"
        raise ValueError(msg)
    return found


def plain_quotes(text: str) -> str:
    """Return a text with straight quotes and in composed form, for comparing."""
    return unicodedata.normalize("NFKC", text).translate(_QUOTES)


def _introduces(text: str) -> bool:
    """Tell whether a person says who they are: ``I'm`` and a name."""
    return any(not is_public_name(match[1]) for match in _INTRODUCTION.finditer(text))


def _has_secret(text: str) -> bool:
    """Tell whether a text holds a credential, by its shape."""
    from ethos_memory.guard.credentials import find  # noqa: PLC0415, at first use

    return bool(find(text))


@frozen
class PrivacyFilter:
    """Says whether a line may be kept about a person.

    Attributes:
        allow: Categories that are this host's purpose, for example ``{"health"}`` in
            a system that is explicitly built to manage it. Secrets, confidences,
            attacks, moods of the moment and task details cannot be allowed.

    Raises:
        ValueError: When a category is unknown, or can never be allowed.
    """

    allow: frozenset[str] = field(default=(), converter=_allowed)

    def judge(self, line: str, *, context: str = "") -> Category | None:
        """Say why a line must not be kept.

        Args:
            line: One line, in the person's own words or about them.
            context: What was said around it: whoever builds a payroll engine talks
                about wages as a trade.

        Returns:
            The category it falls in, `None` when it may be kept.
        """
        text = plain_quotes(line)
        is_trade = self._is_trade(plain_quotes(context or line))
        for category in CATEGORIES:
            if category in self.allow:
                continue
            if is_trade and category in _SUBJECTS and not _ones_own().search(text):
                continue
            if _patterns()[category].search(text):
                return category
            if category == "name" and _introduces(text):
                return category
        return "credential" if _has_secret(line) else None

    @staticmethod
    def _is_trade(text: str) -> bool:
        return _trade().search(text) is not None
