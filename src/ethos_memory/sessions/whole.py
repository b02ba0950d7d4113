"""One conversation, whole, from any store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import field, frozen

if TYPE_CHECKING:
    from ethos_memory.sessions.record import Message, Page, Session
    from ethos_memory.sessions.store import Sessions

__all__ = ["WholeSession", "read_whole"]

#: More turns than any conversation has; a store may still answer with fewer.
_ALL_TURNS: Final = 2**31


@frozen
class WholeSession:
    """A conversation and what was said in it.

    Attributes:
        session: What is known about it.
        messages: Every readable message, in order.
        unreadable: Ids of the damaged ones.
    """

    session: Session
    messages: tuple[Message, ...] = field(repr=False)
    unreadable: tuple[str, ...] = field(kw_only=True)


def read_whole(sessions: Sessions, id: str) -> WholeSession:
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
    return WholeSession(
        session,
        tuple(message for page in pages for message in page.items),
        unreadable=tuple(row for page in pages for row in page.unreadable),
    )
