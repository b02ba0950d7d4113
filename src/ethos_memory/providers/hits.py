"""A page that a search for words found, as its caller is shown it (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.entry import SearchHit
from ethos_memory.words import snippet

if TYPE_CHECKING:
    from ethos_memory.words import Match

__all__ = ["page_hit"]


def page_hit(match: Match, text: str) -> SearchHit:
    """Return a page as a hit.

    Args:
        match: Its name, and where and how well it answers.
        text: The page.
    """
    shown = snippet(text, match.start, match.end)
    return SearchHit(match.name, text, snippet=shown, score=match.score)
