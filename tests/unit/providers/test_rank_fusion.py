"""Rankings whose scores do not compare."""

from __future__ import annotations

from ethos_memory.providers.rank_fusion import reciprocal_rank


def test_two_middling_ranks_beat_one_good_one() -> None:
    """What both rankings name is the answer."""
    assert reciprocal_rank(1) == 1 / 61
    assert reciprocal_rank(10) * 2 > reciprocal_rank(1) > reciprocal_rank(2)
