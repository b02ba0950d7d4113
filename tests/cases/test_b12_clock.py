"""Case B12: the clock went backwards, and the order did not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from session_store import START, Clock, open_store, texts, walk

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("user", "assistant", "tool_result", "assistant", "user")
WANTED = ["m0", "m1", "m2", "m3", "m4"]


def test_order_is_the_order_of_insertion_everywhere(tmp_path: Path) -> None:
    """In full, in pages, in a fork, and after opening again."""
    seconds = (10.0, 10.1, 10.05, 10.05, 9.0)
    times = [START, *(START + timedelta(seconds=second) for second in seconds)]
    with open_store(tmp_path, clock=Clock(*times)) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        for number, role in enumerate(ROLES):
            sessions.append(id, role, f"m{number}")
        assert [m.at for m in sessions.messages(id).items] == times[1:]
        assert walk(sessions, id, 1) == [["m4"], ["m0", "m1", "m2", "m3"]]
        fork = sessions.fork(id).id
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        assert texts(sessions.messages(id).items) == WANTED
        assert texts(sessions.messages(fork).items) == WANTED


def test_updated_never_stands_before_created(tmp_path: Path) -> None:
    """Nor does it go back: append, rename, undo and fork with a clock in the past."""
    past = START - timedelta(days=9)
    later = START + timedelta(hours=1)
    clock = Clock(START, past, past, past, later, past, past)
    with open_store(tmp_path, clock=clock) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        assert sessions.append(id, "user", "hello").at == past
        sessions.update(id, title="t")
        sessions.undo(id)
        assert sessions.get(id).updated_at == sessions.get(id).created_at == START
        sessions.append(id, "user", "again")
        sessions.append(id, "user", "and again")
        assert sessions.get(id).updated_at == later
        fork = sessions.fork(id)
        assert fork.created_at <= fork.updated_at


def test_filters_compare_instants_not_texts(tmp_path: Path) -> None:
    """The same moment with another offset gives the same rows, at a DST switch too."""
    first = datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC)
    second = datetime(2026, 3, 29, 1, 0, 1, tzinfo=UTC)
    with open_store(tmp_path, clock=Clock(first, first, second, second)) as store:
        sessions = store.for_owner("user:ana")
        for key in ("before", "after"):
            sessions.append(sessions.create(key).id, "user", f"m {key}")
        for moment, keys in [
            ("2026-03-29T02:30:00+02:00", ["after", "before"]),
            ("2026-03-29T00:30:00+00:00", ["after", "before"]),
            ("2026-03-29T03:00:00+02:00", ["after"]),
            ("2026-03-29T02:00:00+01:00", ["after"]),
            ("2026-03-29T01:00:02+00:00", []),
        ]:
            aware = datetime.fromisoformat(moment)
            assert [s.key for s in sessions.list(since=aware).items] == keys
            assert [s.key for s in sessions.list(since=moment).items] == keys
            assert len(sessions.search("m", since=moment)) == len(keys)
        assert len(sessions.search("m", since=first, until=first)) == 1
        assert len(sessions.search("m", until=second)) == 2


def test_a_time_without_an_offset_is_refused(tmp_path: Path) -> None:
    """It is never taken for the host's zone, or for UTC."""
    naive = datetime(2026, 3, 29, 1, 0)  # noqa: DTZ001 - the fault itself
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        for value in (naive, "2026-03-29", "2026-03-29T01:00:00", "yesterday"):
            with pytest.raises(ValueError):
                sessions.list(since=value)
            with pytest.raises(ValueError):
                sessions.search("m", since=value)
            with pytest.raises(ValueError):
                sessions.search("m", until=value)
        with pytest.raises(TypeError):
            sessions.list(since=12345)  # type: ignore[arg-type]


def test_a_clock_without_an_offset_is_refused(tmp_path: Path) -> None:
    """A host that patches the clock with naive times learns it at once."""
    naive = datetime(2026, 3, 29, 1, 0)  # noqa: DTZ001 - the fault itself
    with open_store(tmp_path, clock=lambda: naive) as store:
        with pytest.raises(ValueError):
            store.for_owner("user:ana").create("k")
        assert store.count_owner("user:ana") == 0


def test_the_default_clock_tells_aware_utc(tmp_path: Path) -> None:
    """What is stored is now."""
    from ethos_memory.sessions import SQLiteSessionStore

    with SQLiteSessionStore(tmp_path / "s.db") as store:
        made = store.for_owner("user:ana").create("k").created_at
    assert made.tzinfo is UTC
    assert abs(datetime.now(UTC) - made) < timedelta(minutes=1)
