"""The categories of what is never stored (seed 002, DESIGN section 11)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

__all__ = ["CATEGORIES", "LIFTABLE", "Category"]

#: Why a line is not stored. ``instruction`` is an attack that poses as a wish.
Category: TypeAlias = Literal[
    "account",
    "confidence",
    "credential",
    "emotion",
    "finance",
    "health",
    "instruction",
    "location",
    "name",
    "relationship",
    "task",
    "temporary",
]

#: All of `Category`, worst first: a line is judged by the first that it falls in.
CATEGORIES: Final[tuple[Category, ...]] = (
    "credential",
    "instruction",
    "confidence",
    "health",
    "finance",
    "relationship",
    "account",
    "location",
    "name",
    "emotion",
    "temporary",
    "task",
)

#: What a host may be built to manage. The rest is never stored by anybody: a secret,
#: a confidence and an attack are nobody's purpose, and a moment is worth nothing
#: tomorrow.
LIFTABLE: Final[frozenset[str]] = frozenset(
    {
        "account",
        "emotion",
        "finance",
        "health",
        "location",
        "name",
        "relationship",
    }
)
