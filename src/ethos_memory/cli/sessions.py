"""``sessions list | show | search | export``: what was said, for the operator."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict

from ethos_memory.cli.command import FINE, Refused
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.home import opened
from ethos_memory.errors import SessionNotFoundError
from ethos_memory.sessions.whole import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attrs import Attribute, AttrsInstance

    from ethos_memory.cli.command import Call
    from ethos_memory.memory import Memory
    from ethos_memory.sessions import Message, Session, SessionExport, Sessions
    from ethos_memory.sessions.whole import WholeSession

__all__ = ["export_sessions", "list_sessions", "search_sessions", "show_session"]

#: Conversations that are looked at in one step to find who has any.
_OWNERS_AT_ONCE: Final = 1_000


def list_sessions(call: Call) -> int:
    """Print conversations: the pinned, then the latest, or those that answer a query.

    Keys, owners and titles are for the operator's eyes: they go to standard output.
    """
    query, limit = call.options.query or "", call.options.limit
    with opened(call) as memory:
        page = _sessions(memory, call).list(query, limit=limit)
    if call.is_json:
        call.console.json([_plain(session) for session in page.items])
    else:
        for session in page.items:
            _print_session(call, session)
    _note_unreadable(call, page.unreadable)
    if not page.items:
        call.console.note("no conversations")
    if page.next_cursor is not None:
        call.console.note("there are more; --limit shows them")
    return FINE


def show_session(call: Call) -> int:
    """Print one conversation whole.

    Raises:
        Refused: When there is none with this id.
        CorruptFileError: When its own row is damaged.
    """
    with opened(call) as memory:
        found = _whole(_sessions(memory, call), call.options.id)
    if call.is_json:
        call.console.json(_plain(found))
        return FINE
    _print_session(call, found.session)
    for message in found.messages:
        _print_message(call, message)
    _note_unreadable(call, found.unreadable)
    return FINE


def search_sessions(call: Call) -> int:
    """Print the messages that answer a query, best first.

    Raises:
        Refused: When ``--session`` names none.
    """
    query, limit, id = call.options.query, call.options.limit, call.options.session
    with opened(call) as memory:
        sessions = _sessions(memory, call)
        with _refusing(id):
            hits = sessions.search(query, session_id=id, limit=limit)
    if call.is_json:
        call.console.json([_plain(hit) for hit in hits])
        return FINE
    for hit in hits:
        call.console.line(
            paint("bold", f"── {hit.session_id} "),
            paint("dim", f"{_minute(hit.at)}  {hit.score:.2f}"),
        )
        call.console.line(hit.snippet)
    if not hits:
        call.console.note("nothing found")
    return FINE


def export_sessions(call: Call) -> int:
    """Print conversations whole, each as one line of JSON.

    One by its id, those of an owner, or everybody's. Each is read in one step.

    Raises:
        Refused: When there is none with this id.
    """
    number = 0
    with opened(call) as memory:
        for number, found in enumerate(_exported(memory, call), 1):  # noqa: B007 - counts
            call.console.json_line(_plain(found))
            _note_unreadable(call, found.unreadable)
    call.console.note(f"{counted(number, 'conversation')} exported")
    return FINE


def _sessions(memory: Memory, call: Call) -> Sessions:
    owner = call.options.owner
    if owner is None:
        return memory.sessions.unsafe_everyone()
    return memory.sessions.for_owner(owner)


def _exported(memory: Memory, call: Call) -> Iterator[SessionExport | WholeSession]:
    if call.options.id is not None:
        yield _whole(_sessions(memory, call), call.options.id)
        return
    one = call.options.owner
    for owner in _owners(memory, call) if one is None else (one,):
        yield from memory.sessions.export_owner(owner)


def _owners(memory: Memory, call: Call) -> list[str]:
    """Return everybody who has a conversation, in the order of the first in the list."""
    owners: dict[str, None] = {}
    cursor = None
    while True:
        page = memory.sessions.unsafe_everyone().list(
            limit=_OWNERS_AT_ONCE, cursor=cursor
        )
        owners.update(dict.fromkeys(session.owner for session in page.items))
        _note_unreadable(call, page.unreadable)
        cursor = page.next_cursor
        if cursor is None:
            return list(owners)


def _whole(sessions: Sessions, id: str) -> WholeSession:
    with _refusing(id):
        return read_whole(sessions, id)


@contextmanager
def _refusing(id: str | None) -> Iterator[None]:
    """Answer that there is no such conversation, here or for this owner."""
    try:
        yield
    except SessionNotFoundError:
        raise Refused(f"there is no conversation {id}") from None


def _print_session(call: Call, session: Session) -> None:
    title = session.title or "(no title)"
    marks = ("pinned" * session.pinned, "shared" * session.was_shared)
    shown = "  ".join(filter(None, marks))
    call.console.line(
        paint("bold", session.id),
        f"  {title}",
        paint("yellow", f"  {shown}") if shown else "",
    )
    call.console.line(
        paint(
            "dim",
            f"  {session.owner}  {session.key}  "
            f"{counted(session.message_count, 'message')}, "
            f"last {_minute(session.updated_at)}",
        )
    )


def _print_message(call: Call, message: Message) -> None:
    who = message.role if message.tool_name is None else f"tool {message.tool_name}"
    calls = len(message.tool_calls or ())
    call.console.line(
        paint("bold", f"── {who} "),
        paint("dim", _minute(message.at)),
        paint("cyan", f"  {counted(calls, 'tool call')}") if calls else "",
    )
    call.console.page(message.content, is_last=False)


def _note_unreadable(call: Call, ids: tuple[str, ...]) -> None:
    if ids:
        call.console.note(
            f"{counted(len(ids), 'damaged row')} left out, {ids[0]} among them"
        )


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _plain(value: AttrsInstance) -> dict[str, Any]:
    """Return a value for JSON: every field, times as ISO 8601 text."""
    return asdict(value, value_serializer=_time_as_text)


def _time_as_text(_: type, __: Attribute[Any], value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
