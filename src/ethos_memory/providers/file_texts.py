"""The texts of files as they stand on disk, for a search to look into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.errors import PageTooLargeError, UnsafePathError
from ethos_memory.providers.contract import NOT_SEARCHED
from ethos_memory.providers.pages import PAGE_BYTES, is_page

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from ethos_memory.disk import Folder, Signature

__all__ = ["FileTexts"]


#: `list` and `read` say what is wrong with such a page.
_NO_PAGE: Final[tuple[type[Exception], ...]] = (UnsafePathError, PageTooLargeError)


class FileTexts:
    """Texts that are read again only when their files changed. Not safe for threads.

    What changed is yielded, a name with its new text or with `None` when there is none
    any more, and remembered after that: where something fails in between, it is told
    again. So what yields must be gone through to its end.

    Args:
        unreadable: What reading may raise, besides that a file is no page, for the
            text to be left out and the others to be found all the same.
    """

    def __init__(self, *, unreadable: tuple[type[Exception], ...] = ()) -> None:
        self._unreadable = (*_NO_PAGE, *unreadable)
        self._texts: dict[str, str] = {}
        #: Files whose status tells that they are as read.
        self._settled: dict[str, Signature] = {}

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def refresh(self, folder: Folder) -> Iterator[tuple[str, str | None]]:
        """Read the pages of a scope that changed, and yield them.

        Args:
            folder: The scope's, open.
        """
        there = folder.scan()
        for name, signature in there.items():
            # Most pages are known and unchanged: this is the whole cost of a search.
            if signature is not None and self._settled.get(name) == signature:
                continue
            if name != NOT_SEARCHED and is_page(name):
                yield from self.read(name, folder, name)
        yield from self.drop_others(there)

    def is_as_read(self, name: str, signature: Signature) -> bool:
        """Tell whether a file has not changed since it was read."""
        return self._settled.get(name) == signature

    def read(
        self, name: str, folder: Folder, file_name: str
    ) -> Iterator[tuple[str, str | None]]:
        """Read a file, and yield its text if it is another one now.

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
        text = None if stored is None else stored.data.decode(errors="replace")
        if text != self._texts.get(name):
            yield name, text
        if stored is None or text is None:
            self._texts.pop(name, None)
            return
        self._texts[name] = text
        if stored.is_settled:
            self._settled[name] = stored.signature

    def drop_others(self, there: Container[str]) -> Iterator[tuple[str, None]]:
        """Forget every text but those, and yield what went."""
        for name in [name for name in self._texts if name not in there]:
            yield name, None
            del self._texts[name]
            self._settled.pop(name, None)
