"""All rules over one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.guard.credentials import find, search
from ethos_memory.guard.credentials.secret import Hit

if TYPE_CHECKING:
    import pytest


def test_passes_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text whose every pass finds more is not looked at for ever."""
    monkeypatch.setattr(search, "MAX_PASSES", 1)
    assert len(find("password: hunter22 and pin: 4471")) == 2


def test_hits_that_overlap_are_joined() -> None:
    """The whole stretch goes, under the name of what has a shape."""
    words = Hit("password", 2, end=9, named=True)
    shape = Hit("github token", 4, end=12)
    apart = Hit("pin", 20, end=24, named=True)
    whole = Hit("github token", 2, end=12)
    assert list(search._merged([apart, shape, words])) == [whole, apart]
