"""The adapter of model2vec, with a small model that the test makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from ethos_memory.entry import Add
from ethos_memory.errors import MissingExtraError
from ethos_memory.providers.embedders import Embedder, Model2VecEmbedder
from ethos_memory.providers.embedders import model2vec as adapter
from ethos_memory.providers.vector import VectorProvider

if TYPE_CHECKING:
    from pathlib import Path

#: Each word, and in which direction it points.
WORDS = {
    "[UNK]": (0, 0),
    "bees": (1, 0),
    "hive": (0.9, 0.1),
    "tea": (0, 1),
    "cup": (0, 1),
}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Save a model of a few words, as those on the hub are saved."""
    tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    model = StaticModel(np.array(list(WORDS.values()), np.float32), tokenizer)
    model.save_pretrained(tmp_path / "model")
    return str(tmp_path / "model")


def test_texts_of_one_meaning_are_near(folder: str) -> None:
    """Vectors are lists of floats, one for each text."""
    embedder = Model2VecEmbedder(folder)
    assert isinstance(embedder, Embedder)
    assert embedder.name == f"model2vec:{folder}"
    bees, hive, tea, nothing = embedder.embed(("bees", "hive", "tea", "unheard"))
    assert np.dot(bees, hive) > 0.5 > np.dot(bees, tea)
    assert nothing == [0, 0]
    assert all(type(number) is float for number in bees)


def test_a_provider_finds_by_it(folder: str, tmp_path: Path) -> None:
    """By meaning, and from the file in another process."""
    for _ in range(2):
        provider = VectorProvider(tmp_path / "home", Model2VecEmbedder(folder))
        provider.sync("user:a", [Add("a.md", "- bees"), Add("b.md", "- tea")])
        hits = provider.search("user:a", "hive", mode="semantic")
        assert [hit.key for hit in hits] == ["a.md", "b.md"]


def test_a_load_that_failed_is_tried_again(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub may be there again; a model that is there stays loaded."""
    embedder = Model2VecEmbedder(folder)
    with monkeypatch.context() as patched:
        patched.setattr(StaticModel, "from_pretrained", None)
        with pytest.raises(TypeError):
            embedder.embed(["bees"])
    first = embedder.embed(["bees"])
    monkeypatch.setattr(StaticModel, "from_pretrained", None)
    assert embedder.embed(["bees"]) == first


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When it is made: at opening, not at the first search."""
    monkeypatch.setattr(adapter, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"ethos-memory\[model2vec\]"):
        Model2VecEmbedder()
