"""Taking lines out of a page so that what stays means what it meant."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from ethos_memory.page.entries import entries_of
from ethos_memory.page.outline import outline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ethos_memory.page.entries import Entry
    from ethos_memory.page.outline import Outline

__all__ = ["Span", "cut_out", "without"]

#: The first code point, and one past the last.
Span: TypeAlias = tuple[int, int]


def _blanks(text: str, shape: Outline) -> set[int]:
    lines = enumerate(shape.lines)
    return {n for n, line in lines if not text[line.start : line.end].strip()}


def _with_separators(text: str, shape: Outline, gone: set[int]) -> set[int]:
    """Add the one separator of each note that is left empty, and its blank lines."""
    cuts = [block.first for block in shape.blocks if block.kind == "separator"]
    dropped = set(gone)
    blanks = _blanks(text, shape)
    for before, after in pairwise([-1, *cuts, len(shape.lines)]):
        inside = set(range(before + 1, after))
        if not inside & gone or inside - gone - blanks:
            continue
        dropped |= inside
        is_free = after < len(shape.lines) and after not in dropped
        dropped.add(after if is_free else before)
    return dropped


def _with_blanks(text: str, shape: Outline, gone: set[int]) -> set[int]:
    """Add one of the two blank lines around each gap, or the one at an end."""
    blanks = _blanks(text, shape)
    dropped = set(gone)
    for number in sorted(gone):
        after = number + 1
        if after in gone:
            continue
        before = number
        while before in gone:
            before -= 1
        is_bare = before < 0 or before in blanks
        if is_bare and after in blanks:
            dropped.add(after)
        elif before in blanks and after == len(shape.lines):
            dropped.add(before)
    return dropped


def _spans(shape: Outline, gone: Collection[int], *, gap: int = -1) -> tuple[Span, ...]:
    """Return where the lines stand that go; of line `gap` the line end stays."""
    lines = shape.lines
    found = [
        (line.start, line.end if number == gap else line.stop)
        for number, line in enumerate(lines)
        if number in gone
    ]
    ends_open = lines[-1].end == lines[-1].stop
    if ends_open and len(lines) - 1 in gone:
        # What is the last line now ends as open as the one before did.
        kept = [n for n in range(len(lines)) if n not in gone or n == gap]
        found += [(lines[n].end, lines[n].stop) for n in kept[-1:]]
    return _merged(sorted(found))


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in spans:
        if merged and merged[-1][1] == start:
            start = merged.pop()[0]  # noqa: PLW2901, they touch
        merged.append((start, end))
    return tuple(merged)


def cut_out(text: str, spans: Iterable[Span]) -> str:
    """Return a text without some spans, which are in order and apart."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces.append(text[done:start])
        done = end
    return "".join([*pieces, text[done:]])


def _leaves(entries: Sequence[Entry], gone: Collection[int]) -> list[tuple[str, str]]:
    return [
        (entry.kind, entry.text)
        for top in entries
        for entry in top.flat()
        if entry.text and entry.first_line not in gone
    ]


def without(
    text: str, entries: Sequence[Entry], taken: Sequence[Entry]
) -> tuple[Span, ...] | None:
    """Say what of a page goes with some of its entries.

    A note takes one separator along; a gap keeps one blank line. Where taking lines
    out would make another thing of their neighbours (text above a rule becomes a
    heading), a blank line stays in the gap.

    Args:
        text: The page.
        entries: All its entries.
        taken: Those that go, with what is nested in them.

    Returns:
        The spans that go, in order and apart: whatever stays keeps its bytes. `None`
        when the entries of what is left would not be the remaining ones.
    """
    shape = outline(text)
    gone = {n for one in taken for n in range(one.first_line, one.last_line + 1)}
    spread = _with_separators(text, shape, gone)
    if any(one.kind == "note" for one in taken):
        return _spans(shape, spread)
    wanted = _leaves(entries, gone)
    gap = taken[0].last_line
    for dropped, kept in ((_with_blanks(text, shape, spread), -1), (spread, gap)):
        spans = _spans(shape, dropped, gap=kept)
        left = cut_out(text, spans)
        if _leaves(entries_of(left, outline(left)), ()) == wanted:
            return spans
    return None
