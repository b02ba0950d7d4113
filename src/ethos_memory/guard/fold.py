"""A copy of a line for looking at, which knows where each character stood."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from attrs import field, frozen

from ethos_memory.guard.letters import fold_characters, latinize

__all__ = ["Folded", "fold"]


@frozen
class Folded:
    """A folded text and the text it was made of.

    Attributes:
        text: The copy: lower case, compatibility forms, no accents, nothing invisible,
            no look-alikes.
        original: What it was made of.
    """

    text: str = field(repr=False)
    original: str = field(repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the copy to one of the original.

        Invisible characters at its ends stay outside, those within are inside.
        """
        if self.original.isascii():
            return start, end
        ends: list[int] = []
        length = 0
        for character in self.original:
            length += len(fold_characters(character))
            ends.append(length)
        first = bisect_right(ends, start)
        return first, max(first, bisect_left(ends, end) + 1)


def fold(text: str) -> Folded:
    """Fold a text for comparing."""
    return Folded(latinize(fold_characters(text)), text)
