"""Values as rows, and rows as values."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError
from ethos_memory.sessions.encoding import DAMAGED, load, moment
from ethos_memory.sessions.record import ROLES, Message, Session, SessionExport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "MESSAGE_COLUMNS",
    "SESSION_COLUMNS",
    "Boundary",
    "exported",
    "message",
    "one_session",
    "optional_parts",
    "report",
    "session",
    "sort_out",
]

_T = TypeVar("_T")

# Most messages have no more than their text, and every column costs: what else there is
# comes as one. A page is read on every turn of an agent.
MESSAGE_COLUMNS: Final = """
    m.id, m.role, m.content, m.at, m.seq,
    CASE WHEN coalesce(
        m.tool_calls, m.tool_call_id, m.tool_name, m.content_blocks, m.usage, m.trace_id
    ) IS NOT NULL THEN json_array(
        m.tool_calls, m.tool_call_id, m.tool_name, m.content_blocks, m.usage, m.trace_id
    ) END
"""
SESSION_COLUMNS: Final = (
    "s.id, s.key, s.owner, s.title, s.platform, s.model, s.provider, s.working_dir, "
    "s.personality_id, s.parent_session_id, s.metadata, s.pinned, s.was_shared, "
    "s.usage, s.message_count, s.turn_count, s.created_at, s.updated_at"
)

_ROLES: Final = frozenset(ROLES)

_logger = logging.getLogger("ethos_memory")


@frozen
class Boundary:
    """Whose rows a query may touch.

    Attributes:
        owner: One owner, or `None` for everybody's.
    """

    owner: str | None = field(repr=False)

    def within(self, sql: str) -> str:
        """Return a query that is written for one owner, widened when that is meant.

        For one owner nothing is changed: what the text says is what is asked.
        """
        if self.owner is not None:
            return sql
        return sql.replace("owner = :owner", "owner IS NOT NULL")


def message(row: Sequence[Any], session_id: str) -> Message:
    """Read a row of `MESSAGE_COLUMNS`.

    Raises:
        ValueError: Or another of `DAMAGED`, when the row is damaged.
    """
    id, role, content, at, _, others = row
    if role not in _ROLES:
        msg = "unknown role"
        raise ValueError(msg)
    time = moment(at)
    if others is None:
        return Message(id, session_id, role=role, content=content, at=time)
    parts = optional_parts(json.loads(others))
    return Message(id, session_id, role=role, content=content, at=time, **parts)


def optional_parts(stored: Sequence[str | None]) -> dict[str, Any]:
    """Read what few messages have beside their text.

    Args:
        stored: Tool calls, call id, tool name, content blocks, usage and trace id.

    Returns:
        The fields of a `Message`.

    Raises:
        ValueError: Or another of `DAMAGED`, when one is damaged.
    """
    calls, call_id, name, blocks, usage, trace = stored
    return {
        "tool_calls": None if calls is None else tuple(load(calls, list)),
        "tool_call_id": call_id,
        "tool_name": name,
        "content_blocks": None if blocks is None else tuple(load(blocks, list)),
        "usage": None if usage is None else load(usage, dict),
        "trace_id": trace,
    }


def session(row: Sequence[Any]) -> Session:
    """Read a row of `SESSION_COLUMNS`.

    Raises:
        ValueError: Or another of `DAMAGED`, when the row is damaged.
    """
    metadata: Mapping[str, Any] = load(row[10], dict)
    usage: Mapping[str, Any] = load(row[13], dict)
    return Session(
        row[0],
        row[1],
        owner=row[2],
        title=row[3],
        platform=row[4],
        model=row[5],
        provider=row[6],
        working_dir=row[7],
        personality_id=row[8],
        parent_session_id=row[9],
        metadata=metadata,
        pinned=bool(row[11]),
        was_shared=bool(row[12]),
        usage=usage,
        message_count=row[14],
        turn_count=row[15],
        created_at=moment(row[16]),
        updated_at=moment(row[17]),
    )


def one_session(
    row: Sequence[Any], read: Callable[[Sequence[Any]], Session], *, store: str
) -> Session:
    """Read the row of the one session that was asked for.

    Args:
        row: Its row.
        read: Reads it.
        store: Where it is kept, for the error.

    Raises:
        CorruptFileError: When it is damaged.
    """
    found, _ = sort_out([row], read)
    if not found:
        raise CorruptFileError(store, f"session {row[0]!a} is damaged")
    return found[0]


def exported(
    row: Sequence[Any],
    read: Callable[[Sequence[Any]], Session],
    messages: tuple[tuple[Message, ...], tuple[str, ...]],
) -> SessionExport:
    """Return one conversation whole.

    Args:
        row: The session's.
        read: Reads it.
        messages: What `sort_out` made of the rows of its messages.
    """
    found, damaged = sort_out([row], read)
    said, unreadable = messages
    return SessionExport(
        found[0] if found else None, said, unreadable=(*damaged, *unreadable)
    )


def sort_out(
    rows: Iterable[Sequence[Any]], read: Callable[[Sequence[Any]], _T]
) -> tuple[tuple[_T, ...], tuple[str, ...]]:
    """Read rows whose first column is an id; a damaged one hides no other.

    Returns:
        The values, and the ids of the damaged rows, which are logged as well.
    """
    good: list[_T] = []
    damaged: list[str] = []
    for row in rows:
        try:
            good.append(read(row))
        except DAMAGED:
            damaged.append(row[0])
    report(damaged)
    return tuple(good), tuple(damaged)


def report(damaged: Sequence[str]) -> None:
    """Log that rows are left out because they are damaged: one line, not one each."""
    if damaged:
        _logger.warning(
            "session store: %d damaged rows left out, %s among them",
            len(damaged),
            ascii(damaged[0]),
        )
