"""One writer at a time in a folder, across processes and threads.

The lock is the system's own, on the folder's descriptor: it dies with its holder, and
no lock file is left behind to be stale, copied or read as memory.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH208

from __future__ import annotations

import errno
import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import NotWrittenError, ScopeLockedError

if TYPE_CHECKING:
    from ethos_memory.disk.folder import Folder

__all__ = ["LOCK_SECONDS", "locked", "temporary_name"]

#: How long a writer waits by default (DESIGN section 12).
LOCK_SECONDS: Final = 30.0

#: First and longest pause between two attempts, in seconds. Polling at 50 ms made
#: writers wait up to 320 ms for each other; this, 36.
_FIRST_PAUSE_SECONDS: Final = 0.0002
_LONGEST_PAUSE_SECONDS: Final = 0.01

#: A file that is being written. No key can have such a name.
_TEMPORARY_START: Final = ".ethos-memory-"
_TEMPORARY: Final = re.compile(r"\.ethos-memory-[0-9a-f]{16}\.tmp")

_GONE: Final = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def temporary_name() -> str:
    """Return a fresh, unpredictable name that `locked` sweeps when it is left over."""
    return f"{_TEMPORARY_START}{os.urandom(8).hex()}.tmp"


class locked:  # noqa: N801 - reads like the statement it is
    """Hold the lock of a folder, for a `with` block.

    Its temporary files are swept on entry: whoever writes one holds the lock, so
    under the lock every one of them is a dead process's.

    Args:
        folder: When its name leads elsewhere by the time the lock is held, it is
            opened again there.
        timeout_seconds: How long to wait.

    Raises:
        ScopeLockedError: When another writer held the lock for all that time.
        NotWrittenError: When the folder is gone, or cannot be locked.
        UnsafePathError: When a link or file took the folder's name.
    """

    __slots__ = ("_folder", "_timeout_seconds")

    def __init__(
        self, folder: Folder, *, timeout_seconds: float = LOCK_SECONDS
    ) -> None:
        self._folder = folder
        self._timeout_seconds = timeout_seconds

    def __enter__(self) -> None:
        _acquire(self._folder, self._timeout_seconds)
        try:
            _sweep(self._folder)
        except BaseException:
            _release(self._folder)
            raise

    def __exit__(self, *_: object) -> None:
        _release(self._folder)


def _acquire(folder: Folder, timeout_seconds: float) -> None:
    started = time.monotonic()
    pause = _FIRST_PAUSE_SECONDS
    while True:
        while _attempt(folder):
            if _is_settled(folder):
                return
        waited = time.monotonic() - started
        if waited >= timeout_seconds:
            raise ScopeLockedError(folder.label, waited_seconds=round(waited, 3))
        spread = pause * (1 + os.urandom(1)[0] / 255) / 2
        time.sleep(min(spread, timeout_seconds - waited))
        pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)


def _attempt(folder: Folder) -> bool:
    # At first use: it takes longer to import than all of the values together.
    import filelock  # noqa: PLC0415

    try:
        return filelock.lock_descriptor(folder.fd, blocking=False)
    except OSError as error:
        raise NotWrittenError(folder.label, cause=error) from error


def _release(folder: Folder) -> None:
    import filelock  # noqa: PLC0415 - as above

    # Closing alone would leave it held by a child that was forked meanwhile. It ends
    # with the descriptor in any case, so a fault here takes nothing back.
    try:  # noqa: SIM105 - as in `release`
        filelock.unlock_descriptor(folder.fd)
    except OSError:
        pass


def _is_settled(folder: Folder) -> bool:
    """Check that the locked folder is the one its name leads to; else open that one."""
    settled = False
    try:
        settled = folder.is_current()
    finally:
        if not settled:
            _release(folder)
    if settled:
        return True
    if not folder.rewalk():
        raise NotWrittenError(folder.label, cause=_GONE)
    return False


def _sweep(folder: Folder) -> None:
    for name in os.listdir(folder.fd):
        if name.startswith(_TEMPORARY_START) and _TEMPORARY.fullmatch(name):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder.fd)
