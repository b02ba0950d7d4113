"""The conversations of a home's file, on their way into PostgreSQL."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.sessions.database import Database
from ethos_memory.sessions.encoding import DAMAGED, load
from ethos_memory.sessions.labels import label, metadata
from ethos_memory.sessions.place import parse_path
from ethos_memory.sessions.postgres_rows import (
    Bound,
    place_of,
    stem_hashes,
    stems_of,
    stored,
)
from ethos_memory.sessions.rows import (
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    message,
    report,
    session,
)
from ethos_memory.sessions.upgrade import upgrade

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from sqlite3 import Connection
    from typing import Self

__all__ = ["HomeSessions", "OutgoingMessage", "OutgoingSession", "Survey"]

#: Rows that are read, and written, in one step.
_AT_ONCE: Final = 500

#: How long another process that uses the file is waited for.
_BUSY_SECONDS: Final = 30.0

_SESSIONS: Final = f"SELECT {SESSION_COLUMNS}, s.born FROM sessions AS s ORDER BY s.seq"  # noqa: S608 - constants
_OWNED: Final = "SELECT 1 FROM sessions WHERE owner = ? LIMIT 1"
_MESSAGES: Final = (
    f"SELECT {MESSAGE_COLUMNS}, m.session_id FROM messages AS m "  # noqa: S608 - constants
    "WHERE m.seq > ? ORDER BY m.seq LIMIT ?"
)

#: What a host or a person wrote about a session, without secrets like any such text.
_LABELS: Final = ("platform", "model", "provider", "working_dir", "title")


@frozen
class OutgoingSession:
    """A session as PostgreSQL takes it.

    Attributes:
        id: Of the session.
        born: The newest message of the home when it began.
        place: What is unique for its key and owner.
        owned: Its owner, as rows are marked.
        columns: Every other column. Private.
    """

    id: str
    born: int
    place: bytes = field(repr=False)
    owned: bytes = field(repr=False)
    columns: dict[str, Any] = field(repr=False)


@frozen
class OutgoingMessage:
    """A message as PostgreSQL takes it, but for whose it is and its search terms.

    Attributes:
        seq: Its number in the home.
        id: Of the message.
        session_id: Of its session.
        columns: Every other column. Private.
    """

    seq: int
    id: str
    session_id: str
    columns: dict[str, Any] = field(repr=False)

    def row(self, owned: bytes) -> dict[str, Any]:
        """Return all columns."""
        terms = stem_hashes(stems_of(self.columns["content"].decode()))
        whose = {"id": self.id, "session_id": self.session_id, "owned": owned}
        return {**self.columns, **whose, "stems": terms}


@frozen
class Survey:
    """What a file holds.

    Attributes:
        sessions: Those that can be read, in the order they began.
        damaged: The ids of the others.
        ids: The ids of each session's readable messages, in order.
        last: The number of the last message.
    """

    sessions: tuple[OutgoingSession, ...]
    damaged: tuple[str, ...]
    ids: Mapping[str, Sequence[str]]
    last: int


class HomeSessions:
    """Reads the file; nothing in it is changed. For a `with` block.

    Damaged rows are left out, as everywhere, and a damaged session's messages with it.

    Args:
        path: The file.
        redact: Takes credentials out of titles, labels and metadata.

    Raises:
        EthosMemoryError: As `SQLiteSessionStore` does when it is opened.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, redact: Callable[[str], str]
    ) -> None:
        self._redact = redact
        self._database = Database(
            parse_path(path), journal="wal", busy_seconds=_BUSY_SECONDS, upgrade=upgrade
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def has_said(self, owner: str) -> bool:
        """Tell whether somebody has conversations."""
        found = self._database.read(
            lambda file: file.execute(_OWNED, (owner,)).fetchone()
        )
        return found is not None

    def survey(self) -> Survey:
        """Return what there is, on one state of the file."""
        return self._database.read(self._surveyed)

    def _surveyed(self, file: Connection) -> Survey:
        good, damaged, last = [], [], 0
        for row in file.execute(_SESSIONS):
            try:
                session(row[:-1])
                good.append(self._session(row))
            except DAMAGED:
                damaged.append(row[0])
        report(damaged)
        ids: defaultdict[str, list[str]] = defaultdict(list)
        for rows in _all_rows(partial(_rows_after, file=file)):
            last = rows[-1][4]
            for one in _readable(rows):
                ids[one.session_id].append(one.id)
        return Survey(tuple(good), tuple(damaged), ids, last)

    def _session(self, row: tuple[Any, ...]) -> OutgoingSession:
        names = [name.strip().removeprefix("s.") for name in SESSION_COLUMNS.split(",")]
        found = dict(zip(names, row, strict=False))
        owner, key = found.pop("owner"), found["key"]
        for name in _LABELS:
            if found[name] is not None:
                found[name] = label(found[name], self._redact, what=name)
        found["metadata"] = metadata(load(found["metadata"], dict), self._redact)
        columns = {
            **stored({**found, "owner": owner}),
            "pinned": bool(found["pinned"]),
            "was_shared": bool(found["was_shared"]),
        }
        owned = Bound(owner).owned or b""
        place = place_of(owner, key)
        return OutgoingSession(
            found["id"], row[-1], place=place, owned=owned, columns=columns
        )

    def messages(self, until: int) -> Iterator[tuple[OutgoingMessage, ...]]:
        """Yield the readable messages of all sessions as they were said, in batches.

        Args:
            until: The number of the last one.
        """
        read = self._database.read
        for rows in _all_rows(lambda last: read(partial(_rows_after, last))):
            if rows[0][4] > until:
                return
            yield tuple(one for one in _readable(rows) if one.seq <= until)


def _all_rows(
    read: Callable[[int], list[tuple[Any, ...]]],
) -> Iterator[list[tuple[Any, ...]]]:
    rows = read(0)
    while rows:
        yield rows
        rows = read(rows[-1][4])


def _readable(rows: Iterable[tuple[Any, ...]]) -> Iterator[OutgoingMessage]:
    for row in rows:
        try:
            said = _message(row)
        except DAMAGED:
            report((row[0],))
        else:
            yield said


def _rows_after(seq: int, file: Connection) -> list[tuple[Any, ...]]:
    return file.execute(_MESSAGES, (seq, _AT_ONCE)).fetchall()


def _message(row: tuple[Any, ...]) -> OutgoingMessage:
    *columns, session_id = row
    said = message(columns, session_id)
    others = json.loads(columns[5]) if columns[5] else [None] * 6
    calls, call_id, name, blocks, usage, trace = others
    return OutgoingMessage(
        row[4],
        said.id,
        session_id,
        stored(
            {
                "role": said.role,
                "at": row[3],
                "content": said.content,
                "tool_calls": calls,
                "tool_call_id": call_id,
                "tool_name": name,
                "content_blocks": blocks,
                "usage": usage,
                "trace_id": trace,
            }
        ),
    )
