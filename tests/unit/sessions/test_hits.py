"""A message that a search found."""

from __future__ import annotations

from ethos_memory.sessions.encoding import moment
from ethos_memory.sessions.hits import message_hit
from ethos_memory.sessions.wanted import parse_wanted


def test_a_hit_shows_its_place_and_tells_little_of_its_score() -> None:
    """A figure of many digits would tell what others say."""
    text = f"{'before ' * 60}walrus{' after' * 60}"
    wanted = parse_wanted("walrus")
    hit = message_hit(("s", "m"), text, at=5, wanted=wanted, score=2 / 3)
    assert (hit.session_id, hit.message_id, hit.score) == ("s", "m", 0.667)
    assert "walrus" in hit.snippet
    assert hit.at == moment(5)
