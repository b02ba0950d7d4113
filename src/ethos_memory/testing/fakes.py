"""Stand-ins that behave the same in every run: a clock, an embedder, a broken model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from math import sqrt
from typing import TYPE_CHECKING, Final

from ethos_memory.words import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["FailingSynthesizer", "FakeClock", "HashEmbedder"]

#: When a `FakeClock` begins, unless it is told.
_START: Final = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)


class FakeClock:
    """Tells the times it is given, then goes on from the last, a step a call.

    Args:
        times: Aware; told first, in this order, also when that is backwards.
        step_seconds: What is added from then on.
    """

    def __init__(self, *times: datetime, step_seconds: float = 1.0) -> None:
        self._times = list(times)
        self._step = timedelta(seconds=step_seconds)
        self.now: datetime = times[0] if times else _START

    def __call__(self) -> datetime:
        """Return the next time, aware and in UTC."""
        self.now = self._times.pop(0) if self._times else self.now + self._step
        return self.now.astimezone(UTC)


class HashEmbedder:
    """Turns text into vectors by hashing its words: texts that share words are near.

    The same in every process and on every machine. It knows nothing of meaning.

    Args:
        dimensions: Numbers in a vector.
        name: Its identity in an index; another name is another embedder.
    """

    def __init__(self, dimensions: int = 64, *, name: str = "hash-64") -> None:
        if dimensions < 1:
            msg = "dimensions must be 1 or more"
            raise ValueError(msg)
        self.name = name
        self._dimensions = dimensions

    def embed(self, texts: Iterable[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text; all zeros for one without words."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        sums = [0.0] * self._dimensions
        for term in terms(text):
            digest = blake2b(term.text.encode(), digest_size=8).digest()
            number = int.from_bytes(digest)
            sign = 1.0 if number & 1 else -1.0
            sums[(number >> 1) % self._dimensions] += sign
        length = sqrt(sum(value * value for value in sums)) or 1.0
        return [value / length for value in sums]


class FailingSynthesizer:
    """A synthesizer that is asked, and fails.

    Args:
        error: What it raises; `None` for a `RuntimeError`.

    Attributes:
        calls: The documents it was given.
    """

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error or RuntimeError("the model is not there")
        self.calls: list[str] = []

    def __call__(self, document: str, observations: Sequence[object]) -> str:  # noqa: ARG002 - the synthesizer's shape
        """Note the call, and fail.

        Raises:
            Exception: The error it was made with, always.
        """
        self.calls.append(document)
        raise self._error
