"""What a person said themselves: without code, quoted lines and quotations."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from ethos_memory.profile.privacy import plain_quotes

if TYPE_CHECKING:
    from ethos_memory.profile.cues import Cues

__all__ = ["MAX_MESSAGE_CHARS", "cues_for", "own_words", "sentences"]

#: Longer messages are material: a log, a draft, a page. What a person wants they say
#: in a few sentences, and every pattern here stays fast on a text of this size.
MAX_MESSAGE_CHARS: Final = 4_000

_FENCE: Final = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)")
_QUOTED_LINE: Final = re.compile(r"(?m)^[ \t]*(?:>|&gt;|\|)[^\n]*$")

#: A quotation of four words and more is somebody's sentence; less is a word meant.
_QUOTATION: Final = re.compile(
    r"\"(?:[^\"\s]+\s+){3,}[^\"]*\"|«[^»\n]{12,}»|“[^”]{8,}”"
)
#: What stands for a quotation.
_LEFT_OUT: Final = '"..."'
_CODE_LINE: Final = re.compile(
    r"(?m)^[ \t]*(?:(?:def|class|fn|func|struct) \w+ ?[(:{<].*|import [\w.]+(?:$|[,;] ?.*"
    r"| as .*)|from [\w.]+ import .*|(?:const|let|var) \w+ ?[:=].*|#include .*|"
    r"(?:SELECT|INSERT|UPDATE|DELETE) .*|Traceback .*|File \".*|.*[{};]|[$#>] .*)$"
)
#: No word is so long, in scripts that put blanks between words: it is a key or a link,
#: and patterns are slow on it.
_LONG_RUN: Final = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af]{64,}")
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"')]*\s+|(?<=[。！？])|\n+")
_LETTERS: Final = {"de": "äöüß", "es": "ñ¿¡áíóú", "fr": "èêëçœàùîôû", "en": ""}
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_LANGUAGES: Final = {
    "en": ("english", "ENGLISH"),
    "de": ("german", "GERMAN"),
    "es": ("spanish", "SPANISH"),
    "fr": ("french", "FRENCH"),
    "zh": ("chinese", "CHINESE"),
}


@cache
def _cues(language: str) -> Cues:
    module, name = _LANGUAGES[language]
    found: Cues = getattr(import_module(f"ethos_memory.profile.cues.{module}"), name)
    return found


def own_words(message: str) -> str:
    """Return what of a message is the person's own, with straight quotes.

    Fenced code, lines of code, quoted lines, quotations of a whole sentence, and what
    is too long for a word go.
    """
    text = _QUOTED_LINE.sub("", _FENCE.sub("\n", message))
    text = _LONG_RUN.sub(" ", _CODE_LINE.sub("", text))
    text = plain_quotes(_QUOTATION.sub(_LEFT_OUT, text))
    return _QUOTATION.sub(_LEFT_OUT, text).strip()


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, with their end marks."""
    return tuple(part.strip() for part in _SENTENCE.split(text) if part.strip())


def cues_for(text: str) -> Cues:
    """Return the cues of the language a text is most likely in; English on a tie."""
    if _HAN.search(text):
        return _cues("zh")
    words = _WORD.findall(text.lower())
    known = [_cues(language) for language in _LANGUAGES if language != "zh"]
    counts = [
        sum(word in cues.common for word in words)
        + sum(letter in text.lower() for letter in _LETTERS[cues.language])
        for cues in known
    ]
    return known[counts.index(max(counts))]
