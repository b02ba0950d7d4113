"""The contract of something that keeps conversations, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ethos_memory.sessions.record import (
    ROLES,
    Message,
    MessageHit,
    Page,
    Role,
    Session,
    SessionChanges,
    SessionExport,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from typing_extensions import Unpack

__all__ = [
    "ROLES",
    "Message",
    "MessageHit",
    "Page",
    "Role",
    "Session",
    "SessionChanges",
    "SessionExport",
    "SessionStore",
    "Sessions",
]


@runtime_checkable
class Sessions(Protocol):
    """The conversations that one caller may see. A foreign id is an unknown id."""

    def create(
        self,
        key: str,
        *,
        title: str | None = None,
        platform: str = "",
        personality_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        model: str = "",
        provider: str = "",
        working_dir: str | None = None,
        parent_session_id: str | None = None,
        pinned: bool = False,
        was_shared: bool = False,
    ) -> Session:
        """Begin a conversation, or return the one that has this key already.

        Raises:
            InvalidNameError: When the key is empty or not valid text.
            InvalidScopeError: When the personality id is outside the grammar.
            NotPermittedError: When no owner is bound (`SessionStore.unsafe_everyone`).
            SessionNotFoundError: When there is no such parent.
            ValueError: When the title is too long or the metadata is not JSON.
        """
        ...

    def get(self, id: str) -> Session:
        """Return one conversation.

        Raises:
            SessionNotFoundError: When there is none with this id for this caller.
            CorruptFileError: When its row is damaged.
        """
        ...

    def list(
        self,
        q: str = "",
        *,
        key_prefix: str | None = None,
        since: datetime | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Session]:
        """Return conversations: the pinned first, then the one last spoken in.

        With `q` they are ranked by what a person typed instead: those that hold all
        the words in title or messages, then those that hold any, each by BM25.
        Messages that arrive while one pages move nothing between pages.

        Args:
            q: Any text. Nothing in it is query syntax and none of it raises.
            key_prefix: Only keys that begin with this.
            since: Only conversations updated at this time or later; aware.
            limit: The most sessions on a page; 0 gives an empty page.
            cursor: `Page.next_cursor` of the same call.

        Raises:
            InvalidCursorError: When the cursor is damaged or of another list.
            ValueError: When `limit` is below 0 or `since` has no offset.
        """
        ...

    def append(
        self,
        id: str,
        role: str,
        content: str,
        *,
        tool_calls: Sequence[Any] | None = None,
        tool_call_id: str | None = None,
        tool_name: str | None = None,
        content_blocks: Sequence[Any] | None = None,
        usage: Mapping[str, Any] | None = None,
        trace_id: str | None = None,
    ) -> Message:
        """Store one message at the end. It is durable when this returns.

        Raises:
            MessageOrderError: When a tool result follows neither an assistant's
                message nor another tool result; nothing is stored.
            SessionNotFoundError: When there is no such session for this caller.
            ValueError: When the role is none of `ROLES` or a value is not JSON.
        """
        ...

    def messages(
        self, id: str, *, before: str | None = None, turns: int = 20
    ) -> Page[Message]:
        """Return one page of whole turns, the newest page first.

        A turn is a ``user`` message with all that follows up to the next one. What
        stands before the first turn comes with the page that reaches it. A turn with
        no readable message counts for no limit.

        Args:
            id: The session.
            before: `Page.next_cursor` of the page that came after.
            turns: The most turns on the page; 0 gives an empty page.

        Raises:
            InvalidCursorError: When the cursor is damaged or of another session.
            SessionNotFoundError: When there is no such session for this caller.
            ValueError: When `turns` is below 0.
        """
        ...

    def search(
        self,
        query: str,
        *,
        session_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[MessageHit, ...]:
        """Return the messages that answer what a person typed, best first.

        Messages that hold all the words come before those that hold any, each by
        BM25. Frequent English words are left out when others remain. What stands in
        double quotes must be there as it is.

        Args:
            query: Any text. Nothing in it is query syntax and none of it raises.
            session_id: Only this conversation.
            since: Only messages stored at this time or later; aware.
            until: Only messages stored at this time or earlier; aware.
            limit: The most hits; 0 gives none.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
            ValueError: When `limit` is below 0 or a time has no offset.
        """
        ...

    def fork(self, id: str) -> Session:
        """Copy a conversation with all its messages, in one step.

        The copy has a key, an id and times of its own, keeps every other field, and
        is independent: neither shows what happens to the other.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
        """
        ...

    def update(self, id: str, **fields: Unpack[SessionChanges]) -> Session:
        """Change what is known about a conversation, never what was said.

        Returns:
            The conversation as it is now.

        Raises:
            NotPermittedError: When it is bound to another personality.
            SessionNotFoundError: When there is no such session for this caller.
            TypeError: When a field is unknown.
            ValueError: When the title is too long or the metadata is not JSON.
        """
        ...

    def undo(self, id: str, turns: int = 1) -> int:
        """Take back the last turns for good, each whole.

        Returns:
            How many turns went. What stands before the first turn stays.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
            ValueError: When `turns` is below 0.
        """
        ...

    def delete(self, id: str) -> None:
        """Delete a conversation with its messages. Its forks stay whole.

        Raises:
            SessionNotFoundError: When there is no such session for this caller.
        """
        ...


@runtime_checkable
class SessionStore(Protocol):
    """Something that keeps conversations, owner by owner."""

    def for_owner(self, owner: str) -> Sessions:
        """Return the conversations of one owner; every call is bound to it.

        Raises:
            InvalidNameError: When the owner is empty or not valid text.
        """
        ...

    def unsafe_everyone(self) -> Sessions:
        """Return everybody's conversations, for an operator. It does all but create."""
        ...

    def count_owner(self, owner: str) -> int:
        """Return how many conversations an owner has."""
        ...

    def export_owner(self, owner: str) -> Iterator[SessionExport]:
        """Yield every conversation of an owner whole, in the order they began."""
        ...

    def erase_owner(self, owner: str) -> int:
        """Erase every conversation of an owner for good. Can be repeated.

        Returns:
            How many conversations went.
        """
        ...

    def backup(self, destination: str | os.PathLike[str]) -> None:
        """Write a consistent copy while the store is in use."""
        ...

    def close(self) -> None:
        """Let go of the store. Everything is in the main file. Can be repeated."""
        ...
