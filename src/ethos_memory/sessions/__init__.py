"""Conversations, not memory: what was said, kept whole and found again."""

from __future__ import annotations

from ethos_memory.sessions.bound import SQLiteSessions
from ethos_memory.sessions.sqlite import SQLiteSessionStore
from ethos_memory.sessions.store import (
    ROLES,
    Message,
    MessageHit,
    Page,
    Role,
    Session,
    SessionChanges,
    SessionExport,
    Sessions,
    SessionStore,
)
from ethos_memory.sessions.transcript import transcript

__all__ = [
    "ROLES",
    "Message",
    "MessageHit",
    "Page",
    "Role",
    "SQLiteSessionStore",
    "SQLiteSessions",
    "Session",
    "SessionChanges",
    "SessionExport",
    "SessionStore",
    "Sessions",
    "transcript",
]
