"""A page as a model may read it, line for line beside the page as it is.

What the guard shows cannot be edited: a marker stands where a list item stood, so that
the lines around it belong together in another way. Here a withheld line keeps its shape
and loses its words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.providers.guarded_refusal import CONTEXT_RULE, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ethos_memory.entry import MemoryEntry
    from ethos_memory.verdict import Finding, Verdict

__all__ = ["SeenLine", "SeenPage", "seen_lines", "split_lines"]

#: The lines of a page, as `page` has them.
_LINE: Final = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")

#: What ends a line for the guard: more than what ends one of a page.
_GUARD_ENDS: Final = re.compile("([\n\r\x0b\x0c\x85\u2028\u2029]+)")

#: Unicode's noncharacters: in no text that anybody exchanges.
_MASKS: Final = tuple(map(chr, range(0xFDD0, 0xFDF0)))

#: What tells where a line of markdown belongs; numbers count in front of an item only.
_OPENING: Final = re.compile(r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*")
_SHAPE: Final = re.compile("[\\s\x00-\x1f!-/:-@\\[-`{-~§]")

_UNREADABLE: Final = "[a line that is not shown]"


@frozen
class SeenLine:
    """One line, without its end.

    Attributes:
        text: As a model may read it; a withheld one with its letters masked. Private.
        raw: As it is; several lines of a page when a credential spans them. Private.
        end: What ends it, ``""`` at the end of a page.
        is_hidden: Whether something in it is withheld.
        secrets: The credentials that are replaced in `text`.
    """

    text: str = field(repr=False)
    raw: str = field(repr=False)
    end: str = field(kw_only=True)
    is_hidden: bool = field(default=False, kw_only=True)
    secrets: tuple[Finding, ...] = field(default=(), kw_only=True)


@frozen
class SeenPage:
    """A page for somebody who is about to change it.

    Attributes:
        key: Its name.
        lines: What it is made of.
        revision: The state it was read in.
        size: Its size in bytes.
        findings: What the guard says of it.
        mask: The character that stands for each letter that is withheld; ``""`` when
            nothing is.
    """

    key: str
    lines: tuple[SeenLine, ...] = field(repr=False)
    revision: str = field(kw_only=True)
    size: int = field(kw_only=True)
    findings: tuple[Finding, ...] = field(default=(), kw_only=True)
    mask: str = field(default="", kw_only=True, repr=False)

    @classmethod
    def of_model(cls, entry: MemoryEntry, verdict: Verdict) -> SeenPage:
        """Return a page for whoever sees what the guard shows.

        Raises:
            GuardRefusedError: When that cannot be matched with the page.
        """
        mask = next((one for one in _MASKS if one not in entry.content), "")
        lines = seen_lines(entry.content, verdict, mask) if mask else None
        if lines is None:
            raise refusal(CONTEXT_RULE)
        return cls(
            entry.key,
            lines,
            revision=entry.revision,
            size=_size(entry.content),
            findings=verdict.findings,
            mask=mask,
        )

    @classmethod
    def of_person(cls, entry: MemoryEntry) -> SeenPage:
        """Return a page for whoever sees it as it is."""
        return cls(
            entry.key,
            split_lines(entry.content),
            revision=entry.revision,
            size=_size(entry.content),
        )

    @property
    def text(self) -> str:
        """The page as it may be searched, and cut by positions in it. Private."""
        return "".join(line.text + line.end for line in self.lines)

    def told(self, text: str) -> str:
        """Return a piece of `text` for a model: nothing masked is left in it."""
        if not self.mask:
            return text
        return "\n".join(
            _UNREADABLE if self.mask in line else line for line in text.split("\n")
        )


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def split_lines(text: str) -> tuple[SeenLine, ...]:
    """Return the lines of a text as a person sees them: all of it."""
    found = (match.groups() for match in _LINE.finditer(text) if match[0])
    return tuple(SeenLine(line, line, end=end) for line, end in found)


def seen_lines(raw: str, verdict: Verdict, mask: str) -> tuple[SeenLine, ...] | None:
    """Set what a model may read beside what is there.

    Args:
        raw: The page as it is.
        verdict: What the guard says of it.
        mask: A character that the page does not hold.

    Returns:
        The lines; `None` when the two cannot be matched line for line.
    """
    if verdict.shown == verdict.stored == raw:
        return split_lines(raw)
    masked = _masked(verdict, mask)
    if masked is None:
        return None
    text, hidden = masked
    seen, stored = split_lines(text), split_lines(verdict.stored)
    groups = _groups(raw, [one for one in verdict.findings if one.action == "redact"])
    if len(groups) != len(seen):
        return None
    for group, kept in zip(groups, stored, strict=True):
        is_same = bool(group.secrets) or group.raw == kept.raw
        if group.end != kept.end or not is_same:
            return None
    return tuple(
        evolve(group, text=line.text, is_hidden=number in hidden)
        if group.secrets or number in hidden
        else group
        for number, (group, line) in enumerate(zip(groups, seen, strict=True))
    )


def _masked(verdict: Verdict, mask: str) -> tuple[str, frozenset[int]] | None:
    """Return the text with withheld lines masked, and the numbers of those."""
    stored, shown = (_GUARD_ENDS.split(one) for one in (verdict.stored, verdict.shown))
    if stored[1::2] != shown[1::2]:
        return None
    starts = _starts(split_lines(verdict.stored))
    hidden: set[int] = set()
    at = 0
    pieces: list[str] = []
    for number, piece in enumerate(stored):
        is_withheld = piece != shown[number]
        if is_withheld:
            hidden.add(bisect_right(starts, at) - 1)
        pieces.append(_without_words(piece, mask) if is_withheld else piece)
        at += len(piece)
    return "".join(pieces), frozenset(hidden)


def _without_words(line: str, mask: str) -> str:
    opening = _OPENING.match(line)
    kept = opening[0] if opening else ""
    rest = line[len(kept) :]
    return kept + "".join(c if _SHAPE.match(c) else mask for c in rest)


def _starts(lines: Sequence[SeenLine]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.raw) + len(line.end))
    return starts


def _groups(raw: str, secrets: Iterable[Finding]) -> list[SeenLine]:
    """Return the lines with their credentials; those that one spans are one line."""
    lines = split_lines(raw)
    starts = _starts(lines)
    about: dict[int, list[tuple[Finding, int]]] = {}
    for one in secrets:
        first = bisect_right(starts, one.start) - 1
        ends_line = raw[one.end - 1 : one.end] in {"\r", "\n"}
        last = bisect_right(starts, one.end if ends_line else one.end - 1) - 1
        about.setdefault(first, []).append((one, min(last, len(lines) - 1)))
    groups: list[SeenLine] = []
    first = 0
    while first < len(lines):
        if first not in about:
            groups.append(lines[first])
            first += 1
            continue
        last, found, at = first, [], first
        while at <= last:
            for one, upto in about.get(at, ()):
                found.append(one)
                last = max(last, upto)
            at += 1
        end = lines[last].end
        whole = "".join(line.raw + line.end for line in lines[first : last + 1])
        text = whole.removesuffix(end)
        groups.append(SeenLine(text, text, end=end, secrets=tuple(found)))
        first = last + 1
    return groups
