"""The blocks of a page, with their places in the text."""

from __future__ import annotations

import re
from typing import Final

from attrs import field, frozen

from ethos_memory.page.opening import front_matter
from ethos_memory.page.scanner import Block, Scanner

__all__ = ["Fence", "Heading", "Line", "Outline", "fences", "headings", "outline"]

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")


@frozen
class Line:
    """One line of a page, by its place in the text.

    Attributes:
        start: Its first code point.
        end: One past its last, without the line end.
        stop: Where the next line begins.
    """

    start: int
    end: int
    stop: int = field(kw_only=True)


@frozen
class Outline:
    """The lines of a page and the blocks they form."""

    lines: tuple[Line, ...]
    blocks: tuple[Block, ...]


@frozen
class Heading:
    """A heading, with ``#`` in front or underlined.

    Attributes:
        level: 1 to 6.
        text: Its words. Private: in no `repr`.
        start: First code point of its first line.
        end: One past the last code point of its last line, the underline included.
    """

    level: int
    text: str = field(repr=False)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)


@frozen
class Fence:
    """A fenced block of code.

    Attributes:
        info: What stands behind the opening fence.
        is_closed: False when it runs to the end of the page or of its list item.
        start: First code point of the opening line.
        end: One past the last code point of its last line.
    """

    info: str = field(repr=False)
    is_closed: bool
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)


def outline(text: str) -> Outline:
    """Read the structure of a page. Any text has one; linear in the text.

    A byte-order mark belongs to no line, and front matter is one block.
    """
    found = front_matter(text)
    begin = 1 if text.startswith("\ufeff") else 0
    lines = tuple(
        Line(*match.span(1), stop=match.end())
        for match in _LINE.finditer(text, begin)
        if match[0]
    )
    scanner = Scanner()
    first = sum(line.start < found.end for line in lines) if found else 0
    if found:
        scanner.blocks.append(Block("front matter", 0, first - 1))
    for number in range(first, len(lines)):
        line = lines[number]
        scanner.take(number, text[line.start : line.end])
    return Outline(lines, tuple(scanner.blocks))


def headings(text: str) -> tuple[Heading, ...]:
    """Return the headings that divide a page, in order.

    Lines in front matter, fences, comments and code are none, and a heading inside a
    list item or quote belongs to that.
    """
    page = outline(text)
    return tuple(
        Heading(
            block.level,
            block.text,
            start=page.lines[block.first].start,
            end=page.lines[block.last].end,
        )
        for block in page.blocks
        if block.kind == "heading" and not block.around
    )


def fences(text: str) -> tuple[Fence, ...]:
    """Return the fenced blocks of a page, in order, those in lists and quotes too."""
    page = outline(text)
    return tuple(
        Fence(
            block.text,
            block.is_closed,
            start=page.lines[block.first].start,
            end=page.lines[block.last].end,
        )
        for block in page.blocks
        if block.kind == "fence"
    )
