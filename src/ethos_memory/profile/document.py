"""The identity document: a title, four sections, a few bullets each."""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve, field, frozen

from ethos_memory.profile.observation import (
    SECTIONS,
    SectionName,
    canonical,
    section_of,
    unmarked,
)

__all__ = [
    "BULLETS_WANTED",
    "MAX_BULLETS",
    "MAX_DOCUMENT_CHARS",
    "TITLE",
    "IdentityDocument",
    "Problem",
    "format_document",
    "problems_of",
    "read_document",
]

TITLE: Final = "# User Identity"

#: Bullets in a section at most, and as many as are wanted (seed 002: 3 to 7).
MAX_BULLETS: Final = 7
BULLETS_WANTED: Final = 3

#: The whole document is shorter than this, in characters (seed 002).
MAX_DOCUMENT_CHARS: Final = 1_000

_LINE_END: Final = re.compile(r"\r\n|\n|\r|\x0b|\x0c|\x85|\u2028|\u2029")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_BULLET: Final = re.compile(r"[-*+•][ \t]+\S.*")


@frozen
class IdentityDocument:
    """What is known about how a person works, as actionable preferences.

    Attributes:
        sections: The bullets of each section, in the order of `SECTIONS`, without
            their marks, most certain first. Private: in no `repr`.
    """

    sections: tuple[tuple[str, ...], ...] = field(
        default=((),) * len(SECTIONS), repr=False
    )

    def bullets(self, section: SectionName) -> tuple[str, ...]:
        """Return the bullets of one section."""
        return self.sections[SECTIONS.index(section)]

    def with_bullets(
        self, section: SectionName, bullets: tuple[str, ...]
    ) -> IdentityDocument:
        """Return the document with other bullets in one section."""
        place = SECTIONS.index(section)
        return evolve(
            self,
            sections=(*self.sections[:place], bullets, *self.sections[place + 1 :]),
        )

    @property
    def is_blank(self) -> bool:
        """Whether no section has a bullet."""
        return not any(self.sections)


@frozen
class Problem:
    """What is wrong with a text that should be the document.

    Attributes:
        rule: For example ``document.sections``.
        line: The line it shows on, counted from 1.
        reason: One sentence. Never holds the text.
    """

    rule: str
    line: int
    reason: str = field(kw_only=True)


def format_document(document: IdentityDocument) -> str:
    """Write a document. An empty section keeps its heading."""
    parts = [TITLE]
    for name, bullets in zip(SECTIONS, document.sections, strict=True):
        parts.append("\n".join((f"## {name}", *(f"- {one}" for one in bullets))))
    return "\n\n".join(parts) + "\n"


def problems_of(text: str) -> tuple[Problem, ...]:
    """Say what keeps a text from being the document; nothing is repaired here.

    Returns:
        Nothing when the title, the four sections in order, at most `MAX_BULLETS`
        bullets in each and fewer than `MAX_DOCUMENT_CHARS` characters are there, and
        nothing else is.
    """
    found = []
    headings = []
    counts: dict[str, int] = {}
    for number, line in enumerate(_LINE_END.split(text), 1):
        stripped = line.strip()
        if stripped.startswith("#"):
            headings.append(stripped)
        elif _BULLET.fullmatch(stripped) and headings[1:]:
            name = headings[-1]
            counts[name] = counts.get(name, 0) + 1
            if counts[name] == MAX_BULLETS + 1:
                reason = f"more than {MAX_BULLETS} bullets in a section"
                found.append(Problem("document.bullets", number, reason=reason))
        elif stripped:
            reason = "a line that is neither heading nor bullet of a section"
            found.append(Problem("document.lines", number, reason=reason))
    if headings != [TITLE, *(f"## {name}" for name in SECTIONS)]:
        reason = (
            "the title and the four sections, once each and in order, are not there"
        )
        found.append(Problem("document.sections", 1, reason=reason))
    if len(text) >= MAX_DOCUMENT_CHARS:
        reason = f"{MAX_DOCUMENT_CHARS} characters or more"
        found.append(Problem("document.size", 1, reason=reason))
    return tuple(found)


def _heading(line: str) -> str | None:
    match = _HEADING.fullmatch(line)
    return None if match is None else canonical(match[2])


def read_document(text: str) -> IdentityDocument:
    """Read a document leniently, as a person may have edited it.

    A bullet or line under one of the four sections is a bullet of it; any other goes
    to the section that its words fit. A line that is there twice is kept once.

    Args:
        text: Any text.

    Returns:
        The document; it may hold more than the rules allow.
    """
    places = {canonical(name): name for name in SECTIONS}
    found: dict[SectionName, dict[str, str]] = {name: {} for name in SECTIONS}
    current: SectionName | None = None
    for line in _LINE_END.split(text.removeprefix("\ufeff")):
        heading = _heading(line.strip())
        bullet = unmarked(line).strip()
        if heading is not None:
            current = places.get(heading)
        elif any(character.isalnum() for character in bullet):
            section = current or section_of(bullet)
            found[section].setdefault(canonical(bullet), bullet)
    return IdentityDocument(tuple(tuple(one.values()) for one in found.values()))
