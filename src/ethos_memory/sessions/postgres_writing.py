"""Everything that changes a conversation in PostgreSQL, inside one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import SessionNotFoundError
from ethos_memory.sessions.invariants import (
    check_binding,
    check_order,
    fork_suffix,
    require_owner,
)
from ethos_memory.sessions.postgres_reading import query, require
from ethos_memory.sessions.postgres_rows import (
    ADD_MESSAGE,
    MESSAGE_COLUMNS,
    NEW_MESSAGE,
    NEW_SESSION,
    Bound,
    message,
    place_of,
)
from ethos_memory.sessions.rows import SESSION_COLUMNS
from ethos_memory.sessions.usage import is_sound, total_of, total_of_sound

if TYPE_CHECKING:
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.record import Message

__all__ = ["CHANGES", "append", "change", "create", "delete", "fork", "undo"]

_CREATE: Final = f"""
    insert into sessions as s ({NEW_SESSION}) values (
        %(id)s, %(owned)s, %(place)s, %(owner)s, %(key)s, %(platform)s, %(model)s,
        %(provider)s, %(working_dir)s, %(personality_id)s, %(parent_session_id)s,
        %(title)s, %(metadata)s, %(pinned)s, %(was_shared)s, '{{}}', 0, 0,
        (select coalesce(max(seq), 0) from messages), %(now)s, %(now)s
    ) on conflict (place) do update
    set was_shared = s.was_shared or excluded.was_shared
"""  # noqa: S608 - constants
_BY_PLACE: Final = (
    f"select {SESSION_COLUMNS} from sessions as s "  # noqa: S608 - constants
    "where s.place = %(place)s"
)
_LAST_ROLE: Final = """
    select role from messages where session_id = %(id)s order by seq desc limit 1
"""
_APPEND: Final = f"{ADD_MESSAGE} returning {MESSAGE_COLUMNS}"
_TOUCH: Final = """
    update sessions set
        updated_at = greatest(updated_at, %(at)s),
        message_count = message_count + 1,
        turn_count = turn_count + case when %(role)s = 'user' then 1 else 0 end,
        usage = %(total)s
    where id = %(session_id)s
"""
_FORK: Final = f"""
    insert into sessions ({NEW_SESSION})
    select
        %(new)s, owned, %(place)s, owner, %(key)s, platform, model, provider,
        working_dir, personality_id, id, title, metadata, pinned, was_shared, usage,
        message_count, turn_count, (select coalesce(max(seq), 0) from messages),
        %(now)s, %(now)s
    from sessions where id = %(id)s
"""  # noqa: S608 - constants
_FORK_MESSAGES: Final = f"""
    insert into messages ({NEW_MESSAGE})
    select
        replace(gen_random_uuid()::text, '-', ''), %(new)s, owned, role, at, tool_calls,
        tool_call_id, tool_name, content_blocks, usage, trace_id, content, stems
    from messages where session_id = %(id)s order by seq
"""  # noqa: S608 - constants
_TURN_STARTS: Final = """
    select seq from messages where session_id = %(id)s and role = 'user'
    order by seq desc limit %(turns)s
"""
_UNDO: Final = "delete from messages where session_id = %(id)s and seq >= %(first)s"
_RECOUNT: Final = """
    update sessions set
        updated_at = greatest(updated_at, %(now)s),
        message_count = (select count(*) from messages where session_id = %(id)s),
        turn_count = turn_count - %(undone)s,
        usage = %(usage)s,
        batch = %(batch)s
    where id = %(id)s
"""
_USAGE: Final = """
    select usage from messages where session_id = %(id)s and usage is not null
    order by seq
