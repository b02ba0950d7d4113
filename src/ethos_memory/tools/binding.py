"""What a set of tools is bound to: one memory, one turn, and what the model has read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.entry import Origin
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import MemoryEntry, SyncReport
    from ethos_memory.memory import Memory
    from ethos_memory.policy import View
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.providers.guarded_edit import Cut
    from ethos_memory.providers.guarded_view import SeenPage
    from ethos_memory.turn import Turn

__all__ = ["Bound"]


class Bound:
    """One memory for one turn.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
        team: The team that the agent works in, if any; the host says it.

    Raises:
        InvalidScopeError: When the team's id is outside the grammar.
    """

    def __init__(self, memory: Memory, turn: Turn, *, team: str | None = None) -> None:
        self.memory = memory
        self.turn = turn
        self.team: ScopeId | None = None if team is None else ScopeId.team(team)
        # What the model was shown, so that it replaces nothing that it never saw.
        self._seen: dict[tuple[ScopeId, str], str] = {}

    def view(self) -> View:
        """Return what the turn may see at this moment.

        A session that was marked as shared since then grants nothing any more.

        Raises:
            EthosMemoryError: When the identity map cannot be read.
        """
        return self.memory.view(self.turn)

    def origin(self) -> Origin:
        """Return who writes, for the history."""
        account = self.turn.account
        platform = "" if account is None else account.platform
        return Origin("tool", self.turn.session_id, platform=platform)

    def owner(self, view: View) -> str | None:
        """Return whose conversations the turn may see; `None` when nobody's."""
        if view.tools != "all":
            return None
        if self.turn.surface == "group":
            account = self.turn.account
            room = self.turn.chat_id
            return None if account is None else f"{account.platform}:{room}"
        scope = next(iter(view.profile), None)
        return str(scope) if scope is not None and scope.kind == "user" else None

    def has_read(self, scope: ScopeId, key: str, entry: MemoryEntry | None) -> None:
        """Note which state of a page the model was shown."""
        self._seen[scope, key] = "" if entry is None else entry.revision

    def seen(self, scope: ScopeId, key: str) -> str | None:
        """Return the revision the model was shown; `None` when it was shown none."""
        return self._seen.get((scope, key))

    def edited(
        self,
        provider: GuardedProvider,
        scope: ScopeId,
        key: str,
        change: Callable[[SeenPage], Iterable[Cut]],
    ) -> SyncReport | None:
        """Let the model change a part of a page; `None` when there is none."""
        report = provider.edit(scope, key, change, origin=self.origin())
        if report is not None:
            self.has_written(scope, report)
        return report

    def has_written(self, scope: ScopeId, report: SyncReport) -> None:
        """Note what the model's own write led to, when it knew the state before."""
        for change in report.changes:
            if self.seen(scope, change.key) == change.revision_before:
                self._seen[scope, change.key] = change.revision_after
