"""Talk about attacks: what a quotation with words around it takes off a finding.

A note that says what to do *when a page says "ignore previous instructions"* is no
attack. It counts less, by how it is told; it never counts nothing, for whoever writes an
attack can write quotation marks.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

__all__ = ["Speech", "speech_of"]

_QUOTED: Final = re.compile(
    r"\"[^\"\n]{2,400}\"|`[^`\n]{2,400}`|(?<![^\W_])'[^'\n]{2,400}'(?![^\W_])"
    r"|\u300c[^\u300d\n]{2,400}\u300d|\u300e[^\u300f\n]{2,400}\u300f|\u2039[^\u203a\n]{2,400}\u203a"
)
_TELLING: Final = re.compile(
    r"\b(?:says?|said|saying|reads?|claims?|tells?|told|asks?|called|titled|labell?ed|such as|like|e\.?g\.?|for example|example|examples"
    r"|phrases?|patterns?|strings?|payloads?|attacks?|attackers?|injections?|injected|detect(?:s|ed|ion)?|catch(?:es)?|match(?:es|ing)?|contain(?:s|ing)?"
    r"|filter(?:s|ed)?|scan(?:s|ner)?|flag(?:s|ged)?|block(?:s|ed)?|refuse[sd]?|treat|jailbreaks?|malicious|untrusted|test(?:s|ed|ing)?|regex(?:es)?|quot(?:e[sd]?|ing)"
    r"|means?|the (?:words?|line|sentence|text|phrase|term|title)|wrote|written|classic|canonical|never (?:obey|follow)|bypass(?:es)?|warning|warns?"
    r"|why|still|works?|asks?|question|blog|exam|paper|about|lesson|attempts?|tries|try|leak(?:s|ed)?|sagt|steht|schreibt|lautet|dit|dice|diz|heisst|beispiel|exemple|ejemplo|exemplo)\b"
)
#: These quotation marks delimit a value, as in JSON or in a tag; nobody is quoted.
_DATA: Final = re.compile(r"[\"'] ?: ?[\"'\[{]|[a-z]=[\"']")

#: Outside the quotation there must be so many letters, or it is no talk about it.
_FEWEST_LETTERS: Final = 12
_LETTER: Final = re.compile(r"[^\W\d_]")

#: What remains of a score: quoted with words of telling, quoted, told without quotes.
_TOLD_AND_QUOTED: Final = 0.35
_QUOTED_ONLY: Final = 0.65
_NOTHING_OFF: Final = 1.0

#: A hit counts as quoted when so much of it is.
_MOSTLY: Final = 0.6


@frozen
class Speech:
    """Where a line quotes, and whether it tells of what it quotes.

    Attributes:
        quotes: Spans of the quotations.
        is_telling: Whether the words around them tell of a text.
    """

    quotes: tuple[tuple[int, int], ...]
    is_telling: bool

    def share(self, start: int, end: int) -> float:
        """Return what remains of the score of a hit at that span."""
        inside = sum(
            max(0, min(end, last) - max(start, first)) for first, last in self.quotes
        )
        if inside < _MOSTLY * (end - start):
            return _NOTHING_OFF
        return _TOLD_AND_QUOTED if self.is_telling else _QUOTED_ONLY


_SILENT: Final = Speech((), is_telling=False)


def speech_of(folded: str) -> Speech:
    """Look for quotations in a folded line."""
    if _DATA.search(folded) is not None:
        return _SILENT
    quotes = tuple(match.span() for match in _QUOTED.finditer(folded))
    if not quotes:
        return _SILENT
    outside = _QUOTED.sub(" ", folded)
    if len(_LETTER.findall(outside)) < _FEWEST_LETTERS:
        return _SILENT
    return Speech(quotes, is_telling=_TELLING.search(outside) is not None)
