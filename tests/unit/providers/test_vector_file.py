"""A file of vectors is read as it was written, or not at all."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np
import pytest

from ethos_memory.providers.vector_file import decode, encode

PROBE = np.array([1, 0, 0], np.float32)
ROWS = np.array([[0, 1, 0], [0.5, 0.25, -2]], np.float32)
DIGESTS = (b"a" * 32, b"b" * 32)
DATA = encode("some model", PROBE, DIGESTS, ROWS)


def test_what_was_written_is_read() -> None:
    """Bit for bit."""
    found = decode(DATA)
    assert found is not None
    assert (found.name, found.digests) == ("some model", DIGESTS)
    assert found.probe.tolist() == PROBE.tolist()
    assert found.rows.tolist() == ROWS.tolist()


def test_a_file_may_hold_no_vectors() -> None:
    """Then it says only who would have made them."""
    found = decode(encode("ünï", PROBE, (), np.empty((0, 3), np.float32)))
    assert found is not None
    assert (found.name, found.digests, found.rows.shape) == ("ünï", (), (0, 3))


def test_any_damage_is_noticed() -> None:
    """Cut short, longer, or another byte in any place but the embedder's name."""
    assert decode(b"") is None
    for end in range(len(DATA)):
        assert decode(DATA[:end]) is None
    assert decode(DATA + b"x") is None
    named = DATA.index(b"some model")
    for at in range(len(DATA)):
        damaged = DATA[:at] + bytes([DATA[at] ^ 1]) + DATA[at + 1 :]
        if not named <= at < named + len("some model"):
            found = decode(damaged)
            assert found is None, at


HEADER = {"embedder": "m", "dimensions": 3, "vectors": 0}


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"nothing",
        b"[" * 100_000,
        b"9" * 10_000,
        b"[]",
        b"{}",
        *(
            json.dumps(HEADER | wrong).encode()
            for wrong in (
                {"embedder": 1},
                {"dimensions": 0},
                {"dimensions": -3},
                {"dimensions": "3"},
                {"dimensions": 3.0},
                {"vectors": -1},
                {"vectors": None},
                {"sha256": 7},
            )
        ),
    ],
)
def test_a_header_of_another_kind_is_no_header(header: bytes) -> None:
    """Whatever stands behind it."""
    body = PROBE.tobytes()
    whole = header.replace(
        b"}", b', "sha256": "%b"}' % sha256(body).hexdigest().encode()
    )
    for line in {header, whole if b"sha256" not in header else header}:
        assert decode(b"ethos-memory vectors 1\n" + line + b"\n" + body) is None


def test_private_numbers_are_not_shown() -> None:
    """Text can be guessed from a vector."""
    assert repr(decode(DATA)) == "StoredVectors(name='some model')"
