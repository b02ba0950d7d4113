"""Cursors that tell nothing and cannot be bent.

A cursor holds places in the whole store's order of insertion, from which a caller
could count other people's messages. So it is sealed with a key of the store's own,
and bound to the list it belongs to.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import struct
from hashlib import blake2b
from typing import Final, Self

from attrs import astuple, frozen

from ethos_memory.errors import InvalidCursorError
from ethos_memory.scope import plain_text

__all__ = ["Place", "seal", "unseal"]

#: Bytes of the seal: 128 bits, as for any authentication tag.
_SEAL_BYTES: Final = 16

_LAYOUT: Final = struct.Struct(">qdqqq")


@frozen
class Place:
    """Where a list was left, and which state of the store it shows.

    Attributes:
        group: The coarse order: pinned or not, all words or any.
        rank: The order within a group.
        seq: The row that was shown last, which settles ties.
        newest_message: Messages after this one do not count.
        newest_session: Sessions after this one do not count.
    """

    group: int = 0
    rank: float = 0.0
    seq: int = 0
    newest_message: int = 0
    newest_session: int = 0

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read what `pack` made."""
        return cls(*_LAYOUT.unpack(data))

    def pack(self) -> bytes:
        """Return the place as bytes of a fixed length."""
        return _LAYOUT.pack(*astuple(self))


def _tag(key: bytes, scope: tuple[str, ...], data: bytes) -> bytes:
    digest = blake2b(data, key=key, digest_size=_SEAL_BYTES, person=b"seal")
    for part in scope:
        text = part.encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.digest()


def _masked(key: bytes, tag: bytes, data: bytes) -> bytes:
    # The tag is of the data, so that no two different places share a mask.
    mask = blake2b(tag, key=key, digest_size=_LAYOUT.size, person=b"mask").digest()
    return bytes(left ^ right for left, right in zip(data, mask, strict=True))


def seal(key: bytes, scope: tuple[str, ...], place: Place) -> str:
    """Write a place as opaque text.

    Args:
        key: The store's own.
        scope: What the list is of; the same is needed to read it.
        place: Where it was left.

    Returns:
        URL-safe text.
    """
    data = place.pack()
    tag = _tag(key, scope, data)
    return base64.urlsafe_b64encode(tag + _masked(key, tag, data)).decode().rstrip("=")


def unseal(key: bytes, scope: tuple[str, ...], cursor: str) -> Place:
    """Read what `seal` wrote.

    Raises:
        InvalidCursorError: When the cursor is damaged, or of another list or store.
    """
    text = plain_text(cursor, what="cursor")
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), "-_", validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) == _SEAL_BYTES + _LAYOUT.size:
        tag = raw[:_SEAL_BYTES]
        data = _masked(key, tag, raw[_SEAL_BYTES:])
        if hmac.compare_digest(tag, _tag(key, scope, data)):
            return Place.unpack(data)
    raise InvalidCursorError("not a cursor of this list")
