"""A message in clauses: one wish, one fact or one mood each."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.profile.speech import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.profile.cues import Cues

__all__ = ["Clause", "clauses", "fold", "has"]

#: More clauses are a text about something else; what is behind them is not read.
MAX_CLAUSES: Final = 40

_BLANKS: Final = re.compile(r"\s+")

#: What a clause may begin with without meaning anything by it.
_FILLER: Final = re.compile(
    r"^(?:(?:no+|nope|nah|yes|yeah|yep|ok(?:ay)?|well|actually|please|great|thanks?|sorry|"
    r"hey|hi|hello|wrong(?: way round)?|by the way|btw|also|and|but|so|then|oh|ah|hm+|"
    r"right|sure|good|fine|honestly|look|listen|nein|bitte|ja|also|danke|no|sí|vale|"
    r"gracias|bueno|non|oui|merci|bon|alors|不对|不是|好的?|那)"
    r"(?:[,:.!，。：]+\s*|\s+(?=(?:no|please|actually)\b)|(?<=please)\s+|(?<=and)\s+|"
    r"(?<=but)\s+|(?<=so)\s+|(?<=then)\s+|(?<=also)\s+))+",
    re.IGNORECASE,
)

#: A clause that only points at the one before it.
_POINTING: Final = re.compile(
    r"^(?:that|this|it)(?:'s| is| goes)(?: just)? (?:how|what|the way|my|for)\b"
)


@frozen(kw_only=True)
class Clause:
    """A part of a sentence, with what it is judged by. Private: shown nowhere.

    Attributes:
        text: Its words.
        folded: The same in lower case, without end marks.
        told: The clause to tell when this one counts: itself, or the one that it
            points at.
        is_question: Whether its sentence ends with a question mark.
        is_objection: Whether the message has objected to something before it.
    """

    text: str
    folded: str
    told: str
    is_question: bool
    is_objection: bool


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def has(pattern: str, folded: str) -> bool:
    """Tell whether a cue occurs in folded text."""
    return _compiled(pattern).search(folded) is not None


def fold(text: str) -> str:
    """Return a text in lower case, with single blanks and without end marks."""
    return _BLANKS.sub(" ", text).strip().lower().rstrip(" .!;,。！")


def clauses(text: str, cues: Cues) -> Iterator[Clause]:
    """Cut a message into clauses, in order, at most `MAX_CLAUSES`."""
    return islice(_cut(text, cues), MAX_CLAUSES)


def _cut(text: str, cues: Cues) -> Iterator[Clause]:
    is_objection = has(cues.objection, fold(text))
    before = ""
    for sentence in sentences(text):
        is_objection = is_objection or has(cues.objection, fold(sentence))
        is_question = sentence.endswith(("?", "？"))
        for part in re.split(cues.connectors, sentence, flags=re.IGNORECASE):
            words = _FILLER.sub("", part.strip()).strip()
            folded = fold(words)
            if not folded:
                continue
            told = before if before and _POINTING.search(folded) else words
            yield Clause(
                text=words,
                folded=folded,
                told=told,
                is_question=is_question,
                is_objection=is_objection,
            )
            before = words
