"""Nothing that a model answers is taken on trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ethos_memory.errors import MissingExtraError
from ethos_memory.providers.vector_embedding import Embedding, ModelFailedError
from ethos_memory.providers.vector_file import decode, encode
from ethos_memory.testing import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ethos_memory.providers.vector_file import StoredVectors


class Model:
    """Answers the first call with one vector, and then as it is told."""

    def __init__(
        self,
        answer: Callable[[Sequence[str]], Any] = tuple,
        first: tuple[float, ...] = (3.0, 4.0),
    ) -> None:
        self.name: Any = "model"
        self.calls: list[Sequence[str]] = []
        self._answer = answer
        self._first = first

    def embed(self, texts: Sequence[str]) -> Any:
        self.calls.append(texts)
        return [self._first] if len(self.calls) == 1 else self._answer(texts)


def test_vectors_get_the_length_one() -> None:
    """Also very long ones; a vector of zeros stays."""
    model = Model(lambda _: [[0, 5], [0, 0], [1e300, 0], [-1, 1]])
    rows = Embedding(model).vectors(["a", "b", "c", "d"])
    half = float(np.float32(0.5**0.5))
    assert rows.tolist() == [[0, 1], [0, 0], [1, 0], [-half, half]]
    assert rows.dtype == np.float32


def test_an_array_is_an_answer_as_well() -> None:
    """Most libraries make one."""
    rows = Embedding(Model(lambda _: np.ones((1, 2)))).vectors(["a"])
    assert rows.shape == (1, 2)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "no vectors"),
        ([], "no vectors"),
        ("private", "no vectors"),
        ([[1, 2], [3]], "no vectors"),
        ([["private", "text"]], "no vectors"),
        ([1, 2], "no vectors"),
        ([[[1, 2]]], "no vectors"),
        ([[], []], "no vectors"),
        ([[1, 2]], "1 vectors for 2 texts"),
        ([[1, 2]] * 3, "3 vectors for 2 texts"),
        ([[1, 2], [float("nan"), 0]], "not finite"),
        ([[1, 2], [float("inf"), 0]], "not finite"),
        ([[1, 2, 3]] * 2, "vectors of 2 and of 3 numbers"),
    ],
)
def test_an_answer_that_is_no_vectors_is_refused(answer: Any, told: str) -> None:
    """And what it was is not told."""
    embedding = Embedding(Model(lambda _: answer))
    with pytest.raises(ValueError, match=told) as caught:
        embedding.vectors(["a", "b"])
    assert "private" not in repr(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_a_model_is_asked_once_who_it_is() -> None:
    """By a fixed text."""
    model = Model(lambda texts: [[1, 0]] * len(texts))
    embedding = Embedding(model)
    assert embedding.identity() is embedding.identity()
    assert (
        embedding.identity().probe.tolist() == np.array([0.6, 0.8], np.float32).tolist()
    )
    embedding.vectors(["a"])
    embedding.vectors(["b"])
    assert len(model.calls) == 3
    assert model.calls[1:] == [["a"], ["b"]]


def test_a_name_that_is_no_text_is_refused() -> None:
    """It is written down."""
    model = Model(lambda _: [[1, 0]])
    model.name = None
    with pytest.raises(TypeError, match="name"):
        Embedding(model).identity()


def test_what_a_model_raises_is_carried_and_not_shown() -> None:
    """Nobody knows what private text is in it."""

    def fail(_: object) -> None:
        raise RuntimeError("private")

    with pytest.raises(ModelFailedError) as caught:
        Embedding(Model(fail)).vectors(["a"])
    assert isinstance(caught.value.error, RuntimeError)
    assert "private" not in repr(caught.value) + str(caught.value)
    assert caught.value.__cause__ is None


def test_an_error_of_ours_is_no_failure_of_the_model() -> None:
    """It says what to do, and nothing else is done in its place."""

    def fail(_: object) -> None:
        raise MissingExtraError("model2vec")

    with pytest.raises(MissingExtraError):
        Embedding(Model(fail)).vectors(["a"])


def _stored(embedding: Embedding) -> StoredVectors:
    identity = embedding.identity()
    none = np.empty((0, len(identity.probe)), np.float32)
    found = decode(encode(identity.name, identity.probe, (), none))
    assert found is not None
    return found


def test_a_model_knows_its_own_vectors() -> None:
    """Also when another machine rounds a little differently."""
    model = Embedding(HashEmbedder(name="m"))
    assert model.identity().made(_stored(Embedding(HashEmbedder(name="m"))))
    near = _stored(Embedding(Model(first=(3.001, 3.999))))
    assert Embedding(Model()).identity().made(near)


def test_another_model_is_known_by_name_length_or_answer() -> None:
    """A model that was exchanged under the same name as well."""
    model = Embedding(HashEmbedder(name="m")).identity()
    assert not model.made(_stored(Embedding(HashEmbedder(name="n"))))
    assert not model.made(_stored(Embedding(HashEmbedder(32, name="m"))))
    exchanged = _stored(Embedding(Model(first=(4.0, 3.0))))
    assert not Embedding(Model()).identity().made(exchanged)
