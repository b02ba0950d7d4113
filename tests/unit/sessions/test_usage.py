"""What a conversation used."""

from __future__ import annotations

import json

import pytest

from ethos_memory.sessions.encoding import DAMAGED
from ethos_memory.sessions.usage import is_sound, total_of, total_of_sound

TEXTS = ("", "{", "[1]", '{"tokens": NaN', '{"a": 1} x')


def test_numbers_are_added_up_name_by_name() -> None:
    """What is no count of anything is left out."""
    written = (
        '{"in": 1, "cost": 0.5, "model": "m", "cached": true}',
        '{"in": 2, "out": -1, "all": 1e300, "nested": {"in": 9}}',
    )
    assert json.loads(total_of(written)) == {"in": 3, "cost": 0.5, "out": -1}
    assert total_of(()) == "{}"


def test_the_largest_count_is_kept_exactly() -> None:
    """JSON has no larger whole number that every reader takes as it is."""
    assert total_of(['{"in": 9007199254740992}']) == '{"in":9007199254740992}'
    assert total_of(['{"in": 9007199254740993}']) == "{}"


@pytest.mark.parametrize("text", TEXTS)
def test_a_damaged_text_counts_for_nothing(text: str) -> None:
    """And says so when it is asked for."""
    assert not is_sound(text)
    assert total_of_sound([text, '{"in": 1}']) == '{"in":1}'
    with pytest.raises(DAMAGED):
        total_of([text])
