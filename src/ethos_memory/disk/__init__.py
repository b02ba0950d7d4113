"""The only code that touches memory files. A security boundary.

`confine` walks folders that cannot be left, `replace` writes atomically and durably,
`lock` admits one writer at a time, `journal` and `rotation` write the history that
`history` reads.
"""

from __future__ import annotations

from ethos_memory.disk.append import LineFile, append_line
from ethos_memory.disk.confine import Root, ignores_case
from ethos_memory.disk.folder import Absent, Folder
from ethos_memory.disk.history import OUTSIDE, History, read_history
from ethos_memory.disk.journal import BLOBS, Journal, Recording, is_journal
from ethos_memory.disk.lock import LOCK_SECONDS, locked
from ethos_memory.disk.opening import Signature, Stored, load, release
from ethos_memory.disk.replace import (
    Durability,
    Staged,
    flush_folder,
    parse_durability,
    remove,
    remove_from,
    replace,
    through,
    writing,
)
from ethos_memory.disk.rotation import HISTORY_LIMIT_BYTES, maintain

__all__ = [
    "BLOBS",
    "HISTORY_LIMIT_BYTES",
    "LOCK_SECONDS",
    "OUTSIDE",
    "Absent",
    "Durability",
    "Folder",
    "History",
    "Journal",
    "LineFile",
    "Recording",
    "Root",
    "Signature",
    "Staged",
    "Stored",
    "append_line",
    "flush_folder",
    "ignores_case",
    "is_journal",
    "load",
    "locked",
    "maintain",
    "parse_durability",
    "read_history",
    "release",
    "remove",
    "remove_from",
    "replace",
    "through",
    "writing",
]
