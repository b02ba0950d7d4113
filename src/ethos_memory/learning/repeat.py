"""A pattern that counts from its second sighting on."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from attrs import frozen

from ethos_memory.profile import Observation, Sighting

if TYPE_CHECKING:
    from datetime import datetime

    from ethos_memory.profile import Buffer

__all__ = ["Repeat"]


@frozen
class Repeat:
    """A possible pattern: what to remember of it, and what it becomes."""

    digest: str
    observation: Observation
    confirms: bool = True

    @classmethod
    def of(cls, key: str, text: str, *, confirms: bool = True, at: datetime) -> Repeat:
        """Return a pattern; of its key only the sha256 is kept."""
        digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return cls(digest, Observation(text, "repetition", at=at), confirms)

    def is_known(self, buffer: Buffer) -> bool:
        """Whether it was seen before, and this sighting counts."""
        if not self.confirms:
            return False
        signals = {one.signal for one in buffer.observations}
        digests = {one.digest for one in buffer.sightings}
        return self.digest in digests or self.observation.signal in signals

    def confirmed(self, buffer: Buffer) -> Buffer:
        """Return the buffer with the pattern as an observation."""
        return buffer.without_sighting(self.digest).with_observation(self.observation)

    def remembered(self, buffer: Buffer) -> Buffer:
        """Return the buffer with a first sighting of the pattern."""
        one = self.observation
        return buffer.with_sighting(Sighting(one.kind, one.at, digest=self.digest))
