"""The tools about conversations: within the turn's own boundary, always (case B18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.tools import arguments
from ethos_memory.tools.answer import Declined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ethos_memory.policy import View
    from ethos_memory.sessions import Session, Sessions
    from ethos_memory.tools.binding import Bound

__all__ = ["list_by_date", "list_schema", "search", "search_schema"]

#: Results without a limit, and at most.
DEFAULT_HITS: Final = 10
MOST_HITS: Final = 50

#: Sessions that are read at once while looking for those of a time.
_PAGE: Final = 100

_SINCE: Final = "Not before this day or time, such as 2026-05-04."
_UNTIL: Final = "Not after this day or time."


def _limit() -> dict[str, Any]:
    return arguments.count(MOST_HITS, f"The most results; {DEFAULT_HITS} by default.")


def search_schema() -> dict[str, Any]:
    """Return the arguments of ``session_search``."""
    return arguments.schema(
        ("query",),
        query=arguments.text("Words to look for. Text in double quotes is exact."),
        limit=_limit(),
        since=arguments.text(_SINCE),
        until=arguments.text(_UNTIL),
    )


def search(bound: Bound, view: View, given: dict[str, Any]) -> str:
    """Answer ``session_search``: this conversation, no other."""
    hits = _sessions(bound, view).search(
        given["query"],
        session_id=bound.turn.session_id,
        since=arguments.moment("since", given.get("since")),
        until=arguments.moment("until", given.get("until"), is_end=True),
        limit=given.get("limit", DEFAULT_HITS),
    )
    lines = [
        f"{number}. [{_time(hit.at)}] {_shown(bound, view, hit.snippet)}"
        for number, hit in enumerate(hits, 1)
    ]
    return "\n".join(lines) or "Nothing found in this conversation."


def list_schema() -> dict[str, Any]:
    """Return the arguments of ``session_list_by_date``."""
    return arguments.schema(
        limit=_limit(), since=arguments.text(_SINCE), until=arguments.text(_UNTIL)
    )


def list_by_date(bound: Bound, view: View, given: dict[str, Any]) -> str:
    """Answer ``session_list_by_date``: the owner's conversations, no other's."""
    since = arguments.moment("since", given.get("since"))
    until = arguments.moment("until", given.get("until"), is_end=True)
    limit = given.get("limit", DEFAULT_HITS)
    found = [
        session
        for session in _updated(_sessions(bound, view), since)
        if until is None or session.updated_at <= until
    ]
    found.sort(key=lambda session: session.updated_at, reverse=True)
    lines = [
        f"{number}. [{_time(session.updated_at)}] "
        f"{_shown(bound, view, session.title or 'untitled')} "
        f"({session.message_count} messages)"
        for number, session in enumerate(found[:limit], 1)
    ]
    return "\n".join(lines) or "No conversations in that time."


def _sessions(bound: Bound, view: View) -> Sessions:
    owner = bound.owner(view)
    if owner is None:
        raise Declined("Conversations are not available here.", "not_available")
    return bound.memory.sessions.for_owner(owner)


def _updated(sessions: Sessions, since: datetime | None) -> Iterator[Session]:
    cursor = None
    while True:
        page = sessions.list(since=since, limit=_PAGE, cursor=cursor)
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M")


def _shown(bound: Bound, view: View, text: str) -> str:
    """Return a line as a model may read it: anybody may have written it."""
    # At first use: the rules take a while to compile.
    from ethos_memory.guard.credentials import redact  # noqa: PLC0415

    scope = next(iter(view.profile), view.memory)
    # A conversation is no page: the guard of the pages judges its lines as well.
    guard = bound.memory.provider._guard  # noqa: SLF001 - as above
    return guard.screen(redact(text), scope).shown
