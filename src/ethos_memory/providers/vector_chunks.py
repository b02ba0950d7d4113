"""A page in parts that are each about one thing, as a model of meaning needs it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.entry import trim
from ethos_memory.page import entries, front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Chunk", "chunks"]

#: The longest chunk in UTF-8 bytes. Small models read 256 tokens and drop the rest; in
#: most scripts a token is three bytes or more.
CHUNK_BYTES: Final = 768

#: The longest run of headings that stands before a chunk's own words, in characters.
HEADING_CHARS: Final = 160

#: The most chunks of one page. Beyond that neighbors are taken together, so that a page
#: of a million short lines cannot fill the memory of the machine.
MAX_CHUNKS: Final = 4_096


@frozen
class Chunk:
    """A part of a page that is found by itself.

    Attributes:
        text: What a model reads: the headings above, then the part's own words.
            Private: in no `repr`.
        start: First code point of the part in the page.
        end: One past its last.
    """

    text: str = field(repr=False)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)

    @property
    def digest(self) -> bytes:
        """What the same words have in common, wherever they stand: 32 bytes."""
        return sha256(self.text.encode(errors="replace")).digest()


def chunks(text: str) -> tuple[Chunk, ...]:
    """Cut a page into its entries, each with the headings it stands under.

    An entry that is too long for a model is cut between its lines, or else between
    words. Front matter is an entry here. A heading is one when nothing stands under it.

    Args:
        text: A whole page; any text.

    Returns:
        At most `MAX_CHUNKS`, in order; none for a page without words.
    """
    found = tuple(_parts(text))
    if len(found) <= MAX_CHUNKS:
        return found
    size = -(-len(found) // MAX_CHUNKS)
    groups = (found[at : at + size] for at in range(0, len(found), size))
    return tuple(map(_joined, groups))


def _joined(parts: tuple[Chunk, ...]) -> Chunk:
    text = "\n".join(part.text for part in parts)
    return Chunk(text, start=parts[0].start, end=parts[-1].end)


def _parts(text: str) -> Iterator[Chunk]:
    front = front_matter(text)
    if front is not None:
        yield from _pieces(text, front.start, front.end)
    for entry in entries(text):
        is_in_use = entry.kind == "heading" and entry.protected
        if not is_in_use:
            yield from _pieces(text, entry.start, entry.end, entry.headings)


def _pieces(
    text: str, start: int, end: int, headings: tuple[str, ...] = ()
) -> Iterator[Chunk]:
    above = " > ".join(filter(None, headings))[:HEADING_CHARS]
    for low, high in _cuts(text, start, end):
        # White space says nothing, and line ends differ from system to system.
        words = trim(" ".join(text[low:high].split()))
        if words:
            yield Chunk(f"{above}\n{words}" if above else words, start=low, end=high)


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    size = len(text[start:end].encode(errors="replace"))
    most = CHUNK_BYTES * (end - start) // size if size > CHUNK_BYTES else size
    while end - start > most:
        window = text[start : start + most]
        half = most // 2
        at = max(window.rfind("\n", half), window.rfind("\r", half)) + 1
        at = at or window.rfind(" ", half) + 1 or most
        yield start, start + at
        start += at
    yield start, end
