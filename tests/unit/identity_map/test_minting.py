"""A fresh user id."""

from __future__ import annotations

import itertools

import pytest

from ethos_memory.errors import InvalidScopeError
from ethos_memory.identity_map.minting import DRAWS, draw, fresh_id


def test_ids_are_drawn_until_one_is_free() -> None:
    """The last draw counts as well as the first."""
    drawn = iter(f"u{number}" for number in range(DRAWS))
    last = f"u{DRAWS - 1}"
    assert fresh_id(lambda: next(drawn), last.__eq__) == last


def test_it_ends_when_all_are_in_use() -> None:
    """A source that always says the same must not hang a message."""
    drawn = itertools.count()
    with pytest.raises(RuntimeError, match="all in use"):
        fresh_id(lambda: f"u{next(drawn)}", lambda _: False)
    assert next(drawn) == DRAWS


def test_what_cannot_be_an_id_is_refused() -> None:
    """It would be a folder's name."""
    with pytest.raises(InvalidScopeError):
        draw(lambda: "../x")
