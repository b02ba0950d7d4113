"""The only code that touches memory files. A security boundary.

`confine` walks folders that cannot be left, `replace` writes atomically and durably,
`lock` admits one writer at a time.
"""

from __future__ import annotations

from ethos_memory.disk.confine import Root, ignores_case
from ethos_memory.disk.folder import Absent, Folder
from ethos_memory.disk.lock import LOCK_SECONDS, locked
from ethos_memory.disk.opening import Signature, Stored
from ethos_memory.disk.replace import (
    Durability,
    Staged,
    append_line,
    remove,
    replace,
    through,
)

__all__ = [
    "LOCK_SECONDS",
    "Absent",
    "Durability",
    "Folder",
    "Root",
    "Signature",
    "Staged",
    "Stored",
    "append_line",
    "ignores_case",
    "locked",
    "remove",
    "replace",
    "through",
]
