"""What a dashboard calls: pages and conversations, and nothing that could harm them.

Every answer is a value that holds text, numbers, booleans, `None`, tuples and dicts
alone: `attrs.asdict` of it is JSON. No path comes in or goes out.
"""

from __future__ import annotations

from ethos_memory.dashboard.board import Dashboard
from ethos_memory.dashboard.conversations import (
    DashboardChanges,
    DashboardSessions,
    FoundMessage,
    SessionMessage,
    SessionSummary,
    SessionTranscript,
)
from ethos_memory.dashboard.pages import DashboardMemory, KnownUser, MemoryPage, Store

__all__ = [
    "Dashboard",
    "DashboardChanges",
    "DashboardMemory",
    "DashboardSessions",
    "FoundMessage",
    "KnownUser",
    "MemoryPage",
    "SessionMessage",
    "SessionSummary",
    "SessionTranscript",
    "Store",
]
