"""The texts of files as they stand on disk, for a search to look into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.errors import PageTooLargeError, UnsafePathError
from ethos_memory.providers.contract import NOT_SEARCHED
from ethos_memory.providers.pages import PAGE_BYTES, is_page

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from ethos_memory.disk import Folder, Signature

__all__ = ["FileTexts"]


class FileTexts:
    """Texts that are read again only when their files changed. Not safe for threads.

    Args:
        unreadable: What reading may raise, besides that a file is no page, for the
            text to be left out and the others to be found all the same.
    """

    def __init__(self, *, unreadable: tuple[type[Exception], ...] = ()) -> None:
        # `list` and `read` say what is wrong with such a page.
        self._unreadable: tuple[type[Exception], ...]
        self._unreadable = (UnsafePathError, PageTooLargeError, *unreadable)
        self._texts: dict[str, str] = {}
        #: Files whose status tells that they are as read.
        self._settled: dict[str, Signature] = {}

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def get(self, name: str) -> str | None:
        """Return a text, `None` when there is none."""
        return self._texts.get(name)

    def refresh(self, folder: Folder) -> Iterator[tuple[str, str | None]]:
        """Read the pages of a scope that changed, and yield each with its new text.

        One that is gone, or can no longer be read as a page, has `None`. Each is told
        before the next is read, so that an error in between hides no change.

        Args:
            folder: The scope's, open.
        """
        there = folder.scan()
        for name, signature in there.items():
            # Most pages are known and unchanged: this is the whole cost of a search.
            if signature is None or self._settled.get(name) != signature:
                if name == NOT_SEARCHED or not is_page(name):
                    continue
                if self.read(name, folder, name):
                    yield name, self._texts.get(name)
        for name in self.drop_others(there):
            yield name, None

    def is_as_read(self, name: str, signature: Signature) -> bool:
        """Tell whether a file has not changed since it was read."""
        return self._settled.get(name) == signature

    def read(self, name: str, folder: Folder, file_name: str) -> bool:
        """Read a file; tell whether its text is another one now, or gone.

        Args:
            name: What it is searched under.
            folder: Where it lies, open.
            file_name: Its name there.
        """
        self._settled.pop(name, None)
        try:
            stored = folder.read(file_name, max_bytes=PAGE_BYTES)
        except self._unreadable:
            stored = None
        if stored is None:
            return self._texts.pop(name, None) is not None
        if stored.is_settled:
            self._settled[name] = stored.signature
        text = stored.data.decode(errors="replace")
        is_new = self._texts.get(name) != text
        self._texts[name] = text
        return is_new

    def drop_others(self, there: Container[str]) -> list[str]:
        """Forget every text but those; return the names of what went."""
        gone = [name for name in self._texts if name not in there]
        for name in gone:
            del self._texts[name]
            self._settled.pop(name, None)
        return gone
