"""What the contract asks of every provider alike, wherever it keeps memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.entry import Origin
from ethos_memory.errors import UnknownScopeError, UnsafePathError
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "NOT_SEARCHED",
    "ROLLING_PAGES",
    "UNNAMED",
    "check_limit",
    "other_casing",
    "parse_scope",
]

#: The pages of a prompt, in this order.
ROLLING_PAGES: Final = ("MEMORY.md", "USER.md")

#: Never searched: signals that wait for a synthesis (DESIGN section 11).
NOT_SEARCHED: Final = "OBSERVATIONS.md"

#: Who writes when the caller does not say.
UNNAMED: Final = Origin("api")


def check_limit(limit: int | None) -> None:
    """Refuse a limit below 0; `None` is none.

    Raises:
        ValueError: When it is.
    """
    if limit is not None and limit < 0:
        msg = "limit must not be below 0"
        raise ValueError(msg)


def parse_scope(scope: ScopeId | str, kinds: Collection[str]) -> ScopeId:
    """Return a scope that a provider has a place for.

    Args:
        scope: As it was passed.
        kinds: The kinds there is a place for.

    Raises:
        InvalidScopeError: When the scope is outside the grammar.
        UnknownScopeError: When there is no place for its kind.
    """
    id = ScopeId.parse(scope)
    if id.kind not in kinds:
        raise UnknownScopeError(str(id), f"known kinds: {', '.join(kinds)}")
    return id


def other_casing(path: str) -> UnsafePathError:
    """Return the error for a name that a disk which ignores case would mix up.

    Args:
        path: The scope, or the page in it.
    """
    return UnsafePathError(
        path, "differs only in case from one that is there; use that"
    )
