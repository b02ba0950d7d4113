"""``tour``: the whole turn on real files, for somebody who sees it first."""

from __future__ import annotations

from ethos_memory.cli.tour.guide import tour

__all__ = ["tour"]
