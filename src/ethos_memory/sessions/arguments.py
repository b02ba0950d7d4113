"""What a caller passes, checked and parsed before a database is asked (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.scope import ScopeId
from ethos_memory.sessions.encoding import clean, clean_or_none, dump, instant, sequence
from ethos_memory.sessions.labels import label, metadata, title
from ethos_memory.sessions.record import ROLES, SessionChanges

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

__all__ = [
    "Draft",
    "ListFilters",
    "SearchFilters",
    "changed_fields",
    "count",
    "instant_or_none",
    "parse_draft",
    "session_fields",
]

#: Larger than any list; what both databases still take as a limit.
_MOST: Final = 2**31


@frozen
class ListFilters:
    """What a list is narrowed to; `since` in microseconds. `None` narrows nothing."""

    key_prefix: str | None = None
    since: int | None = None

    def cursor_scope(self, owner: str | None, q: str) -> tuple[str, ...]:
        """Return what a cursor of such a list is bound to."""
        narrowed = (repr(self.key_prefix), repr(self.since))
        return ("sessions", repr(owner), q, *narrowed)


@frozen
class SearchFilters:
    """What a search is narrowed to; `None` narrows nothing. Times in microseconds."""

    session_id: str | None = None
    since: int | None = None
    until: int | None = None


@frozen
class Draft:
    """A message that can be stored: its texts are clean, the rest is JSON text."""

    role: str
    content: str = field(repr=False)
    tool_calls: str | None = field(kw_only=True, repr=False)
    tool_call_id: str | None = field(kw_only=True)
    tool_name: str | None = field(kw_only=True)
    content_blocks: str | None = field(kw_only=True, repr=False)
    usage: str | None = field(kw_only=True, repr=False)
    trace_id: str | None = field(kw_only=True)

    def columns(self) -> dict[str, Any]:
        """Return what is stored of it, by the name of its column."""
        return {
            "role": self.role,
            "content": self.content,
            "tool_calls": self.tool_calls,
            "tool_call_id": self.tool_call_id,
            "tool_name": self.tool_name,
            "content_blocks": self.content_blocks,
            "usage": self.usage,
            "trace_id": self.trace_id,
        }


def parse_draft(
    role: str,
    content: str,
    *,
    tool_calls: Sequence[Any] | None,
    tool_call_id: str | None,
    tool_name: str | None,
    content_blocks: Sequence[Any] | None,
    usage: Mapping[str, Any] | None,
    trace_id: str | None,
) -> Draft:
    """Check a message that is to be stored; see `Sessions.append`.

    Raises:
        TypeError: When a value is of another kind.
        ValueError: When the role is none of `ROLES` or a value is not JSON.
    """
    if role not in ROLES:
        msg = f"a role is one of {', '.join(ROLES)}"
        raise ValueError(msg)
    return Draft(
        str(role),
        clean(content, what="content"),
        tool_calls=sequence(tool_calls, what="tool_calls"),
        tool_call_id=clean_or_none(tool_call_id, what="tool_call_id"),
        tool_name=clean_or_none(tool_name, what="tool_name"),
        content_blocks=sequence(content_blocks, what="content_blocks"),
        usage=None if usage is None else dump(dict(usage), what="usage"),
        trace_id=clean_or_none(trace_id, what="trace_id"),
    )


def session_fields(
    given: Mapping[str, Any], redact: Callable[[str], str]
) -> dict[str, Any]:
    """Return fields of a session checked, and without secrets.

    Raises:
        InvalidScopeError: When the personality id is outside the grammar.
        TypeError: When a value is of another kind.
        ValueError: When the title is too long or the metadata is not JSON.
    """
    return {name: _field(name, value, redact) for name, value in given.items()}


def _field(name: str, value: Any, redact: Callable[[str], str]) -> Any:
    match name:
        case "title":
            return title(value, redact)
        case "metadata":
            return metadata(value, redact)
        case "personality_id":
            return None if value is None else ScopeId.personality(value).id
        case "pinned" | "was_shared":
            return bool(value)
        case "working_dir" if value is None:
            return None
        case _:
            return label(value, redact, what=name)


def changed_fields(
    given: Mapping[str, Any], redact: Callable[[str], str]
) -> dict[str, Any]:
    """Return what `Sessions.update` is to change, as `session_fields` does.

    Raises:
        TypeError: When a field is unknown, or a value of another kind.
    """
    unknown = given.keys() - SessionChanges.__annotations__.keys()
    if unknown:
        msg = f"a session has no field {', '.join(sorted(unknown))} to update"
        raise TypeError(msg)
    return session_fields(given, redact)


def count(value: int, *, what: str) -> int:
    """Return a number of items that is asked for, at most what a database takes.

    Raises:
        TypeError: When it is no whole number.
        ValueError: When it is below 0.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{what} must be a whole number, not {type(value).__name__}"
        raise TypeError(msg)
    if value < 0:
        msg = f"{what} must not be below 0"
        raise ValueError(msg)
    return min(value, _MOST)


def instant_or_none(value: datetime | str | None) -> int | None:
    """Return a time as `instant` does, and let `None` pass."""
    return None if value is None else instant(value)
