"""What is remembered: pages as values, the four updates, and what they mean."""

from __future__ import annotations

from ethos_memory.entry.editing import (
    Edit,
    additions,
    apply_updates,
    edit,
    trim,
    trim_end,
)
from ethos_memory.entry.values import (
    Add,
    Change,
    Delete,
    EraseReport,
    KeyChange,
    MemoryEntry,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    Remove,
    Replace,
    SearchHit,
    SyncReport,
    Update,
)

__all__ = [
    "Add",
    "Change",
    "Delete",
    "Edit",
    "EraseReport",
    "KeyChange",
    "MemoryEntry",
    "MemoryEntryRef",
    "MemorySnapshot",
    "Origin",
    "Remove",
    "Replace",
    "SearchHit",
    "SyncReport",
    "Update",
    "additions",
    "apply_updates",
    "edit",
    "trim",
    "trim_end",
]
