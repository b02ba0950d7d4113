"""What a recall reads and gives: the pages that one view grants, and nothing else.

DESIGN section 8 lists the calls. What fails is noted, and costs no turn.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import evolve, field, frozen

from ethos_memory.entry import trim
from ethos_memory.errors import InvalidKeyError
from ethos_memory.policy import PromptPage
from ethos_memory.policy.pages import is_personal
from ethos_memory.scope import parse_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import MemoryEntry, SearchHit
    from ethos_memory.policy import Source, View
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.scope import ScopeId
    from ethos_memory.turn import Turn
    from ethos_memory.verdict import Finding

__all__ = ["Reading", "Recall", "marked"]

#: Pages that a search adds when a scope has no rolling page yet; Ethos's figure.
SEARCHED_PAGES: Final = 5

_T = TypeVar("_T")

_logger = logging.getLogger("ethos_memory")


@frozen
class Recall:
    """What memory adds to the prompt of one turn.

    Attributes:
        block: The text for the prompt, ``""`` when there is nothing. Private.
        sources: Which pages it was made of; empty when the block is.
        findings: What the guard said of those pages.
        errors: What could not be read. It is missing from the block, and never costs
            a turn.
        view: What this turn may see, and why.
    """

    block: str = field(repr=False)
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...] = field(kw_only=True)
    errors: tuple[Exception, ...] = field(kw_only=True)
    view: View = field(kw_only=True)


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
            hits = self.attempt(search, scope, query, limit=SEARCHED_PAGES) or ()
            found = [hit for hit in hits if _is_page(hit.key)]
        pages = (
            self.attempt(PromptPage, scope, entry)
            for entry in found
            # A profile is never taken from prefetch or search (DESIGN section 8).
            if not is_personal(entry.key)
        )
        return [page for page in pages if page is not None]

    def _page(self, scope: ScopeId, key: str) -> list[PromptPage]:
        entry = self.attempt(self._provider.read, scope, key)
        return [PromptPage(scope, entry)] if entry and trim(entry.content) else []


def _is_page(key: str) -> bool:
    """Tell a page from what else a search may find, such as an owner's own notes."""
    try:
        parse_key(key)
    except InvalidKeyError:
        return False
    return True


def marked(
    turn: Turn, ran_shared: Callable[[str], bool], errors: list[Exception]
) -> Turn:
    """Or a session's own mark into a turn.

    Args:
        turn: As the host made it.
        ran_shared: Tells of a session id whether the session ever ran shared.
        errors: Takes what `ran_shared` raises; the turn counts as shared then.
    """
    if turn.was_shared or not turn.session_id:
        return turn
    try:
        return evolve(turn, was_shared=ran_shared(turn.session_id))
    # A host's store may raise anything, and must not open a shared session by it.
    except Exception as error:  # noqa: BLE001
        _logger.warning("sessions: %s; taken as shared", type(error).__name__)
        errors.append(error)
        return evolve(turn, was_shared=True)
