"""The files that a scope is made of: what is there, and a copy of it, as it is.

For an operator who shows, exports or erases everything that is held about a person.
Pages alone are not everything: text lives on in the history, the archive and in copies
that other programs made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.scope import ScopeId

__all__ = ["VECTORS", "StoredFile", "SupportsFiles"]

#: What the vector provider keeps beside the pages. Named here, without numpy, since
#: another provider may be the one that erases.
VECTORS: Final = "memory-vectors.bin"


@frozen
class StoredFile:
    """One file of a scope.

    Attributes:
        name: Relative to the scope, with ``/``.
        size: Bytes.
        is_memory: Whether it is memory, which is copied and erased. What is not, such
            as a picture that somebody put there, is left alone.
    """

    name: str
    size: int
    is_memory: bool


@runtime_checkable
class SupportsFiles(Protocol):
    """A provider that can name and copy everything it keeps for a scope."""

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Return what is there, sorted by name; nothing is read."""
        ...

    def copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand every file that is memory to `take`: its name and its bytes."""
        ...
