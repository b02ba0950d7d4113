"""What the tests of conversations share: a store in a folder, and a clock to turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ethos_memory.sessions import SQLiteSessionStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ethos_memory.sessions import Message, Sessions

START = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)


class Clock:
    """Tells the times it is given, then goes on from the last, a second a call."""

    def __init__(self, *times: datetime) -> None:
        self.times = list(times)
        self.now = START

    def __call__(self) -> datetime:
        self.now = self.times.pop(0) if self.times else self.now + timedelta(seconds=1)
        return self.now


def plain(text: str) -> str:
    """Redact nothing."""
    return text


def open_store(folder: Path, **options: Any) -> SQLiteSessionStore:
    """Open the store of a test's folder."""
    return SQLiteSessionStore(
        folder / "memory-sessions.db", **{"clock": Clock(), "redact": plain, **options}
    )


def say(sessions: Sessions, id: str, *lines: str) -> tuple[Message, ...]:
    """Append lines such as ``user: hello``."""
    parts = (line.partition(": ") for line in lines)
    return tuple(sessions.append(id, role, text) for role, _, text in parts)


def texts(messages: Iterable[Message]) -> list[str]:
    """Return the contents of messages."""
    return [message.content for message in messages]


def walk(sessions: Sessions, id: str, turns: int) -> list[list[str]]:
    """Return every page of a session, the newest first."""
    pages = []
    cursor = None
    while True:
        page = sessions.messages(id, before=cursor, turns=turns)
        pages.append(texts(page.items))
        cursor = page.next_cursor
        if cursor is None:
            return pages
