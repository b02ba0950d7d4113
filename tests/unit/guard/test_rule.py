from __future__ import annotations

import pytest

from ethos_memory.guard import Rule


def test_the_category_is_the_part_before_the_dot() -> None:
    """It groups findings."""
    assert Rule(id="override.x-y", score=1, reason="r").category == "override"


@pytest.mark.parametrize("id", ["", "x", "x.", ".x", "X.y", "x.y z", "x.y.z", "1.x"])
def test_an_id_outside_the_grammar_is_refused(id: str) -> None:
    """Markers and configuration name it."""
    with pytest.raises(ValueError, match="id"):
        Rule(id=id, score=1, reason="r")


@pytest.mark.parametrize("score", [0, -1, 101])
def test_a_score_lies_between_1_and_100(score: int) -> None:
    """More than certain there is not."""
    with pytest.raises(ValueError, match="score"):
        Rule(id="x.y", score=score, reason="r")
