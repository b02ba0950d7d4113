"""Records in memory: only as their pages are, and not for ever."""

from __future__ import annotations

from datetime import UTC, datetime

from ethos_memory.tools.record_cache import RecordCache, Seen
from ethos_memory.tools.record_page import Record

AT = datetime(2026, 11, 30, tzinfo=UTC)
RECORD = Record(namespace=(), key="k", value={}, created_at=AT, updated_at=AT)


def test_a_state_is_known_by_its_revision() -> None:
    """Another one is not."""
    cache = RecordCache()
    assert cache.get("user:u1", "a", "r1") is None
    cache.put("user:u1", "a", Seen("r1", None))
    assert cache.get("user:u1", "a", "r1") == Seen("r1", None)
    assert cache.get("user:u1", "a", "r2") is None
    assert cache.get("user:u2", "a", "r1") is None
    cache.put("user:u1", "a", Seen("r2", None))
    assert cache.get("user:u1", "a", "r1") is None


def test_pages_that_are_gone_are_let_go() -> None:
    """The text of somebody who was erased stays nowhere."""
    cache = RecordCache()
    cache.keep_only("user:u1", [])
    cache.put("user:u1", "a", Seen("r1", RECORD))
    cache.put("user:u1", "b", Seen("r1", RECORD))
    cache.keep_only("user:u1", ["b", "c"])
    assert cache.get("user:u1", "a", "r1") is None
    assert cache.get("user:u1", "b", "r1") is not None
    cache.keep_only("user:u1", [])
    assert cache._kept == {}


def test_what_is_no_record_stays_known() -> None:
    """It holds no text, and is told once."""
    cache = RecordCache()
    cache.put("user:u1", "a", Seen("UnsafePathError", None))
    cache.keep_only("user:u1", [])
    assert cache.get("user:u1", "a", "UnsafePathError") is not None


def test_the_scopes_used_last_are_kept() -> None:
    """Sixteen of them."""
    cache = RecordCache()
    for number in range(16):
        cache.put(f"user:u{number}", "a", Seen("r1", None))
    cache.put("user:u0", "b", Seen("r1", None))
    cache.put("user:new", "a", Seen("r1", None))
    assert cache.get("user:u0", "a", "r1") is not None
    assert cache.get("user:u1", "a", "r1") is None
    assert cache.get("user:u2", "a", "r1") is not None
