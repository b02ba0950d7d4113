"""The block of memory in a prompt.

A block is made of sections, and a section of pages, each inside its own fence::

    ## About You

    <memory-data id="3f9a2c1b" page="USER.md">
    - Prefers short answers.
    </memory-data id="3f9a2c1b">

There is no date, counter or random byte in it: the same memory gives the same bytes,
which prompt caches depend on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.entry import MemoryEntry, SearchHit, trim
from ethos_memory.policy.budget import BUDGET_CHARS, shares, tail
from ethos_memory.policy.fence import fence, left_out_note
from ethos_memory.scope import ScopeId, parse_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attrs import Attribute

__all__ = ["Block", "PromptPage", "Source", "assemble"]

#: Where a page stands; any other key has a section of its own, behind these.
_HEADINGS: Final = {
    "USER.md": "About You",
    "IDENTITY.md": "About You",
    "MEMORY.md": "Memory",
}

#: What a page's share of the room counts for; all other pages together count 1. A
#: profile counts as much as `MEMORY.md`, which must not push it out (case B08).
_WEIGHTS: Final = {"USER.md": 4, "MEMORY.md": 4, "IDENTITY.md": 1}

#: A page of which less than this could be shown is left out instead.
_LEAST_CHARS: Final = 40

#: The part of the room that naming the pages left out may take: 1 in 4.
_NOTE_PART: Final = 4


def _scope(value: ScopeId | str) -> ScopeId:
    return ScopeId.parse(value)


def _check_key(
    _page: PromptPage, _: Attribute[MemoryEntry], entry: MemoryEntry
) -> None:
    # A key becomes a heading, and a provider that was given to us may not check it.
    parse_key(entry.key)


@frozen
class PromptPage:
    """A page that a prompt may show.

    Attributes:
        scope: Whose memory it is.
        entry: The page, as it was read or found; already screened. Of a hit the whole
            page is shown, and findings are not.

    Raises:
        InvalidKeyError: When the entry's key is outside the grammar.
    """

    scope: ScopeId = field(converter=_scope)
    entry: MemoryEntry | SearchHit = field(validator=_check_key)


@frozen
class Source:
    """A page that a block was made of.

    Attributes:
        scope: Whose memory it is.
        key: The page.
        revision: As the page's entry had it; ``""`` when a search found the page.
        left_out_chars: Characters of the page that the block had no room for.
    """

    scope: ScopeId
    key: str
    revision: str = field(kw_only=True)
    left_out_chars: int = field(kw_only=True)


@frozen
class Block:
    """Text for a prompt.

    Attributes:
        text: ``""`` when there is nothing to show. Private: in no `repr`.
        sources: The pages in it, in order.
    """

    text: str = field(repr=False)
    sources: tuple[Source, ...]


# Compared as themselves: two pages may hold the same text.
@frozen(eq=False)
class _Piece:
    page: PromptPage
    text: str
    left_out: int = 0

    @property
    def key(self) -> str:
        return self.page.entry.key

    @property
    def heading(self) -> str:
        key = self.page.entry.key
        return _HEADINGS.get(key, key)

    @property
    def fenced(self) -> str:
        scope = self.page.scope
        return fence(scope, self.key, self.text, left_out_chars=self.left_out)

    @property
    def frame_chars(self) -> int:
        """The most that a block needs for this page beside its text."""
        blank = evolve(self, text="", left_out=len(self.text))
        return len(f"## {self.heading}\n\n{blank.fenced}\n\n")

    @property
    def least_chars(self) -> int:
        return min(len(self.text), _LEAST_CHARS)

    @property
    def source(self) -> Source:
        entry = self.page.entry
        return Source(
            self.page.scope,
            self.key,
            revision=entry.revision if isinstance(entry, MemoryEntry) else "",
            left_out_chars=self.left_out,
        )


def _shown(content: str) -> str:
    """Give a page plain line ends, no byte-order mark, and only valid characters."""
    text = content
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        plain = text.replace("\ufeff", "").encode("utf-16-le", "surrogatepass")
        text = plain.decode("utf-16-le", "replace")
    return trim(text)


def _pieces(pages: Iterable[PromptPage]) -> list[_Piece]:
    """Return what there is to show, in order: each page once, and no blank ones."""
    named: dict[tuple[ScopeId, str], PromptPage] = {}
    for page in pages:
        named.setdefault((page.scope, page.entry.key), page)
    keys = dict.fromkeys([*_HEADINGS, *(key for _, key in named)])
    order = {key: place for place, key in enumerate(keys)}
    return [
        _Piece(page, text)
        for page in sorted(named.values(), key=lambda page: order[page.entry.key])
        if (text := _shown(page.entry.content))
    ]


def _rendered(pieces: Sequence[_Piece]) -> str:
    parts: list[str] = []
    heading = ""
    for piece in pieces:
        own = piece.heading
        if own != heading:
            heading = own
            parts.append(f"## {heading}")
        parts.append(piece.fenced)
    return "\n\n".join(parts)


def _note(left_out: Sequence[_Piece], room: int) -> str:
    """Say which pages are missing, as fully as there is room for."""
    names = (f"{piece.key}, {len(piece.text)} characters" for piece in left_out)
    total = "1 page" if len(left_out) == 1 else f"{len(left_out)} pages"
    notes = (left_out_note("; ".join(names)), left_out_note(total))
    return next((note for note in notes if len(note) <= room), "")


def _chosen(pieces: Sequence[_Piece], room: int) -> list[_Piece]:
    """Return the pages that can be shown at least in part, the weightiest first."""
    chosen = set()
    for piece in sorted(pieces, key=lambda piece: -_WEIGHTS.get(piece.key, 0)):
        cost = piece.frame_chars + piece.least_chars
        if cost <= room:
            chosen.add(piece)
            room -= cost
    return [piece for piece in pieces if piece in chosen]


def _cut(pieces: Sequence[_Piece], room: int) -> list[_Piece]:
    """Cut each page to its share of the room, of which the least is certain."""
    others = sum(piece.key not in _WEIGHTS for piece in pieces) or 1
    weights = [_WEIGHTS.get(piece.key, 0) * others or 1 for piece in pieces]
    needs = [len(piece.text) - piece.least_chars for piece in pieces]
    room -= sum(piece.frame_chars + piece.least_chars for piece in pieces)
    cut = []
    for piece, more in zip(pieces, shares(needs, weights, room), strict=True):
        text = tail(piece.text, piece.least_chars + more)
        cut.append(evolve(piece, text=text, left_out=len(piece.text) - len(text)))
    return cut


def _within(pieces: Sequence[_Piece], room: int) -> Block:
    chosen, reserved = _chosen(pieces, room), 0
    if len(chosen) < len(pieces):
        reserved = len(_note(pieces, room // _NOTE_PART)) + len("\n\n")
        chosen = _chosen(pieces, room - reserved)
    shown = _cut(chosen, room - reserved)
    text = _rendered(shown)
    missing = [piece for piece in pieces if piece not in chosen]
    if missing:
        parts = (text, _note(missing, room - len(text) - (2 if text else 0)))
        text = "\n\n".join(filter(None, parts))
    return Block(text, tuple(piece.source for piece in shown))


def assemble(pages: Iterable[PromptPage], *, budget_chars: int = BUDGET_CHARS) -> Block:
    """Make the block of some pages.

    ``## About You`` comes first (``USER.md``, then ``IDENTITY.md``), then
    ``## Memory``, then other keys as they are given. A blank page is nothing, and of a
    page that is given twice the first is shown.

    Args:
        pages: What the turn may see, and nothing else.
        budget_chars: The most code points of the whole block, headings and fences
            included. What does not fit is cut at its beginning, or left out, and the
            block says so as far as there is room.

    Returns:
        The text and its sources. The same pages give the same bytes.

    Raises:
        ValueError: When `budget_chars` is below 0.
    """
    if budget_chars < 0:
        msg = "budget_chars must be 0 or more"
        raise ValueError(msg)
    pieces = _pieces(pages)
    if sum(len(piece.text) for piece in pieces) <= budget_chars:
        text = _rendered(pieces)
        if len(text) <= budget_chars:
            return Block(text, tuple(piece.source for piece in pieces))
    return _within(pieces, budget_chars)
