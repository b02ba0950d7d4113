"""Text that is built, not written: names in code and settings, rows of a record.

A setting called ``ignore_previous`` is no order: what stands in a name counts a third,
as talk about attacks does. It never counts nothing, for whoever writes an attack can
write names. A record is no paragraph whose sentences run on from one line to the next;
its rows are read one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BUILT", "is_name", "is_record"]

#: What remains of the score of what stands in a name.
BUILT: Final = 1 / 3

#: What stands behind a name: it is set, told a type, or a cell of a table.
_SET: Final = re.compile(r"[\w.-]{0,80}[\"'`]?\s{0,8}(?:[:=|](?!//)|\]\s?=)")
#: What stands before one: an object, a dash of an option, a word that defines.
_DEFINED: Final = re.compile(
    r"(?:\.|--|\b(?:def|fn|func|function|fun|sub|proc) )[\w-]{0,80}\Z"
)
_JOINED: Final = re.compile(r"[\w.-]{0,80}[^\W_][_-][\w.-]{0,80}")
_BEFORE: Final = 80

#: A row: a key and its value, the head of a section, a row of a table, a line of a change, or only brackets.
_ROW: Final = re.compile(
    r"[-+ \t]{0,80}(?:[\"']?[\w.@/-]{1,60}[\"']?\s{0,40}[:=;]|\||[][{}(),;]{1,20}\s{0,80}\Z)"
    r"|\[{1,2}[\w. \"'-]{1,80}\]{1,2}\s{0,80}\Z|[-+](?=[\w\"'])|diff |index |@@|[-+]{3}"
)
#: So many rows make a record.
_FEWEST_ROWS: Final = 3


def is_name(text: str, start: int, end: int) -> bool:
    """Tell whether something stands in a name, not in a sentence.

    Args:
        text: A folded line.
        start: Where it begins.
        end: One past its end.
    """
    name = _JOINED.match(text, start)
    if name is None:
        return False
    if name.end() >= end and _SET.match(text, end) is not None:
        return True
    return _DEFINED.search(text, max(0, start - _BEFORE), start) is not None


def is_record(lines: Sequence[str]) -> bool:
    """Tell whether each of some lines is a row by itself.

    Args:
        lines: The folded lines of a paragraph.
    """
    return len(lines) >= _FEWEST_ROWS and all(map(_ROW.match, lines))
