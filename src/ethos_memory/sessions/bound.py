"""The conversations of one caller, in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError
from ethos_memory.scope import ScopeId
from ethos_memory.sessions import listing, reading, searching, writing
from ethos_memory.sessions.labels import label, metadata, search_terms, title
from ethos_memory.sessions.record import ROLES, Message, MessageHit, Page, Session
from ethos_memory.sessions.rows import (
    Boundary,
    clean,
    clean_or_none,
    dump,
    exact,
    instant,
    sequence,
    session,
    sort_out,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from typing_extensions import Unpack

    from ethos_memory.sessions.database import Database
    from ethos_memory.sessions.record import SessionChanges

__all__ = ["SQLiteSessions"]

#: Larger than any list; what SQLite still takes as a limit.
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
    return clean(value, what="session id")


def _mapping(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else dump(dict(value), what="usage")


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
        parent = clean_or_none(parent_session_id, what="parent session id")
        values = {
            **labels,
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
        most = _count(limit, what="limit")
        filters = listing.ListFilters(
            clean_or_none(key_prefix, what="key prefix"), _instant_or_none(since)
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
        if role not in ROLES:
            msg = f"a role is one of {', '.join(ROLES)}"
            raise ValueError(msg)
        text = clean(content, what="content")
        draft = writing.Draft(
            str(role),
            text,
            at=self._now(),
            tool_calls=sequence(tool_calls, what="tool_calls"),
            tool_call_id=clean_or_none(tool_call_id, what="tool_call_id"),
            tool_name=clean_or_none(tool_name, what="tool_name"),
            content_blocks=sequence(content_blocks, what="content_blocks"),
            usage=_mapping(usage),
            trace_id=clean_or_none(trace_id, what="trace_id"),
            terms=search_terms(text),
        )
        session_id = _id(id)
        return self._database.write(
            lambda database: writing.append(database, self._boundary, session_id, draft)
        )

    def messages(
        self, id: str, *, before: str | None = None, turns: int = 20
    ) -> Page[Message]:
        """See `Sessions.messages`."""
        wanted = _id(id)
        most = _count(turns, what="turns")
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
        most = _count(limit, what="limit")
        filters = searching.Filters(
            clean_or_none(session_id, what="session id"),
            _instant_or_none(since),
            _instant_or_none(until),
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
        unknown = fields.keys() - writing.CHANGES.keys()
        if unknown:
            msg = f"a session has no field {', '.join(sorted(unknown))} to update"
            raise TypeError(msg)
        values = {**self._labels(dict(fields)), "now": self._now()}
        wanted = _id(id)
        return self._database.write(
            lambda database: self._session(
                writing.change(database, self._boundary, wanted, values)
            )
        )

    def undo(self, id: str, turns: int = 1) -> int:
        """See `Sessions.undo`."""
        wanted, now = _id(id), self._now()
        most = _count(turns, what="turns")
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
        found, _ = sort_out([row], session)
        if not found:
            raise CorruptFileError(
                str(self._database.path), f"session {row[0]!a} is damaged"
            )
        return found[0]

    def _labels(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return fields of a session as columns: checked, and without secrets."""
        columns: dict[str, Any] = {}
        for name, value in fields.items():
            match name:
                case "title":
                    columns["title"] = title(value, self._redact)
                    columns["title_terms"] = search_terms(columns["title"])
                case "metadata":
                    columns["metadata"] = metadata(value, self._redact)
                case "personality_id":
                    nothing = value is None
                    columns[name] = None if nothing else ScopeId.personality(value).id
                case "pinned" | "was_shared":
                    columns[name] = int(bool(value))
                case _:
                    nothing = value is None and name == "working_dir"
                    columns[name] = (
                        None if nothing else label(value, self._redact, what=name)
                    )
        return columns


def _instant_or_none(value: datetime | str | None) -> int | None:
    return None if value is None else instant(value)
