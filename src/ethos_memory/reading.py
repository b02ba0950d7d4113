"""What a recall reads: the pages that one view grants, and nothing else.

DESIGN section 8 lists the calls. What fails is noted, and costs no turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from ethos_memory.entry import trim
from ethos_memory.policy import PromptPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import MemoryEntry, SearchHit
    from ethos_memory.policy import View
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.scope import ScopeId

__all__ = ["Reading"]

#: Pages that a search adds when a scope has no rolling page yet; Ethos's figure.
SEARCHED_PAGES: Final = 5

#: A profile is never taken from prefetch or search (DESIGN section 8).
_NEVER_FOUND: Final = frozenset({"USER.md", "IDENTITY.md", "OBSERVATIONS.md"})

_T = TypeVar("_T")


class Reading:
    """Reads what one view grants.

    Args:
        provider: Where memory is kept, behind the guard.

    Attributes:
        errors: What could not be read, in order.
    """

    def __init__(self, provider: GuardedProvider) -> None:
        self._provider = provider
        self.errors: list[Exception] = []

    def attempt(self, call: Callable[..., _T], *args: Any, **more: Any) -> _T | None:
        """Make a call; when it fails, note the error and return `None`."""
        try:
            return call(*args, **more)
        # A host's provider may raise anything, and a turn must not be lost to it.
        except Exception as error:  # noqa: BLE001
            self.errors.append(error)
            return None

    def profile(self, view: View) -> list[PromptPage]:
        """Read the first profile that is not blank, and the identity document.

        A profile that cannot be read is not blank: no other is shown in its place.
        """
        if not view.profile:
            return []
        first, *others = view.profile
        failed = len(self.errors)
        profile = self._page(first, "USER.md")
        others = others if len(self.errors) == failed and not profile else []
        identity = self._page(first, "IDENTITY.md")
        for scope in others:
            profile = profile or self._page(scope, "USER.md")
        return [*profile, *identity]

    def memory(self, view: View, query: str) -> list[PromptPage]:
        """Read the rolling pages, or search when there is none yet."""
        scope = view.memory
        if scope is None:
            return []
        snapshot = self.attempt(self._provider.prefetch, scope)
        found: Iterable[MemoryEntry | SearchHit] = snapshot.entries if snapshot else ()
        if snapshot is not None and not snapshot and trim(query):
            search = self._provider.search
            found = self.attempt(search, scope, query, limit=SEARCHED_PAGES) or ()
        pages = (
            self.attempt(PromptPage, scope, entry)
            for entry in found
            if entry.key not in _NEVER_FOUND
        )
        return [page for page in pages if page is not None]

    def _page(self, scope: ScopeId, key: str) -> list[PromptPage]:
        entry = self.attempt(self._provider.read, scope, key)
        return [PromptPage(scope, entry)] if entry and trim(entry.content) else []
