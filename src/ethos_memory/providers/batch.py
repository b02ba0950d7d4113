"""A batch of updates, sorted by page, and the revisions it expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.entry import Add, Delete, Edit, Remove, Replace, edit
from ethos_memory.errors import RevisionConflictError
from ethos_memory.providers.pages import revision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import Update

__all__ = ["PageChange", "compare", "page_changes", "restoration"]

_UPDATES: Final = (Add, Replace, Remove, Delete)

#: Those that may expect a revision.
_EXPECTING: Final = (Replace, Delete)


@frozen
class PageChange:
    """What is to be done to one page.

    Attributes:
        key: The page.
        actions: The updates' names in order.
        apply: From the page's text, `None` when there is none, to the outcome. It may
            be asked several times.
        expected: What the page's revision must be, ``""`` for no page.
        destroys: Whether text may be lost from the page.
    """

    key: str
    actions: tuple[str, ...]
    apply: Callable[[str | None], Edit] = field(kw_only=True, repr=False)
    expected: tuple[str, ...] = field(kw_only=True)
    destroys: bool = field(kw_only=True)


def page_changes(updates: Iterable[Update]) -> tuple[PageChange, ...]:
    """Sort updates by page, in the order the pages are first named.

    Raises:
        TypeError: When something else is among them.
    """
    by_key: dict[str, list[Update]] = {}
    for update in updates:
        if not isinstance(update, _UPDATES):
            msg = f"not an update: {type(update).__name__}"
            raise TypeError(msg)
        by_key.setdefault(update.key, []).append(update)
    return tuple(_change(key, batch) for key, batch in by_key.items())


def restoration(key: str, content: str | None) -> PageChange:
    """Return the change that gives a page exactly this text; `None` deletes it."""
    return PageChange(
        key,
        ("delete",) if content is None else ("replace",),
        apply=lambda _: Edit(content),
        expected=(),
        destroys=True,
    )


def _change(key: str, batch: list[Update]) -> PageChange:
    wanted = [one.if_revision for one in batch if isinstance(one, _EXPECTING)]
    return PageChange(
        key,
        tuple([type(one).__name__.lower() for one in batch]),
        apply=lambda text: edit(text, batch),
        expected=tuple([revision for revision in wanted if revision is not None]),
        destroys=not all(isinstance(one, Add) for one in batch),
    )


def compare(change: PageChange, scope: str, data: bytes | None) -> None:
    """Compare a page's bytes with the revisions that a change expects.

    Raises:
        RevisionConflictError: When they differ.
    """
    if not change.expected:
        return
    revision = revision_of(data)
    if any(expected != revision for expected in change.expected):
        content = None if data is None else data.decode(errors="replace")
        raise RevisionConflictError(
            scope, change.key, revision=revision, content=content
        )
