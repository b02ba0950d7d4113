"""The pages of a scope as they stand on disk, in parts that a model can read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.errors import PageTooLargeError, UnsafePathError
from ethos_memory.providers.pages import PAGE_BYTES, is_page
from ethos_memory.providers.vector_chunks import chunks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ethos_memory.disk import Folder, Signature
    from ethos_memory.providers.vector_chunks import Chunk

__all__ = ["PageParts", "SearchedPages"]

#: Never searched: signals that wait for a synthesis (DESIGN section 11).
_NOT_SEARCHED: Final = frozenset({"OBSERVATIONS.md"})


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
        #: Pages whose status tells that they are as read.
        self._settled: dict[str, Signature] = {}
        self._wanted: Mapping[bytes, str] | None = None

    def refresh(self, folder: Folder) -> bool:
        """Read what changed; tell whether anything did since `wanted` was asked last.

        Args:
            folder: The scope's, open.
        """
        there = folder.scan()
        for name, signature in there.items():
            # Most pages are known and unchanged: this is the whole cost of a search.
            if signature is None or self._settled.get(name) != signature:
                self._read(folder, name)
        for name in self.parts.keys() - there.keys():
            self._drop(name)
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

    def _read(self, folder: Folder, name: str) -> None:
        if name in _NOT_SEARCHED or not is_page(name):
            return
        self._settled.pop(name, None)
        try:
            stored = folder.read(name, max_bytes=PAGE_BYTES)
        except (UnsafePathError, PageTooLargeError):
            # `list` and `read` say what is wrong with it; the others are found.
            stored = None
        if stored is None:
            self._drop(name)
            return
        text = stored.data.decode(errors="replace")
        known = self.parts.get(name)
        if known is None or known.text != text:
            found = chunks(text)
            digests = tuple(chunk.digest for chunk in found)
            self.parts[name] = PageParts(text, found, digests)
            self._wanted = None
        if stored.is_settled:
            self._settled[name] = stored.signature

    def _drop(self, name: str) -> None:
        self._settled.pop(name, None)
        if self.parts.pop(name, None) is not None:
            self._wanted = None
