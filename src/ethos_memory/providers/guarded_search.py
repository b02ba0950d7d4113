"""What a search may tell: nothing of what is hidden, not even that it is there.

A provider searches pages as they are. So a hit for a withheld line or a credential would
confirm a guess, word by word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve

from ethos_memory.page import summary
from ethos_memory.words import Index, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.entry import SearchHit
    from ethos_memory.verdict import Verdict
    from ethos_memory.words import Match

__all__ = ["new_snippet", "shown_hits"]

#: How many times as many hits are asked for when some of them may not be told.
_MORE: Final = 4


def shown_hits(
    search: Callable[[int], tuple[SearchHit, ...]],
    screen: Callable[[str], Verdict],
    query: str,
    *,
    limit: int,
) -> tuple[SearchHit, ...]:
    """Return hits as a model may read them.

    Args:
        search: Returns the first so many hits.
        screen: Judges a text.
        query: What was asked.
        limit: The most hits.
    """
    wanted = limit
    while True:
        hits = search(wanted)
        judged = (_shown(hit, screen, query) for hit in hits)
        found = [hit for hit in judged if hit is not None]
        # Fewer hits than there are would tell as much as one.
        if len(found) >= limit or len(hits) < wanted:
            return tuple(found[:limit])
        wanted *= _MORE


def new_snippet(text: str, query: str) -> str:
    """Return what a search shows of a text that the guard changed."""
    match = _match(text, query)
    return snippet(text, match.start, match.end) if match else summary(text) or ""


def _shown(
    hit: SearchHit, screen: Callable[[str], Verdict], query: str
) -> SearchHit | None:
    # A note that is no page may have any name, such as a web page's title.
    key = screen(hit.key).shown
    verdict = screen(hit.content)
    if verdict.shown == hit.content:
        return evolve(hit, key=key, findings=verdict.findings)
    # One that neither text explains was found by its meaning.
    if not _match(verdict.shown, query) and _match(hit.content, query):
        return None
    return evolve(
        hit,
        key=key,
        content=verdict.shown,
        snippet=new_snippet(verdict.shown, query),
        findings=verdict.findings,
    )


def _match(text: str, query: str) -> Match | None:
    index = Index()
    index.put("", text)
    return next(iter(index.search(query, 1)), None)
