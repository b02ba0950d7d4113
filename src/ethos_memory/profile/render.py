"""How a person's clause is told in the third person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ethos_memory.profile.names import private_looking

if TYPE_CHECKING:
    from ethos_memory.profile.cues import Cues
    from ethos_memory.profile.observation import Kind

__all__ = ["expertise_line", "rendered"]

#: Longest clause that is told; more is a story.
_MOST_CHARS: Final = 140
_TOPIC_CHARS: Final = 40

#: A wish of so few words is its canonical line; a longer one says more.
_SHORT_WORDS: Final = 4
_SHORT_CHARS: Final = 40

#: A push-back that is no request by itself.
_COMPLAINT: Final = re.compile(
    r"^(?!(?:please )?(?:don't|do not|stop|no|can|could|skip|i|enough|use|never)\b)"
)

_PRONOUNS: Final = (
    (re.compile(r"\bI'm\b"), "they are"),
    (re.compile(r"\bI've\b"), "they have"),
    (re.compile(r"\bI'd\b"), "they would"),
    (re.compile(r"\bI'll\b"), "they will"),
    (re.compile(r"\bI\b(?!/)"), "they"),
    (re.compile(r"\bme\b", re.IGNORECASE), "them"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "theirs"),
    (re.compile(r"\bmy\b", re.IGNORECASE), "their"),
)
_LEADS: Final = (
    (re.compile(r"^I'm not\b", re.IGNORECASE), "User is not"),
    (re.compile(r"^I'm\b", re.IGNORECASE), "User is"),
    (re.compile(r"^I am\b", re.IGNORECASE), "User is"),
    (re.compile(r"^I've\b", re.IGNORECASE), "User has"),
    (re.compile(r"^I'd\b", re.IGNORECASE), "User would"),
    (re.compile(r"^I don't\b", re.IGNORECASE), "User does not"),
    (re.compile(r"^I do not\b", re.IGNORECASE), "User does not"),
    (re.compile(r"^I didn't\b", re.IGNORECASE), "User does not"),
    (
        re.compile(r"^I (can|could|would|will|can't|never|only)\b", re.IGNORECASE),
        r"User \1",
    ),
)
_VERB: Final = re.compile(
    r"^I ((?:really|generally|usually|always|mostly|typically|also|strongly|never|only|"
    r"much|do) )*([a-z]+)\b",
    re.IGNORECASE,
)
_MODALS: Final = frozenset({"can", "could", "would", "will", "should", "must", "do"})
_ADVERBS: Final = re.compile(r"^User (never|only) ([a-z]+)\b")


def _third(verb: str) -> str:
    if verb in _MODALS:
        return verb
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "o", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _lowered(clause: str) -> str:
    """Begin with a small letter, unless the first word keeps its capital."""
    first = clause.split(maxsplit=1)[0]
    is_name = not first[1:].islower() and len(first) > 1
    return clause if is_name else clause[0].lower() + clause[1:]


def _english(clause: str) -> str:
    for pattern, lead in _LEADS:
        if pattern.search(clause):
            line = pattern.sub(lead, clause, count=1)
            found = _ADVERBS.match(line)
            if found:
                verb = _third(found[2])
                line = f"User {found[1]} {verb}{line[found.end() :]}"
            break
    else:
        match = _VERB.match(clause)
        if match:
            start = clause[2 : match.start(2)].replace("do ", "")
            line = f"User {start}{_third(match[2].lower())}{clause[match.end() :]}"
        else:
            line = f"User wants: {_lowered(clause)}"
    return _third_person(line)


def _third_person(line: str) -> str:
    head, tail = line[:5], line[5:]
    for pattern, word in _PRONOUNS:
        tail = pattern.sub(word, tail)
    return head + tail


def _trait(folded: str, cues: Cues) -> str | None:
    """Return the canonical line of a wish that is known by many names."""
    known = [line for pattern, line in cues.traits if re.search(pattern, folded)]
    return known[0] if len(known) == 1 else None


#: What frames a wish without being part of it.
_FRAMED: Final = re.compile(
    r"^(?:(?:from (?:now|here|today) on|going forward|in general|generally|in future|"
    r"as a (?:standing )?rule|by default|for all future answers|you can|you could|"
    r"feel free to|please)[,:]?\s+)+(?!i\b|i'd\b|we\b)",
    re.IGNORECASE,
)

_PLEASE: Final = re.compile(r",?\s+please$", re.IGNORECASE)


def rendered(clause: str, cues: Cues, kind: Kind) -> str | None:
    """Tell a clause in the third person.

    Returns:
        ``User …``; `None` when it is too long, or holds a word that could be a name.
    """
    text = _PLEASE.sub("", _FRAMED.sub("", clause.strip()).rstrip(" .!;,:。！，；"))
    folded = text.lower()
    is_short = len(folded.split()) <= _SHORT_WORDS and len(folded) <= _SHORT_CHARS
    trait = _trait(folded, cues) if is_short else None
    if trait is not None:
        return trait
    if not text or len(text) > _MOST_CHARS or "<!--" in text or "-->" in text:
        return None
    if cues.language != "de" and private_looking(text):
        return None
    if cues.language != "en":
        return f"User wants: {text}"
    if kind == "pushback" and _COMPLAINT.search(folded):
        return _third_person(f"User pushes back: {_lowered(text)}")
    return _english(text)


_TOPIC_NOISE: Final = re.compile(
    r"^(?:the|our|a|an|my|most of|for|on|in|of|to|with|using|el|la|le|les|der|die|das|"
    r"unseren?|un|une|que) ",
    re.IGNORECASE,
)
_TOPIC_TAIL: Final = re.compile(
    r"\s+(?:now|too|before|again|though|at all|anyway|yet|already|by the way)$",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(
    r"\b(?:it|them|these|this|that|those|there|one|ones)\b", re.IGNORECASE
)
_TOPIC_TERMS: Final = re.compile(
    r"`[^`]{1,30}`|\b[A-Z]{2,6}\d*\b|\b\w*[a-z][A-Z]\w*|\b\w+_\w+|\b[A-Z][a-z]+\d*\b"
)


#: Words that name no subject.
_SMALL_TEXT: Final = """
that this with your you're when what only need needs once after until from have because
otherwise still even just them they about which where there would could should won't
can't isn't doesn't want over under into than then does like
"""
_SMALL: Final = frozenset(_SMALL_TEXT.split())


def expertise_line(level: str, said: str) -> str | None:
    """Tell what a person knows, and how well.

    Args:
        level: What stands between ``User`` and the subject.
        said: Their words about it.

    Returns:
        ``User …``; `None` when no subject can be named without naming somebody.
    """
    text = said.strip().rstrip(" .!;,:")
    for _ in range(3):
        text = _TOPIC_NOISE.sub("", _TOPIC_TAIL.sub("", text))
    is_named = not _POINTS_BACK.search(text) and not private_looking("x " + text)
    if len(text) <= _TOPIC_CHARS and is_named:
        return f"User {level} {text}"
    names = [
        match.group()
        for match in _TOPIC_TERMS.finditer(said)
        if not private_looking("x " + match.group())
    ]
    if names:
        return f"User {level} {', '.join(dict.fromkeys(names[:3]))}"
    words = re.findall(r"[^\W\d_]{4,}", said)
    plain = [word for word in words if word.islower() and word not in _SMALL]
    return f"User {level} {' '.join(plain[:2])}" if plain else None
