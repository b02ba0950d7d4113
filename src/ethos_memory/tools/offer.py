"""Which tools a turn is offered, and the check that a call is one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ethos_memory.tools import conversations, pages, teams
from ethos_memory.tools.answer import Declined, Tool, answered
from ethos_memory.tools.arguments import checked
from ethos_memory.tools.binding import Bound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ethos_memory.memory import Memory
    from ethos_memory.policy import View
    from ethos_memory.tools.answer import ToolAnswer
    from ethos_memory.turn import Turn

__all__ = ["tools_for"]


@frozen
class _Kind:
    """One tool before it is bound to a turn."""

    name: str
    description: str
    schema: Callable[[View], dict[str, Any]]
    run: Callable[[Bound, View, dict[str, Any]], str]
    is_granted: Callable[[Bound, View], bool]
    writes: bool = False

    def bound_to(self, bound: Bound, view: View) -> Tool:
        run = partial(_run, self, bound)
        schema = self.schema(view)
        return Tool(self.name, self.description, schema, run, writes=self.writes)


def _has_pages(bound: Bound, view: View) -> bool:  # noqa: ARG001 - every grant's shape
    return bool(pages.stores(view))


def _has_memory(bound: Bound, view: View) -> bool:  # noqa: ARG001 - every grant's shape
    return "memory" in pages.stores(view)


def _is_in_session(bound: Bound, view: View) -> bool:
    return bool(bound.turn.session_id) and _has_owner(bound, view)


def _has_owner(bound: Bound, view: View) -> bool:
    return bound.owner(view) is not None


def _has_team(bound: Bound, view: View) -> bool:
    return view.tools == "all" and bound.team is not None


_KINDS: Final = (
    _Kind(
        "memory_read",
        "Read what is remembered: MEMORY.md (the agent's notes) and USER.md (about the "
        "person).",
        pages.read_schema,
        pages.read,
        _has_pages,
    ),
    _Kind(
        "memory_write",
        "Change what is remembered. Use add for a new fact; replace overwrites the "
        "whole page, so read it first. The answer says what changed.",
        pages.write_schema,
        pages.write,
        _has_pages,
        writes=True,
    ),
    _Kind(
        "memory_search",
        "Search every page of memory, and get the places that match.",
        lambda _: pages.search_schema(),
        pages.search,
        _has_memory,
    ),
    _Kind(
        "session_search",
        "Search what was said earlier in this conversation.",
        lambda _: conversations.search_schema(),
        conversations.search,
        _is_in_session,
    ),
    _Kind(
        "session_list_by_date",
        "List the conversations of a time, the last one first.",
        lambda _: conversations.list_schema(),
        conversations.list_by_date,
        _has_owner,
    ),
    _Kind(
        "team_memory_read",
        "Read a topic of the team's shared memory, or list the topics.",
        lambda _: teams.read_schema(),
        teams.read,
        _has_team,
    ),
    _Kind(
        "team_memory_write",
        "Change a topic of the team's shared memory. Everybody in the team sees it.",
        lambda _: teams.write_schema(),
        teams.write,
        _has_team,
        writes=True,
    ),
    _Kind(
        "team_memory_search",
        "Search the team's shared memory.",
        lambda _: pages.search_schema(),
        teams.search,
        _has_team,
    ),
)


def tools_for(
    memory: Memory, turn: Turn, *, team: str | None = None
) -> tuple[Tool, ...]:
    """Return the tools that an agent may be offered on one turn.

    They are bound to the turn: no argument names a scope. Each call asks again what
    the turn may see, so that one that comes late or uninvited is refused.

    Args:
        memory: An open home.
        turn: Who speaks, where, and to which personality.
        team: The id of the team the agent works in. Without one there are no team
            tools; with one they are there when the turn grants all tools.

    Returns:
        Nothing when the turn grants no tools.

    Raises:
        InvalidScopeError: When the team's id is outside the grammar.
        EthosMemoryError: When the identity map cannot be read.
    """
    bound = Bound(memory, turn, team=team)
    view = bound.view()
    kinds = (kind for kind in _KINDS if kind.is_granted(bound, view))
    return tuple(kind.bound_to(bound, view) for kind in kinds)


def _run(kind: _Kind, bound: Bound, arguments: Mapping[str, object]) -> ToolAnswer:
    def call() -> str:
        view = bound.view()
        if not kind.is_granted(bound, view):
            raise Declined("This is not available here.", "not_available")
        return kind.run(bound, view, checked(arguments, kind.schema(view)))

    return answered(call)
