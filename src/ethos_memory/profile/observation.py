"""One small signal about a person: a line, where it belongs, how often it was seen."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from attrs import field, frozen

from ethos_memory.entry import trim
from ethos_memory.scope import plain_text

__all__ = [
    "KINDS",
    "MAX_OBSERVATION_CHARS",
    "SECTIONS",
    "Kind",
    "Observation",
    "SectionName",
    "canonical",
    "section_of",
    "unmarked",
]

#: How a signal showed itself.
Kind: TypeAlias = Literal[
    "correction", "preference", "expertise", "pushback", "repetition"
]

#: All of `Kind`, for reading and for schemas.
KINDS: Final[tuple[Kind, ...]] = (
    "correction",
    "preference",
    "expertise",
    "pushback",
    "repetition",
)

#: A section of the identity document.
SectionName: TypeAlias = Literal[
    "User Preferences",
    "Communication Adaptations",
    "Expertise Notes",
    "Relationship Context",
]

#: The sections in the order of the document (DESIGN section 11).
SECTIONS: Final[tuple[SectionName, ...]] = (
    "User Preferences",
    "Communication Adaptations",
    "Expertise Notes",
    "Relationship Context",
)

#: Longest observation in characters: twenty of them are a page one can look over,
#: and a longer line is a story, no signal.
MAX_OBSERVATION_CHARS: Final = 240

_BULLET: Final = re.compile(r"[-*+•]\s+")
_BLANKS: Final = re.compile(r"\s+")
_LINE_ENDS: Final = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

#: What a line is about, looked for in this order.
_ABOUT: Final[tuple[tuple[SectionName, re.Pattern[str]], ...]] = (
    (
        "Expertise Notes",
        re.compile(
            r"\b(?:expert|expertise|deep(?:ly)? know|intermediate|beginner|newcomer|"
            r"new to|is learning|novice|proficient|fluent in|familiar with|"
            r"understands|knows?\b|knowledge of|experienced|experience (?:in|with))"
        ),
    ),
    (
        "Communication Adaptations",
        re.compile(
            r"\b(?:answers?|repl(?:y|ies)|respon(?:d|se)|explain|explanation|"
            r"explaining|concise|terse|verbose|short|brief|long|detail|tone|bullets?|"
            r"prose|paragraphs?|tables?|examples?|emojis?|jargon|pleasantries|formal|"
            r"casual|language|spelling|wording|plain words|summar|step by step|steps|"
            r"reason(?:s|ing)?|options|recommendation|questions?|units?|openers?|"
            r"hedg|tell(?:ing)? them|show(?:ing)? them)"
        ),
    ),
    (
        "Relationship Context",
        re.compile(
            r"\b(?:push(?:es)? back|disagrees|dislikes|frustrat|values|appreciates|"
            r"trusts?|proactive|returns to|keeps? (?:coming|returning)|decides|"
            r"works on|ask(?:ed)? (?:first|before)|before they ask)"
        ),
    ),
)


def unmarked(line: str) -> str:
    """Return a line without its bullet and the blanks around it."""
    text = trim(line)
    return trim(_BULLET.sub("", text, count=1)) if _BULLET.match(text) else text


def _text(value: str) -> str:
    text = unmarked(plain_text(value, what="observation"))
    is_empty = not any(character.isalnum() for character in text)
    if is_empty or len(text) > MAX_OBSERVATION_CHARS or _LINE_ENDS & set(text):
        msg = f"an observation is one line of 1 to {MAX_OBSERVATION_CHARS} characters"
        raise ValueError(msg)
    if "<!--" in text or "-->" in text:
        msg = "an observation holds no comment"
        raise ValueError(msg)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _aware(value: datetime) -> datetime:
    if value.utcoffset() is None:
        msg = "the time of an observation is aware"
        raise ValueError(msg)
    return value.astimezone(UTC)


def _count(value: int) -> int:
    if value < 1:
        msg = "an observation was seen once or more often"
        raise ValueError(msg)
    return value


def canonical(text: str) -> str:
    """Return what a line is compared as: case, width, blanks and end marks go."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _BLANKS.sub(" ", folded).strip(" .!;,。！")


def section_of(text: str) -> SectionName:
    """Say which section of the document a line belongs to, by its words."""
    folded = canonical(text)
    for section, words in _ABOUT:
        if words.search(folded):
            return section
    return "User Preferences"


@frozen
class Observation:
    """One line about a person, such as ``User prefers bullet points over prose``.

    Attributes:
        text: The line without its bullet. Private: in no `repr`.
        kind: How the signal showed itself.
        section: Where it belongs in the identity document.
        at: When it was last seen, aware and in UTC.
        seen: How often it was seen.

    Raises:
        ValueError: When the text is empty, longer than `MAX_OBSERVATION_CHARS`, has
            more than one line or holds a comment; when the time is naive, or the
            count below 1. The message never holds the text.
        TypeError: When the text is no text.
    """

    text: str = field(converter=_text, repr=False)
    kind: Kind = "preference"
    section: SectionName = field(kw_only=True)
    at: datetime = field(kw_only=True, converter=_aware)
    seen: int = field(default=1, kw_only=True, converter=_count)

    @section.default
    def _own_section(self) -> SectionName:
        return "Expertise Notes" if self.kind == "expertise" else section_of(self.text)

    @property
    def line(self) -> str:
        """The observation as a bullet: ``- User …``."""
        return f"- {self.text}"

    @property
    def signal(self) -> str:
        """What two observations of the same signal have in common."""
        return canonical(self.text)
