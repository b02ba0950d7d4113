"""What a conversation used, added up over its messages (pure)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ethos_memory.sessions.encoding import DAMAGED, dump, load

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["is_sound", "total_of", "total_of_sound"]

#: A larger figure is no count of anything, and JSON could not keep it exactly.
_MOST_USED: Final = 2**53


def total_of(written: Iterable[str]) -> str:
    """Add up what was used, name by name, as JSON text.

    Raises:
        ValueError: Or another of `DAMAGED`, when one of the texts is damaged.
    """
    total: dict[str, float] = {}
    for text in written:
        for name, value in load(text, dict).items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if is_number and -_MOST_USED <= value <= _MOST_USED:
                total[name] = total.get(name, 0) + value
    return dump(total, what="usage")


def total_of_sound(written: Iterable[str]) -> str:
    """Do the same; damaged texts count for nothing."""
    return total_of(filter(is_sound, written))


def is_sound(text: str) -> bool:
    """Tell whether a text can be added up."""
    with suppress(*DAMAGED):
        return bool(total_of([text]))
    return False
