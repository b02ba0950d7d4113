"""The entries of a page: what a person would call one remembered thing.

Two families are in use. In one, entries are separated by lines that hold nothing but
``§``; in the other a page is markdown, and an entry is a list item with its continuation
and nested items, a line of text, a table's row, a fence, a quote or a comment.
"""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import evolve, field, frozen

from ethos_memory.page.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ethos_memory.page.outline import Line, Outline
    from ethos_memory.page.scanner import Block, Container

__all__ = ["Entry", "EntryKind", "entries", "entries_of"]

#: What an entry is. ``note`` stands between two separators; ``paragraph`` and
#: ``table`` are there for their lines and rows.
EntryKind: TypeAlias = Literal[
    "note",
    "item",
    "paragraph",
    "line",
    "table",
    "row",
    "heading",
    "fence",
    "code",
    "quote",
    "comment",
]

_CELL_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")

_CELL: Final = re.compile(r"(?<!\\)\|")

_HEADER: Final = "a table's first two lines stay while it has rows"
_OPEN_FENCE: Final = "a code fence in it is never closed, so where it ends is unknown"
_IN_USE: Final = "a heading stays while there is something under it"


@frozen
class Entry:
    """One remembered thing.

    Attributes:
        kind: What it is.
        text: Its own lines, each trimmed, joined by LF; without nested entries, and
            empty when it is made of nothing else. Private: in no `repr`.
        first_line: Its first line, counted from 0.
        last_line: Its last line, nested entries included.
        start: First code point of its first line.
        end: One past the last code point of its last line.
        children: Nested entries, in order.
        headings: The headings it stands under, outermost first. Private.
        protected: Why it must not go by itself; empty when it may.
    """

    kind: EntryKind
    text: str = field(repr=False)
    first_line: int = field(kw_only=True)
    last_line: int = field(kw_only=True)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)
    children: tuple[Entry, ...] = field(default=(), kw_only=True)
    headings: tuple[str, ...] = field(default=(), kw_only=True, repr=False)
    protected: str = field(default="", kw_only=True)

    def flat(self) -> Iterator[Entry]:
        """Yield this entry and every one nested in it, in order."""
        yield self
        for child in self.children:
            yield from child.flat()


@frozen
class _Page:
    """Makes entries out of the lines of one page."""

    source: str = field(repr=False)
    lines: Sequence[Line]

    def line(self, number: int) -> str:
        place = self.lines[number]
        return self.source[place.start : place.end]

    def entry(
        self,
        kind: EntryKind,
        first: int,
        last: int,
        *,
        children: Iterable[Entry] = (),
        protected: str = "",
    ) -> Entry:
        nested = tuple(children)
        taken = {
            number
            for child in nested
            for number in range(child.first_line, child.last_line + 1)
        }
        own = (self.line(n).strip() for n in range(first, last + 1) if n not in taken)
        return Entry(
            kind,
            "\n".join(own).strip(),
            first_line=first,
            last_line=last,
            start=self.lines[first].start,
            end=self.lines[last].end,
            children=nested,
            protected=protected,
        )

    def text(self, block: Block) -> Entry:
        """Make entries of a paragraph: its lines, or a table's rows."""
        rows = range(block.first, block.last + 1)
        table = self._table(block)
        if table is None:
            lines = [self.entry("line", number, number) for number in rows]
        else:
            lines = [
                self.entry(
                    "row" if number >= table else "line",
                    number,
                    number,
                    protected=_HEADER if table <= number < table + 2 else "",
                )
                for number in rows
            ]
        if len(lines) == 1:
            return lines[0]
        kind: EntryKind = "paragraph" if table is None else "table"
        return self.entry(kind, block.first, block.last, children=lines)

    def _table(self, block: Block) -> int | None:
        """Return the line of a table's header, if the paragraph is or holds one."""
        for header, rule in pairwise(range(block.first, block.last + 1)):
            below = self.line(rule)
            if "|" in below and _CELL_RULE.fullmatch(below):
                columns = {_columns(self.line(header)), _columns(below)}
                return header if len(columns) == 1 else None
        return None


def _columns(row: str) -> int:
    return len(_CELL.split(row.strip().removeprefix("|").removesuffix("|")))


