from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.guard import known as module
from ethos_memory.guard.known import Known
from ethos_memory.verdict import Verdict

if TYPE_CHECKING:
    import pytest


def _verdict(text: str) -> Verdict:
    return Verdict((), refused=False, stored=text, shown=text)


def test_what_is_kept_is_found_for_the_same_strictness() -> None:
    """A profile is another question."""
    known, text = Known(), "x" * 600
    verdict = _verdict(text)
    known.keep(text, verdict, is_user=False)
    assert known.get(text, is_user=False) is verdict
    assert known.get(text, is_user=True) is None


def test_short_texts_are_not_kept() -> None:
    """They are read again sooner than looked up."""
    known = Known()
    known.keep("x", _verdict("x"), is_user=False)
    assert known.get("x", is_user=False) is None


def test_the_least_recently_used_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number."""
    monkeypatch.setattr(module, "_MOST_VERDICTS", 2)
    known = Known()
    one, two, three = ("1" * 600, "2" * 600, "3" * 600)
    for text in (one, two):
        known.keep(text, _verdict(text), is_user=False)
    known.get(one, is_user=False)
    known.keep(three, _verdict(three), is_user=False)
    assert known.get(two, is_user=False) is None
    assert known.get(one, is_user=False) is not None


def test_large_texts_push_out_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """By characters, in both forms of a text; the same text counts once."""
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 2_500)
    known = Known()
    one, two = "1" * 1_000, "2" * 1_000
    known.keep(one, _verdict(one), is_user=False)
    known.keep(one, _verdict(one), is_user=False)
    assert known.get(one, is_user=False) is not None
    known.keep(two, _verdict(two), is_user=False)
    assert known.get(one, is_user=False) is None
    assert known.get(two, is_user=False) is not None
