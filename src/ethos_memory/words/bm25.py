"""Okapi BM25: what a word that a text holds adds to its rank (pure)."""

from __future__ import annotations

from math import log
from typing import Final

__all__ = ["K1", "norm_of", "weight_of"]

#: Okapi BM25's usual constants, the same as SQLite's full-text search.
K1: Final = 1.2
_B: Final = 0.75


def weight_of(holders: int, total: int) -> float:
    """Return how telling a word is: the rarer, the larger; never below 0.

    Args:
        holders: How many texts hold it.
        total: How many texts there are; fewer than `holders` when some were counted
            more than once.
    """
    return log(1 + (max(0, total - holders) + 0.5) / (holders + 0.5))


def norm_of(length: int, mean: float) -> float:
    """Return what a text is held back by: a long one holds many words anyway.

    Args:
        length: The text's, in words.
        mean: Of all texts; above 0.
    """
    return K1 * (1 - _B + _B * length / mean)
