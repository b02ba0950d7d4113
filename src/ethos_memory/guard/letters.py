"""How characters are folded: one table for every look at a text.

A character becomes lower case, in its compatibility form, without accents; what nobody
sees becomes nothing. Look-alikes of Latin letters are another table, for words that mix
scripts only: a Russian word is a Russian word.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["fold_characters", "key_of", "latinize"]

#: The table is emptied when it holds so many characters: a hostile text has them all.
_TABLE_LIMIT: Final = 65_536

#: Letters that decompose to nothing plainer, small capitals, and Persian forms of
#: Arabic letters. Alef maqsura and teh marbuta are written either way.
_PLAIN: Final = {
    **dict(
        zip(
            "øłđðħıŋœæþſ",
            ["o", "l", "d", "d", "h", "i", "n", "oe", "ae", "th", "s"],
            strict=True,
        )
    ),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True)),
    **dict(zip("ىیکةۀ", "ييكهه", strict=True)),
    **dict(zip("‘’‚‛′ʼ´`", "''''''''", strict=True)),
    **dict(zip("“”„‟«»″", '"""""""', strict=True)),
    **dict(zip("‐‑‒–—―−", "-------", strict=True)),
    "ё": "е",
    "ـ": "",
}

#: Marks that are accents or optional vowels. Indic and Thai vowel signs are not.
_ACCENTS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
#: Ideographs and Korean syllables.
_AS_IT_IS: Final = re.compile("[\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0002f7ff]")
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
_SELECTORS: Final = (
    range(0xFE00, 0xFE10),
    range(0xE0100, 0xE01F0),
    range(0x180B, 0x1810),
)

_LOOKALIKES: Final = {
    ord(other): latin
    for latin, others in {
        "a": "аαɑ", "b": "ьβƅ", "c": "сϲᴄⅽ", "d": "ԁɗⅾ", "e": "еєεҽ", "f": "ϝẝ",
        "g": "ɡց", "h": "һհнη", "i": "іιɩӏ", "j": "јϳ", "k": "кκ", "l": "ӏǀⅼ",
        "m": "мⅿ", "n": "ոпи", "o": "оοօσ०০", "p": "рρ", "q": "ԛգ", "r": "гᴦя",
        "s": "ѕꜱ", "t": "тτ", "u": "υսц", "v": "ѵνⅴ", "w": "ѡԝωш", "x": "хχⅹ",
        "y": "уγүʏ", "z": "ᴢʐ",
    }.items()
    for other in others
}  # fmt: skip
_MIXED: Final = re.compile(
    "(?:[a-z][\u0250-\u02af\u0370-\u058f])|(?:[\u0250-\u02af\u0370-\u058f][a-z])"
)
_WORD: Final = re.compile("[a-z0-9\u0250-\u02af\u0370-\u058f']{2,80}")
_LATIN: Final = re.compile("[a-z]")

#: Digits that stand for letters, and the letters that look alike among themselves.
_KEY: Final = str.maketrans("013457l", "oieasti")


def _folded(character: str) -> str:
    if _AS_IT_IS.match(character) is not None:
        return character
    lower = character.casefold()
    if lower in _PLAIN:
        return _PLAIN[lower]
    if character in _UNSEEN or any(ord(character) in marks for marks in _SELECTORS):
        return ""
    if unicodedata.category(character) in {"Cf", "Cs"}:
        return ""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", lower)).casefold()
    return "".join(_PLAIN.get(letter, letter) for letter in plain)


class _Table(dict[int, str]):
    """Folds a character when it is first met."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _TABLE_LIMIT:
            self.clear()
        folded = self[code] = _folded(chr(code))
        return folded


_TABLE: Final = _Table()


def fold_characters(text: str) -> str:
    """Fold each character for itself; a character may become none or several."""
    return text.lower() if text.isascii() else text.translate(_TABLE)


def latinize(folded: str) -> str:
    """Put Latin letters for look-alikes in words that mix scripts; same length."""
    if folded.isascii() or _MIXED.search(folded) is None:
        return folded
    return _WORD.sub(_latin_word, folded)


def _latin_word(match: re.Match[str]) -> str:
    word = match.group()
    if word.isascii() or _LATIN.search(word) is None:
        return word
    return word.translate(_LOOKALIKES)


def key_of(word: str) -> str:
    """Return what a folded word is looked up by: ``1gn0re`` is ``ignore`` there."""
    return word.translate(_KEY)
