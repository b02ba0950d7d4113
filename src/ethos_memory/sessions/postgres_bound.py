"""The conversations of one caller, in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from attrs import field, frozen

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
from ethos_memory.sessions.arguments import (
    ListFilters,
    SearchFilters,
    changed_fields,
    count,
    instant_or_none,
    parse_draft,
    session_fields,
)
from ethos_memory.sessions.encoding import clean, clean_or_none, exact, instant
from ethos_memory.sessions.postgres_rows import (
    Bound,
    session,
    stem_hashes,
    stems_of,
    stored,
)
from ethos_memory.sessions.rows import SESSION_COLUMNS, one_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from typing_extensions import Unpack

    from ethos_memory.pg import Database
    from ethos_memory.pg.database import Transaction
    from ethos_memory.pg.driver import Connection
    from ethos_memory.sessions.record import (
        Message,
        MessageHit,
        Page,
        Session,
        SessionChanges,
    )

__all__ = ["PostgresSessions"]

_IS_SAID: Final = "select from messages where id = %s"
_IS_THERE: Final = "select from sessions where id = %s"
_IS_UNDONE: Final = "select from sessions where id = %s and batch = %s"


def _id(value: object) -> str:
    # No id holds a NUL, and the server could not be asked for one.
    id = clean(value, what="session id")
    return "" if "\0" in id else id


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
        fields = session_fields(
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
            },
            self._redact,
        )
        parent = None if parent_session_id is None else _id(parent_session_id)
        columns = {**fields, "key": exact(key, what="key")}
        values = {
            **stored(columns),
            "id": _new_id(),
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
        most = count(limit, what="limit")
        filters = ListFilters(
            clean_or_none(key_prefix, what="key prefix"), instant_or_none(since)
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
        draft = parse_draft(
            role,
            content,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            content_blocks=content_blocks,
            usage=usage,
            trace_id=trace_id,
        )
        values = {
            **stored(draft.columns()),
            "id": _new_id(),
            "at": self._now(),
            "stems": stem_hashes(stems_of(draft.content)),
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
        most = count(turns, what="turns")
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
        most = count(limit, what="limit")
        filters = SearchFilters(
            None if session_id is None else _id(session_id),
            instant_or_none(since),
            instant_or_none(until),
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
        changed = changed_fields(fields, self._redact)
        values = {**stored(changed), "now": self._now()}
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
            "turns": count(turns, what="turns"),
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
        return one_session(row, session, store=self._database.label)
