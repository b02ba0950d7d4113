"""The synthesizer that needs no model: merge, replace what is outdated, keep the budget.

The newest and most often confirmed stand first in their section; what no longer fits
falls off at the end. The same input gives the same document.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ethos_memory.profile.document import (
    BULLETS_WANTED,
    MAX_BULLETS,
    MAX_DOCUMENT_CHARS,
    IdentityDocument,
    format_document,
    read_document,
)
from ethos_memory.profile.observation import SECTIONS, canonical
from ethos_memory.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.profile.observation import Observation

__all__ = ["merge_observations", "supersedes"]

#: Longest bullet in characters: two of the longest leave room for the headings.
_MAX_BULLET_CHARS: Final = 300

#: Two lines are about the same thing when they share so much of their words.
_SAME_SUBJECT: Final = 0.75

#: What a line begins with, and what the bullet begins with instead.
_PERSON: Final = re.compile(r"(?:the )?user(?:'s)?\b\s*:?\s*", re.IGNORECASE)

#: Words that turn a wish around or only frame it: they do not tell what it is about.
_FRAME_TEXT: Final = """
user prefer want like dislike alway never not no don doe would rather do to a an
the of in for and or over than instead is are be with them their they use ask
that it on as from now wants prefers likes always does don't more less
"""
_FRAME: Final = frozenset(_FRAME_TEXT.split())

#: One scale each: a newer line on it takes the place of an older one.
_SCALES: Final = (
    (
        r"\b(?:short|shorter|brief|concise|terse|long|longer|detailed|verbose|in-depth)\b"
        r".*\b(?:answers?|repl|respon|explanations?)|\b(?:concise|verbose|terse|brief)\b"
    ),
    r"\btabs?\b.*\b(?:indent|spaces)|\bspaces?\b.*\b(?:indent|tabs)|\bindent\w*\b",
    r"\b(?:dark|light) (?:theme|mode)\b",
    r"\b(?:formal|informal|casual)(?:ly)?\b",
    r"\b(?:british|american) (?:english|spelling)\b",
    r"\b(?:metric|imperial)\b",
    r"\btests? (?:first|before|after|alongside)|\btest-first\b",
    r"\b(?:one|a single) recommendation\b|\b(?:several |two |three )?options\b",
)

_LEVELS: Final = ("Expert", "Intermediate", "Learning", "Deep knowledge of")
_LEVEL_LINE: Final = re.compile(
    r"(?P<level>expert|intermediate|learning):\s*(?P<topics>.+)|"
    r"(?P<deep>deep knowledge of)\s+(?P<subject>.+)",
    re.IGNORECASE,
)
_LEVEL_SAID: Final = (
    ("Expert", re.compile(r"is (?:an )?expert in (.+)", re.IGNORECASE)),
    ("Intermediate", re.compile(r"is at an intermediate level in (.+)", re.IGNORECASE)),
    ("Learning", re.compile(r"is learning (.+)", re.IGNORECASE)),
    ("Deep knowledge of", re.compile(r"has deep knowledge of (.+)", re.IGNORECASE)),
)


@cache
def _scales() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(scale) for scale in _SCALES)


def _subject(line: str) -> frozenset[str]:
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", canonical(line))
    return frozenset(stem(word) for word in words if word not in _FRAME) - _FRAME


def supersedes(newer: str, older: str) -> bool:
    """Tell whether a line takes the place of an older one.

    It does when both say the same, when both lie on one scale (short answers, long
    answers), or when they are about the same words and differ in what is wanted.
    """
    if canonical(newer) == canonical(older):
        return True
    if any(
        s.search(canonical(newer)) and s.search(canonical(older)) for s in _scales()
    ):
        return True
    one, other = _subject(newer), _subject(older)
    if not one or not other:
        return False
    return len(one & other) / len(one | other) >= _SAME_SUBJECT


def _actionable(text: str) -> str:
    """Return an observation as a bullet: what to do, without whom it is about."""
    bare = _PERSON.sub("", text, count=1) if _PERSON.match(text) else text
    return bare[:1].upper() + bare[1:]


def _level_of(text: str) -> tuple[str, str] | None:
    bare = _PERSON.sub("", text, count=1)
    for level, pattern in _LEVEL_SAID:
        match = pattern.fullmatch(bare)
        if match:
            return level, match[1]
    return None


def _levels(bullets: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return topic to level, oldest last, and the bullets that name no level."""
    topics: dict[str, str] = {}
    others = []
    for bullet in bullets:
        match = _LEVEL_LINE.fullmatch(bullet)
        if match is None:
            others.append(bullet)
        elif match["deep"]:
            topics.setdefault(match["subject"], "Deep knowledge of")
        else:
            for topic in match["topics"].split(", "):
                topics.setdefault(topic.strip(), match["level"].capitalize())
    return topics, others


def _level_bullets(topics: dict[str, str]) -> list[str]:
    lines = []
    for level in _LEVELS[:3]:
        named = [topic for topic, one in topics.items() if one == level]
        if named:
            lines.append(f"{level}: {', '.join(named)}")
    deep = [topic for topic, one in topics.items() if one == _LEVELS[3]]
    return lines + [f"{_LEVELS[3]} {topic}" for topic in deep]


def _with_level(document: IdentityDocument, level: str, topic: str) -> IdentityDocument:
    """Put a subject at a level; at any other level it is known no longer."""
    topics, others = _levels(document.bullets("Expertise Notes"))
    rest = {k: v for k, v in topics.items() if canonical(k) != canonical(topic)}
    bullets = (*_level_bullets({topic: level} | rest), *others)
    return document.with_bullets("Expertise Notes", bullets)


def _with_line(document: IdentityDocument, one: Observation) -> IdentityDocument:
    """Put a line first in its section, and drop what it takes the place of."""
    newest = _actionable(one.text)
    for section in SECTIONS:
        old = document.bullets(section)
        bullets = tuple(line for line in old if not supersedes(newest, line))
        if section == one.section:
            bullets = (newest, *bullets)
        document = document.with_bullets(section, bullets)
    topics, others = _levels(document.bullets("Expertise Notes"))
    return document.with_bullets("Expertise Notes", (*_level_bullets(topics), *others))


def _ranked(observations: Iterable[Observation]) -> list[Observation]:
    """Order observations so that the most certain is merged last, and stands first."""
    return sorted(observations, key=lambda one: (one.seen, one.at))


def _fitted(document: IdentityDocument) -> str:
    """Drop the last bullets of the fullest sections until the document fits."""
    sections = [
        [one for one in bullets if len(one) <= _MAX_BULLET_CHARS][:MAX_BULLETS]
        for bullets in document.sections
    ]
    text = format_document(IdentityDocument(tuple(map(tuple, sections))))
    while len(text) >= MAX_DOCUMENT_CHARS:
        rich = [one for one in sections if len(one) > BULLETS_WANTED] or sections
        max(rich, key=lambda one: sum(map(len, one))).pop()
        text = format_document(IdentityDocument(tuple(map(tuple, sections))))
    return text


def merge_observations(document: str, observations: Iterable[Observation]) -> str:
    """Merge observations into an identity document, without a model.

    Args:
        document: The document as it is, hand edits included; ``""`` when there is
            none.
        observations: What was seen since.

    Returns:
        A valid document with fewer than `MAX_DOCUMENT_CHARS` characters.
    """
    merged = read_document(document)
    for one in _ranked(observations):
        known = _level_of(one.text) if one.section == "Expertise Notes" else None
        merged = _with_level(merged, *known) if known else _with_line(merged, one)
    return _fitted(merged)
