"""Stand-ins behave the same in every run."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from math import isclose

import pytest

from ethos_memory.testing import FailingSynthesizer, FakeClock, HashEmbedder

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def test_a_clock_goes_on_by_itself() -> None:
    """A second a call, unless it is told otherwise; always aware and in UTC."""
    clock = FakeClock()
    first, second = clock(), clock()
    assert second - first == timedelta(seconds=1)
    assert first.utcoffset() == timedelta(0)
    fast = FakeClock(step_seconds=0.5)
    assert fast() - fast() == timedelta(seconds=-0.5)


def test_a_clock_tells_the_times_it_is_given() -> None:
    """Also backwards, and from another zone."""
    elsewhere = NOON.astimezone(timezone(timedelta(hours=2)))
    clock = FakeClock(elsewhere, NOON - timedelta(hours=1))
    assert [clock(), clock(), clock()] == [
        NOON,
        NOON - timedelta(hours=1),
        NOON - timedelta(minutes=59, seconds=59),
    ]
    assert clock.now.utcoffset() == timedelta(0)


def test_vectors_are_of_length_one() -> None:
    """All zeros for a text without words."""
    words, nothing = HashEmbedder(8).embed(["bees on the roof", " \n"])
    assert len(words) == len(nothing) == 8
    assert isclose(sum(value * value for value in words), 1.0)
    assert nothing == [0.0] * 8
    with pytest.raises(ValueError, match="dimensions"):
        HashEmbedder(0)


def test_texts_that_share_words_are_near() -> None:
    """In any order and case; a name is an identity."""
    embedder = HashEmbedder(name="x")
    assert embedder.name == "x"
    one, same, other = embedder.embed(["bees on roofs", "ROOFS on bees", "walrus"])
    assert one == pytest.approx(same)
    assert sum(a * b for a, b in zip(one, other, strict=True)) < 0.5


def test_vectors_are_the_same_in_every_process() -> None:
    """Python's own `hash` is not."""
    code = (
        "from ethos_memory.testing import HashEmbedder as E; print(E().embed(['a b']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert run.stdout == f"{HashEmbedder().embed(['a b'])}\n"


def test_a_synthesizer_fails_and_tells_what_it_was_asked() -> None:
    """With the error it was made with."""
    plain, special = FailingSynthesizer(), FailingSynthesizer(KeyError("x"))
    with pytest.raises(RuntimeError):
        plain("document", ())
    with pytest.raises(KeyError):
        special("document", ())
    assert plain.calls == special.calls == ["document"]
