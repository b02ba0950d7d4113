"""Everything held about a person: export it, forget it, and say that two are one."""

from __future__ import annotations

from ethos_memory.person.holder import Holder, Holding
from ethos_memory.person.registry import HOLDERS, Registry
from ethos_memory.person.report import (
    ExportedFile,
    ExportReport,
    ForgetReport,
    Held,
    MergeReport,
    PageState,
)

__all__ = [
    "HOLDERS",
    "ExportReport",
    "ExportedFile",
    "ForgetReport",
    "Held",
    "Holder",
    "Holding",
    "MergeReport",
    "PageState",
    "Registry",
]
