"""Rows in PostgreSQL as values, and texts as what is looked for in them."""

from __future__ import annotations

from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import field, frozen

from ethos_memory.sessions.encoding import moment
from ethos_memory.sessions.record import Message, Role
from ethos_memory.sessions.rows import optional_parts
from ethos_memory.sessions.rows import session as session_of
from ethos_memory.words import stem
from ethos_memory.words.terms import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ethos_memory.sessions.record import Session

__all__ = [
    "ADD_MESSAGE",
    "MESSAGE_COLUMNS",
    "NEW_MESSAGE",
    "NEW_SESSION",
    "Bound",
    "count_of",
    "message",
    "place_of",
    "session",
    "stem_hashes",
    "stems_of",
    "stored",
    "text",
]

MESSAGE_COLUMNS: Final = (
    "m.id, m.session_id, m.role, m.content, m.at, m.tool_calls, m.tool_call_id, "
    "m.tool_name, m.content_blocks, m.usage, m.trace_id"
)

#: The columns of a new session, in the order in which its values are given.
NEW_SESSION: Final = """
    id, owned, place, owner, key, platform, model, provider, working_dir,
    personality_id, parent_session_id, title, metadata, pinned, was_shared, usage,
    message_count, turn_count, born, created_at, updated_at
"""

#: The same of a new message.
NEW_MESSAGE: Final = """
    id, session_id, owned, role, at, tool_calls, tool_call_id, tool_name,
    content_blocks, usage, trace_id, content, stems
"""

#: Adds one message whose values are given by the names of their columns.
ADD_MESSAGE: Final = f"""
    insert into messages as m ({NEW_MESSAGE}) values (
        %(id)s, %(session_id)s, %(owned)s, %(role)s, %(at)s, %(tool_calls)s,
        %(tool_call_id)s, %(tool_name)s, %(content_blocks)s, %(usage)s, %(trace_id)s,
        %(content)s, %(stems)s
    )
"""  # noqa: S608 - constants

#: Behind the last of a session's columns that are kept as bytes, which follow its id.
_TEXTS_END: Final = 8

#: Kept as bytes, because PostgreSQL's own text cannot hold a NUL.
_BYTES: Final = frozenset(
    {
        "key",
        "owner",
        "title",
        "platform",
        "model",
        "provider",
        "working_dir",
        "content",
        "tool_call_id",
        "tool_name",
        "trace_id",
    }
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


def stored(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return texts by the names of their columns as the columns hold them."""
    return {
        name: value.encode() if name in _BYTES and value is not None else value
        for name, value in columns.items()
    }


def text(value: bytes | None) -> str | None:
    """Return a text that was kept as bytes; see `stored`."""
    return None if value is None else value.decode()


def session(row: Sequence[Any]) -> Session:
    """Read a row of `SESSION_COLUMNS`, in binary.

    Raises:
        ValueError: When it is damaged.
    """
    id, *texts = row[:_TEXTS_END]
    return session_of((id, *map(text, texts), *row[_TEXTS_END:]))


def message(row: Sequence[Any]) -> Message:
    """Read a row of `MESSAGE_COLUMNS`, in binary.

    Raises:
        ValueError: When it is damaged.
    """
    id, session_id, role, content, at, calls, call_id, name, blocks, usage, trace = row
    others = (calls, text(call_id), text(name), blocks, usage, text(trace))
    return Message(
        id,
        session_id,
        role=cast("Role", role),
        content=content.decode(),
        at=moment(at),
        **optional_parts(others),
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
