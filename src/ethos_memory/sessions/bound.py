"""The conversations of one caller, in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ethos_memory.sessions import listing, reading, searching, writing
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
from ethos_memory.sessions.labels import search_terms
from ethos_memory.sessions.rows import Boundary, one_session, session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from typing_extensions import Unpack

    from ethos_memory.sessions.database import Database
    from ethos_memory.sessions.record import (
        Message,
        MessageHit,
        Page,
        Session,
        SessionChanges,
    )

__all__ = ["SQLiteSessions"]


def _id(value: object) -> str:
    return clean(value, what="session id")


def _columns(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a session's fields as columns, with the search terms of its title."""
    if "title" in fields:
        return {**fields, "title_terms": search_terms(fields["title"])}
    return fields


@frozen
class SQLiteSessions:
    """`Sessions` over one database, bound to whoever asks.

    Use `SQLiteSessionStore.for_owner`; `Sessions` says what each call does.
    """

    _database: Database
    _boundary: Boundary
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
        parent = clean_or_none(parent_session_id, what="parent session id")
        values = {
            **_columns(fields),
            "key": exact(key, what="key"),
            "parent_session_id": parent,
            "now": self._now(),
        }
        return self._database.write(
            lambda database: self._session(
                writing.create(database, self._boundary, values)
            )
        )

    def get(self, id: str) -> Session:
        """See `Sessions.get`."""
        wanted = _id(id)
        return self._database.read(
            lambda database: self._session(
                reading.session_row(database, self._boundary, wanted)
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
        return self._database.read(
            lambda database: listing.sessions(
                database,
                self._boundary,
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
        now, terms, wanted = self._now(), search_terms(draft.content), _id(id)
        return self._database.write(
            lambda database: writing.append(
                database, self._boundary, wanted, draft, at=now, terms=terms
            )
        )

    def messages(
        self, id: str, *, before: str | None = None, turns: int = 20
    ) -> Page[Message]:
        """See `Sessions.messages`."""
        wanted = _id(id)
        most = count(turns, what="turns")
        return self._database.read(
            lambda database: reading.messages(
                database, self._boundary, wanted, before=before, turns=most
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
            clean_or_none(session_id, what="session id"),
            instant_or_none(since),
            instant_or_none(until),
        )
        return self._database.read(
            lambda database: searching.search(
                database, self._boundary, text, filters=filters, limit=most
            )
        )

    def fork(self, id: str) -> Session:
        """See `Sessions.fork`."""
        wanted, now = _id(id), self._now()
        return self._database.write(
            lambda database: self._session(
                writing.fork(database, self._boundary, wanted, now=now)
            )
        )

    def update(self, id: str, **fields: Unpack[SessionChanges]) -> Session:
        """See `Sessions.update`."""
        changed = changed_fields(fields, self._redact)
        values = {**_columns(changed), "now": self._now()}
        wanted = _id(id)
        return self._database.write(
            lambda database: self._session(
                writing.change(database, self._boundary, wanted, values)
            )
        )

    def undo(self, id: str, turns: int = 1) -> int:
        """See `Sessions.undo`."""
        wanted, now = _id(id), self._now()
        most = count(turns, what="turns")
        return self._database.write(
            lambda database: writing.undo(
                database, self._boundary, wanted, turns=most, now=now
            )
        )

    def delete(self, id: str) -> None:
        """See `Sessions.delete`."""
        wanted = _id(id)
        self._database.write(
            lambda database: writing.delete(database, self._boundary, wanted)
        )

    def _now(self) -> int:
        return instant(self._clock())

    def _session(self, row: tuple[Any, ...]) -> Session:
        return one_session(row, session, store=str(self._database.path))
