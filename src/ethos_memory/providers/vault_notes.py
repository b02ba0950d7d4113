"""Notes that are no pages: files with names of their own, found by a search.

Only read, and never under a name that a page could have.
"""

from __future__ import annotations

import os
import re
import stat
import threading
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.disk import is_journal
from ethos_memory.disk.opening import signature_of
from ethos_memory.entry import SearchHit
from ethos_memory.providers.file_texts import FileTexts
from ethos_memory.providers.pages import is_page
from ethos_memory.providers.rank_fusion import reciprocal_rank
from ethos_memory.scope import PAGES, is_sync_copy
from ethos_memory.words import Index, snippet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ethos_memory.disk import Folder, Signature
    from ethos_memory.words import Match

__all__ = [
    "MAX_NOTES",
    "NOTE_MARK",
    "Note",
    "NoteIndex",
    "interleaved",
    "is_note",
    "scope_notes",
    "vault_notes",
]

#: Before the path of an owner's note. No key of a page holds a colon.
NOTE_MARK: Final = "vault:"

#: The most notes of a vault that are searched. Ethos stops at 1,000; few vaults have
#: more than this.
MAX_NOTES: Final = 5_000

#: Deepest folder below the vault that is looked into.
_DEEPEST: Final = 32

#: Controls, line separators, marks that reorder text, and undecodable bytes: in a log
#: or a prompt, a name with one of these could pass for something else.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

#: Memory of somebody, or the agent itself, wherever it lies.
_NEVER: Final = frozenset(
    {"soul.md", "memory-archive.md", *(page.lower() for page in PAGES)}
)


@frozen
class Note:
    """A file that a search may look into.

    Attributes:
        key: What it is called in a hit.
        folder: The open folder it lies in.
        name: Its name there.
        signature: What changes when it does.
    """

    key: str = field(repr=False)
    folder: Folder = field(repr=False)
    name: str = field(kw_only=True, repr=False)
    signature: Signature = field(kw_only=True)


def is_note(name: str) -> bool:
    """Tell whether a file's name is one that a person gives to a note.

    Spaces, accents and any script are fine. Hidden files, copies of sync services,
    names that could forge a line, and the names of memory itself are none.
    """
    folded = unicodedata.normalize("NFC", name).lower()
    return (
        folded.endswith(".md")
        and not folded.startswith(".")
        and folded not in _NEVER
        and not is_sync_copy(name)
        and not _UNSAFE.search(name)
    )


def scope_notes(folder: Folder) -> tuple[Note, ...]:
    """Return the notes in a scope's folder whose names are no keys.

    Args:
        folder: The scope's, open for as long as the notes are used.
    """
    # Nearly all names are keys: only the others are looked at.
    others = [
        (name, folder.status(name))
        for name in folder.names()
        if not is_page(name) and is_note(name)
    ]
    return tuple(
        Note(name, folder, name=name, signature=signature_of(status))
        for name, status in others
        if status is not None and stat.S_ISREG(status.st_mode)
    )


def vault_notes(
    folder: Folder,
    skipped: Collection[tuple[int, int]],
    *,
    above: tuple[str, ...] = (),
) -> Iterator[Note]:
    """Yield the owner's notes, folder by folder.

    Hidden folders, links and folders that hold somebody's memory are left out.

    Args:
        folder: The vault, or a folder in it.
        skipped: Device and number of each folder that is left out whole.
        above: Names of the folders between the vault and this one.
    """
    # Sorted, so that the same notes are found when there are too many of them.
    with os.scandir(folder.fd) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
        files = [one for one in listed if one.is_file(follow_symlinks=False)]
        below = [one.name for one in listed if one.is_dir(follow_symlinks=False)]
        if any(is_journal(one.name) for one in files):
            return
        statuses = {}
        for one in files:
            # The owner's editor may have taken it away since.
            with suppress(FileNotFoundError):
                if is_note(one.name):
                    statuses[one.name] = one.stat(follow_symlinks=False)
    for name, status in statuses.items():
        key = NOTE_MARK + "/".join((*above, name))
        yield Note(key, folder, name=name, signature=signature_of(status))
    if len(above) < _DEEPEST:
        for name in below:
            if not name.startswith(".") and not _UNSAFE.search(name):
                yield from _notes_below(folder, name, skipped, (*above, name))


def _notes_below(
    folder: Folder,
    name: str,
    skipped: Collection[tuple[int, int]],
    path: tuple[str, ...],
) -> Iterator[Note]:
    try:
        opened = folder.folder(name)
    except OSError:
        # Not ours to read, or something else by now; the other notes are found.
        return
    with opened as inner:
        if inner is None:
            return
        status = os.fstat(inner.fd)
        if (status.st_dev, status.st_ino) not in skipped:
            yield from vault_notes(inner, skipped, above=path)


class NoteIndex:
    """A search over notes, always as they stand on disk. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._index = Index()
        # Their owner may have taken the right to read some of them from the agent.
        self._texts = FileTexts(unreadable=(PermissionError,))

    def search(
        self, notes: Iterable[Note], query: str, limit: int
    ) -> tuple[SearchHit, ...]:
        """Return the notes that hold what a person typed in text or name, best first.

        Args:
            notes: All there are now; each is read before the next is asked for.
            query: Any text.
            limit: The most hits.
        """
        with self._lock:
            self._refresh(notes)
            matches = self._index.search(query, limit)
            return tuple(self._hit(match) for match in matches)

    def _hit(self, match: Match) -> SearchHit:
        text = self._texts[match.name]
        # Behind the text stands the name.
        start, end = (min(place, len(text)) for place in (match.start, match.end))
        shown = snippet(text, start, end) if start < end else snippet(text, 0, 0)
        return SearchHit(match.name, text, snippet=shown, score=match.score)

    def _refresh(self, notes: Iterable[Note]) -> None:
        there = set()
        for note in notes:
            there.add(note.key)
            if not self._texts.is_as_read(note.key, note.signature):
                self._read(note)
        for key, _ in self._texts.drop_others(there):
            self._index.discard(key)

    def _read(self, note: Note) -> None:
        for key, text in self._texts.read(note.key, note.folder, note.name):
            if text is None:
                self._index.discard(key)
            else:
                title = note.name[: -len(".md")]
                self._index.put(key, f"{text}\n{title}")


def interleaved(*ranked: tuple[SearchHit, ...], limit: int) -> tuple[SearchHit, ...]:
    """Merge lists of hits whose scores do not compare, by rank.

    Args:
        ranked: Each list best first; of equal ranks, the earlier list's comes first.
        limit: The most hits.
    """
    merged = [
        evolve(hit, score=reciprocal_rank(rank))
        for hits in ranked
        for rank, hit in enumerate(hits, 1)
    ]
    return tuple(sorted(merged, key=lambda hit: -hit.score)[:limit])
