"""What a model answers, checked: vectors of one length, finite, brought to length 1."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import numpy as np
from attrs import field, frozen

from ethos_memory.errors import EthosMemoryError
from ethos_memory.scope import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ethos_memory.providers.embedders import Embedder
    from ethos_memory.providers.vector_file import StoredVectors, Vectors

__all__ = ["Embedding", "Identity", "ModelFailedError"]

#: What every embedder is asked first, to tell it by its answer.
_PROBE: Final = "The quick brown fox keeps bees and remembers who likes honey."

#: How far two answers of one model lie apart at most, whatever machine it runs on. Those
#: of two models lie about 1.4 apart.
_SAME_MODEL: Final = 0.1


class ModelFailedError(Exception):
    """An embedder raised. Private to the vector provider.

    Attributes:
        error: What it raised; nobody knows what private text is in it.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


@frozen(eq=False)
class Identity:
    """Which model it is: by its name, and by what it makes of a fixed text.

    A model that was exchanged under the same name is another one.
    """

    name: str
    probe: Vectors = field(repr=False)

    def made(self, stored: StoredVectors) -> bool:
        """Tell whether stored vectors are this model's."""
        if stored.name != self.name or stored.probe.shape != self.probe.shape:
            return False
        return float(np.linalg.norm(stored.probe - self.probe)) <= _SAME_MODEL


class Embedding:
    """An embedder, for threads: asked by one at a time, every answer checked.

    Args:
        embedder: The host's.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._identity: Identity | None = None

    def identity(self) -> Identity:
        """Return which model it is. The first call asks the model.

        Raises:
            ModelFailedError: When it raises.
            ValueError: When its answer is no vector.
        """
        with self._lock:
            if self._identity is None:
                name = plain_text(self._embedder.name, what="the embedder's name")
                self._identity = Identity(name, self._asked([_PROBE])[0])
            return self._identity

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return a row of length 1 for each text; of zeros for one without meaning.

        Raises:
            ModelFailedError: When the embedder raises.
            ValueError: When its answer is not one vector for each text, all of one
                length and of finite numbers.
        """
        length = len(self.identity().probe)
        with self._lock:
            rows = self._asked(texts)
        if rows.shape[1] != length:
            raise _refused(f"vectors of {length} and of {rows.shape[1]} numbers")
        return rows

    def _asked(self, texts: Sequence[str]) -> Vectors:
        try:
            answer = self._embedder.embed(texts)
        except EthosMemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a host's model may raise anything
            raise ModelFailedError(error) from None
        return _rows(answer, len(texts))


def _rows(answer: Sequence[Sequence[float]], count: int) -> Vectors:
    rows = None
    with suppress(TypeError, ValueError):
        rows = np.asarray(answer, dtype=np.float64)
    # Not raised from numpy's error, which may hold what was answered.
    if rows is None or rows.ndim != 2 or not rows.shape[1]:  # noqa: PLR2004 - a table
        raise _refused("no vectors of one length")
    if len(rows) != count:
        raise _refused(f"{len(rows)} vectors for {count} texts")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all():
        raise _refused("a number that is not finite")
    # By the largest first: the square of a huge number is none.
    rows = rows / np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _refused(answer: str) -> ValueError:
    return ValueError(f"the embedder answered with {answer}")
