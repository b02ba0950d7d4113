"""The pages that learning reads and writes, and what of them can be written back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.entry import Delete, Replace
from ethos_memory.guard.marker import holds_marker
from ethos_memory.profile import Buffer, format_buffer, parse_buffer

if TYPE_CHECKING:
    from ethos_memory.entry import MemoryEntry, Update

__all__ = ["IDENTITY_KEY", "OBSERVATIONS_KEY", "BufferPage", "without_markers"]

OBSERVATIONS_KEY: Final = "OBSERVATIONS.md"
IDENTITY_KEY: Final = "IDENTITY.md"


def without_markers(text: str) -> str:
    """Return a text without the lines that hold the marker of a withheld line.

    Written back, a marker would be refused.
    """
    return "\n".join(line for line in text.split("\n") if not holds_marker(line))


def _writable(entry: MemoryEntry) -> str:
    """Return a page without the lines that the guard withholds.

    They could not be written back, and one of them must not stop all learning. The
    history keeps them.
    """
    withheld = [
        (finding.start, finding.end)
        for finding in entry.findings
        if finding.action == "withhold"
    ]
    kept = []
    start = 0
    for line in entry.content.split("\n"):
        end = start + len(line)
        if not any(first <= end and last > start for first, last in withheld):
            kept.append(line)
        start = end + 1
    return without_markers("\n".join(kept))


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
        """Return the page of an entry as it is, with the guard's findings."""
        if entry is None:
            return cls(Buffer(), "")
        text = _writable(entry)
        return cls(parse_buffer(text, read_at=entry.updated_at), entry.revision)

    def update(self, buffer: Buffer) -> Update:
        """Return the update that makes this page another one.

        A page on which nothing is left goes.
        """
        if buffer.is_blank:
            return Delete(OBSERVATIONS_KEY, if_revision=self.revision)
        text = format_buffer(buffer)
        return Replace(OBSERVATIONS_KEY, text, if_revision=self.revision)
