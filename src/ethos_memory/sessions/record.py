"""Conversations as values.

Conversations are not memory: nothing here is screened for a prompt, and messages are
kept as they were said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias

from attrs import field, frozen
from typing_extensions import TypedDict, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

__all__ = [
    "ROLES",
    "Message",
    "MessageHit",
    "Page",
    "Role",
    "Session",
    "SessionChanges",
    "SessionExport",
]

#: Who or what a message comes from; Ethos's five.
Role: TypeAlias = Literal["user", "assistant", "tool_result", "system", "user_steer"]

#: Every `Role`. Only ``user`` begins a turn.
ROLES: Final[tuple[Role, ...]] = (
    "user",
    "assistant",
    "tool_result",
    "system",
    "user_steer",
)

_T_co = TypeVar("_T_co", covariant=True)


@frozen
class Session:
    """One conversation, without its messages. A key can hold an account id: private.

    Attributes:
        id: Opaque, unique in the store.
        key: The host's name for it, unique within an owner.
        owner: Whose it is: ``user:<id>`` or ``<platform>:<chat_id>``.
        title: For a person; credentials in it are replaced by markers.
        platform: Where it takes place, or ``""``.
        model: The model that answered, or ``""``.
        provider: Who serves that model, or ``""``.
        working_dir: The folder a coding agent works in, if any.
        personality_id: The role it is bound to. Once bound it stays.
        parent_session_id: What it was forked from; `None` once that is deleted.
        metadata: The host's own, JSON-ready; credentials are replaced by markers.
        pinned: Listed first.
        was_shared: Whether it ever ran where others could read it. Never comes off.
        usage: The sum of the messages' usage, number by number.
        message_count: Messages in it.
        turn_count: Messages of the role ``user`` in it.
        created_at: Aware and in UTC.
        updated_at: The last append, undo or update; never before `created_at`.
    """

    id: str
    key: str = field(repr=False)
    owner: str = field(kw_only=True, repr=False)
    title: str | None = field(kw_only=True, repr=False)
    platform: str = field(kw_only=True)
    model: str = field(kw_only=True)
    provider: str = field(kw_only=True)
    working_dir: str | None = field(kw_only=True, repr=False)
    personality_id: str | None = field(kw_only=True)
    parent_session_id: str | None = field(kw_only=True)
    metadata: Mapping[str, Any] = field(kw_only=True, repr=False)
    pinned: bool = field(kw_only=True)
    was_shared: bool = field(kw_only=True)
    usage: Mapping[str, Any] = field(kw_only=True, repr=False)
    message_count: int = field(kw_only=True)
    turn_count: int = field(kw_only=True)
    created_at: datetime = field(kw_only=True)
    updated_at: datetime = field(kw_only=True)


# Fifty are built on every turn of an agent. Frozen slots are filled through a call
# each, a dict at a third of the cost.
@frozen(slots=False)
class Message:
    """One message, kept as it was said.

    Attributes:
        id: Opaque, unique in the store.
        session_id: The conversation it belongs to.
        role: One of `ROLES`.
        content: Its text; a lone surrogate became U+FFFD. Private.
        at: When it was stored by the host's clock, aware and in UTC. For display and
            filters only: order is the order of insertion.
        tool_calls: What an assistant asked for, JSON-ready.
        tool_call_id: Which call a tool result answers.
        tool_name: Which tool answered.
        content_blocks: A model's own form of the content, JSON-ready; not searched.
        usage: Tokens and costs, JSON-ready.
        trace_id: The host's trace.
    """

    id: str
    session_id: str
    role: Role = field(kw_only=True)
    content: str = field(kw_only=True, repr=False)
    at: datetime = field(kw_only=True)
    tool_calls: tuple[Any, ...] | None = field(default=None, kw_only=True, repr=False)
    tool_call_id: str | None = field(default=None, kw_only=True)
    tool_name: str | None = field(default=None, kw_only=True)
    content_blocks: tuple[Any, ...] | None = field(
        default=None, kw_only=True, repr=False
    )
    usage: Mapping[str, Any] | None = field(default=None, kw_only=True, repr=False)
    trace_id: str | None = field(default=None, kw_only=True)


@frozen
class MessageHit:
    """A message that a search found.

    Attributes:
        session_id: The conversation it belongs to.
        message_id: The message.
        snippet: One line around the hit. Private.
        score: Larger is better, 1.0 for the best; comparable within one search only.
        at: When the message was stored.
    """

    session_id: str
    message_id: str
    snippet: str = field(kw_only=True, repr=False)
    score: float = field(kw_only=True)
    at: datetime = field(kw_only=True)


@frozen
class Page(Generic[_T_co]):
    """Part of a longer list.

    Attributes:
        items: Messages in the order they were said; sessions in the list's order.
        next_cursor: For the next page; `None` at the end. Opaque.
        unreadable: Ids of rows on this page that are damaged and so left out of
            `items`. They count for no limit.
    """

    items: tuple[_T_co, ...]
    next_cursor: str | None = None
    unreadable: tuple[str, ...] = field(default=(), kw_only=True)


@frozen
class SessionExport:
    """One conversation, whole.

    Attributes:
        session: The conversation, `None` when its own row is damaged.
        messages: Every readable message, in order.
        unreadable: Ids of the damaged rows: of messages, or of the session.
    """

    session: Session | None
    messages: tuple[Message, ...] = field(repr=False)
    unreadable: tuple[str, ...] = field(default=(), kw_only=True)


class SessionChanges(TypedDict, total=False):
    """What `Sessions.update` can change; a name that is left out stays as it is.

    Attributes:
        title: `None` clears it.
        pinned: Whether it is listed first.
        metadata: Takes the place of all of it; `None` clears it.
        was_shared: True marks the session for good; False changes nothing.
        personality_id: Binds a session that is not bound yet.
        model: The model that answers.
        provider: Who serves that model.
        working_dir: `None` clears it.
    """

    title: str | None
    pinned: bool
    metadata: Mapping[str, Any] | None
    was_shared: bool
    personality_id: str
    model: str
    provider: str
    working_dir: str | None
