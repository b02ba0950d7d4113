"""Pages of a person, with all that was kept beside them: the provider's part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import UnsupportedError
from ethos_memory.person.holder import Holding
from ethos_memory.providers.inventory import StoredFile
from ethos_memory.providers.pages import is_page
from ethos_memory.providers.undoing import difference
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.entry import Change
    from ethos_memory.person.destination import ExportFolder
    from ethos_memory.providers.guarded import GuardedProvider

__all__ = ["PageHolder"]

_HISTORY: Final = "earlier states of the pages, newest first"

#: What a file of a scope is; the first pattern that fits tells.
_KINDS: Final = (
    (re.compile(r"memory-archive\.md"), "what was too much for a page"),
    (re.compile(r"memory-history.*"), "the history as it is kept, one change a line"),
    (re.compile(r"history-blobs/.*"), "an earlier state of a page, named by its hash"),
    (re.compile(r"memory-vectors\.bin"), "vectors of the pages, for searching"),
    (re.compile(r"memory-.*\.jsonl?"), "what Ethos keeps beside the pages"),
)


class PageHolder:
    """Pages, history, archive and copies in the ``user:`` scope of each id.

    A provider of the five calls alone is asked for its pages, and for its history when
    it keeps one. One that cannot erase cannot forget a person, and says so.

    Args:
        provider: What keeps the pages.
    """

    name = "pages"
    stays = "what pages of a personality or a team say of the person"

    def __init__(self, provider: GuardedProvider) -> None:
        self._provider = provider

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return every file that is memory."""
        return self._found(user_ids, is_memory=True)

    def leftovers(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return every file in the person's folders that is no memory."""
        return self._found(user_ids, is_memory=False)

    def _found(
        self, user_ids: tuple[str, ...], *, is_memory: bool
    ) -> tuple[Holding, ...]:
        return tuple(
            Holding(self.name, id, name=file.name, size=file.size)
            for id in user_ids
            for file in self._files(ScopeId.user(id))
            if file.is_memory == is_memory
        )

    def _files(self, scope: ScopeId) -> tuple[StoredFile, ...]:
        try:
            return self._provider.files(scope)
        except UnsupportedError:
            pass
        pages = self._provider.list(scope)
        found = [StoredFile(page.key, page.size, is_memory=True) for page in pages]
        changes = self._changes(scope)
        if changes:
            size = sum(len((one.content or "").encode()) for one in changes)
            found.append(StoredFile("history", size, is_memory=True))
        return tuple(found)

    def _changes(self, scope: ScopeId) -> tuple[Change, ...]:
        try:
            return self._provider.history(scope)
        except UnsupportedError:
            return ()

    def export(self, user_ids: tuple[str, ...], into: ExportFolder) -> None:
        """Put each file as it is, and the history once more so that people can read it.

        Raises:
            EthosMemoryError: When something cannot be read.
        """
        for id in user_ids:
            scope = ScopeId.user(id)
            self._export_files(scope, into)
            changes = self._changes(scope)
            if changes:
                text = "".join(_told(changes)).encode(errors="replace")
                into.put(f"{id}/history.diff", text, what=_HISTORY, source=str(scope))

    def _export_files(self, scope: ScopeId, into: ExportFolder) -> None:
        def take(name: str, data: bytes) -> None:
            path = f"{scope.id}/pages/{name}"
            into.put(path, data, what=_what(name), source=f"{scope} {name}")

        try:
            self._provider.unsafe_copy_files(scope, take)
        except UnsupportedError:
            pass
        else:
            return
        for ref in self._provider.list(scope):
            entry = self._provider.unsafe_read(scope, ref.key)
            if entry is not None:
                take(ref.key, entry.content.encode(errors="replace"))

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Erase every file that is memory.

        Raises:
            UnsupportedError: When the provider cannot erase; nothing went.
            EthosMemoryError: When something cannot be erased. Repeat it.
        """
        gone = []
        for id in user_ids:
            scope = ScopeId.user(id)
            sizes = {file.name: file.size for file in self._files(scope)}
            report = self._provider.erase(scope)
            gone += [
                Holding(self.name, id, name=name, size=sizes.get(name))
                for name in report.files
            ]
        return tuple(gone)


def _what(name: str) -> str:
    if is_page(name):
        return "a page"
    fitting = (what for kind, what in _KINDS if kind.fullmatch(name))
    return next(fitting, "a copy of a page, made by another program")


def _told(changes: tuple[Change, ...]) -> Iterator[str]:
    """Write changes, newest first, each as what it did to its page."""
    older: dict[str, Change] = {}
    texts = []
    for change in reversed(changes):
        diff = difference(older.get(change.key), change, key=change.key)
        actions = ", ".join(change.actions) or "found so"
        at = f"{change.at:%Y-%m-%d %H:%M:%S} UTC"
        head = f"# {change.key}, {at}: {actions}, by {change.source}\n"
        texts.append(f"{head}{diff}\n")
        older[change.key] = change
    return reversed(texts)
