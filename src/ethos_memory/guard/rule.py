"""A rule of the guard, as a value."""

from __future__ import annotations

import re
from typing import Final

from attrs import Attribute, field, frozen

__all__ = ["Rule"]

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}\.[a-z0-9][a-z0-9-]{0,59}")

#: Highest score of a rule and of a line.
_HIGHEST_SCORE: Final = 100


def _id(value: str) -> str:
    if not _ID.fullmatch(value):
        msg = "a rule's id is '<category>.<name>' in lower case"
        raise ValueError(msg)
    return value


def _score(_rule: Rule, _attribute: Attribute[int], value: int) -> None:
    if not 0 < value <= _HIGHEST_SCORE:
        msg = f"a rule's score lies between 1 and {_HIGHEST_SCORE}"
        raise ValueError(msg)


@frozen(kw_only=True)
class Rule:
    """One thing to look for in a line.

    A line's score is what its hits come to together: two hits of 40 make 64, as the
    chance of two independent events would. `ethos_memory.guard.pattern` explains how
    `words` are written.

    Attributes:
        id: ``<category>.<name>``.
        score: What one hit counts, from 1 to 100.
        reason: One sentence for a person, without the text itself.
        words: Patterns over words, any of which is a hit.
        regex: Patterns over the folded line, any of which is a hit; quantifiers must
            be bounded.
        cues: Texts of which the folded line must hold one before `regex` is tried.
        quotable: Whether a quotation of it is talk about attacks and counts less.

    Raises:
        ValueError: When the id is outside the grammar or the score outside 1 to 100.
    """

    id: str = field(converter=_id)
    score: int = field(validator=_score)
    reason: str
    words: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    quotable: bool = True

    @property
    def category(self) -> str:
        """The family: the part of the id before the dot."""
        return self.id.partition(".")[0]
