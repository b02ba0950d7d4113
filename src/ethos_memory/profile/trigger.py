"""When a synthesis is due. The clock is passed in."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["COOLDOWN", "NEW_OBSERVATIONS", "is_due"]

#: So many different observations make a synthesis worth while (seed 002).
NEW_OBSERVATIONS: Final = 5

#: So much time passes between two of them (seed 002).
COOLDOWN: Final = timedelta(minutes=5)


def is_due(new: int, *, now: datetime, last: datetime | None) -> bool:
    """Say whether a synthesis is due.

    Args:
        new: How many different observations wait. A repeat counts once.
        now: The time, aware.
        last: When the last synthesis was stored, aware; `None` when there was none.
            A time in the future counts as long past: a clock that was set back must
            not stop the learning.

    Returns:
        True from `NEW_OBSERVATIONS` on, and once `COOLDOWN` is over.
    """
    if new < NEW_OBSERVATIONS:
        return False
    return last is None or last > now or now - last >= COOLDOWN
