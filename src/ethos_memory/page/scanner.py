"""Line after line: what is open, what a line continues, what it begins.

CommonMark's block structure, as far as a page of memory needs it: list items, quotes,
fences, headings of both kinds, indented code, comments, and a line that is nothing but
``§``. Other HTML is text, and so is a link definition.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from attrs import define, field

__all__ = ["Block", "Container", "Kind", "Scanner"]

#: What a block is. A ``separator`` is a line that is nothing but ``§``.
Kind: TypeAlias = Literal[
    "front matter", "heading", "text", "fence", "code", "comment", "rule", "separator"
]

_FENCE: Final = re.compile(r" {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?= |$)(.*)$")
_ATX_END: Final = re.compile(r"(?:^| )#+$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+) *$")
_RULE: Final = re.compile(r" {0,3}([-_*])(?: *\1){2,} *$")
_ITEM: Final = re.compile(r" {0,3}(?:[-+*]|(\d{1,9})[.)])(?= |$)")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_COMMENT: Final = re.compile(r" {0,3}<!--")

#: Deepest nesting of lists and quotes that is followed; what is deeper is their text.
#: CommonMark's own implementations stop between 20 and 100.
_DEEPEST: Final = 32

#: Columns of indentation that make code, and most spaces behind a list marker.
_CODE: Final = 4


@define(eq=False)
class Container:
    """A list item or a quote.

    Attributes:
        first: The line it begins on, counted from 0.
        width: Columns that belong to a list item's marker; 0 for a quote.
        is_empty: Whether nothing stands behind the marker so far.
    """

    first: int
    width: int
    is_empty: bool = field(default=False, kw_only=True)

    @property
    def is_quote(self) -> bool:
        """Whether it is a quote, else a list item."""
        return not self.width


@define(eq=False)
class Block:
    """Lines that belong together.

    Attributes:
        kind: What they are.
        first: The first line, counted from 0.
        last: The last line.
        around: The list items and quotes it stands in, outermost first.
        level: Of a heading: 1 to 6.
        text: Of a heading its title, of a fence what stands behind its opening, of
            text the lines without what is around them.
        is_closed: Whether a fence or comment has an end of its own.
    """

    kind: Kind
    first: int
    last: int
    around: tuple[Container, ...] = field(default=(), kw_only=True)
    level: int = field(default=0, kw_only=True)
    text: str = field(default="", kw_only=True, repr=False)
    is_closed: bool = field(default=True, kw_only=True)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _is_blank(text: str) -> bool:
    return not text.strip(" \t")


def _item(
    number: int, text: str, *, in_paragraph: bool
) -> tuple[Container, str] | None:
    """Begin a list item, if the text is one; in a paragraph much is only text."""
    mark = _ITEM.match(text)
    if mark is None or _RULE.match(text):
        return None
    if in_paragraph and (_UNDERLINE.match(text) or mark[1] not in {None, "1"}):
        return None
    after = text[mark.end() :]
    if _is_blank(after):
        empty = Container(number, mark.end() + 1, is_empty=True)
        return None if in_paragraph else (empty, "")
    spaces = _indent(after)
    width = mark.end() + (spaces if spaces <= _CODE else 1)
    return Container(number, width), text[width:]


class Scanner:
    """Reads a page line after line.

    Attributes:
        blocks: The blocks so far, in order.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open: list[Container] = []
        self._leaf: Block | None = None
        self._fence = ""

    def take(self, number: int, line: str) -> None:
        """Take the next line, without its line end."""
        text = line.expandtabs(_CODE)
        depth, rest = self._continued(text)
        leaf = self._leaf
        if leaf and leaf.kind in {"fence", "comment"}:
            if depth == len(leaf.around):
                self._take_literal(leaf, number, rest)
                return
            self._leaf = None
        if text.startswith("§") and _is_blank(text[1:]):
            self._open.clear()
            self._begin(Block("separator", number, number))
        elif _is_blank(rest):
            self._take_blank(depth)
        else:
            self._take_content(number, depth, rest)

    def _continued(self, text: str) -> tuple[int, str]:
        """Return how many open containers the line continues, and what is left."""
        rest = text
        for depth, container in enumerate(self._open):
            if container.is_quote:
                mark = _QUOTE.match(rest)
                if mark is None:
                    return depth, rest
                rest = rest[mark.end() :]
            elif not _is_blank(rest):
                if _indent(rest) < container.width:
                    return depth, rest
                rest = rest[container.width :]
        return len(self._open), rest

    def _take_literal(self, leaf: Block, number: int, rest: str) -> None:
        leaf.last = number
        if leaf.kind == "comment":
            leaf.is_closed = "-->" in rest
        else:
            mark = rest.strip(" ")
            is_long = len(mark) >= len(self._fence) and not mark.strip(self._fence[0])
            leaf.is_closed = is_long and _indent(rest) < _CODE
        if leaf.is_closed:
            self._leaf = None

    def _take_blank(self, depth: int) -> None:
        del self._open[depth:]
        if self._open and self._open[-1].is_empty:
            self._open.pop()
        if self._leaf and self._leaf.kind != "code":
            self._leaf = None

    def _take_content(self, number: int, depth: int, text: str) -> None:
        paragraph = self._leaf if self._leaf and self._leaf.kind == "text" else None
        in_paragraph = paragraph is not None and depth == len(self._open)
        opened, rest = self._opened(number, depth, text, in_paragraph=in_paragraph)
        block = self._block(number, rest, in_paragraph=in_paragraph and not opened)
        if paragraph and not opened:
            if in_paragraph and (mark := _UNDERLINE.match(rest)):
                paragraph.kind, paragraph.last = "heading", number
                paragraph.level = 1 if mark[1][0] == "=" else 2
                self._leaf = None
                return
            if block.kind in {"text", "code"}:
                paragraph.last = number
                paragraph.text += "\n" + rest.strip(" ")
                return
        for container in self._open[:depth]:
            container.is_empty = False
        is_same = depth == len(self._open) and not opened
        self._open[depth:] = opened
        leaf = self._leaf
        if block.kind == "code" and leaf and leaf.kind == "code" and is_same:
            leaf.last = number
        elif not _is_blank(rest):
            self._begin(block)
        else:
            self._leaf = None

    def _opened(
        self, number: int, depth: int, text: str, *, in_paragraph: bool
    ) -> tuple[list[Container], str]:
        """Return the containers that a line begins, and what is left of it."""
        opened: list[Container] = []
        rest = text
        while depth + len(opened) < _DEEPEST and _indent(rest) < _CODE:
            if mark := _QUOTE.match(rest):
                opened.append(Container(number, 0))
                rest = rest[mark.end() :]
                continue
            item = _item(number, rest, in_paragraph=in_paragraph and not opened)
            if item is None:
                break
            opened.append(item[0])
            rest = item[1]
        return opened, rest

    def _block(self, number: int, text: str, *, in_paragraph: bool) -> Block:
        """Tell what a line begins, containers aside."""
        if _indent(text) >= _CODE:
            return Block("code", number, number)
        if mark := _FENCE.match(text):
            self._fence = mark[1] or mark[3]
            info = (mark[2] if mark[1] else mark[4]).strip(" ")
            return Block("fence", number, number, text=info, is_closed=False)
        if mark := _ATX.match(text):
            title = _ATX_END.sub("", mark[2].strip(" ")).strip(" ")
            return Block("heading", number, number, level=len(mark[1]), text=title)
        if _RULE.match(text) and not (in_paragraph and _UNDERLINE.match(text)):
            return Block("rule", number, number)
        if mark := _COMMENT.match(text):
            is_closed = "-->" in text[mark.end() :]
            return Block("comment", number, number, is_closed=is_closed)
        return Block("text", number, number, text=text.strip(" "))

    def _begin(self, block: Block) -> None:
        block.around = tuple(self._open)
        self.blocks.append(block)
        goes_on = block.kind in {"text", "code"} or not block.is_closed
        self._leaf = block if goes_on else None
