"""What is remembered, as values: pages, the four updates, and what they report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

from ethos_memory.scope import ScopeId, parse_key, plain_text

if TYPE_CHECKING:
    from datetime import datetime

    from ethos_memory.verdict import Finding

__all__ = [
    "Add",
    "Change",
    "Delete",
    "EraseReport",
    "KeyChange",
    "MemoryEntry",
    "MemoryEntryRef",
    "MemorySnapshot",
    "Origin",
    "Remove",
    "Replace",
    "SearchHit",
    "SyncReport",
    "Update",
]

#: Sources that count as a person's own hand; see `Origin`.
_HUMAN_SOURCES: Final = frozenset({"web-editor", "cli", "restore"})

#: A page that loses this share of its bytes is worth a question (case B03).
_LARGE_SHRINK: Final = 0.8


def _text(value: str) -> str:
    """Take a plain copy in which a lone surrogate has become U+FFFD."""
    text = plain_text(value, what="content")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _substring(value: str) -> str:
    return plain_text(value, what="substring")


@frozen
class MemoryEntry:
    """One page as it is now.

    Attributes:
        key: The page's name.
        content: Its text. Private: in no `repr`.
        revision: sha256 of its exact bytes, in hex.
        updated_at: When it was last written, aware and in UTC.
        findings: What the guard says of it, when it was read through one.
    """

    key: str
    content: str = field(repr=False)
    revision: str = field(kw_only=True)
    updated_at: datetime = field(kw_only=True)
    findings: tuple[Finding, ...] = field(default=(), kw_only=True)


@frozen
class MemoryEntryRef:
    """A page's name and measures, without its text.

    Attributes:
        key: The page's name.
        size: Its size in bytes.
        updated_at: When it was last written, aware and in UTC.
        summary: Its first paragraph when summaries were asked for, else `None`.
    """

    key: str
    size: int
    updated_at: datetime = field(kw_only=True)
    summary: str | None = field(default=None, kw_only=True, repr=False)


@frozen
class SearchHit:
    """A page that a search found.

    Attributes:
        key: The page's name.
        content: The whole page. Private: in no `repr`.
        snippet: The text around the first hit.
        score: Larger is better; comparable within one search only.
        findings: What the guard says of the text.
    """

    key: str
    content: str = field(repr=False)
    snippet: str = field(kw_only=True, repr=False)
    score: float = field(kw_only=True)
    findings: tuple[Finding, ...] = field(default=(), kw_only=True)


@frozen
class MemorySnapshot:
    """The rolling pages of a scope, for a prompt; false when there are none."""

    scope: ScopeId
    entries: tuple[MemoryEntry, ...]

    def __bool__(self) -> bool:
        return bool(self.entries)


@frozen
class Add:
    """Append text to a page, after a blank line. Blank text changes nothing.

    Attributes:
        key: The page's name.
        content: What to append; a lone surrogate becomes U+FFFD.
    """

    key: str = field(converter=parse_key)
    content: str = field(converter=_text, repr=False)


@frozen
class Replace:
    """Put text in place of a whole page.

    Attributes:
        key: The page's name.
        content: The new text; a lone surrogate becomes U+FFFD.
        if_revision: The revision the page must have, ``""`` for "must not exist".
        exact: Whether the text is stored as it is: not trimmed, its own line ends and
            byte-order mark. For a page of which most is to stay byte for byte.
    """

    key: str = field(converter=parse_key)
    content: str = field(converter=_text, repr=False)
    if_revision: str | None = field(default=None, kw_only=True)
    exact: bool = field(default=False, kw_only=True)


@frozen
class Remove:
    """Drop every line that holds a substring: case-sensitive, no pattern.

    Attributes:
        key: The page's name.
        substring: What to look for; an empty one changes nothing.
    """

    key: str = field(converter=parse_key)
    substring: str = field(converter=_substring, repr=False)


@frozen
class Delete:
    """Delete a page. A page that is not there is no error.

    Attributes:
        key: The page's name.
        if_revision: The revision the page must have.
    """

    key: str = field(converter=parse_key)
    if_revision: str | None = field(default=None, kw_only=True)


Update: TypeAlias = Add | Replace | Remove | Delete


@frozen
class Origin:
    """Where a change comes from, for the history.

    Attributes:
        source: ``tool``, ``synthesis``, … ; ``web-editor``, ``cli`` and ``restore``
            count as a person's own hand.
        session_id: The session it happened in, if any.
        platform: The platform of that session, if any.
    """

    source: str
    session_id: str = ""
    platform: str = field(default="", kw_only=True)

    @property
    def is_human(self) -> bool:
        """Whether a person wrote this: stored and reported, never refused."""
        return self.source in _HUMAN_SOURCES


@frozen
class KeyChange:
    """What a batch did to one page.

    Attributes:
        key: The page's name.
        actions: The updates' names in order: ``add``, ``replace``, ``remove``,
            ``delete``.
        revision_before: ``""`` when there was no page.
        revision_after: ``""`` when there is none now; equal when nothing changed.
        size_before: Bytes.
        size_after: Bytes.
        lines_removed: Lines that the removals took.
    """

    key: str
    actions: tuple[str, ...]
    revision_before: str = field(kw_only=True)
    revision_after: str = field(kw_only=True)
    size_before: int = field(kw_only=True)
    size_after: int = field(kw_only=True)
    lines_removed: int = field(kw_only=True)

    @property
    def is_change(self) -> bool:
        """Whether the page is another one now."""
        return self.revision_before != self.revision_after

    @property
    def is_large_shrink(self) -> bool:
        """Whether at least 80 % of the page's bytes went (case B03)."""
        lost = self.size_before - self.size_after
        return lost > 0 and lost >= _LARGE_SHRINK * self.size_before


@frozen
class SyncReport:
    """What a batch did.

    Attributes:
        changes: One for each key, in the order the keys were first named.
        findings: What the guard saw in the batch.
    """

    changes: tuple[KeyChange, ...]
    findings: tuple[Finding, ...] = ()


@frozen
class Change:
    """A state that a page once had, from its history.

    Attributes:
        key: The page's name.
        revision: The revision this change led to; ``""`` after a deletion.
        at: When it happened, aware and in UTC.
        source: Who made it; see `Origin.source`.
        actions: The updates' names in order.
        content: The whole page after this change, `None` after a deletion. Private.
    """

    key: str
    revision: str
    at: datetime = field(kw_only=True)
    source: str = field(kw_only=True)
    actions: tuple[str, ...] = field(kw_only=True)
    content: str | None = field(kw_only=True, repr=False)


@frozen
class EraseReport:
    """What an erasure took.

    Attributes:
        scope: Whose memory it was.
        files: Names of the files that went, relative to the scope; empty when there
            was nothing left.
    """

    scope: ScopeId
    files: tuple[str, ...]
