"""The page `OBSERVATIONS.md`: what was seen and is not yet part of the document.

A bullet is an observation. A comment behind it tells kind, section, time and count; a
bullet without one is fine, so that a person can write here. A comment line of its own
is the first sighting of a possible pattern: kind, time and the sha256 of the signal,
never its text. Every other line is somebody else's and stays.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

from attrs import evolve, field, frozen

from ethos_memory.profile.observation import (
    KINDS,
    SECTIONS,
    Kind,
    Observation,
    SectionName,
    unmarked,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MAX_OBSERVATIONS",
    "MAX_SIGHTINGS",
    "Buffer",
    "Row",
    "Sighting",
    "format_buffer",
    "noted",
    "parse_buffer",
]

#: Observations in the buffer; the oldest drop off (seed 002).
MAX_OBSERVATIONS: Final = 20

#: First sightings in the buffer; the oldest drop off (DESIGN section 11).
MAX_SIGHTINGS: Final = 20

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_OBSERVATION: Final = re.compile(
    r"[-*+•][ \t]+(?P<text>\S.*?)[ \t]*(?:<!--(?P<facts>.*?)-->)?[ \t]*"
)
_SIGHTING: Final = re.compile(
    r"<!--[ \t]*seen once;[ \t]*(?P<kind>[a-z]+);[ \t]*(?P<at>[^;]+);"
    r"[ \t]*(?P<digest>[0-9a-f]{64})[ \t]*-->[ \t]*"
)
_SEEN: Final = re.compile(r"seen ([1-9][0-9]{0,5})")


@frozen
class Sighting:
    """A possible pattern that was seen once.

    Attributes:
        kind: What it would be, seen again.
        at: When it was seen, aware and in UTC.
        digest: sha256 of the canonical signal, in hex.
    """

    kind: Kind
    at: datetime
    digest: str = field(kw_only=True)


@frozen
class Row:
    """A line of the page, and what it means; a foreign one means nothing.

    Attributes:
        raw: The line as it stands.
        meaning: What it means, `None` for a foreign line.
    """

    raw: str = field(repr=False)
    meaning: Observation | Sighting | None = None


@frozen
class Buffer:
    """The page as a value. Every change gives another one.

    Attributes:
        rows: Its lines and what they mean. Private: in no `repr`.
    """

    rows: tuple[Row, ...] = field(default=(), repr=False)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What was observed, oldest first; each signal once."""
        found = (row.meaning for row in self.rows)
        return tuple(one for one in found if isinstance(one, Observation))

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """Possible patterns that were seen once, oldest first."""
        found = (row.meaning for row in self.rows)
        return tuple(one for one in found if isinstance(one, Sighting))

    @property
    def is_blank(self) -> bool:
        """Whether nothing is left but blank lines."""
        return not any(row.meaning or row.raw.strip() for row in self.rows)

    def with_observation(
        self, observation: Observation, *, is_plain: bool = False
    ) -> Buffer:
        """Add an observation. One that is there already is counted, and is newest.

        Args:
            observation: What was seen.
            is_plain: Write a new one as the bare bullet it was given as.
        """
        before = [one for one in self.observations if one.signal == observation.signal]
        row = _counted(before, observation)
        if is_plain and not before:
            row = Row(observation.line, observation)
        rows = [*(one for one in self.rows if one.meaning not in before), row]
        return Buffer(_capped(rows, Observation, MAX_OBSERVATIONS))

    def with_sighting(self, sighting: Sighting) -> Buffer:
        """Add a first sighting; one with the same digest is replaced."""
        rows = [*self.without_sighting(sighting.digest).rows]
        rows.append(Row(_sighting_line(sighting), sighting))
        return Buffer(_capped(rows, Sighting, MAX_SIGHTINGS))

    def without_sighting(self, digest: str) -> Buffer:
        """Drop the first sighting with this digest, if it is there."""
        return Buffer(
            tuple(
                row
                for row in self.rows
                if not isinstance(row.meaning, Sighting) or row.meaning.digest != digest
            )
        )

    def without(self, given: Iterable[Observation]) -> Buffer:
        """Drop exactly these observations; what was seen of them since stays."""
        seen = {one.signal: one.seen for one in given}
        rows: list[Row] = []
        for row in self.rows:
            one = row.meaning
            if not isinstance(one, Observation) or one.signal not in seen:
                rows.append(row)
            elif one.seen > seen[one.signal]:
                left = evolve(one, seen=one.seen - seen[one.signal])
                rows.append(Row(_observation_line(left), left))
        return Buffer(tuple(rows))

    def holds_any(self, given: Iterable[Observation]) -> bool:
        """Whether one of these is here still, seen as often as it was given."""
        here = {one.signal: one.seen for one in self.observations}
        return any(here.get(one.signal, 0) >= one.seen for one in given)


