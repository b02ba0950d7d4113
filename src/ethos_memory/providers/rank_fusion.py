"""Reciprocal rank fusion: merging rankings whose scores do not compare (pure)."""

from __future__ import annotations

from typing import Final

__all__ = ["reciprocal_rank"]

#: The usual constant: with it, the first few ranks weigh nearly alike.
_OFFSET: Final = 60


def reciprocal_rank(rank: int) -> float:
    """Return what a rank is worth; what stands in several rankings adds them up.

    Args:
        rank: 1 for the best.
    """
    return 1 / (_OFFSET + rank)
