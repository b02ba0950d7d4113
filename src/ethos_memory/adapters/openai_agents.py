"""A session for the OpenAI Agents SDK, kept in a home's conversations.

The store only ever appends. An item that is popped is followed by a mark that takes it
back, so that two processes that pop at once never get the same item.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import dropwhile
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import (
    MessageOrderError,
    MissingExtraError,
    SessionNotFoundError,
)

try:
    from agents.memory.session_settings import (
        SessionSettings,
        coerce_session_settings,
        resolve_session_limit,
    )
except ImportError:
    raise MissingExtraError("openai-agents") from None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents.items import TResponseInputItem

    from ethos_memory.sessions import Message, Role, Sessions

__all__ = ["MemorySession"]

#: Names of our own blocks: an item as the host gave it, and the mark that pops one.
_ITEM: Final = "openai_item"
_POP: Final = "openai_pop"

#: Turns that are read at once, the newest first.
_TURNS: Final = 50

#: A session that somebody clears while we write is begun anew; each such round means
#: that somebody else got on.
_MOST_ROUNDS: Final = 100


class MemorySession:
    """One conversation of one owner, as the SDK's ``Session`` protocol has it.

    Args:
        session_id: The host's name for the conversation, unique within the owner.
        sessions: The owner's conversations: ``memory.sessions.for_owner(owner)``.
        session_settings: The SDK's own.

    Attributes:
        session_id: As given.
        session_settings: As given; a default limit of `get_items`.
    """

    def __init__(
        self,
        session_id: str,
        sessions: Sessions,
        *,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = coerce_session_settings(
            session_settings or {}
        )
        self._sessions = sessions

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items in the order they were added.

        Args:
            limit: The newest so many; without one, the settings' or all. Below 1 none.
        """
        most = resolve_session_limit(limit, self.session_settings)
        return await asyncio.to_thread(self._items, most)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items at the end, each durable before the next."""
        await asyncio.to_thread(self._add, list(items))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take back the newest item and return it; `None` when there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Delete the conversation for good, with what was popped from it."""
        await asyncio.to_thread(self._clear)

    def _items(self, most: int | None) -> list[TResponseInputItem]:
        if most is not None and most < 1:
            return []
        found: list[TResponseInputItem] = []
        for _, item in _standing(self._newest_first()):
            found.append(item)
            if len(found) == most:
                break
        return found[::-1]

    def _add(self, items: list[TResponseInputItem]) -> None:
        for item in items:
            self._append(_role(item), _text(item), {_ITEM: item})

    def _pop(self) -> TResponseInputItem | None:
        if not self._items(1):
            return None
        mark = self._append("system", "", {_POP: True})
        # What it took is the newest item that stood just before it.
        older = _after(self._newest_first(), mark.id)
        return next((item for _, item in _standing(older)), None)

    def _clear(self) -> None:
        try:
            self._sessions.delete(self._id())
        except SessionNotFoundError:
            return  # Somebody else cleared it.

    def _id(self) -> str:
        return self._sessions.create(self.session_id).id

    def _append(self, role: Role, content: str, block: dict[str, Any]) -> Message:
        for _ in range(_MOST_ROUNDS):
            append = partial(self._sessions.append, self._id(), content_blocks=[block])
            try:
                return append(role, content)
            except MessageOrderError:
                # The call it answers was popped or is the host's; the item is whole.
                role = "system"
            except SessionNotFoundError:
                continue
        raise SessionNotFoundError("the session is cleared again and again")

    def _newest_first(self) -> Iterator[Message]:
        id, cursor = self._id(), None
        while True:
            page = self._sessions.messages(id, before=cursor, turns=_TURNS)
            yield from reversed(page.items)
            cursor = page.next_cursor
            if cursor is None:
                return


def _after(messages: Iterator[Message], id: str) -> Iterator[Message]:
    """Skip everything down to a message, that message as well."""
    below = dropwhile(lambda message: message.id != id, messages)
    next(below, None)
    return below


def _standing(messages: Iterator[Message]) -> Iterator[tuple[str, TResponseInputItem]]:
    """Yield the items that no mark took back, the newest first.

    Read backwards a mark stands before what it took: it takes the next item that no
    other mark between them took.
    """
    taken = 0
    for message in messages:
        block = next(iter(message.content_blocks or ()), None)
        own = block if isinstance(block, dict) else {}
        if _POP in own:
            taken += 1
            continue
        item = own.get(_ITEM) or _foreign(message)
        if item is None:
            continue
        if taken:
            taken -= 1
        else:
            yield message.id, item


def _foreign(message: Message) -> Any:
    """Return a message that another part of the host stored, as an item."""
    if message.role not in {"user", "assistant", "system"}:
        return None
    return {"role": message.role, "content": message.content}


def _role(item: Any) -> Role:
    match item.get("role"), item.get("type"):
        case "user", _:
            return "user"
        case (("system" | "developer"), _):
            return "system"
        case _, str(kind) if kind.endswith("_output"):
            return "tool_result"
        case _:
            return "assistant"


def _text(item: Any) -> str:
    """Return what an item says, for a search and for a person who reads along."""
    said = item.get("content", item.get("output", ""))
    if isinstance(said, str):
        return said
    parts = said if isinstance(said, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
