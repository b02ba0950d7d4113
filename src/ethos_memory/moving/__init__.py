"""From a home in files to PostgreSQL: everything is copied, nothing is written over."""

from __future__ import annotations

from ethos_memory.moving.copying import HomeCopy
from ethos_memory.moving.report import CopyReport, ScopeOutcome

__all__ = ["CopyReport", "HomeCopy", "ScopeOutcome"]
