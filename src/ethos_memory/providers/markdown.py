"""Memory as markdown files in folders: Ethos's own layout, read and written as it is.

The folder of a scope is opened once a call, and everything happens relative to it.
Reading takes no lock. Writing holds the scope's lock for one batch.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from ethos_memory.disk import History, Root, parse_durability, read_history, writing
from ethos_memory.entry import (
    EraseReport,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    SyncReport,
    trim,
)
from ethos_memory.errors import PageTooLargeError, UnsupportedError
from ethos_memory.page import summary
from ethos_memory.providers.batch import PageChange, page_changes, restoration
from ethos_memory.providers.contract import ROLLING_PAGES, UNNAMED, check_limit
from ethos_memory.providers.copies import CopyWatch
from ethos_memory.providers.erasing import (
    copy_folder,
    erase_folder,
    folder_files,
    locked_if_there,
)
from ethos_memory.providers.layout import HOME, Layout
from ethos_memory.providers.page_index import PageIndexes
from ethos_memory.providers.pages import PAGE_BYTES, Pages, is_page, moment
from ethos_memory.providers.write_batch import write_batch
from ethos_memory.scope import ScopeId, parse_key, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    from ethos_memory.disk import Durability, Folder
    from ethos_memory.entry import Change, MemoryEntry, SearchHit, Update
    from ethos_memory.provider import SearchMode
    from ethos_memory.providers.inventory import StoredFile

__all__ = ["MarkdownProvider"]


class MarkdownProvider:
    """Keeps memory in markdown files. One object serves threads; so do many processes.

    Every call refuses a bad name before it touches anything, as the contract says, with
    `InvalidScopeError`, `UnknownScopeError` or `InvalidKeyError`.

    Args:
        root: The home that holds ``personalities/`` and ``users/``. Nothing is made
            before the first write. ``~`` is not expanded. An open `disk.Root` is
            shared, and stays open.
        durability: ``"fast"`` skips the syncs, never the atomic rename.
        trusted_links: Folders that links below the root may lead into; writes then go
            through the link.

    Raises:
        UnsupportedError: On Windows.
        ValueError: When `durability` is another word.
        ValueError: When `trusted_links` come with an open root, which has its own.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | Root,
        *,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        links = tuple(trusted_links)
        self._owns_root = not isinstance(root, Root)
        if isinstance(root, Root):
            if links:
                msg = "the root was opened with its own trusted links"
                raise ValueError(msg)
            self._root = root
        else:
            self._root = Root(root, trusted_links=links)
        self._durability = parse_durability(durability)
        self._layout = HOME
        self._pages = Pages()
        self._indexes = PageIndexes()
        self._copies = CopyWatch()

    @classmethod
    def with_layout(
        cls,
        root: str | os.PathLike[str] | Root,
        layout: Layout,
        *,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
    ) -> Self:
        """Keep other kinds of scopes in other places, such as teams.

        Args:
            root: As for the class.
            layout: Where each kind is kept.
            durability: As for the class.
            trusted_links: As for the class.
        """
        provider = cls(root, durability=durability, trusted_links=trusted_links)
        provider._layout = layout
        return provider

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the root, unless it was passed in open. Can be repeated."""
        if self._owns_root:
            self._root.close()

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the non-blank rolling pages, ``MEMORY.md`` before ``USER.md``.

        Raises:
            UnsafePathError: When a link, folder or device stands in the way.
            PageTooLargeError: When a page is above 2 MiB.
        """
        id, names = self._place(scope)
        with self._root.folder(*names) as folder:
            if folder is None:
                return MemorySnapshot(id, ())
            name = str(id)
            self._copies.look(folder, name)
            pages = [self._pages.read(folder, name, key) for key in ROLLING_PAGES]
        shown = tuple(page for page in pages if page and trim(page.content))
        return MemorySnapshot(id, shown)

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page, or `None` when there is none.

        What is not UTF-8 is read with U+FFFD. A byte-order mark and the line ends are
        those of the file.

        Raises:
            UnsafePathError: When a link, folder or device stands in the way.
            PageTooLargeError: When the page is above 2 MiB.
        """
        id, names = self._place(scope)
        name = parse_key(key)
        with self._root.folder(*names) as folder:
            if folder is None:
                return None
            return self._pages.read(folder, str(id), name)

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that hold what a person typed, best first.

        Searched are the files as they are now, however they came there. Pages that
        cannot be read as pages are left out.

        Args:
            scope: Whose memory; no other is searched.
            query: Any text; nothing in it is query syntax.
            limit: The most hits; 0 gives none.
            mode: ``"keyword"`` or `None`.

        Raises:
            UnsupportedError: For another mode.
            ValueError: When `limit` is below 0.
            UnsafePathError: When a link or file stands in the scope's place.
        """
        id, names = self._place(scope)
        if mode not in (None, "keyword"):
            msg = "markdown files are searched by keyword only"
            raise UnsupportedError(msg)
        wanted = plain_text(query, what="query")
        check_limit(limit)
        with self._root.folder(*names) as folder:
            if folder is None or not limit:
                return ()
            self._copies.look(folder, str(id))
            return self._indexes.search(folder, str(id), wanted, limit)

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope, sorted by key, at most `limit`.

        No page is read unless summaries are asked for.

        Raises:
            ValueError: When `limit` is below 0.
            UnsafePathError: When a link stands in the place of the scope or a page.
        """
        id, names = self._place(scope)
        check_limit(limit)
        with self._root.folder(*names) as folder:
            if folder is None:
                return ()
            self._copies.look(folder, str(id))
            keys = [name for name in folder.names() if is_page(name)]
            refs = (
                self._ref(folder, str(id), key, summaries=summaries) for key in keys
            )
            found = (ref for ref in refs if ref is not None)
            return tuple(islice(found, limit))

    def _ref(
        self, folder: Folder, scope: str, key: str, *, summaries: bool
    ) -> MemoryEntryRef | None:
        signature = folder.signature(key)
        if signature is None:
            return None
        return MemoryEntryRef(
            key,
            signature.size,
            updated_at=moment(signature.mtime_ns),
            summary=self._summary(folder, scope, key) if summaries else None,
        )

    def _summary(self, folder: Folder, scope: str, key: str) -> str:
        try:
            page = self._pages.read(folder, scope, key)
        except PageTooLargeError:
            return ""
        return summary(page.content) if page else ""

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order and tell what changed.

        Each page starts from its bytes on disk at that moment; when an editor changes
        it meanwhile, the updates are applied again. What changes nothing writes
        nothing.

        Raises:
            RevisionConflictError: When a page is not at the wanted revision; nothing
                was written.
            CorruptFileError: When a page is not UTF-8; its bytes are left alone.
            UnsafePathError: When a link, folder or device stands in the way, or the
                name differs only in case from an existing one.
            PageTooLargeError: When a page is above 2 MiB.
            ScopeLockedError: When another writer held the scope for 30 s.
            NotWrittenError: When the disk refuses.
            DurabilityUnknownError: When a change was made, and not confirmed.
        """
        id, _ = self._place(scope)
        return self._write(id, page_changes(updates), origin or UNNAMED)

    def _write(
        self, id: ScopeId, changes: tuple[PageChange, ...], origin: Origin
    ) -> SyncReport:
        names, durability = self._layout.place(id), self._durability
        return write_batch(
            self._root, names, str(id), changes, origin=origin, durability=durability
        )

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return earlier states of one page, or of all, newest first.

        A page written by hand is there once a change has met it, from ``"outside"``.

        Raises:
            UnsafePathError: When a link stands in the way.
        """
        return self.inspect_history(scope, key).changes

    def inspect_history(
        self, scope: ScopeId | str, key: str | None = None, *, limit: int | None = None
    ) -> History:
        """Return the history, its newest `limit` states, and what is damaged in it.

        Raises:
            UnsafePathError: When a link stands in the way.
        """
        _, names = self._place(scope)
        page = None if key is None else parse_key(key)
        with self._root.folder(*names) as folder:
            if folder is None:
                return History((), 0, 0)
            return read_history(folder, page, max_bytes=PAGE_BYTES, limit=limit)

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state byte for byte. This is a new change.

        Args:
            scope: Whose memory.
            key: The page.
            revision: Of a state in its history; ``""`` for a deletion there.

        Raises:
            LookupError: When the history has no such state.
            EthosMemoryError: As `sync`.
        """
        id, _ = self._place(scope)
        name = parse_key(key)
        states = self.history(id, name)
        found = next((one for one in states if one.revision == revision), None)
        if found is None:
            msg = f"{id} {name}: no such state in the history"
            raise LookupError(msg)
        change = restoration(name, found.content)
        return self._write(id, (change,), Origin("restore"))

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Name every file of a scope: pages, copies, archive, history, and others.

        Raises:
            UnsafePathError: When a page is a link that is not allowed.
        """
        _, names = self._place(scope)
        with self._root.folder(*names) as folder:
            return () if folder is None else folder_files(folder)

    def copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand over every file of a scope that `erase` would take, as it is.

        Args:
            scope: Whose; it stays locked until all is handed over.
            take: Gets each name, relative to the scope, and the bytes.

        Raises:
            UnsafePathError: When a page is a link that is not allowed.
            ScopeLockedError: When another writer held the scope for 30 s.
        """
        _, names = self._place(scope)
        with self._root.folder(*names) as folder:
            if folder is not None:
                with locked_if_there(folder) as is_there:
                    if is_there:
                        copy_folder(folder, take)

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase pages, copies, archive and history of a scope. Can be repeated.

        ``SOUL.md``, configuration and files of other kinds stay, and the folder with
        them; an empty folder goes.

        Raises:
            UnsafePathError: When a page is a link that is not allowed; nothing is
                erased then.
            ScopeLockedError: When another writer held the scope for 30 s.
            NotWrittenError: When the disk refuses; what is left can be erased again.
        """
        id, names = self._place(scope)
        files: tuple[str, ...] = ()
        with writing(self._root.label), self._root.folder(*names) as folder:
            if folder is not None:
                with locked_if_there(folder) as is_there:
                    if is_there:
                        files = erase_folder(folder, durability=self._durability)
                        self._remove_folder(names)
        self._pages.forget(str(id))
        self._indexes.forget(str(id))
        return EraseReport(id, files)

    def _remove_folder(self, names: tuple[str, ...]) -> None:
        *above, name = names
        with self._root.folder(*above) as parent:
            if parent is not None:
                # Under the lock: whoever waits for it finds the folder gone, and
                # makes it anew.
                with suppress(OSError):
                    os.rmdir(name, dir_fd=parent.fd)

    def _place(self, scope: ScopeId | str) -> tuple[ScopeId, tuple[str, ...]]:
        id = ScopeId.parse(scope)
        return id, self._layout.place(id)
