"""The pages that learning reads and writes, and what of them can be written back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from ethos_memory.entry import Delete, Replace
from ethos_memory.guard.marker import fingerprint_of, holds_marker
from ethos_memory.profile import Buffer, format_buffer, parse_buffer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ethos_memory.entry import MemoryEntry, Update
    from ethos_memory.verdict import Finding

__all__ = [
    "IDENTITY_KEY",
    "OBSERVATIONS_KEY",
    "BufferPage",
    "named_lines",
    "without_lines",
    "without_markers",
]

OBSERVATIONS_KEY: Final = "OBSERVATIONS.md"
IDENTITY_KEY: Final = "IDENTITY.md"


def without_markers(text: str) -> str:
    """Return a text without the lines that hold the marker of a withheld line.

    Written back, a marker would be refused.
    """
    return "\n".join(line for line in text.split("\n") if not holds_marker(line))


def named_lines(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the fingerprints of the lines that a write was refused for."""
    return frozenset(one.fingerprint for one in findings if one.action == "withhold")


def without_lines(text: str, named: Collection[str]) -> str:
    """Return a text without the lines of these fingerprints."""
    return "\n".join(
        line for line in text.split("\n") if fingerprint_of(line) not in named
    )


@frozen
class BufferPage:
    """The buffer as it is, and the revision it was read at.

    Attributes:
        buffer: What the page holds.
        revision: ``""`` when there is no page.
    """

    buffer: Buffer
    revision: str

    @classmethod
    def of(cls, entry: MemoryEntry | None) -> BufferPage:
        """Return the page of an entry as a model may read it.

        Without the lines that the guard withholds: they could not be written back, and
        one of them must not stop all learning. The history keeps them.
        """
        if entry is None:
            return cls(Buffer(), "")
        text = without_markers(entry.content)
        return cls(parse_buffer(text, read_at=entry.updated_at), entry.revision)

    def without(self, named: Collection[str]) -> BufferPage:
        """Return the page without the lines of these fingerprints."""
        rows = (row for row in self.buffer.rows if fingerprint_of(row.raw) not in named)
        return evolve(self, buffer=Buffer(tuple(rows)))

    def is_refused_for_old(self, after: Buffer, named: Collection[str]) -> bool:
        """Tell whether the lines that a change is refused for stood there before.

        Two of them may read as an attack where something between them went.
        """
        lines = {row.raw for row in self.buffer.rows}
        found = [row.raw for row in after.rows if fingerprint_of(row.raw) in named]
        return bool(found) and lines.issuperset(found)

    def update(self, buffer: Buffer) -> Update:
        """Return the update that makes this page another one.

        A page on which nothing is left goes.
        """
        if buffer.is_blank:
            return Delete(OBSERVATIONS_KEY, if_revision=self.revision)
        text = format_buffer(buffer)
        return Replace(OBSERVATIONS_KEY, text, if_revision=self.revision)
