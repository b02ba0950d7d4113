"""One conversation, whole, from any store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.sessions.record import SessionExport

if TYPE_CHECKING:
    from ethos_memory.sessions.record import Message, Page
    from ethos_memory.sessions.store import Sessions

__all__ = ["read_whole"]

#: More turns than any conversation has; a store may still answer with fewer.
_ALL_TURNS: Final = 2**31


def read_whole(sessions: Sessions, id: str) -> SessionExport:
    """Return a conversation with every readable message, in order.

    Raises:
        SessionNotFoundError: When there is no such session for this caller.
        CorruptFileError: When the session's own row is damaged.
    """
    session = sessions.get(id)
    pages: list[Page[Message]] = []
    cursor = None
    while not pages or cursor is not None:
        pages.insert(0, sessions.messages(id, before=cursor, turns=_ALL_TURNS))
        cursor = pages[0].next_cursor
    return SessionExport(
        session,
        tuple(message for page in pages for message in page.items),
        unreadable=tuple(row for page in pages for row in page.unreadable),
    )
