"""``doctor``: what is wrong with a home. It looks, and changes nothing."""

from __future__ import annotations

from ethos_memory.cli.doctor.examine import doctor

__all__ = ["doctor"]
