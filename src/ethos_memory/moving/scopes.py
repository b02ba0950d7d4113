"""What a home's folders hold, as PostgreSQL keeps it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import field, frozen

from ethos_memory.config import load_personality
from ethos_memory.disk import OUTSIDE
from ethos_memory.disk.journal import BLOBS, is_journal
from ethos_memory.errors import InvalidNameError
from ethos_memory.providers.cap import ARCHIVE
from ethos_memory.providers.inventory import VECTORS
from ethos_memory.providers.layout import HOME, TEAMS
from ethos_memory.providers.pages import is_page, revision_of
from ethos_memory.providers.postgres_import import ScopeContents, change_of
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ethos_memory.disk import Folder, Root
    from ethos_memory.entry import Change
    from ethos_memory.providers.guarded import Guard, GuardedProvider

__all__ = ["Reading", "UnfitError", "is_elsewhere", "read_scope", "scopes_of"]


class UnfitError(Exception):
    """PostgreSQL has no place for something in a scope; says what, without its text."""


@frozen
class Reading:
    """A scope, read whole.

    Attributes:
        contents: What is kept of it.
        revisions: Of each page in the home, to see whether it changed meanwhile.
        redacted: How many texts held a credential.
        aside: How many files are no memory of this library.
    """

    contents: ScopeContents
    revisions: dict[str, str] = field(factory=dict)
    redacted: int = 0
    aside: int = 0


def scopes_of(root: Root) -> Iterator[ScopeId]:
    """Yield every scope that has a folder in a home, sorted by kind and id.

    A folder whose name no scope can have is nobody's memory.
    """
    for layout in (HOME, TEAMS):
        for kind, (above, _) in layout.places.items():
            with root.folder(*above) as folder:
                names = [] if folder is None else _folders(folder)
            for name in names:
                with suppress(InvalidNameError):
                    yield ScopeId(kind, name)


def _folders(folder: Folder) -> list[str]:
    with os.scandir(folder.fd) as entries:
        # What a link leads to is the provider's to judge.
        return sorted(one.name for one in entries if one.is_dir())


def is_elsewhere(root: Root, scope: ScopeId) -> bool:
    """Tell whether a personality's own config keeps its memory in another place.

    Raises:
        CorruptFileError: When that config cannot be read.
    """
    if scope.kind != "personality":
        return False
    return load_personality(root, scope.id) not in (None, "absent")


def read_scope(provider: GuardedProvider, scope: ScopeId, guard: Guard) -> Reading:
    """Read everything of a scope.

    Credentials in pages, earlier states and the archive become markers, as in whatever
    is written; every other byte stays.

    Raises:
        UnfitError: When PostgreSQL has no place for it as it is.
        EthosMemoryError: When something cannot be read.
    """
    files: dict[str, bytes] = {}
    provider.unsafe_copy_files(scope, files.__setitem__)
    changed_at = {ref.key: ref.updated_at for ref in provider.list(scope)}
    pages = {name: data for name, data in files.items() if name in changed_at}
    if len({name.lower() for name in pages}) < len(pages):
        raise UnfitError("two pages differ in case only")
    screen = _Screen(guard, scope)
    changes = provider.history(scope)[::-1]
    states = [*map(screen.change, changes)]
    newest = {change.key: change for change in changes}
    for key, data in pages.items():
        text = _text(data, key)
        last = newest.pop(key, None)
        if last is None or last.content != text:
            states.append(screen.outside(key, text, changed_at[key]))
    # Pages that somebody removed by hand: their newest state is that there is none.
    states += [
        screen.outside(key, None, last.at)
        for key, last in newest.items()
        if last.content is not None
    ]
    archive = screen.text(_text(files.get(ARCHIVE, b""), ARCHIVE)).encode()
    contents = ScopeContents(
        tuple(states), {key: changed_at[key] for key in pages}, archive
    )
    revisions = {key: revision_of(data) for key, data in pages.items()}
    aside = sum(1 for name in files if not _is_kept(name))
    return Reading(contents, revisions, screen.redacted, aside)


def _is_kept(name: str) -> bool:
    """Tell whether what a file holds is copied, or is made anew from what is."""
    is_history = is_journal(name) or name.startswith(f"{BLOBS}/")
    return is_history or is_page(name) or name in (ARCHIVE, VECTORS)


def _text(data: bytes, name: str) -> str:
    with suppress(UnicodeDecodeError):
        return data.decode()
    msg = f"{name} is not UTF-8"
    raise UnfitError(msg)


class _Screen:
    """Replaces credentials in texts of one scope, and counts where there were any."""

    def __init__(self, guard: Guard, scope: ScopeId) -> None:
        self._guard = guard
        self._scope = scope
        self.redacted = 0

    def text(self, text: str) -> str:
        stored = self._guard.screen(text, self._scope).stored
        self.redacted += stored != text
        return stored

    def change(self, change: Change) -> Change:
        """Return a state of the history, as it is kept."""
        return self._changed(
            change.key, change.content, change.at, change.source, change.actions
        )

    def outside(self, key: str, text: str | None, at: datetime) -> Change:
        """Return a state that the history does not tell of."""
        return self._changed(key, text, at, OUTSIDE, ())

    def _changed(
        self,
        key: str,
        text: str | None,
        at: datetime,
        source: str,
        actions: tuple[str, ...],
    ) -> Change:
        kept = None if text is None else self.text(text)
        return change_of(key, kept, at=at, source=source, actions=actions)
