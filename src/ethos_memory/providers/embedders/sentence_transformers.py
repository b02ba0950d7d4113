"""Transformer models on torch (extra ``sentence-transformers``)."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SentenceTransformersEmbedder"]

#: English, 90 MB, reads 256 tokens.
DEFAULT_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"


class SentenceTransformersEmbedder:
    """Embeds with a model of the sentence-transformers library.

    The model is loaded at the first use; no code that comes with a model is run. A
    load that failed is tried again at the next use.

    Args:
        model: Its name on the hub, or its folder.

    Attributes:
        name: Its identity in an index.

    Raises:
        MissingExtraError: When sentence-transformers is not installed.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        if find_spec("sentence_transformers") is None:
            raise MissingExtraError("sentence-transformers")
        self.name: str = f"sentence-transformers:{model}"
        self._path = model
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text.

        Raises:
            Exception: What the library raises when the model cannot be had.
        """
        if self._model is None:
            kind = import_module("sentence_transformers").SentenceTransformer
            self._model = kind(self._path, trust_remote_code=False)
        encoded = self._model.encode(list(texts), show_progress_bar=False)
        found: list[list[float]] = encoded.tolist()
        return found
