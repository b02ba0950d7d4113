"""What can be wrong with a home: what it means, and what to do."""

from __future__ import annotations

from attrs import frozen

from ethos_memory.errors import EthosMemoryError

__all__ = ["Kind", "Problem", "reason_of"]


@frozen
class Kind:
    """One kind of trouble.

    Attributes:
        id: Its name in the output.
        meaning: What it means for whoever uses the home.
        remedy: What to do.
        is_note: Worth knowing, and nothing is wrong: the exit code stays 0.
    """

    id: str
    meaning: str
    remedy: str
    is_note: bool = False


@frozen
class Problem:
    """A place where it is so.

    Attributes:
        kind: What is wrong.
        path: Where, below the root; ``""`` is the root itself.
        detail: What is special about this place. Never what a page says.
    """

    kind: Kind
    path: str
    detail: str = ""


def reason_of(error: OSError) -> str:
    """Say why something cannot be read; the place is named beside it."""
    if isinstance(error, EthosMemoryError):
        return str(error)
    return error.strerror or type(error).__name__
