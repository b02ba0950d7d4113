"""The pages of a scope as they stand on disk, in parts that a model can read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import field, frozen

from ethos_memory.providers.file_texts import FileTexts
from ethos_memory.providers.vector_chunks import chunks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ethos_memory.disk import Folder
    from ethos_memory.providers.vector_chunks import Chunk

__all__ = ["PageParts", "SearchedPages"]


@frozen
class PageParts:
    """One page.

    Attributes:
        text: All of it. Private: in no `repr`.
        chunks: Its parts.
        digests: What the vector of each part stands under.
    """

    text: str = field(repr=False)
    chunks: tuple[Chunk, ...] = field(repr=False)
    digests: tuple[bytes, ...] = field(repr=False)


class SearchedPages:
    """The pages of one scope that a search looks into. Not safe for threads.

    Attributes:
        parts: Each page by its key.
    """

    def __init__(self) -> None:
        self.parts: dict[str, PageParts] = {}
        self._texts = FileTexts()
        self._wanted: Mapping[bytes, str] | None = None

    def refresh(self, folder: Folder) -> bool:
        """Read what changed; tell whether anything did since `wanted` was asked last.

        Args:
            folder: The scope's, open.
        """
        for name, text in self._texts.refresh(folder):
            if text is None:
                self.parts.pop(name, None)
            else:
                found = chunks(text)
                digests = tuple(chunk.digest for chunk in found)
                self.parts[name] = PageParts(text, found, digests)
            self._wanted = None
        return self._wanted is None

    def wanted(self) -> Mapping[bytes, str]:
        """Return the text of every part, by what its vector stands under."""
        if self._wanted is None:
            self._wanted = MappingProxyType(
                {
                    digest: chunk.text
                    for page in self.parts.values()
                    for digest, chunk in zip(page.digests, page.chunks, strict=True)
                }
            )
        return self._wanted
