"""Open one name below a descriptor, and read what was opened.

Nothing here follows a link. What was opened is judged by its own descriptor, never by
a second look at the name.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from attrs import field, frozen

from ethos_memory.errors import PageTooLargeError, UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CREATE",
    "LINK_ERRORS",
    "OPEN_FOLDER",
    "OPEN_JOURNAL",
    "OPEN_PAGE",
    "SETTLED_NANOSECONDS",
    "Signature",
    "Stored",
    "describe",
    "flush",
    "load",
    "refuse_link",
    "release",
    "signature_of",
]

#: What Windows lacks is 0 there, where no root can be opened (see `Root`).
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_DIRECTORY: Final = getattr(os, "O_DIRECTORY", 0)
_NO_WAITING: Final = getattr(os, "O_NONBLOCK", 0)

#: A folder, and no link to one. Without `O_DIRECTORY` a link could be opened itself.
OPEN_FOLDER: Final[int] = os.O_RDONLY | _DIRECTORY | _NO_FOLLOW

#: A page, and no link to one. A pipe called MEMORY.md would block without the last.
OPEN_PAGE: Final[int] = os.O_RDONLY | _NO_FOLLOW | _NO_WAITING

#: A journal, and no link to one.
OPEN_JOURNAL: Final[int] = os.O_RDWR | _NO_FOLLOW | _NO_WAITING

#: A new file, and nothing that is there already.
CREATE: Final[int] = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW

#: What systems answer where a link stands (`O_DIRECTORY`: ENOTDIR; BSD: the others).
LINK_ERRORS: Final = frozenset(
    {errno.ELOOP, errno.ENOTDIR, errno.EMLINK, getattr(errno, "EFTYPE", errno.ELOOP)}
)

#: A file touched less than this before it was looked at may change again within the
#: same tick of its clock. 10 ms served no stale page in 3,000; twice that is kept.
SETTLED_NANOSECONDS: Final = 20_000_000

_KINDS: Final = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISREG, "a file"),
)


class Signature(NamedTuple):
    """What changes when a file does, as one look at its status shows it."""

    mtime_ns: int
    ctime_ns: int
    size: int
    ino: int

    def is_settled(self, seen_ns: int) -> bool:
        """Tell whether an equal signature later means equal bytes.

        Args:
            seen_ns: `time.time_ns` from before the file was looked at.
        """
        return max(self.mtime_ns, self.ctime_ns) + SETTLED_NANOSECONDS < seen_ns


@frozen
class Stored:
    """The bytes of a file, and what the same descriptor said of it.

    Attributes:
        data: All of it. Private: in no `repr`.
        status: Of the descriptor that was read, from before the reading.
        seen_ns: `time.time_ns` from before the reading.
    """

    data: bytes = field(repr=False)
    status: os.stat_result = field(kw_only=True)
    seen_ns: int = field(kw_only=True)

    @property
    def mode(self) -> int:
        """Its permission bits."""
        return stat.S_IMODE(self.status.st_mode)

    @property
    def signature(self) -> Signature:
        """What changes when the file does."""
        return signature_of(self.status)

    @property
    def mtime_ns(self) -> int:
        """When it was last written, in nanoseconds since 1970."""
        return self.status.st_mtime_ns

    @property
    def is_settled(self) -> bool:
        """Whether an equal signature later means equal bytes."""
        return self.signature.is_settled(self.seen_ns)


def signature_of(status: os.stat_result) -> Signature:
    """Return the signature in a file's status."""
    return Signature(
        status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
    )


def describe(mode: int) -> str:
    """Say in two words what stands where something else should."""
    return next((words for is_kind, words in _KINDS if is_kind(mode)), "a device")


def refuse_link(path: str) -> UnsafePathError:
    """Make the error for a link that nobody allowed."""
    return UnsafePathError(
        path, "a link; put the file itself here, or name its folder in trusted_links"
    )


def flush(fd: int) -> None:
    """Have the disk confirm what a descriptor wrote.

    A failure is never tried again on the same descriptor: the system has marked the
    lost pages clean, and the second call would report success.

    Raises:
        OSError: When the disk does not confirm.
    """
    if sys.platform == "darwin":
        # There `fsync` stops at the drive's own cache. Windows lacks the module.
        import fcntl  # noqa: PLC0415

        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fsync(fd)


def release(fd: int) -> None:
    """Close a descriptor that holds nothing unsaved, whatever the system answers.

    It is closed even when the system reports a fault, and what had to be on disk was
    synced before: an error here would tell of a change that it did not happen.
    """
    try:  # noqa: SIM105 - `suppress` costs more than the call, several times a write
        os.close(fd)
    except OSError:
        pass


def load(fd: int, path: Callable[[], str], *, max_bytes: int) -> Stored:
    """Read an open page from its beginning to its end.

    Args:
        fd: Open for reading; it stays open.
        path: Makes the path for an error.
        max_bytes: The most that is read.

    Raises:
        UnsafePathError: When it is no regular file.
        PageTooLargeError: When it is larger, or grows while it is read.
        OSError: When the disk cannot read it.
    """
    seen_ns = time.time_ns()
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        raise UnsafePathError(path(), f"{describe(status.st_mode)}, not a page")
    if status.st_size > max_bytes:
        raise PageTooLargeError(path(), size=status.st_size, limit=max_bytes)
    data = os.pread(fd, status.st_size + 1, 0)
    # Either it grew since the look, or a signal cut the read short.
    while len(data) != status.st_size:
        more = os.pread(fd, max_bytes + 1 - len(data), len(data))
        if not more:
            break
        data += more
        if len(data) > max_bytes:
            raise PageTooLargeError(path(), size=len(data), limit=max_bytes)
    return Stored(data, status=status, seen_ns=seen_ns)
