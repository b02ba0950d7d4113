"""The adapter of sentence-transformers: its calls, and a real model where there is one."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ethos_memory.errors import MissingExtraError
from ethos_memory.providers.embedders import Embedder, SentenceTransformersEmbedder
from ethos_memory.providers.embedders import sentence_transformers as adapter

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Put a stand-in for the library in its place, and return what it was called with."""
    noted: list[Any] = []

    def make(path: str, **options: Any) -> SimpleNamespace:
        noted.append((path, options))
        return SimpleNamespace(encode=encode)

    def encode(texts: list[str], **options: Any) -> np.ndarray[Any, Any]:
        noted.append((texts, options))
        return np.array([[len(text), 1.5] for text in texts], np.float32)

    library = ModuleType("sentence_transformers")
    library.SentenceTransformer = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library.__name__, library)
    monkeypatch.setattr(adapter, "find_spec", lambda _: True)
    return noted


def test_the_library_is_asked_for_each_text(calls: list[Any]) -> None:
    """The model is loaded once, at the first use, and none of its code is run."""
    embedder = SentenceTransformersEmbedder("org/model")
    assert isinstance(embedder, Embedder)
    assert (embedder.name, calls) == ("sentence-transformers:org/model", [])
    assert embedder.embed(("a", "bc")) == [[1, 1.5], [2, 1.5]]
    assert embedder.embed(["abc"]) == [[3, 1.5]]
    quiet = {"show_progress_bar": False}
    assert calls == [
        ("org/model", {"trust_remote_code": False}),
        (["a", "bc"], quiet),
        (["abc"], quiet),
    ]


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When it is made: at opening, not at the first search."""
    monkeypatch.setattr(adapter, "find_spec", lambda _: None)
    with pytest.raises(
        MissingExtraError, match=r"ethos-memory\[sentence-transformers\]"
    ):
        SentenceTransformersEmbedder()


def test_a_real_model_is_loaded(tmp_path: Path) -> None:
    """One that the test makes, where the library is installed."""
    library = pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")
    tokenizers = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0, "bees": 1, "tea": 2}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, "[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    weights = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
    static = modules.StaticEmbedding(tokenizer, embedding_weights=weights)
    library.SentenceTransformer(modules=[static]).save(str(tmp_path / "model"))
    embedder = SentenceTransformersEmbedder(str(tmp_path / "model"))
    assert embedder.embed(["bees", "tea"]) == [[1, 0], [0, 1]]