"""
_DELETE: Final = "delete from sessions where id = %(id)s and owned = %(owned)s"

#: The fields that `change` can set, each with how.
CHANGES: Final = {
    "title": "title = %(title)s",
    "pinned": "pinned = %(pinned)s",
    "metadata": "metadata = %(metadata)s",
    "was_shared": "was_shared = was_shared or %(was_shared)s",
    "personality_id": "personality_id = %(personality_id)s",
    "model": "model = %(model)s",
    "provider": "provider = %(provider)s",
    "working_dir": "working_dir = %(working_dir)s",
}


def create(
    connection: Connection, bound: Bound, values: dict[str, Any]
) -> tuple[Any, ...]:
    """Insert a session unless the owner has one with this key; return its row."""
    owner = require_owner(bound.owner)
    if values["parent_session_id"] is not None:
        require(connection, bound, values["parent_session_id"], "s.seq")
    place = place_of(owner, values["key"].decode())
    owned = {"owned": bound.owned, "owner": owner.encode(), "place": place}
    connection.execute(_CREATE, {**values, **owned})
    return query(connection, _BY_PLACE, owned)[0]


def append(
    connection: Connection, bound: Bound, session_id: str, values: dict[str, Any]
) -> Message:
    """Insert a message at the end."""
    # Locked: who appends to one session does so one after the other.
    owned, usage = require(connection, bound, session_id, "s.owned, s.usage", lock=True)
    last = query(connection, _LAST_ROLE, {"id": session_id})
    check_order(values["role"], last[0][0] if last else None)
    total = usage
    if values["usage"] is not None:
        total = _added(connection, session_id, usage, values["usage"])
    stored = {**values, "session_id": session_id, "owned": owned, "total": total}
    row = query(connection, _APPEND, stored)[0]
    connection.execute(_TOUCH, stored)
    return message(row)


def _added(connection: Connection, id: str, total: str, more: str) -> str:
    # A damaged sum is made anew: the messages are the truth.
    return total_of([total if is_sound(total) else _usage(connection, id), more])


def _usage(connection: Connection, id: str) -> str:
    rows = query(connection, _USAGE, {"id": id})
    return total_of_sound(text for (text,) in rows)


def fork(
    connection: Connection, bound: Bound, id: str, *, new: str, now: int
) -> tuple[Any, ...]:
    """Copy a session with its messages; return the copy's row."""
    owner, key = require(connection, bound, id, "s.owner, s.key", lock=True)
    name = key.decode() + fork_suffix(new)
    place = place_of(owner.decode(), name)
    values = {"id": id, "new": new, "key": name.encode(), "place": place, "now": now}
    connection.execute(_FORK, values)
    connection.execute(_FORK_MESSAGES, values)
    return require(connection, bound, new, SESSION_COLUMNS)


def change(
    connection: Connection, bound: Bound, id: str, values: dict[str, Any]
) -> tuple[Any, ...]:
    """Set some columns of a session; return its row."""
    (personality,) = require(connection, bound, id, "s.personality_id", lock=True)
    check_binding(personality, values)
    columns = [CHANGES[name] for name in CHANGES if name in values]
    if columns:
        statement = (
            f"update sessions set {', '.join(columns)}, "  # noqa: S608 - constants
            "updated_at = greatest(updated_at, %(now)s) where id = %(id)s"
        )
        connection.execute(statement.encode(), {**values, "id": id})
    return require(connection, bound, id, SESSION_COLUMNS)


def undo(connection: Connection, bound: Bound, id: str, values: dict[str, Any]) -> int:
    """Delete the last turns; return how many there were."""
    require(connection, bound, id, "s.seq", lock=True)
    asked = {**values, "id": id}
    starts = query(connection, _TURN_STARTS, asked)
    if starts:
        connection.execute(_UNDO, {**asked, "first": starts[-1][0]})
        usage = _usage(connection, id)
        connection.execute(_RECOUNT, {**asked, "undone": len(starts), "usage": usage})
    return len(starts)


def delete(connection: Connection, bound: Bound, id: str) -> None:
    """Delete a session; its messages go with it."""
    asked = {"id": id, "owned": bound.owned}
    if not connection.execute(bound.within(_DELETE), asked).rowcount:
        raise SessionNotFoundError("no such session")
