"""What is never learned, by category; see `PRIVATE`."""

from __future__ import annotations

from ethos_memory.profile.private.category import Category

__all__ = ["Category"]
