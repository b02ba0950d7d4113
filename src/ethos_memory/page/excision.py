"""Taking lines out of a page so that what stays means what it meant."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ethos_memory.page.entries import entries_of
from ethos_memory.page.outline import outline

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ethos_memory.page.entries import Entry
    from ethos_memory.page.outline import Outline

__all__ = ["without"]


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


def _joined(text: str, shape: Outline, gone: Collection[int], *, gap: int = -1) -> str:
    """Write the lines that stay; instead of line `gap` a blank one."""
    first = shape.lines[0].start
    pieces = [text[:first]]
    for number, line in enumerate(shape.lines):
        if number not in gone:
            pieces.append(text[line.start : line.stop])
        elif number == gap:
            pieces.append(text[line.end : line.stop])
    whole = "".join(pieces)
    ends_open = shape.lines[-1].end == shape.lines[-1].stop
    if not ends_open or not whole or len(shape.lines) - 1 not in gone:
        return whole
    return whole.removesuffix("\n").removesuffix("\r")


def _leaves(entries: Sequence[Entry], gone: Collection[int]) -> list[tuple[str, str]]:
    return [
        (entry.kind, entry.text)
        for top in entries
        for entry in top.flat()
        if entry.text and entry.first_line not in gone
    ]


def without(text: str, entries: Sequence[Entry], taken: Sequence[Entry]) -> str | None:
    """Return a page without some of its entries.

    A note takes one separator along; a gap keeps one blank line. Where taking lines
    out would make another thing of their neighbours (text above a rule becomes a
    heading), a blank line stays in the gap.

    Args:
        text: The page.
        entries: All its entries.
        taken: Those that go, with what is nested in them.

    Returns:
        The new page, every line that stays byte for byte; `None` when its entries
        would not be the remaining ones.
    """
    shape = outline(text)
    gone = {n for one in taken for n in range(one.first_line, one.last_line + 1)}
    spread = _with_separators(text, shape, gone)
    if any(one.kind == "note" for one in taken):
        return _joined(text, shape, spread)
    wanted = _leaves(entries, gone)
    gap = taken[0].last_line
    for dropped, kept in ((_with_blanks(text, shape, spread), -1), (spread, gap)):
        left = _joined(text, shape, dropped, gap=kept)
        if _leaves(entries_of(left, outline(left)), ()) == wanted:
            return left
    return None
