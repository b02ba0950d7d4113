"""Static models: small, fast, without torch (extra ``model2vec``)."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Model2VecEmbedder"]

#: English, 30 MB; ``minishlab/potion-multilingual-128M`` knows 101 languages.
DEFAULT_MODEL: Final = "minishlab/potion-base-8M"


class Model2VecEmbedder:
    """Embeds with a model of the model2vec library.

    The model is loaded at the first use, from the hub's cache when it is there. A
    load that failed is tried again at the next use.

    Args:
        model: Its name on the hub, or its folder.

    Attributes:
        name: Its identity in an index.

    Raises:
        MissingExtraError: When model2vec is not installed.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        if find_spec("model2vec") is None:
            raise MissingExtraError("model2vec")
        self.name: str = f"model2vec:{model}"
        self._path = model
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text.

        Raises:
            Exception: What the library raises when the model cannot be had.
        """
        if self._model is None:
            kind = import_module("model2vec").StaticModel
            # Otherwise each start of a process would fetch the model anew.
            self._model = kind.from_pretrained(self._path, force_download=False)
        found: list[list[float]] = self._model.encode(list(texts)).tolist()
        return found
