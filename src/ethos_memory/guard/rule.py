"""A rule of the guard, as a value."""

from __future__ import annotations

import re
from typing import Final

from attrs import field, frozen

__all__ = ["Rule"]

_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*")


def _id(value: str) -> str:
    if not _ID.fullmatch(value):
        msg = "a rule's id is '<category>.<name>' in lower case"
        raise ValueError(msg)
    return value


@frozen(kw_only=True)
class Rule:
    """One thing to look for in a folded line.

    Attributes:
        id: ``<category>.<name>``.
        score: What a hit counts, from 1 to 100.
        pattern: A regular expression over the folded, lower-case line.
        reason: One sentence for a person, without the text itself.

    Raises:
        ValueError: When the id is outside the grammar.
    """

    id: str = field(converter=_id)
    score: int
    pattern: str
    reason: str

    @property
    def category(self) -> str:
        """The family: the part of the id before the dot."""
        return self.id.partition(".")[0]