def _counted(before: list[Observation], newest: Observation) -> Row:
    """Return the row of an observation that was seen before, and is seen again.

    The wording that is there stays: a person may have edited it.
    """
    seen = newest.seen + sum(one.seen for one in before)
    at = max(one.at for one in (*before, newest))
    counted = evolve(before[-1] if before else newest, seen=seen, at=at)
    return Row(_observation_line(counted), counted)


def _capped(
    rows: list[Row], meaning: type[Observation | Sighting], most: int
) -> tuple[Row, ...]:
    """Drop the oldest rows of one meaning; foreign lines stay."""
    count = sum(isinstance(row.meaning, meaning) for row in rows)
    kept = []
    for row in rows:
        if isinstance(row.meaning, meaning) and count > most:
            count -= 1
        else:
            kept.append(row)
    return tuple(kept)


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _observation_line(one: Observation) -> str:
    seen = f"; seen {one.seen}" if one.seen > 1 else ""
    return f"{one.line} <!-- {one.kind}; {one.section}; {_time(one.at)}{seen} -->"


def _sighting_line(one: Sighting) -> str:
    return f"<!-- seen once; {one.kind}; {_time(one.at)}; {one.digest} -->"


def _parsed_time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _parsed_observation(line: str, *, read_at: datetime) -> Observation | None:
    match = _OBSERVATION.fullmatch(line)
    if match is None:
        return None
    facts = [fact.strip() for fact in (match["facts"] or "").split(";")]
    kinds = [kind for kind in KINDS if kind in facts]
    sections = [section for section in SECTIONS if section in facts]
    times = [at for at in map(_parsed_time, facts) if at is not None]
    counts = [seen for seen in map(_SEEN.fullmatch, facts) if seen is not None]
    more: dict[str, SectionName] = {"section": sections[0]} if sections else {}
    try:
        return Observation(
            match["text"],
            kinds[0] if kinds else "preference",
            at=times[0] if times else read_at,
            seen=int(counts[0][1]) if counts else 1,
            **more,
        )
    except ValueError:  # A person's own line that is no observation stays foreign.
        return None


def _parsed_sighting(line: str) -> Sighting | None:
    match = _SIGHTING.fullmatch(line)
    at = None if match is None else _parsed_time(match["at"])
    if match is None or at is None or match["kind"] not in KINDS:
        return None
    return Sighting(cast("Kind", match["kind"]), at, digest=match["digest"])


def parse_buffer(text: str, *, read_at: datetime) -> Buffer:
    """Read the page. Any text is one; what is not understood is kept as it is.

    Args:
        text: The page.
        read_at: The time of an observation that names none, aware.

    Returns:
        The page as a value. The same signal twice is one observation, counted twice.
    """
    rows: list[Row | None] = []
    places: dict[str, int] = {}
    for raw in _LINE_END.split(text.removeprefix("\ufeff").rstrip()):
        one = _parsed_observation(raw, read_at=read_at)
        row = Row(raw, one or _parsed_sighting(raw))
        if one is not None:
            place = places.get(one.signal)
            before = None if place is None else rows[place]
            if place is not None and before is not None:
                row = _counted([cast("Observation", before.meaning)], one)
                rows[place] = None
            places[one.signal] = len(rows)
        rows.append(row)
    kept = [row for row in rows if row is not None]
    kept = list(_capped(kept, Observation, MAX_OBSERVATIONS))
    return Buffer(_capped(kept, Sighting, MAX_SIGHTINGS))


def format_buffer(buffer: Buffer) -> str:
    """Write the page; untouched lines have their own text, line ends are LF."""
    return "\n".join(row.raw for row in buffer.rows).strip("\n") + "\n"


def noted(line: str, *, at: datetime) -> Observation:
    """Read a finished line from an agent, ``- User …`` or ``User …``.

    Raises:
        ValueError: When it is no line that tells something about the user.
    """
    text = unmarked(line)
    if text == line.strip() and not text.casefold().startswith("user"):
        msg = "an observation is a line such as '- User …'"
        raise ValueError(msg)
    return Observation(text, at=at)
