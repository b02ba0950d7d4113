"""A fresh user id: drawn until one is nobody's (pure, but for the drawing)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DRAWS", "ID_BYTES", "all_in_use", "draw", "fresh_id"]

#: 48 random bits in hex, as in Ethos: 12 characters that tell nothing.
ID_BYTES: Final = 6

#: More draws than chance could ever need: of 48 bits, even with a million users, each
#: fails once in 280 million times.
DRAWS: Final = 100


def draw(new_id: Callable[[], str]) -> str:
    """Return an id, which may be in use.

    Raises:
        InvalidScopeError: When what was drawn cannot be a user id.
    """
    return ScopeId.user(new_id()).id


def fresh_id(new_id: Callable[[], str], is_free: Callable[[str], bool]) -> str:
    """Return an id that is nobody's.

    Args:
        new_id: Draws one.
        is_free: Tells whether it is nobody's.

    Raises:
        RuntimeError: When every draw was in use: it draws the same ones again.
    """
    for _ in range(DRAWS):
        drawn = draw(new_id)
        if is_free(drawn):
            return drawn
    raise all_in_use()


def all_in_use() -> RuntimeError:
    """Return the error for ids that are all in use, to be raised."""
    msg = f"new_id drew {DRAWS} ids that are all in use"
    return RuntimeError(msg)
