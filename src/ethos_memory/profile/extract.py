"""From what a person says to signals about them, without a model.

Conservative on purpose: a wish that is missed is said again, a wrong one sticks to the
person. What is kept is never the message: it is one clause, told in the third person,
that passed the privacy filter and holds no name that could be somebody's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.profile.clause import clauses, fold, has
from ethos_memory.profile.judge import (
    expertise_in,
    is_correction,
    is_lecture,
    kind_of,
)
from ethos_memory.profile.names import is_public_name
from ethos_memory.profile.privacy import PrivacyFilter, plain_quotes
from ethos_memory.profile.render import expertise_line, rendered
from ethos_memory.profile.repeats import Pattern, patterns_in
from ethos_memory.profile.speech import MAX_MESSAGE_CHARS, cues_for, own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.profile.clause import Clause
    from ethos_memory.profile.cues import Cues
    from ethos_memory.profile.observation import Kind

__all__ = [
    "Pattern",
    "Reading",
    "Signal",
    "learnable_words",
    "private_words",
    "read_message",
]

#: Most signals that one message gives: more is a text about something else.
MAX_SIGNALS: Final = 3


#: A line about something that only the message can tell; kept when it is all there is.
_AT_HAND: Final = re.compile(r"\b(?:these|those|it|them|that)$")

#: A word with a capital, a digit or a sign in it: what identifies somebody.
_PRIVATE_WORD: Final = re.compile(r"@?[\w.-]*[A-Z\d@_][\w.@!#$%&-]*")


@frozen
class Signal:
    """Something about a person that counts at once.

    Attributes:
        kind: How it showed itself.
        text: The line, ``User …``. Private: in no `repr`.
    """

    kind: Kind
    text: str = field(repr=False)


@frozen
class Reading:
    """What one message gives away.

    Attributes:
        signals: What counts at once, in the order it was said.
        patterns: What counts when it comes again.
    """

    signals: tuple[Signal, ...] = ()
    patterns: tuple[Pattern, ...] = ()


def learnable_words(message: str) -> str | None:
    """Return the person's own words, when something may be learned from them.

    Returns:
        `None` for what is not theirs (a text to work on, a fiction), for what they
        forbid to keep, for a message without words and for one that is too long.
    """
    if len(message) > MAX_MESSAGE_CHARS:
        return None
    text = own_words(message)
    cues = cues_for(text)
    folded = fold(text)
    if (
        not folded
        or has(cues.veto, folded)
        or has(cues.material, fold(plain_quotes(message)))
    ):
        return None
    return text


def private_words(text: str, privacy: PrivacyFilter) -> tuple[str, ...]:
    """Return the words that are private where they were said, folded.

    A model's answer about the message may hold none of them: a name, a handle, a
    number, in whatever sentence it comes back.
    """
    cues = cues_for(text)
    found: set[str] = set()
    for clause in clauses(text, cues):
        if privacy.judge(clause.text, context=text) is None:
            continue
        words = {match.group() for match in _PRIVATE_WORD.finditer(clause.text)}
        found |= {fold(word) for word in words if not is_public_name(word)}
    return tuple(sorted(found - set(cues.common) - {"i", ""}))


def _direct(
    said: tuple[Clause, ...], cues: Cues, *, is_moment: bool
) -> Iterator[Signal]:
    """Return what each clause gives away by itself."""
    for clause in said:
        known = expertise_in(clause, cues)
        line = expertise_line(*known) if known else None
        if line:
            yield Signal("expertise", line)
            continue
        kind = None if is_moment else kind_of(clause, cues)
        line = rendered(clause.told, cues, kind) if kind else None
        if kind and line:
            is_answer = kind == "preference" and clause.is_objection
            yield Signal("correction" if is_answer else kind, line)


def _indirect(text: str, said: tuple[Clause, ...], cues: Cues) -> Iterator[Signal]:
    """Return what the message as a whole gives away."""
    folded = fold(text)
    is_known = is_lecture(text, cues) and not has(cues.others, folded)
    line = expertise_line("has deep knowledge of", text) if is_known else None
    if line:
        yield Signal("expertise", line)
        return
    if has(cues.task, folded):
        return
    for clause in said:
        line = None
        if is_correction(clause, cues):
            line = rendered(clause.text, cues, "correction")
        if line:
            yield Signal("correction", line)
            return


def read_message(message: str, privacy: PrivacyFilter | None = None) -> Reading:
    """Find what a person gives away about themselves in one message.

    Args:
        message: What they said, quotes and code included.
        privacy: What is never kept; by default everything private.

    Returns:
        Nothing for most messages: routine, tasks, moments, other people's wishes,
        quotations and everything private.
    """
    privacy = privacy or PrivacyFilter()
    text = learnable_words(message)
    if text is None:
        return Reading()
    cues = cues_for(text)
    is_moment = has(cues.moment, fold(text))
    said = tuple(
        clause
        for clause in clauses(text, cues)
        if privacy.judge(clause.text, context=text) is None
    )
    found = list(_direct(said, cues, is_moment=is_moment))
    if not found and not is_moment and privacy.judge(text) is None:
        found = list(_indirect(text, said, cues))
    signals = {
        one.text: one for one in found if privacy.judge(one.text, context=text) is None
    }
    clear = {line: one for line, one in signals.items() if not _AT_HAND.search(line)}
    signals = clear or signals
    if signals or is_moment:
        return Reading(tuple(signals.values())[:MAX_SIGNALS])
    patterns = {
        one.key: one
        for clause in said
        for one in patterns_in(clause, cues)
        if privacy.judge(one.text, context=text) is None
    }
    return Reading((), tuple(patterns.values())[:MAX_SIGNALS])
