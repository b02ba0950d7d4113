"""Text in, verdict out: what may be stored, and what a model may read.

No files, no clock, no network. Rules are compiled when the first line needs them.
"""

from __future__ import annotations

from ethos_memory.guard.marker import holds_marker
from ethos_memory.guard.policy import Classifier, GuardPolicy
from ethos_memory.guard.rule import Rule
from ethos_memory.guard.screen import InjectionGuard

__all__ = ["Classifier", "GuardPolicy", "InjectionGuard", "Rule", "holds_marker"]
