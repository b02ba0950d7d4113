"""`Dashboard`: who is asking, bound once so that no call can forget it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.dashboard.conversations import DashboardSessions
from ethos_memory.dashboard.pages import Asker, DashboardMemory
from ethos_memory.scope import ScopeId, plain_text

if TYPE_CHECKING:
    from typing import Self

    from ethos_memory.memory import Memory

__all__ = ["Dashboard"]

_PERSON: Final = "user:"


class Dashboard:
    """The memory and the conversations that one owner may see and change.

    A person (``user:<id>``) has what a turn on the web has: the personality's pages,
    their own profile, their own conversations. A room (``<platform>:<chat_id>``) has
    its conversations alone: its members share nobody's memory.

    Args:
        memory: An open home. It is not closed here.
        owner: Who is asking, as the host has made sure; never what a browser sent.

    Attributes:
        memory: The two pages.
        sessions: The conversations.

    Raises:
        InvalidNameError: When the owner is empty, not valid text, or no user's id.
    """

    def __init__(self, memory: Memory, *, owner: str) -> None:
        self.memory: DashboardMemory = DashboardMemory(memory, asker=_asker(owner))
        self.sessions: DashboardSessions = DashboardSessions(
            memory.sessions.for_owner(owner)
        )

    @classmethod
    def unsafe_everyone(cls, memory: Memory) -> Self:
        """Return the operator's dashboard: everybody's pages and conversations."""
        everyone = cls.__new__(cls)
        everyone.memory = DashboardMemory(memory)
        everyone.sessions = DashboardSessions(memory.sessions.unsafe_everyone())
        return everyone


def _asker(owner: str) -> Asker:
    text = plain_text(owner, what="owner")
    if text.startswith(_PERSON):
        return Asker("web", ScopeId.parse(text).id)
    return Asker("group", None)
