"""A page that a search found."""

from __future__ import annotations

from ethos_memory.entry import SearchHit
from ethos_memory.providers.hits import page_hit
from ethos_memory.words import Match


def test_a_hit_shows_the_page_and_the_place() -> None:
    """The score is the index's."""
    text = f"{'before ' * 60}walrus{' after' * 60}"
    at = text.index("walrus")
    hit = page_hit(Match("a.md", 2.5, start=at, end=at + 6), text)
    assert isinstance(hit, SearchHit)
    assert (hit.key, hit.content, hit.score) == ("a.md", text, 2.5)
    assert "walrus" in hit.snippet
