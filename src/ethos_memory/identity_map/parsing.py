"""From the map's bytes to a `Document` (pure).

It fails closed. One row that cannot be understood makes the whole file corrupt: to
skip it would hand its person a fresh id, and their profile would be lost in silence.
Only what is merely shown (`displayLabel`, `firstSeenAt`) may be missing or odd.
"""

from __future__ import annotations

import json
import re
from array import array
from typing import Any, Final

from attrs import Factory, define

from ethos_memory.errors import (
    CorruptFileError,
    InvalidAccountError,
    InvalidScopeError,
)
from ethos_memory.identity_map.document import EMPTY, MERGED_PLATFORM, Document, Key
from ethos_memory.scope import ScopeId
from ethos_memory.turn import MAX_ACCOUNT_LENGTH, Account

__all__ = ["parse", "value_span"]

#: A byte-order mark, as it looks in a text of one character a byte.
_MARK: Final = "\xef\xbb\xbf"
_BLANKS: Final = "[ \t\n\r]*"
_OPENING: Final = re.compile(rf"(?:{_MARK})?{_BLANKS}\[{_BLANKS}")
_NEXT: Final = re.compile(rf"{_BLANKS},{_BLANKS}")
_CLOSING: Final = re.compile(rf"{_BLANKS}\]{_BLANKS}")
_NOTHING: Final = re.compile(rf"(?:{_MARK})?{_BLANKS}")

#: Names that need no closer look: printable ASCII, not padded, not too long.
_PLAIN: Final = re.compile(rf"[!-~](?:[ -~]{{0,{MAX_ACCOUNT_LENGTH - 2}}}[!-~])?")

#: A user id as this library and Ethos mint it; any other gets a closer look.
_MINTED: Final = re.compile(r"[0-9a-f]{12}")


