"""What the four updates mean on text (DESIGN section 5; pure).

Byte for byte what Ethos does to a plain file, while line ends and a byte-order mark
are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.entry.values import Add, Delete, Replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.entry.values import Update

__all__ = ["Edit", "additions", "apply_updates", "edit", "trim", "trim_end"]

#: White space as JavaScript's `trim` has it: with U+FEFF, without U+001C to U+001F and
#: U+0085, which Python's `strip` takes as well. Ethos trims this way.
_WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_MARK: Final = "\ufeff"


@frozen
class Edit:
    """The outcome of updates on one text.

    Attributes:
        text: The new text, `None` when there is no page any more.
        lines_removed: Lines that the removals took.
    """

    text: str | None = field(repr=False)
    lines_removed: int = 0


def trim(text: str) -> str:
    """Drop white space at both ends, as JavaScript's `trim` has it."""
    return text.strip(_WHITE_SPACE)


def trim_end(text: str) -> str:
    """Drop white space at the end, as JavaScript's `trimEnd` has it."""
    return text.rstrip(_WHITE_SPACE)


def _line_end(text: str) -> str:
    """Return the line end that most lines of `text` have; LF on a tie."""
    if "\r" not in text:
        return "\n"
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def _with_line_end(content: str, line_end: str) -> str:
    lines = content.replace("\r\n", "\n")
    return lines if line_end == "\n" else lines.replace("\n", line_end)


def _closed(text: str, line_end: str) -> str:
    """Right-trim, and give the last line its own line end back."""
    kept = trim_end(text)
    if text.startswith("\n", len(kept)):
        return kept + "\n"
    return kept + ("\r\n" if text.startswith("\r\n", len(kept)) else line_end)


def _added(body: str, new: str) -> str:
    line_end = _line_end(body or new)
    added = _with_line_end(new, line_end) + line_end
    return _closed(body, line_end) + line_end + added if trim(body) else added


def _replaced(body: str, content: str) -> str:
    line_end = _line_end(body or content)
    return _with_line_end(trim(content), line_end) + line_end


def _removed(body: str, substring: str) -> tuple[str, int]:
    lines = body.split("\n")
    kept = [line for line in lines if substring not in line.removesuffix("\r")]
    gone = len(lines) - len(kept)
    if not substring or not gone:
        return body, 0
    return _closed("\n".join(kept), _line_end(body)), gone


def _applied(text: str | None, update: Update) -> tuple[str | None, int]:
    """Return the new text, and how many lines a removal took."""
    if isinstance(update, Delete):
        return None, 0
    mark = _MARK if text is not None and text.startswith(_MARK) else ""
    body = (text or "").removeprefix(_MARK)
    if isinstance(update, Replace):
        # A page is never an empty file.
        exact = (update.content or "\n") if update.exact else None
        return exact or mark + _replaced(body, update.content), 0
    if isinstance(update, Add):
        new = trim(update.content)
        return mark + _added(body, new) if new else text, 0
    kept, gone = _removed(body, update.substring)
    return mark + kept if gone else text, gone


def edit(text: str | None, updates: Iterable[Update]) -> Edit:
    """Apply updates to one page's text, in order, and count the lines removed.

    Keys, `if_revision` and the cap are the provider's business.

    Args:
        text: The page as it is, `None` when there is none.
        updates: Of one page.

    Returns:
        The new text and the number of lines that removals took.
    """
    gone = 0
    for update in updates:
        text, taken = _applied(text, update)
        gone += taken
    return Edit(text, gone)


def apply_updates(text: str | None, updates: Iterable[Update]) -> str | None:
    """Apply updates to one page's text, in order (DESIGN section 5).

    Byte-compatible with Ethos on files with plain line ends; a byte-order mark and
    the dominant line end of the page are kept, and lines that are not touched keep
    their bytes. Keys, `if_revision` and the cap are the provider's business.

    Args:
        text: The page as it is, `None` when there is none.
        updates: Of one page.

    Returns:
        The new text, `None` when there is no page any more.
    """
    return edit(text, updates).text


def additions(base: str, edited: str) -> str | None:
    """Say what an edit added at the end of a page, so that it can be made again.

    After a `RevisionConflictError`: when somebody only added to the page that they
    read, the same addition is an `Add` to the page as it is now, and nothing is lost.

    Args:
        base: The page that was read.
        edited: What was made of it.

    Returns:
        The added text, trimmed; `None` when the edit did anything else.
    """
    kept, now = (trim_end(text.replace("\r\n", "\n")) for text in (base, edited))
    added = now.removeprefix(kept)
    if not now.startswith(kept) or (kept and not added.startswith("\n")):
        return None
    return trim(added) or None
