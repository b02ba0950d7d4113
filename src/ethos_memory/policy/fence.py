"""The fence around a page in a prompt, and reading a block back.

A fence's id is the first of a fixed sequence for the scope and key that does not occur
in the text, so no page can hold its own closing line, whatever else it holds:
headings, open code fences, tags, comments. The text is not escaped, so people and
models read what was written.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.scope import ScopeId

__all__ = ["Section", "ShownPage", "fence", "left_out_note", "parse_block"]

#: Hex digits of a fence's id: rare enough in a text, and short enough to read.
_ID_LENGTH: Final = 8

#: What an eye reads in one case, and what it may overlook.
_LOWER: Final = bytes(range(256)).lower()
_NOT_IN_AN_ID: Final = bytes(byte for byte in range(128) if not chr(byte).isalnum())

_HEADING: Final = "## "
_OPENING: Final = re.compile(
    rf'<memory-data id="([0-9a-f]{{{_ID_LENGTH}}})" page="([A-Za-z0-9_.-]+)"'
    r'(?: left-out="the oldest ([0-9]+) characters")?>'
)
_NOTE: Final = re.compile(r"\(Left out for want of room: [^\n]+\)")


@frozen
class ShownPage:
    """A page as a block shows it.

    Attributes:
        key: The page.
        text: What stands in its fence. Private: in no `repr`.
        left_out_chars: Characters that were cut off in front of it.
    """

    key: str
    text: str = field(repr=False)
    left_out_chars: int = field(default=0, kw_only=True)


@frozen
class Section:
    """A section of a block: its heading and the pages in it."""

    heading: str
    pages: tuple[ShownPage, ...]


def _squeezed(text: str) -> str:
    """Drop all that an eye might overlook between the digits of an id."""
    # No character beyond these folds to a hex digit when case is folded.
    folded = unicodedata.normalize("NFKC", text).encode("ascii", "ignore")
    return folded.translate(_LOWER, _NOT_IN_AN_ID).decode()


# Pure, and asked for the same pages at each turn.
@lru_cache(maxsize=1024)
def _nth_id(scope: ScopeId, key: str, number: int) -> str:
    return sha256(f"{scope}|{key}|{number}".encode()).hexdigest()[:_ID_LENGTH]


def _fence_id(scope: ScopeId, key: str, text: str) -> str:
    """Return the first id of the sequence that does not occur in the text."""
    squeezed = _squeezed(text)
    first = _nth_id(scope, key, 0)
    if first not in squeezed:
        return first
    # One pass over the text: it may hold as many ids of the sequence as fit in it.
    taken = {squeezed[at : at + _ID_LENGTH] for at in range(len(squeezed))}
    ids = (_nth_id(scope, key, number) for number in count(1))
    return next(id for id in ids if id not in taken)


def fence(scope: ScopeId, key: str, text: str, *, left_out_chars: int = 0) -> str:
    """Put a page between an opening and a closing line.

    Args:
        scope: Whose memory it is; not shown.
        key: The page, checked by `parse_key`.
        text: Its text, with line feeds as its only line ends.
        left_out_chars: Characters that were cut off in front of `text`.

    Returns:
        Lines of which the last closes the fence and no other can. The first stays the
        same while the page grows, unless the page comes to hold the fence's id.
    """
    id = _fence_id(scope, key, text)
    cut = (
        f' left-out="the oldest {left_out_chars} characters"' if left_out_chars else ""
    )
    return f'<memory-data id="{id}" page="{key}"{cut}>\n{text}\n{_closing(id)}'


def _closing(id: str) -> str:
    return f'</memory-data id="{id}">'


def left_out_note(what: str) -> str:
    """Return the closing line of a block that had no room for some pages."""
    return f"(Left out for want of room: {what})"


def _page(opening: re.Match[str], lines: Iterator[str]) -> ShownPage:
    closing = _closing(opening[1])
    kept: list[str] = []
    for line in lines:
        if line == closing:
            left_out = int(opening[3] or 0)
            return ShownPage(opening[2], "\n".join(kept), left_out_chars=left_out)
        kept.append(line)
    msg = "a fence is not closed"
    raise ValueError(msg)


def parse_block(text: str) -> tuple[Section, ...]:
    """Read a block back: the inverse of `assemble`.

    Args:
        text: A whole block, as `Block.text` has it.

    Returns:
        Its sections. What stands inside a fence is text, whatever it looks like.

    Raises:
        ValueError: When anything but headings, fences and the note on what was left
            out stands outside the fences, or a fence is not closed.
    """
    sections: list[tuple[str, list[ShownPage]]] = []
    lines = iter(text.split("\n"))
    for line in lines:
        opening = _OPENING.fullmatch(line)
        if opening and sections:
            sections[-1][1].append(_page(opening, lines))
        elif line.startswith(_HEADING):
            sections.append((line.removeprefix(_HEADING), []))
        elif line and not _NOTE.fullmatch(line):
            msg = "this is no block of memory"
            raise ValueError(msg)
    return tuple(Section(heading, tuple(pages)) for heading, pages in sections)
