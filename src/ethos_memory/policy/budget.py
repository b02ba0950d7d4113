"""How many characters of a prompt each page gets, and where a page is cut.

Characters are code points. What is promised to one page is never taken by another:
a page that needs less than its share leaves the rest to those that need more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.page.cut import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BUDGET_CHARS", "shares", "tail"]

#: Characters of a prompt that memory takes at most; Ethos's figure.
BUDGET_CHARS: Final = 20_000


def shares(needs: Sequence[int], weights: Sequence[int], room: int) -> tuple[int, ...]:
    """Divide room among pages by weight; what one does not need goes to the others.

    Args:
        needs: Characters that each page would fill.
        weights: What each counts for, above 0.
        room: Characters that there are, 0 or more.

    Returns:
        Characters for each page: never more than it needs, in all never more than
        `room`, and never less than its need or its weighted part of the room.
    """
    given = [0] * len(needs)
    waiting = list(range(len(needs)))
    while waiting:
        weight = sum(weights[page] for page in waiting)
        content = [
            page for page in waiting if needs[page] * weight <= room * weights[page]
        ]
        if not content:
            for page in waiting:
                given[page] = room * weights[page] // weight
            break
        for page in content:
            given[page] = needs[page]
        room -= sum(needs[page] for page in content)
        waiting = [page for page in waiting if page not in content]
    return tuple(given)


def tail(text: str, max_chars: int) -> str:
    """Keep the end of a page, where the newest stands.

    The cut falls between lines when there is a line end to cut at, else between
    user-perceived characters.

    Args:
        text: Line feeds are its only line ends.
        max_chars: The most code points that are kept, 0 or more.

    Returns:
        The end of `text`, or all of it when it fits.
    """
    kept = cut(text, max_chars, keep="end")
    return kept if len(kept) == len(text) else kept.lstrip("\n")
