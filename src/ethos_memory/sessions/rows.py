"""Values as rows, and rows as values."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError, InvalidNameError
from ethos_memory.scope import plain_text
from ethos_memory.sessions.record import ROLES, Message, Session, SessionExport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "DAMAGED",
    "MESSAGE_COLUMNS",
    "SESSION_COLUMNS",
    "Boundary",
    "clean",
    "clean_or_none",
    "dump",
    "exact",
    "exported",
    "instant",
    "load",
    "message",
    "moment",
    "one_session",
    "optional_parts",
    "report",
    "sequence",
    "session",
    "sort_out",
]

_T = TypeVar("_T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

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

#: What a damaged value raises while it is read.
DAMAGED: Final = (ValueError, TypeError, OverflowError, RecursionError)

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


def clean(value: object, *, what: str) -> str:
    """Take a plain copy of a text in which a lone surrogate has become U+FFFD.

    Raises:
        TypeError: When `value` is no text.
    """
    text = plain_text(value, what=what)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean_or_none(value: object, *, what: str) -> str | None:
    """Do the same, and let `None` pass."""
    return None if value is None else clean(value, what=what)


def exact(value: object, *, what: str) -> str:
    """Take a name as it is, or refuse it: two that are altered alike would be one.

    Raises:
        InvalidNameError: When it is empty or holds a lone surrogate. It may be an
            account's, so it is in no message.
        TypeError: When `value` is no text.
    """
    text = plain_text(value, what=what)
    if text and clean(text, what=what) == text:
        return text
    error = InvalidNameError("", f"the {what} is empty or not valid text")
    error.name = text
    raise error


def instant(value: datetime | str) -> int:
    """Return a time as whole microseconds since 1970 in UTC.

    Args:
        value: Aware, or the same as ISO 8601 text.

    Raises:
        ValueError: When there is no offset, or the text is no time.
        TypeError: When it is something else.
    """
    if isinstance(value, str):
        value = datetime.fromisoformat(plain_text(value, what="time"))
    if not isinstance(value, datetime):
        msg = f"a time must be a datetime, not {type(value).__name__}"
        raise TypeError(msg)
    if value.utcoffset() is None:
        msg = "a time needs an offset, such as +00:00; it is never guessed"
        raise ValueError(msg)
    return (value - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """Return the aware UTC time that `instant` was given."""
    return _EPOCH + microseconds * _MICROSECOND


def dump(value: object, *, what: str) -> str:
    """Write a value as JSON text.

    Raises:
        ValueError: When JSON has nothing for it. The value is in no message.
    """
    text = None
    # Ours is raised below: the error here may hold the value.
    with suppress(*DAMAGED):
        text = json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    if text is None:
        msg = f"{what} must be JSON: dicts, lists, text, finite numbers, booleans, None"
        raise ValueError(msg)
    return clean(text, what=what)


def load(text: str, kind: type[_T]) -> _T:
    """Read JSON text that must be of one kind.

    Raises:
        ValueError: When it is damaged or of another kind.
    """
    value = json.loads(text)
    if not isinstance(value, kind):
        msg = "stored JSON of another kind"
        raise ValueError(msg)  # noqa: TRY004 - the row is damaged, not the caller
    return value


def sequence(value: Sequence[Any] | None, *, what: str) -> str | None:
    """Write a list as JSON text.

    Raises:
        TypeError: When it is text or no sequence.
        ValueError: When JSON has nothing for an item.
    """
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        msg = f"{what} must be a list or tuple, not {type(value).__name__}"
        raise TypeError(msg)
    return dump(value, what=what)


def message(row: Sequence[Any], session_id: str) -> Message:
    """Read a row of `MESSAGE_COLUMNS`.

    Raises:
        ValueError: Or another of `DAMAGED`, when the row is damaged.
    """
    id, role, content, at, _, others = row
    if role not in _ROLES:
        msg = "unknown role"
        raise ValueError(msg)
    time = _EPOCH + at * _MICROSECOND
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
