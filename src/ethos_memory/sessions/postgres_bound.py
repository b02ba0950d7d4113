"""The conversations of one caller, in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError
from ethos_memory.scope import ScopeId
from ethos_memory.sessions import (
    postgres_listing as listing,
)
from ethos_memory.sessions import (
    postgres_reading as reading,
)
from ethos_memory.sessions import (
    postgres_search as searching,
)
from ethos_memory.sessions import (
    postgres_writing as writing,
)
from ethos_memory.sessions.labels import label, metadata, title
from ethos_memory.sessions.postgres_rows import (
    SESSION_COLUMNS,
    Bound,
    session,
    stem_hashes,
    stems_of,
)
from ethos_memory.sessions.record import ROLES, Message, MessageHit, Page, Session
from ethos_memory.sessions.rows import (
    clean,
    clean_or_none,
    dump,
    exact,
    instant,
    sequence,
    sort_out,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from typing_extensions import Unpack

    from ethos_memory.pg import Database
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.record import SessionChanges

__all__ = ["PostgresSessions"]

_IS_SAID: Final = "select from messages where id = %s"
_IS_THERE: Final = "select from sessions where id = %s"
_IS_UNDONE: Final = "select from sessions where id = %s and batch = %s"

#: Larger than any list; what PostgreSQL still takes as a limit.
_MOST: Final = 2**31


def _count(value: int, *, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{what} must be a whole number, not {type(value).__name__}"
        raise TypeError(msg)
    if value < 0:
        msg = f"{what} must not be below 0"
        raise ValueError(msg)
    return min(value, _MOST)


def _id(value: object) -> str:
    # No id holds a NUL, and the server could not be asked for one.
    id = clean(value, what="session id")
    return "" if "\0" in id else id


def _bytes(value: object, *, what: str) -> bytes | None:
    return None if value is None else clean(value, what=what).encode()


def _instant_or_none(value: datetime | str | None) -> int | None:
    return None if value is None else instant(value)


def _new_id() -> str:
    return uuid4().hex


def _holds(connection: Connection, statement: str, *asked: object) -> bool:
    return connection.execute(statement.encode(), asked).fetchone() is not None


@frozen
class PostgresSessions:
    """`Sessions` over one database, bound to whoever asks.

    Use `PostgresSessionStore.for_owner`; `Sessions` says what each call does.
    """

    _database: Database
    _bound: Bound
    _redact: Callable[[str], str] = field(kw_only=True, repr=False)
    _clock: Callable[[], datetime] = field(kw_only=True, repr=False)

    def create(
        self,
        key: str,
        *,
        title: str | None = None,
        platform: str = "",
        personality_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        model: str = "",
        provider: str = "",
        working_dir: str | None = None,
        parent_session_id: str | None = None,
        pinned: bool = False,
        was_shared: bool = False,
    ) -> Session:
        """See `Sessions.create`."""
        labels = self._labels(
            {
                "title": title,
                "platform": platform,
                "personality_id": personality_id,
                "metadata": metadata,
                "model": model,
                "provider": provider,
                "working_dir": working_dir,
                "pinned": pinned,
                "was_shared": was_shared,
            }
        )
        parent = None if parent_session_id is None else _id(parent_session_id)
        values = {
            **labels,
            "id": _new_id(),
            "key": exact(key, what="key").encode(),
            "parent_session_id": parent,
            "now": self._now(),
        }
        # Done twice, it is the session that is there.
        return self._session(
            self._database.transact(
                lambda work: writing.create(work.connection, self._bound, values)
            )
        )

    def get(self, id: str) -> Session:
        """See `Sessions.get`."""
        wanted = _id(id)
        return self._session(
            self._database.read(
                lambda connection: reading.require(
                    connection, self._bound, wanted, SESSION_COLUMNS
                )
            )
        )

    def list(
        self,
        q: str = "",
        *,
        key_prefix: str | None = None,
        since: datetime | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Session]:
        """See `Sessions.list`."""
        text = clean(q, what="q")
        most = _count(limit, what="limit")
        filters = listing.ListFilters(
            clean_or_none(key_prefix, what="key prefix"), _instant_or_none(since)
        )
        return self._database.snapshot(
            lambda connection: listing.sessions(
                connection,
                self._bound,
                text,
                filters=filters,
                limit=most,
                cursor=cursor,
            )
        )

    def append(
        self,
        id: str,
        role: str,
        content: str,
        *,
        tool_calls: Sequence[Any] | None = None,
        tool_call_id: str | None = None,
        tool_name: str | None = None,
        content_blocks: Sequence[Any] | None = None,
        usage: Mapping[str, Any] | None = None,
        trace_id: str | None = None,
    ) -> Message:
        """See `Sessions.append`."""
        if role not in ROLES:
            msg = f"a role is one of {', '.join(ROLES)}"
            raise ValueError(msg)
        text = clean(content, what="content")
        values = {
            "id": _new_id(),
            "role": str(role),
            "content": text.encode(),
            "at": self._now(),
            "tool_calls": sequence(tool_calls, what="tool_calls"),
            "tool_call_id": _bytes(tool_call_id, what="tool_call_id"),
            "tool_name": _bytes(tool_name, what="tool_name"),
            "content_blocks": sequence(content_blocks, what="content_blocks"),
            "usage": None if usage is None else dump(dict(usage), what="usage"),
            "trace_id": _bytes(trace_id, what="trace_id"),
            "stems": stem_hashes(stems_of(text)),
        }
        wanted = _id(id)
        return self._database.transact(
            lambda work: writing.append(work.connection, self._bound, wanted, values),
            settle=lambda connection: _holds(connection, _IS_SAID, values["id"]),
        )

    def messages(
        self, id: str, *, before: str | None = None, turns: int = 20
    ) -> Page[Message]:
        """See `Sessions.messages`."""
        wanted = _id(id)
        most = _count(turns, what="turns")
        return self._database.snapshot(
            lambda connection: reading.messages(
                connection, self._bound, wanted, before=before, turns=most
            )
        )

    def search(
        self,
        query: str,
        *,
        session_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[MessageHit, ...]:
        """See `Sessions.search`."""
        text = clean(query, what="query")
        most = _count(limit, what="limit")
        filters = searching.Filters(
            None if session_id is None else _id(session_id),
            _instant_or_none(since),
            _instant_or_none(until),
        )
        return self._database.snapshot(
            lambda connection: searching.search(
                connection, self._bound, text, filters=filters, limit=most
            )
        )

    def fork(self, id: str) -> Session:
        """See `Sessions.fork`."""
        wanted, new, now = _id(id), _new_id(), self._now()
        return self._session(
            self._database.transact(
                lambda work: writing.fork(
                    work.connection, self._bound, wanted, new=new, now=now
                ),
                settle=lambda connection: _holds(connection, _IS_THERE, new),
            )
        )

    def update(self, id: str, **fields: Unpack[SessionChanges]) -> Session:
        """See `Sessions.update`."""
        unknown = fields.keys() - writing.CHANGES.keys()
        if unknown:
            msg = f"a session has no field {', '.join(sorted(unknown))} to update"
            raise TypeError(msg)
        values = {**self._labels(dict(fields)), "now": self._now()}
        wanted = _id(id)
        # Done twice, it is the same.
        return self._session(
            self._database.transact(
                lambda work: writing.change(
                    work.connection, self._bound, wanted, values
                )
            )
        )

    def undo(self, id: str, turns: int = 1) -> int:
        """See `Sessions.undo`."""
        wanted, batch = _id(id), uuid4()
        values = {
            "turns": _count(turns, what="turns"),
            "now": self._now(),
            "batch": batch,
        }
        return self._database.transact(
            lambda work: writing.undo(work.connection, self._bound, wanted, values),
            settle=lambda connection: _holds(connection, _IS_UNDONE, wanted, batch),
        )

    def delete(self, id: str) -> None:
        """See `Sessions.delete`."""
        wanted = _id(id)

        def work(transaction: Transaction) -> None:
            writing.delete(transaction.connection, self._bound, wanted)

        self._database.transact(
            work,
            settle=lambda connection: not _holds(connection, _IS_THERE, wanted),
        )

    def _now(self) -> int:
        return instant(self._clock())

    def _session(self, row: tuple[Any, ...]) -> Session:
        found, _ = sort_out([row], session)
        if not found:
            raise CorruptFileError(
                self._database.label, f"session {row[0]!a} is damaged"
            )
        return found[0]

    def _labels(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return fields of a session as columns: checked, and without secrets."""
        columns: dict[str, Any] = {}
        for name, value in fields.items():
            match name:
                case "title":
                    columns[name] = _bytes(title(value, self._redact), what=name)
                case "metadata":
                    columns[name] = metadata(value, self._redact)
                case "personality_id":
                    nothing = value is None
                    columns[name] = None if nothing else ScopeId.personality(value).id
                case "pinned" | "was_shared":
                    columns[name] = bool(value)
                case _:
                    nothing = value is None and name == "working_dir"
                    columns[name] = (
                        None
                        if nothing
                        else label(value, self._redact, what=name).encode()
                    )
        return columns
