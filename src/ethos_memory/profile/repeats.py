"""What a person asks for more than once: a pattern from two interactions on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.profile.clause import has
from ethos_memory.profile.names import private_looking
from ethos_memory.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.profile.clause import Clause
    from ethos_memory.profile.cues import Cues

__all__ = ["Pattern", "patterns_in"]

#: A request for the piece at hand is short; a longer one describes a task.
_REQUEST_WORDS: Final = 16

_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|we|we're|our|ich|mein\w*|yo|mi|mis|soy|llevo|je|j'|mon|ma|"
    r"mes|n'ai)\b|我"
)
#: Words of a request that tell nothing about whoever makes it.
_ROUTINE_TEXT: Final = """
look looks good fine thanks great nice perfect sure sorry work works problem thing things
the a an and or but of to in on at for with without from by as is are was be it
its this that these those here there too also again well please same thing one
ones now then so not no yes ok just only me my you your i we us our can could
would will may let lets let's do does did have has get got give show make add
put use take want need like more less much very some any all both each other
another next last first second third new old back what which who how when where
why if than into out up down over version form way kind sort part piece bit lot
example
"""
_ROUTINE: Final = frozenset(_ROUTINE_TEXT.split())
_ROUTINE_START: Final = re.compile(
    r"^(?:run|try|do|execute|start|build|deploy|check|retry|send|generate|print|compile|"
    r"restart|open|load|continue|go|test|delete|remove|rename|move|copy|translate|"
    r"summari[sz]e|what time|who|where|when)\b"
)
_CONTENT: Final = re.compile(r"[^\W\d_][\w'+#-]{2,}")
_AT_HAND: Final = re.compile(r"\b(?:this|that|these|those|the|my|our|your)\s+$")
_RETURNS: Final = re.compile(
    r"\b(?:back to|continue with|again:|continue on|resume|return to)\b|\bagain\b"
)


@frozen
class Pattern:
    """Something that would be a signal if it came again.

    Attributes:
        key: The canonical signal, to be remembered as a digest only. Private.
        text: The line it becomes. Private.
        confirms: Whether this sighting can be the second one: a word alone says
            little, unless the request ties itself to an earlier one.
    """

    key: str = field(repr=False)
    text: str = field(repr=False)
    confirms: bool = True


def _is_request(clause: Clause) -> bool:
    if len(clause.folded.split()) > _REQUEST_WORDS:
        return False
    return clause.is_question or not _FIRST_PERSON.search(clause.folded)


def _subjects(clause: Clause, cues: Cues) -> Iterator[str]:
    """Return what a short request asks for, when it has no name of its own."""
    folded = clause.folded
    is_detail = any(character.isdigit() for character in folded)
    if is_detail or _ROUTINE_START.search(folded) or private_looking(clause.text):
        return
    for match in _CONTENT.finditer(folded):
        word = match.group()
        is_object = _AT_HAND.search(folded[: match.start()])
        is_returned_to = _RETURNS.search(folded)
        if word in _ROUTINE or has(cues.order, word):
            continue
        if not is_object or is_returned_to:
            yield word


def patterns_in(clause: Clause, cues: Cues) -> Iterator[Pattern]:
    """Return what a clause would be a signal of, if it came again."""
    if not _is_request(clause):
        return
    traits = [line for pattern, line in cues.traits if has(pattern, clause.folded)]
    yield from (Pattern(line, line) for line in traits)
    is_tied = has(cues.echo, clause.folded)
    if not traits:
        for word in _subjects(clause, cues):
            line = f"User keeps asking for: {word}"
            yield Pattern(f"word {stem(word)}", line, confirms=is_tied)
