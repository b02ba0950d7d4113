"""PostgreSQL's errors as the library's own.

An error of the server may quote a row, and one of the driver the connection string. So
neither is ever the cause or context of what is raised: the typed error is built here
and raised outside of the handler.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    NotWrittenError,
    StoreLockedError,
)

if TYPE_CHECKING:
    import psycopg

__all__ = ["is_conflict", "lost", "translated", "unknown_outcome"]

#: A transaction that lost against another one, and can simply be run again:
#: serialization failure, deadlock, and a scope's row that went while its first page was
#: on its way.
_CONFLICTS: Final = frozenset({"40001", "40P01", "23503"})

#: Waited too long: for a lock, or for a statement.
_WAITED: Final = frozenset({"55P03", "57014"})

#: The server's own damage, or tables that are not ours.
_DAMAGED: Final = {
    "XX001": "the server found damaged data",
    "XX002": "the server found a damaged index",
    "42P01": "a table is missing; this schema is not as the library made it",
    "42703": "a column is missing; this schema is not as the library made it",
    "42704": "an object is missing; this schema is not as the library made it",
}

#: What the server refused, as the system's error that it is most like.
_REFUSED: Final = {
    "25006": (errno.EROFS, "the server is read-only"),
    "3F000": (errno.EACCES, "the role may not use the schema"),
    "42501": (errno.EACCES, "the role may not do that"),
    "53100": (errno.ENOSPC, "the server's disk is full"),
    "58030": (errno.EIO, "the server's disk failed"),
    "3D000": (errno.ENOENT, "there is no such database"),
}

#: The same for classes of codes.
_REFUSED_CLASSES: Final = {
    "28": (errno.EACCES, "the server refused the login"),
    "53": (errno.EAGAIN, "the server is short of something"),
}


def is_conflict(error: psycopg.Error) -> bool:
    """Tell whether a transaction only lost against another one."""
    return error.sqlstate in _CONFLICTS


def lost(label: str) -> NotWrittenError:
    """Return the error for a server that cannot be reached."""
    cause = OSError(errno.ECONNREFUSED, "no connection to the server")
    return NotWrittenError(label, cause=cause)


def unknown_outcome(label: str) -> DurabilityUnknownError:
    """Return the error for a change that the server may have made before it went."""
    cause = OSError(errno.ECONNRESET, "the server went away before it answered")
    return DurabilityUnknownError(label, cause=cause)


def translated(
    error: psycopg.Error, label: str, *, waited_seconds: float
) -> CorruptFileError | NotWrittenError | StoreLockedError:
    """Return the library's error for one of the driver's.

    Args:
        error: What the driver raised.
        label: The database, for a person; without user and password.
        waited_seconds: The longest wait that was allowed.
    """
    code = error.sqlstate or ""
    if code in _WAITED:
        return StoreLockedError(label, waited_seconds=waited_seconds)
    if code in _DAMAGED:
        return CorruptFileError(label, _DAMAGED[code])
    if not code or code[:2] in {"08", "57"}:
        return lost(label)
    number, reason = _REFUSED.get(code) or _REFUSED_CLASSES.get(
        code[:2], (errno.EIO, f"the server answered with SQLSTATE {code}")
    )
    return NotWrittenError(label, cause=OSError(number, reason))
