"""What a turn may see, and the block of text that a prompt gets of it."""

from __future__ import annotations

from ethos_memory.policy.audience import AudiencePolicy, View

__all__ = ["AudiencePolicy", "View"]
