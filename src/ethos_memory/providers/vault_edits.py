"""Changes to a page that its owner edits as well: what is theirs is left alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import evolve

from ethos_memory.entry import Delete, Edit, Remove, Replace, edit, trim
from ethos_memory.errors import RevisionConflictError
from ethos_memory.page import front_matter
from ethos_memory.providers.pages import revision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import Update
    from ethos_memory.providers.batch import PageChange

__all__ = ["keeping_front_matter", "minding_edits"]

#: What these do is thought for the page as it was; an `Add` fits any page.
_OVERWRITING: Final = frozenset({"replace", "delete"})

_MARK: Final = "\ufeff"


def keeping_front_matter(change: PageChange, updates: Iterable[Update]) -> PageChange:
    """Return a change that leaves the fields at the head of the page alone.

    A `Replace` whose text has fields of its own puts those in their place; a `Delete`
    takes the whole page.

    Args:
        change: Of one page.
        updates: The batch it was made of.
    """
    batch = tuple(update for update in updates if update.key == change.key)
    return evolve(change, apply=partial(_edited, batch))


def _edited(batch: tuple[Update, ...], text: str | None) -> Edit:
    gone = 0
    for update in batch:
        step = _step(text, update)
        text, gone = step.text, gone + step.lines_removed
    return Edit(text, gone)


def _step(text: str | None, update: Update) -> Edit:
    plain = edit(text, [update])
    found = front_matter(text or "")
    if text is None or found is None or isinstance(update, Delete):
        return plain
    head, body = text[: found.end], text[found.end :]
    if isinstance(update, Remove):
        rest = edit(body, [update])
        return Edit(head + (rest.text or ""), rest.lines_removed)
    written = plain.text or ""
    if written.startswith(head):
        return plain
    if isinstance(update, Replace) and front_matter(trim(update.content)) is not None:
        return plain
    # What the page ends with is trimmed there, and this page ends with its head.
    line_end = "\r\n" if "\r\n" in head else "\n"
    if not isinstance(update, Replace):
        written = edit(line_end, [update]).text or ""
    gap = "" if head.endswith("\n") else line_end
    return Edit(head + gap + written.removeprefix(_MARK))


def minding_edits(
    change: PageChange, scope: str, page: Callable[[], bytes | None]
) -> PageChange:
    """Return a change that gives way to an editor instead of overwriting.

    When the page becomes another one between being read and being replaced, a change
    that holds a `Replace` or `Delete` is a conflict. An `Add` or `Remove` is made on
    the new text.

    Args:
        change: Of one page.
        scope: The scope id as text.
        page: Reads the page's bytes as they are on disk, `None` without a page.
    """
    if _OVERWRITING.isdisjoint(change.actions):
        return change
    return evolve(change, apply=_Minding(change, scope, page))


class _Minding:
    """Applies a change, and notices when it is asked for another page than before."""

    def __init__(
        self, change: PageChange, scope: str, page: Callable[[], bytes | None]
    ) -> None:
        self._change = change
        self._scope = scope
        self._page = page
        self._seen: list[str | None] = []

    def __call__(self, text: str | None) -> Edit:
        """Apply the change to a page's text.

        Raises:
            RevisionConflictError: When an editor changed the page meanwhile.
        """
        self._seen.append(text)
        edited = self._change.apply(text)
        data = None if text is None else text.encode()
        # What an editor wrote into a page that is replaced already is on disk no more.
        # It must go through, so that the history has it.
        if text != self._seen[0] and edited.text != text and self._page() == data:
            raise RevisionConflictError(
                self._scope, self._change.key, revision=revision_of(data), content=text
            )
        return edited
