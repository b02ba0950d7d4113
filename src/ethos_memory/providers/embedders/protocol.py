"""What turns text into vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Embedder"]


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors: texts that mean the same are near each other.

    One is called by one thread at a time. What it raises is the host's to see; a
    search that may do without it is then made by keyword.
    """

    @property
    def name(self) -> str:
        """Its identity in an index: another model, or version of one, is another name."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return a vector for each text, all of the same length.

        Args:
            texts: What is kept in memory, and queries. Private.
        """
        ...
