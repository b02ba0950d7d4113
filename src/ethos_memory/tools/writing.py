"""Writing a page for a model: one entry, a report, no promise in place of text.

The raw updates mean what they say. Here a removal takes one whole entry or says why not
(case B04), and a replacement that promises the rest of a page is refused (case B03).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.entry import Add, Delete, Replace, trim
from ethos_memory.page import Removal, find_placeholder, remove_entry
from ethos_memory.providers.guarded_edit import Cut
from ethos_memory.tools.answer import Declined, unhidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import KeyChange, MemoryEntry, SyncReport, Update
    from ethos_memory.providers.guarded_view import SeenPage

__all__ = ["Page", "append", "delete", "remove", "replace"]

_UNSEEN: Final = (
    " It held a line that is not shown, which is gone with the rest: say so. The "
    "page's history keeps it."
)
_HIDDEN: Final = "Nothing was removed: the entry holds something that is not shown."

_MARKED: Final = " A credential in it was replaced by a marker."


@frozen
class Page:
    """One page, with the ways to it.

    Attributes:
        key: Its name.
        write: Applies one update.
        edit: Changes a part of it; `None` when there is no such page.
        show: Returns it as a model may read it.
    """

    key: str
    write: Callable[[Update], SyncReport] = field(repr=False)
    edit: Callable[[Callable[[SeenPage], Iterable[Cut]]], SyncReport | None] = field(
        repr=False
    )
    show: Callable[[], MemoryEntry | None] = field(repr=False)


def append(page: Page, content: str | None) -> str:
    """Add a note at the end.

    Raises:
        Declined: When there is no text.
    """
    report = page.write(Add(page.key, _text(content)))
    return _told("Appended to", report)


def replace(page: Page, content: str | None, *, if_revision: str | None) -> str:
    """Put a text in place of the whole page.

    Raises:
        Declined: When it is blank, or promises what it should hold.
    """
    text = _text(content)
    if find_placeholder(text) is not None:
        raise Declined(
            "Nothing was written: the content promises the rest of the page instead of "
            "holding it, and replacing keeps nothing of the old text. Send the whole "
            "page, or use add for a new note."
        )
    old = page.show()
    report = page.write(Replace(page.key, text, if_revision=if_revision))
    is_known = old is None or all(one.action != "withhold" for one in old.findings)
    return _told("Replaced", report) + ("" if is_known else _UNSEEN)


def remove(page: Page, needle: str | None, *, under: str | None) -> str:
    """Take one entry out, or nothing.

    Raises:
        Declined: When it is not clear which entry is meant; the candidates are listed.
        RevisionConflictError: When others kept changing the page.
    """
    found: list[Removal] = []

    def change(seen: SeenPage) -> list[Cut]:
        removal = _removal(seen, needle or "", under)
        found[:] = [removal]
        return [Cut(start, end) for start, end in removal.spans]

    with unhidden(_HIDDEN):
        report = page.edit(change)
    if report is None:
        raise Declined(f"Nothing was removed: {page.key} is empty.")
    return _told(_removed(found[0]), report)


def delete(page: Page) -> str:
    """Delete the page; its history keeps the text.

    Raises:
        Declined: When there is no such page.
    """
    report = page.write(Delete(page.key))
    if not any(change.is_change for change in report.changes):
        raise Declined(f"There is no page {page.key}.", "not_available")
    return _told("Deleted", report)


def _text(content: str | None) -> str:
    if content is None or not trim(content):
        raise Declined("Nothing was written: the content is empty.")
    return content


def _removal(page: SeenPage, needle: str, under: str | None) -> Removal:
    """Find the one entry that goes, by what the model can see."""
    outcome = remove_entry(page.text, needle, under=under)
    if isinstance(outcome, Removal):
        return outcome
    listed = "".join(f"\n- {page.told(one)}" for one in outcome.candidates)
    raise Declined(outcome.message + listed)


def _removed(removal: Removal) -> str:
    copies = len(removal.removed)
    what = "one entry" if copies == 1 else f"{copies} copies of one entry"
    lines = removal.lines_removed
    return f"Removed {what} ({lines} {'line' if lines == 1 else 'lines'}) from"


def _told(verb: str, report: SyncReport) -> str:
    sentences = [_sentence(verb, change) for change in report.changes]
    is_marked = any(finding.action == "redact" for finding in report.findings)
    return " ".join(sentences) + (_MARKED if is_marked else "")


def _sentence(verb: str, change: KeyChange) -> str:
    if not change.is_change:
        return f"{change.key} is as it was: it held the same text already."
    sizes = f"{change.size_before} -> {change.size_after} bytes"
    told = f"{verb} {change.key}: {sizes}."
    if change.is_large_shrink and change.size_after:
        lost = 100 * (change.size_before - change.size_after) // change.size_before
        told += (
            f" That took away {lost} % of the page. If it was not meant, say so: "
            "the page's history keeps the text before."
        )
    return told
