"""B20: a damaged file is taken for an empty one, and then overwritten.

Here: the identity map. "Missing" means empty; whatever is there and cannot be
understood raises, keeps its bytes, and nothing is minted.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import CorruptFileError
from ethos_memory.identity_map import IdentityMap

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = [
    {
        "platform": platform,
        "platformUserId": account_id,
        "userId": user_id,
        "displayLabel": "x",
        "firstSeenAt": "2026-02-01T09:14:02.118Z",
    }
    for platform, account_id, user_id in (
        ("telegram", "700100200", "a1b2c3d4e5f6"),
        ("slack", "U1", "0f9e8d7c6b5a"),
        ("matrix", "@marta:example.org", "77aa88bb99cc"),
    )
]
VALID = json.dumps(ENTRIES, indent=2).encode()
LACKING = [*ENTRIES, {"platform": "irc", "platformUserId": "x"}]
TWICE = [*ENTRIES, {**ENTRIES[0], "userId": "0f9e8d7c6b5a"}]

DAMAGED = {
    "first 60 %": VALID[: len(VALID) * 6 // 10],
    "object": b"{}",
    "null": b"null",
    "text": b'"x"',
    "0 bytes": b"",
    "3 spaces": b"   ",
    "500 NULs": bytes(500),
    "zeros of the same length": bytes(len(VALID)),
    "an entry lacks userId": json.dumps(LACKING).encode(),
    "one account, two ids": json.dumps(TWICE).encode(),
    "followed by garbage": VALID + b"garbage",
}


def snapshot(home: Path) -> dict[str, bytes]:
    """Return every file of a home with its bytes."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("has_backup", [True, False])
@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_map_raises_and_stays(
    tmp_path: Path, name: str, *, has_backup: bool
) -> None:
    """0 bytes and blanks included: an empty list is written ``[]``."""
    users = tmp_path / "users"
    users.mkdir()
    (users / "identity-map.json").write_bytes(DAMAGED[name])
    if has_backup:
        (users / "identity-map.json.bak").write_bytes(VALID)
    before = snapshot(tmp_path)
    known = IdentityMap(tmp_path, redact=str)
    for _ in range(2):
        with pytest.raises(CorruptFileError, match=r"users/identity-map\.json"):
            known.resolve("telegram", "1", display_label="x")
        with pytest.raises(CorruptFileError, match=r"users/identity-map\.json"):
            known.accounts()
    assert snapshot(tmp_path) == before


def test_the_last_good_copy_brings_everybody_back(tmp_path: Path) -> None:
    """Put in place by hand, it knows the last account that was given an id."""
    known = IdentityMap(tmp_path, redact=str)
    ids = [known.resolve("telegram", number) for number in range(3)]
    path = tmp_path / "users" / "identity-map.json"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(CorruptFileError):
        known.resolve("telegram", "new")
    path.with_name("identity-map.json.bak").rename(path)
    again = IdentityMap(tmp_path, redact=str)
    assert [again.resolve("telegram", number) for number in range(3)] == ids
