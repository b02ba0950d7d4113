"""Maps that the tests of this folder are made of."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ethos_memory.identity_map import IdentityMap
from ethos_memory.identity_map.parsing import parse

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.identity_map.document import Document

__all__ = [
    "ANA",
    "BO",
    "NOON",
    "entry",
    "map_bytes",
    "map_path",
    "open_map",
    "parsed",
    "rows_on_disk",
    "write_map",
]

ANA = "a1b2c3d4e5f6"
BO = "0f9e8d7c6b5a"
NOON = datetime(2026, 9, 1, 12, 0, 0, 5_900, tzinfo=UTC)


def entry(
    platform: str, account_id: object, user_id: str, **fields: object
) -> dict[str, object]:
    """Return an entry in Ethos's five fields, and any others."""
    return {
        "platform": platform,
        "platformUserId": account_id,
        "userId": user_id,
        "displayLabel": "someone",
        "firstSeenAt": "2026-09-01T09:14:02.118Z",
        **fields,
    }


def map_bytes(*entries: dict[str, object]) -> bytes:
    """Return a file as Ethos writes it."""
    return json.dumps(list(entries), indent=2, ensure_ascii=False).encode() + b"\n"


def parsed(*entries: dict[str, object]) -> Document:
    """Return a file of entries, understood."""
    return parse(map_bytes(*entries), path="map")


def map_path(home: Path) -> Path:
    """Return where a home keeps its map."""
    return home / "users" / "identity-map.json"


def write_map(home: Path, data: bytes) -> Path:
    """Put a map into a home, as an editor does: in place."""
    path = map_path(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def rows_on_disk(home: Path) -> list[dict[str, Any]]:
    """Return the entries of a home's map."""
    rows: list[dict[str, Any]] = json.loads(map_path(home).read_bytes())
    return rows


def open_map(home: Path, *ids: str) -> IdentityMap:
    """Open a home's map without a guard, with a clock that stands still.

    Args:
        home: The home.
        ids: What the generator draws, in order; random ones when there are none.
    """
    if not ids:
        return IdentityMap(home, redact=str, now=lambda: NOON, durability="fast")
    draw = iter(ids)
    return IdentityMap(
        home, redact=str, now=lambda: NOON, durability="fast", new_id=lambda: next(draw)
    )
