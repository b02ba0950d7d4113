"""Conversations as a dashboard has them: read, renamed, forked, deleted.

There is no way to append: messages come from an agent's turn, and one that did not
would break the order that a model server insists on.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import field, fields, frozen
from typing_extensions import TypedDict

from ethos_memory.sessions.record import Page
from ethos_memory.sessions.whole import read_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from ethos_memory.sessions import Role, Sessions

__all__ = [
    "DashboardChanges",
    "DashboardSessions",
    "FoundMessage",
    "SessionMessage",
    "SessionSummary",
    "SessionTranscript",
]

_T = TypeVar("_T")


@frozen
class SessionSummary:
    """What is known about a conversation; as `Session`, with times as text.

    The folder that an agent works in is left out: no path goes to a dashboard.
    """

    id: str
    key: str = field(repr=False)
    owner: str = field(kw_only=True, repr=False)
    title: str | None = field(kw_only=True, repr=False)
    platform: str = field(kw_only=True)
    model: str = field(kw_only=True)
    provider: str = field(kw_only=True)
    personality_id: str | None = field(kw_only=True)
    parent_session_id: str | None = field(kw_only=True)
    metadata: Mapping[str, Any] = field(kw_only=True, repr=False)
    pinned: bool = field(kw_only=True)
    was_shared: bool = field(kw_only=True)
    usage: Mapping[str, Any] = field(kw_only=True, repr=False)
    message_count: int = field(kw_only=True)
    turn_count: int = field(kw_only=True)
    created_at: str = field(kw_only=True)
    updated_at: str = field(kw_only=True)


@frozen
class SessionMessage:
    """One message; as `Message`, with its time as text."""

    id: str
    session_id: str
    role: Role = field(kw_only=True)
    content: str = field(kw_only=True, repr=False)
    at: str = field(kw_only=True)
    tool_calls: tuple[Any, ...] | None = field(kw_only=True, repr=False)
    tool_call_id: str | None = field(kw_only=True)
    tool_name: str | None = field(kw_only=True)
    content_blocks: tuple[Any, ...] | None = field(kw_only=True, repr=False)
    usage: Mapping[str, Any] | None = field(kw_only=True, repr=False)
    trace_id: str | None = field(kw_only=True)


@frozen
class SessionTranscript(SessionSummary):
    """A conversation with everything that was said.

    Attributes:
        messages: Every readable message, in order.
        unreadable: Ids of damaged messages.
    """

    messages: tuple[SessionMessage, ...] = field(kw_only=True, repr=False)
    unreadable: tuple[str, ...] = field(kw_only=True)


@frozen
class FoundMessage:
    """A message that a search found; as `MessageHit`, with its time as text."""

    session_id: str
    message_id: str
    snippet: str = field(kw_only=True, repr=False)
    score: float = field(kw_only=True)
    at: str = field(kw_only=True)


class DashboardChanges(TypedDict, total=False):
    """What a dashboard may change about a conversation; see `SessionChanges`."""

    title: str | None
    pinned: bool
    metadata: Mapping[str, Any] | None
    was_shared: bool


class DashboardSessions:
    """The conversations of whoever is asking. `Sessions` says what each call does.

    Args:
        sessions: Bound to the asker. A foreign id answers like an unknown one.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(
        self,
        key: str,
        *,
        title: str | None = None,
        platform: str = "",
        personality_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        pinned: bool = False,
        was_shared: bool = False,
    ) -> SessionSummary:
        """Begin a conversation without messages; see `Sessions.create`."""
        created = self._sessions.create(
            key,
            title=title,
            platform=platform,
            personality_id=personality_id,
            metadata=metadata,
            pinned=pinned,
            was_shared=was_shared,
        )
        return _plain(created, SessionSummary)

    def list(
        self,
        q: str = "",
        *,
        key_prefix: str | None = None,
        since: datetime | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[SessionSummary]:
        """Return one page of conversations; see `Sessions.list`."""
        page = self._sessions.list(
            q, key_prefix=key_prefix, since=since, limit=limit, cursor=cursor
        )
        return _page(page, SessionSummary)

    def get(self, id: str) -> SessionTranscript:
        """Return one conversation whole, with every readable message.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
            CorruptFileError: When its own row is damaged.
        """
        found = read_whole(self._sessions, id)
        return _plain(
            found.session,
            SessionTranscript,
            messages=tuple(_plain(one, SessionMessage) for one in found.messages),
            unreadable=found.unreadable,
        )

    def messages(
        self, id: str, *, before: str | None = None, turns: int = 20
    ) -> Page[SessionMessage]:
        """Return one page of whole turns, newest first; see `Sessions.messages`."""
        page = self._sessions.messages(id, before=before, turns=turns)
        return _page(page, SessionMessage)

    def search(
        self,
        query: str,
        *,
        session_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[FoundMessage, ...]:
        """Return messages that answer what a person typed; see `Sessions.search`."""
        hits = self._sessions.search(
            query, session_id=session_id, since=since, until=until, limit=limit
        )
        return tuple(_plain(hit, FoundMessage) for hit in hits)

    def fork(self, id: str) -> SessionSummary:
        """Copy a conversation, to go on from it independently; see `Sessions.fork`."""
        return _plain(self._sessions.fork(id), SessionSummary)

    def update(self, id: str, **changes: Unpack[DashboardChanges]) -> SessionSummary:
        """Rename, pin or annotate a conversation, or mark it as shared for good.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
            TypeError: When something else is to be changed.
            ValueError: When the title is too long or the metadata is not JSON.
        """
        unknown = changes.keys() - DashboardChanges.__annotations__.keys()
        if unknown:
            msg = f"a dashboard does not change {', '.join(sorted(unknown))}"
            raise TypeError(msg)
        return _plain(self._sessions.update(id, **changes), SessionSummary)

    def undo(self, id: str, turns: int = 1) -> int:
        """Take back the last turns for good, each whole; see `Sessions.undo`."""
        return self._sessions.undo(id, turns)

    def delete(self, id: str) -> None:
        """Delete a conversation. Its forks stay whole; see `Sessions.delete`."""
        self._sessions.delete(id)


def _page(page: Page[Any], kind: type[_T]) -> Page[_T]:
    items = tuple(_plain(item, kind) for item in page.items)
    return Page(items, page.next_cursor, unreadable=page.unreadable)


def _plain(value: Any, kind: type[_T], **more: Any) -> _T:
    """Copy the fields that both have; a time becomes ISO 8601 text."""
    names = [one.name for one in fields(kind) if one.name not in more]  # type: ignore[arg-type]  # an attrs class
    copied = {name: _text_for_time(getattr(value, name)) for name in names}
    return kind(**copied, **more)


def _text_for_time(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
