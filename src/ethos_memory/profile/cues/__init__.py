"""What each language gives away; see `Cues`."""

from __future__ import annotations

from ethos_memory.profile.cues.cue import Cues

__all__ = ["Cues"]
