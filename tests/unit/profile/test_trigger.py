from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ethos_memory.profile.trigger import is_due

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("new", "age", "due"),
    [
        (4, None, False),
        (5, None, True),
        (5, timedelta(minutes=4, seconds=59), False),
        (5, timedelta(minutes=5), True),
        (20, timedelta(0), False),
        (4, timedelta(days=9), False),
        (5, -timedelta(hours=1), True),
    ],
)
def test_five_new_ones_and_five_minutes(
    new: int, age: timedelta | None, due: bool
) -> None:
    """A time in the future is a clock that was set back, and counts as long past."""
    last = None if age is None else NOW - age
    assert is_due(new, now=NOW, last=last) is due
