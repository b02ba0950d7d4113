"""The text around a hit."""

from __future__ import annotations

from typing import Final

from ethos_memory.words.letters import CLUSTER, KINDS

__all__ = ["SNIPPET_CHARACTERS", "snippet"]

#: Two lines of a terminal or of a chat.
SNIPPET_CHARACTERS: Final = 160

#: How far a cut moves to fall between words.
_SLACK: Final = 24


def _safe_before(text: str, at: int) -> int:
    """Go back to where a user-perceived character begins for sure."""
    while at and text[at - 1 : at + 1].translate(KINDS).strip("ab"):
        at -= 1
    return at


def _boundaries(text: str, start: int, end: int) -> list[int]:
    """Return where text may be cut between `start` and `end`, both included."""
    first = _safe_before(text, start)
    found = {first, len(text)}
    for match in CLUSTER.finditer(text[first : end + 1].translate(KINDS)):
        low, high = match.span()
        found.update(range(first + low, first + (high if match.lastgroup else low + 1)))
    return sorted(at for at in found if start <= at <= end)


def _left(text: str, least: int, hit: int) -> int:
    if least <= 0:
        return 0
    for at in range(least, min(least + _SLACK, hit)):
        if text[at - 1].isspace():
            return at
    return min(_boundaries(text, least, hit), default=hit)


def _right(text: str, most: int, hit: int) -> int:
    if most >= len(text):
        return len(text)
    for at in range(most, max(most - _SLACK, hit), -1):
        if text[at].isspace():
            return at
    return max(_boundaries(text, hit, most), default=hit)


def snippet(text: str, start: int, end: int, *, width: int = SNIPPET_CHARACTERS) -> str:
    """Cut out the surroundings of a hit, as one line.

    A cut falls between words when it can, else between user-perceived characters, and
    shows as ``…``. White space is drawn together.

    Args:
        text: The whole text.
        start: First code point of the hit.
        end: One past its last.
        width: The most code points of the text that are kept, the two ``…`` not
            counted; a hit that is longer is cut at its end.

    Returns:
        One line with the hit in it.
    """
    end = min(end, _right(text, min(start + width, len(text)), start))
    room = width - (end - start)
    before = min(start, max(room // 2, room - (len(text) - end)))
    left = _left(text, start - before, start)
    right = _right(text, end + room - before, end)
    line = " ".join(text[left:right].split())
    return f"{'…' if left else ''}{line}{'…' if right < len(text) else ''}"
