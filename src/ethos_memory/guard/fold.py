"""A copy of a line for looking at: no look-alikes, no invisible characters, lower case.

Each character of the copy knows where it stood, so that a finding can be reported in
positions of the text as the caller has it.
"""

from __future__ import annotations

import unicodedata

from attrs import field, frozen

__all__ = ["Folded", "fold"]


@frozen
class Folded:
    """A folded text with its map.

    Attributes:
        text: The copy.
        places: For each character of the copy, its position in the original; empty
            when the positions are the same.
        length: Code points of the original.
    """

    text: str = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    length: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the copy to the original; never empty unless the text is."""
        if not self.places:
            return start, end
        first = self.places[start] if start < len(self.places) else self.length
        last = self.places[end - 1] + 1 if end > start else first
        return first, last


def fold(text: str) -> Folded:
    """Fold a text for comparing.

    Args:
        text: Any text.

    Returns:
        The copy and its map.
    """
    if text.isascii():
        return Folded(text.lower(), (), len(text))
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if unicodedata.category(character) == "Cf":
            continue
        folded = unicodedata.normalize("NFKC", character).casefold()
        characters.append(folded)
        places.extend([place] * len(folded))
    return Folded("".join(characters), tuple(places), len(text))
