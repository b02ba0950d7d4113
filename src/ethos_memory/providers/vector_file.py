"""The file of a scope that keeps vectors: what was embedded once need not be again.

It holds no text. A vector stands there under the sha256 of the words it was made of, so
that it can never speak for other words, however old the file is.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["DIGEST_BYTES", "StoredVectors", "Vectors", "decode", "encode"]

#: Length of what a vector stands under.
DIGEST_BYTES: Final = 32

#: The first line. Another format gets another one, and is then read by its own release.
_FIRST: Final = b"ethos-memory vectors 1\n"

#: The same bytes on every machine.
_FLOAT: Final = np.dtype("<f4")

#: Rows of 32-bit numbers.
Vectors: TypeAlias = "NDArray[np.float32]"


@frozen
class StoredVectors:
    """What such a file holds.

    Attributes:
        name: Which embedder made the vectors.
        probe: The vector it made of a fixed text.
        digests: What each row was made of.
        rows: The vectors.
    """

    name: str
    probe: Vectors = field(repr=False)
    digests: tuple[bytes, ...] = field(kw_only=True, repr=False)
    rows: Vectors = field(kw_only=True, repr=False)


def encode(name: str, probe: Vectors, digests: Sequence[bytes], rows: Vectors) -> bytes:
    """Return the bytes of a file; `decode` reads them.

    Args:
        name: Which embedder made the vectors.
        probe: The vector it made of a fixed text.
        digests: What each row was made of, 32 bytes each.
        rows: The vectors, as long as the probe.
    """
    # Not joined for the digest: a scope of 100,000 parts holds 100 MB and more.
    numbers = (row.astype(_FLOAT, copy=False).tobytes() for row in (probe, rows))
    body = (b"".join(digests), *numbers)
    digest = sha256()
    for part in body:
        digest.update(part)
    header = {
        "embedder": name,
        "dimensions": len(probe),
        "vectors": len(digests),
        "sha256": digest.hexdigest(),
    }
    return b"".join((_FIRST, json.dumps(header).encode(), b"\n", *body))


def decode(data: bytes) -> StoredVectors | None:
    """Read the bytes of a file.

    Returns:
        `None` when they are damaged, or of another format: what was embedded can be
        embedded again.
    """
    if not data.startswith(_FIRST):
        return None
    begin = data.find(b"\n", len(_FIRST)) + 1
    header = _header(data[len(_FIRST) : begin])
    if header is None:
        return None
    name, dimensions, count, digest = header
    split = begin + DIGEST_BYTES * count
    expected = split + _FLOAT.itemsize * dimensions * (count + 1)
    if len(data) != expected or sha256(memoryview(data)[begin:]).hexdigest() != digest:
        return None
    numbers = np.frombuffer(data, _FLOAT, offset=split).reshape(count + 1, dimensions)
    starts = range(begin, split, DIGEST_BYTES)
    return StoredVectors(
        name,
        numbers[0].astype(np.float32),
        digests=tuple(data[at : at + DIGEST_BYTES] for at in starts),
        rows=numbers[1:].astype(np.float32, copy=False),
    )


def _header(line: bytes) -> tuple[str, int, int, str] | None:
    try:
        match json.loads(line):
            case {
                "embedder": str(name),
                "dimensions": int(dimensions),
                "vectors": int(count),
                "sha256": str(digest),
            } if dimensions > 0 and count >= 0:
                return name, dimensions, count, digest
            case _:
                return None
    except (ValueError, RecursionError):
        return None