class _DamageError(ValueError):
    """Why the file cannot be understood; holds none of its text."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # Readers disagree on which of the two counts.
        msg = "has a field twice"
        raise _DamageError(msg)
    return members


def _refuse_constant(_: str) -> None:
    msg = "holds NaN or Infinity"
    raise _DamageError(msg)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant
)


@define
class _Draft:
    """A document that is being read."""

    accounts: dict[Key, int] = Factory(dict)
    merged: dict[str, int] = Factory(dict)
    repeats: dict[int, int] = Factory(dict)
    user_ids: list[str] = Factory(list)
    starts: array[int] = Factory(lambda: array("Q"))
    ends: array[int] = Factory(lambda: array("Q"))

    def add(self, key: Key, user_id: str, *, start: int, end: int) -> None:
        row = len(self.user_ids)
        first = (
            self.merged.setdefault(key[1], row)
            if key[0] == MERGED_PLATFORM
            else self.accounts.setdefault(key, row)
        )
        if first != row:
            if self.user_ids[first] != user_id:
                msg = f"is the account of entry {first + 1} with another user id"
                raise _DamageError(msg)
            self.repeats[row] = first
        self.user_ids.append(user_id)
        self.starts.append(start)
        self.ends.append(end)

    def done(self, data: bytes) -> Document:
        return Document(
            data,
            self.accounts,
            self.merged,
            self.repeats,
            self.user_ids,
            self.starts,
            self.ends,
        )


def parse(data: bytes, *, path: str, previous: Document = EMPTY) -> Document:
    """Understand a map's file.

    Args:
        data: The whole file.
        path: The file, for the error.
        previous: An earlier state of it. What is the same up to the end of its last
            row is not looked at again.

    Raises:
        CorruptFileError: When any of it cannot be understood. The error holds none of
            the text.
    """
    if data == previous.data:
        return previous
    try:
        return _parsed(data, previous)
    except _DamageError as damage:
        reason = str(damage)
    # Outside the block above: the context of its error may hold the text.
    raise CorruptFileError(path, reason)


def _parsed(data: bytes, previous: Document) -> Document:
    # One character a byte: a place in the text is a place in the bytes, and JSON's own
    # characters are never part of a longer one.
    text = data.decode("latin-1")
    draft, position = _begun(data, text, previous)
    while gap := _NEXT.match(text, position):
        position = _take(text, gap.end(), draft)
    if not _CLOSING.fullmatch(text, position):
        msg = f"no list of entries: damaged after entry {len(draft.user_ids)}"
        raise _DamageError(msg)
    return draft.done(data)


def _begun(data: bytes, text: str, previous: Document) -> tuple[_Draft, int]:
    if previous.user_ids and data.startswith(previous.data[: previous.ends[-1]]):
        # Copies: other threads may still be reading the previous document.
        draft = _Draft(
            dict(previous.accounts),
            dict(previous.merged),
            dict(previous.repeats),
            list(previous.user_ids),
            array("Q", previous.starts),
            array("Q", previous.ends),
        )
        return draft, previous.ends[-1]
    opening = _OPENING.match(text)
    if not opening:
        what = "empty" if _NOTHING.fullmatch(text) else "no list of entries"
        msg = f"{what}; put its last good copy back, identity-map.json.bak"
        raise _DamageError(msg)
    draft, position = _Draft(), opening.end()
    if text.startswith("]", position):
        return draft, position
    return draft, _take(text, position, draft)


def _take(text: str, start: int, draft: _Draft) -> int:
    """Read the row that begins at `start`; return where it ends."""
    try:
        entry, end = _DECODER.raw_decode(text, start)
        raw = text[start:end]
        if not raw.isascii():
            entry = _DECODER.decode(raw.encode("latin-1").decode())
        draft.add(*_read(entry), start=start, end=end)
    except _DamageError as damage:
        reason = str(damage)
    except (ValueError, RecursionError):
        reason = "is not JSON in UTF-8, or is cut short"
    else:
        return int(end)
    msg = f"entry {len(draft.user_ids) + 1} {reason}"
    raise _DamageError(msg)


def _read(entry: object) -> tuple[Key, str]:
    if not isinstance(entry, dict):
        msg = "is no object"
        raise _DamageError(msg)
    key = _key(entry)
    if key[0] == MERGED_PLATFORM:
        _checked_id(key[1])
    return key, _checked_id(entry.get("userId"))


def _key(entry: dict[str, Any]) -> Key:
    platform: Any = entry.get("platform")
    account_id: Any = entry.get("platformUserId")
    if (
        isinstance(platform, str)
        and isinstance(account_id, str)
        and _PLAIN.fullmatch(platform)
        and _PLAIN.fullmatch(account_id)
    ):
        return platform.lower(), account_id
    try:
        # A number was meant as text: hand-edited files have both.
        account = Account(platform, account_id)
    except InvalidAccountError as error:
        reason = error.reason
    except TypeError:
        reason = "platform or platformUserId is missing, or no text"
    else:
        return account.platform, account.account_id
    msg = f"has an account that cannot be: {reason}"
    raise _DamageError(msg)


def _checked_id(user_id: object) -> str:
    if not isinstance(user_id, str):
        msg = "has no userId that is text"
        raise _DamageError(msg)
    if not _MINTED.fullmatch(user_id):
        try:
            return ScopeId("user", user_id).id
        except InvalidScopeError as error:
            reason = error.reason
        msg = f"has a userId that no scope can have; {reason}"
        raise _DamageError(msg)
    return user_id


def value_span(document: Document, row: int, name: str) -> tuple[int, int]:
    """Return where the value of a row's field begins and ends in the document.

    Args:
        document: The row's.
        row: One that has the field.
        name: The field.
    """
    start = document.starts[row]
    text = document.data[start : document.ends[row]].decode("latin-1")
    position = _skip(text, 0, "{")
    while True:
        member, position = _DECODER.raw_decode(text, position)
        begin = _skip(text, position, ":")
        _, position = _DECODER.raw_decode(text, begin)
        if member == name:
            return start + begin, start + position
        position = _skip(text, position, ",")


def _skip(text: str, position: int, mark: str) -> int:
    """Return where the next name or value begins, after blanks and one mark."""
    rest = text[position:]
    return position + len(rest) - len(rest.lstrip(f" \t\n\r{mark}"))
