"""Names of pages as a model meets them in a list: they are text that somebody chose.

A name cannot be shown with a part of it replaced: under another name nobody finds the
page. So one that the guard would alter is not given, and not listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.errors import GuardRefusedError
from ethos_memory.scope import PAGES

if TYPE_CHECKING:
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.scope import ScopeId

__all__ = ["check_name", "is_listed"]


def check_name(provider: GuardedProvider, scope: ScopeId, name: str) -> None:
    """Check a name that a model gives.

    Args:
        provider: Its guard judges the name.
        scope: Whose page it is.
        name: A key, or the file that it stands for.

    Raises:
        GuardRefusedError: When a model may not read it, or it holds a credential.
    """
    if name in PAGES:
        return
    verdict = provider._screen(name, scope)  # noqa: SLF001 - the same guard as its text's
    if verdict.refused or verdict.shown != name:
        raise GuardRefusedError(verdict.findings)


def is_listed(provider: GuardedProvider, scope: ScopeId, name: str) -> bool:
    """Tell whether a model may read a name; see `check_name`."""
    try:
        check_name(provider, scope, name)
    except GuardRefusedError:
        return False
    return True
