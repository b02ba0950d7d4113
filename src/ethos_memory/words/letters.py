"""What a character is, and what it is compared as.

There are no Unicode tables here: every code point is asked for once, through
`unicodedata`, and remembered.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from typing_extensions import override

__all__ = ["CLASSES", "CLUSTER", "KINDS", "fold"]

#: Scripts that are written without spaces, and Hangul, whose particles are glued to
#: the word: they are cut into pairs of characters. First and last code points.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x1AAF),  # Tai Le, New Tai Lue, Tai Tham
    (0x3005, 0x3007),  # ideographic marks and zero
    (0x3021, 0x3029),  # Suzhou numerals
    (0x3031, 0x303C),  # kana repeat marks
    (0x3041, 0x318F),  # kana, Bopomofo, Hangul letters
    (0x31A0, 0x31FF),  # Bopomofo and kana extensions
    (0x3400, 0xA4CF),  # Han, Yi
    (0xA960, 0xA97C),  # Hangul letters
    (0xA9E0, 0xA9FF),  # Myanmar
    (0xAA60, 0xAADF),  # Myanmar, Tai Viet
    (0xAC00, 0xD7FB),  # Hangul
    (0xF900, 0xFAFF),  # Han
    (0x1AFF0, 0x1B16F),  # kana
    (0x20000, 0x3FFFF),  # Han
)

_JOINER: Final = "\u200d"

#: The combining class of signs that tie two Indic consonants together.
_VIRAMA: Final = 9
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_TAGS: Final = range(0xE0020, 0xE0080)

#: Letters that carry no separable accent and are typed without one all the same.
_PLAIN: Final = {
    "æ": "ae",
    "ð": "d",
    "ø": "o",
    "þ": "th",
    "đ": "d",
    "ħ": "h",
    "ı": "i",
    "ł": "l",
    "œ": "oe",
    "ŧ": "t",
    "\u0640": "",  # the Arabic stretch
    "\u115f": "",  # Hangul fillers are letters that cannot be seen
    "\u1160": "",
    "\u3164": "",
}

#: Marks that are left out for comparing: accents, Hebrew and Arabic vowel points,
#: variation selectors. Marks that make another letter stay: й, ї, が, Indic vowels.
_ACCENT: Final = re.compile(
    "(?<![иі])[\u0306\u0308]|[\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05bd\u05bf"
    "\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f"
    "\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)

#: Most code points of one cluster that are folded as one, times sixteen joined ones.
#: Ordering marks costs their number squared, and a text may be nothing but marks.
_MARKS: Final = 24

#: One user-perceived character over the kinds of a text, or a run of plain ones.
CLUSTER: Final = re.compile(
    rf"(?P<run>a+)(?![mj])"
    rf"|(?:rr|.)[mj]{{0,{_MARKS}}}(?:(?<=j)(?:rr|[^mj])[mj]{{0,{_MARKS}}}){{0,16}}"
)

#: Most code points that are remembered: all that one person's languages need.
_REMEMBERED: Final = 1 << 16


class _Table(dict[int, str]):
    """A table for `str.translate` that is filled as code points turn up."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        answer = self[code] = self.ask(code)
        return answer

    def ask(self, code: int) -> str:
        raise NotImplementedError


class _Kinds(_Table):
    @override
    def ask(self, code: int) -> str:
        """Tell how a code point clings to its neighbours.

        ``a`` is ASCII or folds to itself, ``m`` belongs to the one before, ``j`` does
        and joins the next, ``r`` is half a flag, ``b`` is anything else.
        """
        character = chr(code)
        if character.isascii():
            return "a"
        if character == _JOINER or unicodedata.combining(character) == _VIRAMA:
            return "j"
        if code in _FLAG_LETTERS:
            return "r"
        if unicodedata.category(character)[0] == "M" or _clings(code):
            return "m"
        return "a" if fold(character) == character else "b"


def _clings(code: int) -> bool:
    return (
        code in _SKIN_TONES
        or code in _TAGS
        or code in {0x0E33, 0x0EB3, 0x200C, 0xFF9E, 0xFF9F}
        or 0x1160 <= code <= 0x11FF  # noqa: PLR2004 - Hangul vowels and finals
        or 0xD7B0 <= code <= 0xD7FB  # noqa: PLR2004 - the same, extended
    )


class _Classes(_Table):
    @override
    def ask(self, code: int) -> str:
        """Tell what a folded code point is to a search.

        ``w`` is part of a word, ``c`` of a script without spaces, ``s`` stands for
        itself, ``r`` is half a flag, ``t`` a tag in one, ``+`` counts behind a word.
        """
        character = chr(code)
        if character in "+#":
            return "+"
        if code in _FLAG_LETTERS:
            return "r"
        if code in _TAGS:
            return "t"
        category = unicodedata.category(character)
        if category[0] in "LMN":
            unspaced = any(first <= code <= last for first, last in _UNSPACED)
            return "c" if unspaced else "w"
        if category in {"So", "Sc", "Sm"} and not character.isascii():
            return "s"
        return " "


#: For `str.translate`: one letter for each code point, see `_Kinds.ask`.
KINDS: Final = _Kinds()

#: For `str.translate` of folded text: one letter for each, see `_Classes.ask`.
CLASSES: Final = _Classes()


def _plain(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    code = ord(character)
    if code in _SKIN_TONES:
        return ""
    category = unicodedata.category(character)
    if category == "Cf" and code not in _TAGS:
        return ""
    return " " if category in {"Cc", "Cs"} else character


@lru_cache(maxsize=_REMEMBERED)
def fold(cluster: str) -> str:
    """Return what a user-perceived character is compared as.

    Compatibility forms, case, accents, skin tones and invisible characters go.

    Args:
        cluster: A match of `CLUSTER`, or any short text.

    Returns:
        Folded text, possibly empty; a control character or surrogate is a blank.
    """
    text = unicodedata.normalize("NFKC", cluster).casefold()
    text = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    text = unicodedata.normalize("NFKC", text)
    return "".join(map(_plain, text))
