"""Memory inside a vault of notes that a person owns, such as Obsidian's.

The agent has one folder of it. There the pages are those of `MarkdownProvider`; the
rest of the vault is never written, and read only when its owner asks for that.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from ethos_memory.disk import Root
from ethos_memory.errors import InvalidNameError, UnsafePathError
from ethos_memory.page import front_matter
from ethos_memory.providers.batch import page_changes
from ethos_memory.providers.contract import UNNAMED
from ethos_memory.providers.lru import LruCache
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.pages import PAGE_BYTES
from ethos_memory.providers.vault_edits import keeping_front_matter, minding_edits
from ethos_memory.providers.vault_notes import (
    MAX_NOTES,
    NOTE_MARK,
    NoteIndex,
    interleaved,
    is_note,
    scope_notes,
    vault_notes,
)
from ethos_memory.scope import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ethos_memory.disk import Durability
    from ethos_memory.entry import EraseReport, Origin, SearchHit, SyncReport, Update
    from ethos_memory.provider import SearchMode
    from ethos_memory.providers.batch import PageChange
    from ethos_memory.providers.vault_notes import Note
    from ethos_memory.scope import ScopeId

__all__ = ["NOTE_MARK", "VaultProvider"]

#: How many scopes with notes stay indexed.
_KEPT_SCOPES: Final = 16

_logger = logging.getLogger("ethos_memory")


class VaultProvider(MarkdownProvider):
    """Keeps memory in one folder of a vault. One object serves threads and processes.

    It differs from `MarkdownProvider` where the vault is its owner's:

    - A `Replace` or `Remove` that no person makes leaves the front matter of a page
      alone, byte for byte; a text with front matter of its own replaces it.
    - An editor who changes a page while it is written gets their way: a `Replace` or
      `Delete` raises `RevisionConflictError`, an `Add` or `Remove` is made on the new
      text.
    - A search also finds notes in the scope's folder whose names are no keys, such as
      ``merge (draft).md``. They are read only, like all that no key names.

    Args:
        vault: The vault, a folder that is there. ``~`` is not expanded.
        agent_dir: The agent's folder in it; ``/`` leads into folders below. It is made
            by the first write. Nothing outside it is written, unless `trusted_links`
            say so.
        search_vault: Also search the owner's own notes, outside `agent_dir`. Their
            hits have a key that begins with `NOTE_MARK`, then the path in the vault.
            Folders that `trusted_links` names are left out: a page may lie there.
        durability: ``"fast"`` skips the syncs, never the atomic rename.
        trusted_links: Folders that links below `agent_dir` may lead into.

    Raises:
        InvalidNameError: When `agent_dir` does not name a folder inside the vault.
        UnsafePathError: When the vault is not there: it may not be mounted, and a new
            one in its place would hide the memory that is in it.
        UnsupportedError: On Windows.
    """

    def __init__(
        self,
        vault: str | os.PathLike[str],
        *,
        agent_dir: str = "Ethos",
        search_vault: bool = False,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        self._vault = Path(vault)
        self._agent_dir = self._vault.joinpath(*_parts(agent_dir))
        self._links = tuple(map(Path, trusted_links))
        # The root is the agent's folder: the walk cannot leave it.
        super().__init__(
            self._agent_dir, durability=durability, trusted_links=self._links
        )
        self._vault_root = Root(vault) if search_vault else None
        self._vault_index = NoteIndex()
        self._scope_indexes = LruCache(_KEPT_SCOPES, NoteIndex)
        self._is_told = False
        self._check_vault()

    @override
    def close(self) -> None:
        """Let go of the vault. Can be repeated."""
        super().close()
        if self._vault_root is not None:
            self._vault_root.close()

    def metadata(self, scope: ScopeId | str, key: str) -> Mapping[str, object]:
        """Return the fields at the head of a page, as YAML has them. Private.

        They are the owner's words, and not screened by a guard.

        Returns:
            Nothing when there is no page, or no front matter that can be read.

        Raises:
            EthosMemoryError: As `read`.
        """
        entry = self.read(scope, key)
        found = front_matter(entry.content) if entry else None
        return MappingProxyType(dict(found.fields) if found else {})

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages and notes that hold what a person typed, best first.

        Pages and notes are ranked apart, and merged by rank.

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
        pages = super().search(scope, query, limit=limit, mode=mode)
        wanted = plain_text(query, what="query")
        if not limit:
            return pages
        notes = self._search_scope_notes(scope, wanted, limit)
        others = self._search_vault(wanted, limit)
        if not notes and not others:
            return pages
        return interleaved(pages, notes, others, limit=limit)

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order and tell what changed; see the class.

        Raises:
            RevisionConflictError: When a page is not at the wanted revision, or an
                editor changed it while it was written; keys in `written` were.
            EthosMemoryError: As `MarkdownProvider.sync`.
        """
        id, _ = self._place(scope)
        who = origin or UNNAMED
        batch = tuple(updates)
        changes = page_changes(batch)
        if not who.is_human:
            changes = tuple(keeping_front_matter(change, batch) for change in changes)
        return self._write(id, changes, who)

    @override
    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase a scope's pages, notes, copies, archive and history.

        The owner's notes outside `agent_dir` stay.

        Raises:
            EthosMemoryError: As `MarkdownProvider.erase`.
        """
        report = super().erase(scope)
        self._scope_indexes.forget(str(report.scope))
        return report

    @override
    def _write(
        self, id: ScopeId, changes: tuple[PageChange, ...], origin: Origin
    ) -> SyncReport:
        minding = tuple(
            minding_edits(change, str(id), partial(self._bytes, id, change.key))
            for change in changes
        )
        return super()._write(id, minding, origin)

    def _bytes(self, id: ScopeId, key: str) -> bytes | None:
        with self._root.folder(*self._layout.place(id)) as folder:
            stored = folder and folder.read(key, max_bytes=PAGE_BYTES)
            return stored.data if stored else None

    @override
    def _place(self, scope: ScopeId | str) -> tuple[ScopeId, tuple[str, ...]]:
        place = super()._place(scope)
        self._check_vault()
        return place

    def _check_vault(self) -> None:
        if not self._vault.is_dir():
            raise UnsafePathError(
                str(self._vault), "no folder; a vault is one that is there"
            )

    def _search_scope_notes(
        self, scope: ScopeId | str, query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        id, names = self._place(scope)
        with self._root.folder(*names) as folder:
            notes = scope_notes(folder) if folder is not None else ()
            if not notes:
                return ()
            return self._scope_indexes.use(str(id)).search(notes, query, limit)

    def _search_vault(self, query: str, limit: int) -> tuple[SearchHit, ...]:
        if self._vault_root is None:
            return ()
        skipped = self._skipped()
        with self._vault_root.folder() as vault:
            if vault is None or _identity(vault.fd) in skipped:
                return ()
            notes = self._some(vault_notes(vault, skipped))
            return self._vault_index.search(notes, query, limit)

    def _some(self, notes: Iterator[Note]) -> Iterator[Note]:
        yield from islice(notes, MAX_NOTES)
        if not self._is_told and next(notes, None) is not None:
            self._is_told = True
            _logger.warning(
                "%s: only the first %d notes of the vault are searched",
                ascii(str(self._vault)),
                MAX_NOTES,
            )

    def _skipped(self) -> frozenset[tuple[int, int]]:
        """Return the folders where memory may lie, whatever they are called."""
        found = []
        for path in (self._agent_dir, *self._links):
            # What is not there holds no note.
            with suppress(OSError):
                found.append(_identity(path))
        return frozenset(found)


def _identity(path: Path | int) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116 - a path or a descriptor
    return status.st_dev, status.st_ino


def _parts(agent_dir: str) -> tuple[str, ...]:
    """Return the folders that lead to the agent's, one component each."""
    text = plain_text(agent_dir, what="agent_dir")
    parts = tuple(text.split("/"))
    # The same rules as for the name of a note: visible, and no control characters.
    if not all(is_note(f"{part}.md") and "\\" not in part for part in parts):
        raise InvalidNameError(
            text, "agent_dir names a visible folder inside the vault, such as 'Ethos'"
        )
    if any(part != part.strip() or part.endswith(".") for part in parts):
        raise InvalidNameError(text, "agent_dir is padded, or ends in a dot")
    return parts
