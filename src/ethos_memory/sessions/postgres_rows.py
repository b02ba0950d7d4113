"""Rows in PostgreSQL as values, and texts as what is looked for in them."""

from __future__ import annotations

from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import field, frozen

from ethos_memory.sessions.record import Message, Role, Session
from ethos_memory.sessions.rows import load, moment
from ethos_memory.words import stem
from ethos_memory.words.terms import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "MESSAGE_COLUMNS",
    "SESSION_COLUMNS",
    "Bound",
    "count_of",
    "message",
    "place_of",
    "session",
    "stem_hashes",
    "stems_of",
    "text",
]

SESSION_COLUMNS: Final = (
    "s.id, s.key, s.owner, s.title, s.platform, s.model, s.provider, s.working_dir, "
    "s.personality_id, s.parent_session_id, s.metadata, s.pinned, s.was_shared, "
    "s.usage, s.message_count, s.turn_count, s.created_at, s.updated_at"
)
MESSAGE_COLUMNS: Final = (
    "m.id, m.session_id, m.role, m.content, m.at, m.tool_calls, m.tool_call_id, "
    "m.tool_name, m.content_blocks, m.usage, m.trace_id"
)

#: Bytes of a word's hash: what a column of whole numbers holds.
_HASH_BYTES: Final = 8


@frozen
class Bound:
    """Whose rows a question may touch.

    Attributes:
        owner: One owner, or `None` for everybody's. Private.
    """

    owner: str | None = field(repr=False)

    @property
    def owned(self) -> bytes | None:
        """The owner as rows are marked with it."""
        return None if self.owner is None else sha256(self.owner.encode()).digest()

    def within(self, statement: str) -> bytes:
        """Return a statement for one owner, widened when everybody is meant."""
        if self.owner is None:
            statement = statement.replace("owned = %(owned)s", "true")
        return statement.encode()


def place_of(owner: str, key: str) -> bytes:
    """Return what is unique for a key of an owner."""
    return sha256(sha256(owner.encode()).digest() + key.encode()).digest()


def text(value: bytes | None) -> str | None:
    """Return a text that was kept as bytes; PostgreSQL's own cannot hold a NUL."""
    return None if value is None else value.decode()


def _string(value: bytes | None) -> str:
    return text(value) or ""


def session(row: Sequence[Any]) -> Session:
    """Read a row of `SESSION_COLUMNS`, in binary.

    Raises:
        ValueError: When it is damaged.
    """
    return Session(
        row[0],
        _string(row[1]),
        owner=_string(row[2]),
        title=text(row[3]),
        platform=_string(row[4]),
        model=_string(row[5]),
        provider=_string(row[6]),
        working_dir=text(row[7]),
        personality_id=row[8],
        parent_session_id=row[9],
        metadata=load(row[10], dict),
        pinned=row[11],
        was_shared=row[12],
        usage=load(row[13], dict),
        message_count=row[14],
        turn_count=row[15],
        created_at=moment(row[16]),
        updated_at=moment(row[17]),
    )


def message(row: Sequence[Any]) -> Message:
    """Read a row of `MESSAGE_COLUMNS`, in binary.

    Raises:
        ValueError: When it is damaged.
    """
    id, session_id, role, content, at, calls, call_id, name, blocks, usage, trace = row[
        :11
    ]
    return Message(
        id,
        session_id,
        role=cast("Role", role),
        content=content.decode(),
        at=moment(at),
        tool_calls=None if calls is None else tuple(load(calls, list)),
        tool_call_id=text(call_id),
        tool_name=text(name),
        content_blocks=None if blocks is None else tuple(load(blocks, list)),
        usage=None if usage is None else load(usage, dict),
        trace_id=text(trace),
    )


def stems_of(content: str) -> list[str]:
    """Return a text's words in order, each in its plain form."""
    return [stem(term) for term in scan(content)[0]]


def stem_hashes(stems: Iterable[str]) -> list[int]:
    """Return words as the numbers they are indexed by, each once, sorted."""
    return sorted({_hash(stem) for stem in stems})


def _hash(word: str) -> int:
    digest = blake2b(word.encode(), digest_size=_HASH_BYTES).digest()
    return int.from_bytes(digest, "big", signed=True)


def count_of(stems: Sequence[str], word: Sequence[str]) -> int:
    """Count where a word's terms, in their plain form, stand side by side."""
    first, length = word[0], len(word)
    if length == 1:
        return stems.count(first)
    wanted = list(word)
    return sum(
        1
        for at, one in enumerate(stems)
        if one == first and stems[at : at + length] == wanted
    )
