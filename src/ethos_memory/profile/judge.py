"""What a clause says about the person, by the cues of its language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ethos_memory.profile.clause import fold, has
from ethos_memory.profile.cues.evidence import CRAFT, TECHNICAL, TERMS

if TYPE_CHECKING:
    from ethos_memory.profile.clause import Clause
    from ethos_memory.profile.cues import Cues
    from ethos_memory.profile.observation import Kind

__all__ = ["expertise_in", "is_correction", "is_lecture", "kind_of"]

#: An explanation in fewer words is a remark.
_LECTURE_WORDS: Final = 8

#: A correction in fewer characters names no way of working.
_SHORTEST: Final = 5

_DIRECTED: Final = re.compile(
    r"\b(?:me|you|your|us|answers?|repl(?:y|ies)|please|explain\w*|bitte|mir|dich|du|"
    r"dir|por favor|me|te|tu|tus|dame|moi|te|vous|s'il)\b|你|请|给我|回答"
)
_FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|fails?|runs?|crashes|happens?|breaks?|"
    r"ist|sind|war|hat|era|tiene|sont|était)\b"
)
_STATEMENT: Final = re.compile(
    r"^(?:it|he|she|they|never mind)\b|^(?:that|this)(?:'s|\s+(?:is|was|won't|will|works?|"
    r"doesn't|didn't|can't|would|could|should))\b"
)
_FROM_NOW_ON: Final = re.compile(
    r"\b(?:as a rule|from now on|from here on|in general|going forward|by default|in future)\b"
)
_SUBJECT_BEFORE: Final = re.compile(
    r"(?:^|\b(?:i|we|you|i'd|i'll|i've|please|and|but|so|to|should|must|me|them|it|be|do|"
    r"can|could|would|that|which|why|because|is|code|examples?|answers?|in|for|rule|hence)|"
    r"[,:(])[\s,:\"']*$"
)
_ALWAYS: Final = re.compile(r"\b(?:always|never)\b")
_WANT: Final = re.compile(
    r"\b(?:i|we)(?:'d)? (?:\w+ )?(?:want|need|expect|like|love|use|prefer)\b"
)
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|we|we're|our|ich|mein\w*|yo|mi|mis|soy|llevo|je|j'|mon|ma|"
    r"mes|n'ai)\b|我"
)
_HABIT: Final = re.compile(
    r"^(?:i|we)\b(?!'d (?:rather|like|prefer))|\bi (?:always|never|only)\b"
)
_TO_AGENT: Final = re.compile(
    r"\b(?:me|you|your|please|answers?|explain\w*)\b|\bi (?:like|love|prefer|want) "
    r"(?:to see|seeing|it when|when)\b"
)

#: What never happened is no wish.
_PAST: Final = re.compile(
    r"\s+(?:\w+ed|got|had|did|was|were|saw|came|went|made|said|told|knew|found|gave|took|"
    r"heard|met|been|felt|left|lost|thought|understood)\b"
)
_TASTE: Final = re.compile(
    r"\bi (?:\w+ )?(?:hate|dislike|despise|loathe|can't stand)\b"
)
_CAN_WE_NOT: Final = re.compile(r"^(?:can|could) we (?:please )?not\b")
_NEVER_DID: Final = re.compile(
    r"^never (?:touched|used|tried)|^(?:completely |totally )?new to"
)
_FOR_OTHERS: Final = re.compile(r"\bthe (?:customer|client|boss)\b")


def _is_work(clause: Clause) -> bool:
    """Tell whether a habit is about work: any other is somebody's life."""
    if not _HABIT.search(clause.folded) or _TO_AGENT.search(clause.folded):
        return True
    return bool(CRAFT.search(clause.folded) or TECHNICAL.search(clause.text[1:]))


def _is_verbless(folded: str, cues: Cues) -> bool:
    """Tell whether a standing wish goes without a verb: `oldest first, always`."""
    if _STATEMENT.search(folded) or _FINITE.search(folded):
        return False
    is_english = cues.language == "en"
    return not is_english or bool(CRAFT.search(folded) or _FROM_NOW_ON.search(folded))


def _is_standing(clause: Clause, cues: Cues) -> bool:
    """Tell whether a wish is to hold from now on, and is the person's own."""
    folded = clause.folded
    if not has(cues.standing, folded):
        return False
    for match in _ALWAYS.finditer(folded):
        if not _SUBJECT_BEFORE.search(folded[: match.start()]):
            return False
        if _PAST.match(folded, match.end()):
            return False
    return (
        has(cues.order, folded)
        or has(cues.wish, folded)
        or has(cues.style, folded)
        or _DIRECTED.search(folded) is not None
        or _WANT.search(folded) is not None
        or _is_verbless(folded, cues)
    )


def kind_of(clause: Clause, cues: Cues) -> Kind | None:
    """Say what kind of signal a clause is by itself, `None` when it is none."""
    folded = clause.folded
    is_standing = _is_standing(clause, cues)
    if has(cues.others, folded) or has(cues.reaction, folded):
        return None
    if has(cues.task, folded) and not is_standing:
        return None
    if clause.is_question:
        return "pushback" if _CAN_WE_NOT.search(folded) else None
    if is_standing or has(cues.wish, folded):
        return "preference" if _is_work(clause) else None
    if has(cues.rejection, folded):
        is_life = _TASTE.search(folded) and not _is_work(clause)
        return None if is_life else "pushback"
    return "preference" if has(cues.style, folded) else None


def is_correction(clause: Clause, cues: Cues) -> bool:
    """Tell whether a clause names a way of working, behind an objection."""
    folded = clause.folded
    if clause.is_question or not clause.is_objection or len(folded) < _SHORTEST:
        return False
    if has(cues.others, folded):
        return False
    return has(cues.practice, folded) or has(cues.contrast, folded)


def expertise_in(clause: Clause, cues: Cues) -> tuple[str, str] | None:
    """Say what a person tells about their own knowledge.

    Returns:
        The level, as it stands between ``User`` and the subject, and the words that
        name the subject; `None` when the clause tells nothing of the kind.
    """
    if clause.is_question:
        return None
    if not (_FIRST_PERSON.search(clause.folded) or _NEVER_DID.search(clause.folded)):
        return None
    for pattern, level in cues.expertise:
        match = re.search(pattern, clause.text, re.IGNORECASE)
        if match:
            return level, next(filter(None, match.groups()), clause.text)
    return None


def is_lecture(text: str, cues: Cues) -> bool:
    """Tell whether somebody explains a subject that they know."""
    folded = fold(text)
    words = len(folded) // 2 if cues.language == "zh" else len(folded.split())
    if words < _LECTURE_WORDS or folded.endswith(("?", "？")):
        return False
    if _FOR_OTHERS.search(folded) or has(cues.order, folded):
        return False
    if not has(cues.lecture, folded):
        return False
    is_general = not (_FIRST_PERSON.search(folded) or _STATEMENT.search(folded))
    return bool(is_general or TERMS.search(folded) or TECHNICAL.search(text[1:]))
