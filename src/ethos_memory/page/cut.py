"""Cutting text so that no character breaks and no byte is lost (case B08)."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

__all__ = ["cut", "cut_bytes", "grapheme_end", "grapheme_start", "split_at_cap"]

#: Code points of one user-perceived character that are kept together. The longest
#: emoji have about fifteen; a longer run of marks is nobody's character.
_LONGEST: Final = 64

_ZERO_WIDTH_JOINER: Final = "\u200d"

#: The combining class of signs that tie two Indic consonants together.
_VIRAMA: Final = 9

#: Cling to the character before, besides marks: skin tones, tags, Thai and Lao AM,
#: both zero-width joiners, half-width voicing marks, Hangul vowels and finals.
_CLINGING: Final = (
    range(0x0E33, 0x0E34),
    range(0x0EB3, 0x0EB4),
    range(0x1160, 0x1200),
    range(0x200C, 0x200E),
    range(0xD7B0, 0xD7FC),
    range(0xFF9E, 0xFFA0),
    range(0x1F3FB, 0x1F400),
    range(0xE0020, 0xE0080),
)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)

#: Which part of a text a cut keeps.
Part = Literal["start", "end"]


def _clings(character: str) -> bool:
    if unicodedata.category(character)[0] == "M":
        return True
    code = ord(character)
    return any(code in clinging for clinging in _CLINGING)


def _flags_before(text: str, at: int) -> int:
    first = at
    while first and ord(text[first - 1]) in _FLAG_LETTERS:
        first -= 1
    return at - first


def _is_inside(text: str, at: int) -> bool:
    """Tell whether a cut at `at` would go through a user-perceived character."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after.isascii():
        return before == "\r" and after == "\n"
    if before in "\r\n":
        return False
    if ord(after) in _FLAG_LETTERS and ord(before) in _FLAG_LETTERS:
        return _flags_before(text, at) % 2 == 1
    joins = before == _ZERO_WIDTH_JOINER or unicodedata.combining(before) == _VIRAMA
    return joins or _clings(after)


def grapheme_start(text: str, at: int) -> int:
    """Return the last place at or before `at` where text may be cut."""
    place = at
    while _is_inside(text, place):
        place -= 1
        if at - place > _LONGEST:
            return at
    return place


def grapheme_end(text: str, at: int) -> int:
    """Return the first place at or after `at` where text may be cut."""
    place = at
    while _is_inside(text, place):
        place += 1
        if place - at > _LONGEST:
            return at
    return place


def cut(text: str, max_chars: int, *, keep: Part = "start") -> str:
    """Shorten a text.

    Args:
        text: What is to be shortened.
        max_chars: The most code points that are kept; 0 and less keep nothing.
        keep: ``"start"``, or ``"end"`` where the newest stands.

    Returns:
        The text itself when it fits, else whole lines of it when there is a line end
        to cut at, else a piece cut between user-perceived characters.
    """
    if len(text) <= max_chars:
        return text
    if max_chars <= 0:
        return ""
    if keep == "end":
        first = len(text) - max_chars
        line = text.find("\n", first - 1, len(text) - 1) + 1
        return text[line or grapheme_end(text, first) :]
    line = text.rfind("\n", 0, max_chars) + 1
    return text[: line or grapheme_start(text, max_chars)]


def _is_whole(data: bytes, at: int) -> bool:
    """Tell whether a code point begins at a byte, or the text ends there."""
    return at >= len(data) or data[at] & 0xC0 != 0x80  # noqa: PLR2004 - UTF-8's tail


def cut_bytes(text: str, max_bytes: int, *, keep: Part = "start") -> str:
    """Shorten a text as `cut` does, to a number of UTF-8 bytes.

    Args:
        text: What is to be shortened.
        max_bytes: The most bytes that are kept; 0 and less keep nothing.
        keep: ``"start"``, or ``"end"`` where the newest stands.

    Returns:
        A piece of `text`.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return text
    size = max(max_bytes, 0)
    at = size if keep == "start" else len(data) - size
    while not _is_whole(data, at):
        at += -1 if keep == "start" else 1
    piece = data[:at] if keep == "start" else data[at:]
    return cut(text, len(piece.decode("utf-8", "surrogatepass")), keep=keep)


def _line_after(data: bytes, at: int) -> int:
    """Return where the first whole line at or after `at` begins, 0 if none is left.

    White space at the end counts to the last line: what is kept is never blank.
    """
    return data.find(b"\n", at - 1, len(data.rstrip())) + 1


def split_at_cap(text: str, cap_bytes: int) -> tuple[str, str]:
    r"""Split off what is too much for a page, oldest lines first.

    Whole lines go; a last line that is too long by itself is cut between
    user-perceived characters. A byte-order mark is the caller's: keep it with the
    page, and pass the text behind it.

    Args:
        text: The page.
        cap_bytes: The most UTF-8 bytes of the page that stay; 4 and more.

    Returns:
        What goes and what stays: together `text` byte for byte. What stays is at most
        `cap_bytes` long, and never empty unless `text` is.
    """
    data = text.encode("utf-8", "surrogatepass")
    over = len(data) - cap_bytes
    if over <= 0:
        return "", text
    at = _line_after(data, over)
    if at:
        length = len(data[:at].decode("utf-8", "surrogatepass"))
        return text[:length], text[length:]
    while not _is_whole(data, over):
        over += 1
    first = len(data[:over].decode("utf-8", "surrogatepass"))
    whole = grapheme_end(text, first)
    at = first if whole >= len(text) else whole
    return text[:at], text[at:]