def _grouped(page: _Page, blocks: Sequence[Block], depth: int = 0) -> Iterator[Entry]:
    """Make entries of blocks that stand in the same containers up to `depth`."""
    at = 0
    while at < len(blocks):
        block = blocks[at]
        if len(block.around) == depth:
            at += 1
            if not depth:
                yield from _outside(page, block)
            continue
        around = block.around[depth]
        upto = at
        while upto < len(blocks) and around in blocks[upto].around:
            upto += 1
        yield from _contained(page, around, blocks[at:upto], depth + 1)
        at = upto


def _contained(
    page: _Page, around: Container, blocks: Sequence[Block], depth: int
) -> Iterator[Entry]:
    """Make an entry of a list item, or of a quote that is in no list."""
    last = max(block.last for block in blocks)
    if around.is_quote:
        if depth == 1:
            protected = _unclosed(blocks)
            yield page.entry("quote", around.first, last, protected=protected)
        return
    nested: list[Entry] = []
    for child in _grouped(page, blocks, depth):
        # In `- - x` the inner item has no line of its own: the two are one entry.
        is_own_line = child.first_line > around.first
        nested.extend((child,) if is_own_line else child.children)
    taken = {
        n for child in nested for n in range(child.first_line, child.last_line + 1)
    }
    protected = _unclosed(block for block in blocks if block.first not in taken)
    yield page.entry("item", around.first, last, children=nested, protected=protected)


def _unclosed(blocks: Iterable[Block]) -> str:
    return "" if all(block.is_closed for block in blocks) else _OPEN_FENCE


def _outside(page: _Page, block: Block) -> Iterator[Entry]:
    match block.kind:
        case "text":
            yield page.text(block)
        case "fence" | "comment":
            protected = _unclosed([block])
            yield page.entry(block.kind, block.first, block.last, protected=protected)
        case "code" | "heading":
            yield page.entry(block.kind, block.first, block.last)
        case _:
            pass


def _notes(page: _Page, shape: Outline) -> Iterator[Entry]:
    """Make an entry of everything between two separators."""
    cuts = [block.first for block in shape.blocks if block.kind == "separator"]
    unclosed = [block.first for block in shape.blocks if not block.is_closed]
    head = next((b.last for b in shape.blocks if b.kind == "front matter"), -1)
    for before, after in pairwise([head, *cuts, len(page.lines)]):
        filled = [n for n in range(before + 1, after) if page.line(n).strip()]
        if filled:
            is_open = any(before < first < after for first in unclosed)
            protected = _OPEN_FENCE if is_open else ""
            yield page.entry("note", filled[0], filled[-1], protected=protected)


def _under(entry: Entry, path: tuple[str, ...]) -> Entry:
    children = tuple(_under(child, path) for child in entry.children)
    return evolve(entry, headings=path, children=children)


def _sectioned(found: Sequence[Entry], levels: dict[int, Block]) -> Iterator[Entry]:
    """Tell each entry its headings, and protect the headings that are in use."""
    path: list[Block] = []
    for entry, after in zip_longest(found, found[1:]):
        block = levels.get(entry.first_line)
        if block is None:
            yield _under(entry, tuple(heading.text for heading in path))
            continue
        while path and path[-1].level >= block.level:
            path.pop()
        following = levels.get(after.first_line) if after else None
        is_last = after is None or (following and following.level <= block.level)
        under = _under(entry, tuple(heading.text for heading in path))
        yield evolve(under, protected="" if is_last else _IN_USE)
        path.append(block)


def entries_of(text: str, shape: Outline) -> tuple[Entry, ...]:
    """Return the entries of a page whose outline is known."""
    page = _Page(text, shape.lines)
    levels = {
        block.first: block
        for block in shape.blocks
        if block.kind == "heading" and not block.around
    }
    kinds = {block.kind for block in shape.blocks}
    if "separator" in kinds and not levels:
        return tuple(_notes(page, shape))
    return tuple(_sectioned(tuple(_grouped(page, shape.blocks)), levels))


def entries(text: str) -> tuple[Entry, ...]:
    """Return the entries of a page, in order, nested ones inside their parents.

    A page with separators and without headings is of the first family. Front matter,
    rules, separators and blank lines are in no entry. Any text has entries; linear in
    the text.
    """
    return entries_of(text, outline(text))
