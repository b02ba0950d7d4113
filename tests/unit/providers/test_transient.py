"""The transient provider, the reference model of the others."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.entry import (
    Add,
    Change,
    Delete,
    EraseReport,
    KeyChange,
    MemoryEntryRef,
    Origin,
    Remove,
    Replace,
    SyncReport,
    apply_updates,
)
from ethos_memory.errors import (
    InvalidKeyError,
    InvalidScopeError,
    RevisionConflictError,
    UnknownScopeError,
    UnsafePathError,
    UnsupportedError,
)
from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory
from ethos_memory.providers.cap import CAP_BYTES
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.entry import MemoryEntry, Update

S = "user:u1"
BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
CONFORMANCE = Path(__file__).parents[2] / "conformance" / "markdown-sync.jsonl"


class Clock:
    """Goes one second further each time it is asked."""

    def __init__(self) -> None:
        self.ticks = 0

    def __call__(self) -> datetime:
        self.ticks += 1
        return BEGIN + timedelta(seconds=self.ticks)


@pytest.fixture
def memory() -> TransientProvider:
    return TransientProvider(clock=Clock())


def revision(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def read(memory: TransientProvider, key: str, scope: str = S) -> MemoryEntry:
    page = memory.read(scope, key)
    assert page is not None
    return page


def test_it_has_every_ability() -> None:
    """The five methods, a history, and forgetting."""
    memory = TransientProvider()
    assert isinstance(memory, MemoryProvider)
    assert isinstance(memory, SupportsHistory)
    assert isinstance(memory, SupportsErase)


def test_what_was_written_is_read(memory: TransientProvider) -> None:
    """With the revision of its bytes and the time of the change."""
    memory.sync(S, [Add("MEMORY.md", " é \n")])
    page = read(memory, "MEMORY.md")
    assert page.content == "é\n"
    assert page.revision == revision("é\n")
    assert page.updated_at == BEGIN + timedelta(seconds=1)
    assert memory.read(S, "USER.md") is None
    assert memory.read(ScopeId.parse("user:u2"), "MEMORY.md") is None


def test_the_clock_is_the_systems_when_none_is_given() -> None:
    """In UTC."""
    memory = TransientProvider()
    before = datetime.now(UTC)
    memory.sync(S, [Add("MEMORY.md", "a")])
    assert before <= read(memory, "MEMORY.md").updated_at <= datetime.now(UTC)
    assert read(memory, "MEMORY.md").updated_at.tzinfo is UTC


def test_the_rolling_pages_are_prefetched(memory: TransientProvider) -> None:
    """In their order, and only when they are not blank."""
    memory.sync(S, [Add("USER.md", "u"), Add("MEMORY.md", "m"), Add("notes.md", "n")])
    assert [page.key for page in memory.prefetch(S).entries] == ["MEMORY.md", "USER.md"]
    memory.sync(S, [Replace("USER.md", " "), Delete("MEMORY.md")])
    assert not memory.prefetch(S)
    assert memory.prefetch(S).scope == ScopeId("user", "u1")
    assert not memory.prefetch("user:nobody")


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, scope: memory.prefetch(scope),
        lambda memory, scope: memory.read(scope, "MEMORY.md"),
        lambda memory, scope: memory.search(scope, "x"),
        lambda memory, scope: memory.list(scope),
        lambda memory, scope: memory.sync(scope, []),
        lambda memory, scope: memory.history(scope),
        lambda memory, scope: memory.restore(scope, "MEMORY.md", ""),
        lambda memory, scope: memory.erase(scope),
    ],
)
def test_every_call_refuses_a_bad_scope(
    memory: TransientProvider, call: Callable[[TransientProvider, str], object]
) -> None:
    """One outside the grammar, and one of another kind."""
    with pytest.raises(InvalidScopeError):
        call(memory, "user:../x")
    with pytest.raises(UnknownScopeError, match="personality, user"):
        call(memory, "team:ops")


@pytest.mark.parametrize(
    "key", ["SOUL.md", "memory-archive.md", "../x.md", "memory.md"]
)
def test_every_call_with_a_key_refuses_a_bad_one(
    memory: TransientProvider, key: str
) -> None:
    """The same way, before anything is looked up."""
    for call in (
        lambda: memory.read(S, key),
        lambda: memory.history(S, key),
        lambda: memory.restore(S, key, ""),
    ):
        with pytest.raises(InvalidKeyError):
            call()


def test_teams_are_a_provider_of_their_own() -> None:
    """It knows no other kind."""
    memory = TransientProvider(kinds=["team"])
    memory.sync("team:ops", [Add("MEMORY.md", "a")])
    assert read(memory, "MEMORY.md", "team:ops").content == "a\n"
    with pytest.raises(UnknownScopeError, match="known kinds: team"):
        memory.read(S, "MEMORY.md")


def test_a_report_tells_what_happened_to_each_page(memory: TransientProvider) -> None:
    """In the order the keys were first named, unchanged ones included."""
    memory.sync(S, [Add("a.md", "1\n2\n2")])
    report = memory.sync(
        S, [Remove("b.md", "x"), Remove("a.md", "2"), Add("b.md", ""), Add("a.md", "é")]
    )
    assert report == SyncReport(
        (
            KeyChange(
                "b.md",
                ("remove", "add"),
                revision_before="",
                revision_after="",
                size_before=0,
                size_after=0,
                lines_removed=0,
            ),
            KeyChange(
                "a.md",
                ("remove", "add"),
                revision_before=revision("1\n2\n2\n"),
                revision_after=revision("1\n\né\n"),
                size_before=6,
                size_after=6,
                lines_removed=2,
            ),
        )
    )
    assert memory.sync(S, []) == SyncReport(())


def test_an_update_must_be_one(memory: TransientProvider) -> None:
    """Anything else is the caller's mistake, and nothing is written."""
    wrong: Any = "add"
    with pytest.raises(TypeError, match="not str"):
        memory.sync(S, [Add("a.md", "x"), wrong])
    assert memory.list(S) == ()


@pytest.mark.parametrize(
    "update", [Replace("a.md", "x", if_revision="no"), Delete("a.md", if_revision="")]
)
def test_a_revision_that_does_not_hold_stops_the_batch(
    memory: TransientProvider, update: Update
) -> None:
    """Nothing is written, and the error carries the page as it is."""
    memory.sync(S, [Add("a.md", "old")])
    with pytest.raises(RevisionConflictError) as caught:
        memory.sync(S, [Add("b.md", "new"), update])
    assert caught.value.scope == S
    assert caught.value.key == "a.md"
    assert caught.value.revision == revision("old\n")
    assert caught.value.content == "old\n"
    assert memory.read(S, "b.md") is None


def test_a_revision_is_checked_once_before_the_batch(memory: TransientProvider) -> None:
    """An earlier update of the same batch does not count."""
    memory.sync(S, [Replace("a.md", "1", if_revision="")])
    now = revision("1\n")
    memory.sync(
        S,
        [
            Replace("a.md", "2", if_revision=now),
            Add("a.md", "3"),
            Replace("a.md", "4", if_revision=now),
        ],
    )
    assert read(memory, "a.md").content == "4\n"
    with pytest.raises(RevisionConflictError) as caught:
        memory.sync(S, [Delete("b.md", if_revision=now)])
    assert (caught.value.revision, caught.value.content) == ("", None)


def test_names_that_differ_in_case_only_are_not_made(memory: TransientProvider) -> None:
    """Neither pages nor scopes: a disk may not tell them apart."""
    memory.sync(S, [Add("notes.md", "a")])
    with pytest.raises(UnsafePathError) as caught:
        memory.sync(S, [Add("b.md", "b"), Add("Notes.md", "x"), Add("c.md", "c")])
    assert caught.value.written == ("b.md",)
    assert memory.read(S, "c.md") is None
    with pytest.raises(UnsafePathError):
        memory.sync("user:U1", [Add("a.md", "x")])
    memory.sync("personality:U1", [Add("a.md", "x")])
    memory.sync("user:U1", [Add("a.md", ""), Delete("b.md")])
    assert memory.list("user:U1") == ()


def test_pages_are_listed_by_key(memory: TransientProvider) -> None:
    """With sizes in bytes, and summaries when they are asked for."""
    memory.sync(S, [Add("b.md", "é"), Add("a.md", "# A\n\nmore")])
    assert memory.list(S, summaries=True) == (
        MemoryEntryRef(
            "a.md", 10, updated_at=BEGIN + timedelta(seconds=2), summary="# A"
        ),
        MemoryEntryRef("b.md", 3, updated_at=BEGIN + timedelta(seconds=1), summary="é"),
    )
    assert [ref.key for ref in memory.list(S, limit=1)] == ["a.md"]
    assert memory.list(S)[0].summary is None
    assert memory.list(S, limit=0) == ()
    with pytest.raises(ValueError, match="limit"):
        memory.list(S, limit=-1)


def test_pages_are_searched_as_they_are_now(memory: TransientProvider) -> None:
    """After a change, a deletion and an erasure; other scopes are never seen."""
    memory.sync(S, [Add("a.md", "tea with 项目"), Add("b.md", "tea tea")])
    memory.sync("user:u2", [Add("c.md", "tea")])
    hits = memory.search(S, "tea")
    assert [hit.key for hit in hits] == ["b.md", "a.md"]
    assert hits[0].content == "tea tea\n"
    assert hits[0].snippet == "tea tea"
    assert hits[0].score > hits[1].score > 0
    assert [hit.key for hit in memory.search(S, "项目", mode="keyword")] == ["a.md"]
    assert len(memory.search(S, "tea", limit=1)) == 1
    assert memory.search(S, "tea", limit=0) == ()
    memory.sync(S, [Replace("b.md", "coffee"), Delete("a.md")])
    assert memory.search(S, "tea") == ()
    assert [hit.key for hit in memory.search(S, "coffee")] == ["b.md"]


def test_observations_are_never_searched(memory: TransientProvider) -> None:
    """They wait for a synthesis (DESIGN section 11)."""
    memory.sync(S, [Add("OBSERVATIONS.md", "- User likes tea")])
    assert memory.search(S, "tea") == ()


def test_a_search_that_cannot_be_done_says_so(memory: TransientProvider) -> None:
    """No mode in another's place, no negative limit, no query that is no text."""
    with pytest.raises(UnsupportedError):
        memory.search(S, "x", mode="semantic")
    with pytest.raises(ValueError, match="limit"):
        memory.search(S, "x", limit=-1)
    number: Any = 5
    with pytest.raises(TypeError):
        memory.search(S, number)


def test_history_holds_every_state_newest_first(memory: TransientProvider) -> None:
    """Of one page or of all; what changed nothing is not in it."""
    memory.sync(S, [Add("a.md", "1")], origin=Origin("tool"))
    memory.sync(S, [Add("a.md", ""), Add("b.md", "2")])
    memory.sync(S, [Delete("a.md")], origin=Origin("cli"))
    first = Change(
        "a.md",
        revision("1\n"),
        at=BEGIN + timedelta(seconds=1),
        source="tool",
        actions=("add",),
        content="1\n",
    )
    last = Change(
        "a.md",
        "",
        at=BEGIN + timedelta(seconds=3),
        source="cli",
        actions=("delete",),
        content=None,
    )
    assert memory.history(S, "a.md") == (last, first)
    assert [change.key for change in memory.history(S)] == ["a.md", "b.md", "a.md"]
    assert memory.history(S)[1].source == "api"
    assert memory.history("user:u2") == ()


def test_a_state_is_brought_back_as_it_was(memory: TransientProvider) -> None:
    """This is a new change; a deletion can be repeated as well."""
    memory.sync(S, [Add("a.md", "1")])
    memory.sync(S, [Replace("a.md", "2")])
    memory.sync(S, [Delete("a.md")])
    report = memory.restore(S, "a.md", revision("1\n"))
    assert report.changes[0].actions == ("replace",)
    assert read(memory, "a.md").content == "1\n"
    assert memory.history(S)[0].source == "restore"
    assert memory.restore(S, "a.md", "").changes[0].revision_after == ""
    assert memory.read(S, "a.md") is None
    with pytest.raises(LookupError):
        memory.restore(S, "a.md", revision("3\n"))
    with pytest.raises(LookupError):
        memory.restore(S, "b.md", revision("1\n"))


def test_erasing_takes_everything_of_one_scope(memory: TransientProvider) -> None:
    """Once; a second time there is nothing left."""
    memory.sync(S, [Add("b.md", "1"), Add("a.md", "x\n" * CAP_BYTES)])
    memory.sync("user:u2", [Add("b.md", "1")])
    assert memory.erase(S) == EraseReport(
        ScopeId("user", "u1"),
        ("a.md", "b.md", "memory-archive.md", "memory-history.jsonl"),
    )
    assert memory.list(S) == ()
    assert memory.history(S) == ()
    assert memory.search(S, "1") == ()
    assert memory.erase(S).files == ()
    assert len(memory.list("user:u2")) == 1


def test_a_byte_order_mark_stays_with_the_page_over_the_cap(
    memory: TransientProvider,
) -> None:
    """It is never archived."""
    memory.sync(S, [Add("a.md", "x")])
    kept = memory._memories[ScopeId("user", "u1")]
    kept.keep("a.md", "\ufeff" + "line\n" * 150_000, at=BEGIN)
    page = read(memory, "a.md")
    assert page.content.startswith("\ufeffline\n")
    assert len(page.content.encode()) <= CAP_BYTES
    assert "\ufeff" not in kept.archive
    lines = (kept.archive + page.content).count("line\n")
    assert lines == 150_000


def test_what_ends_as_it_began_is_no_change(memory: TransientProvider) -> None:
    """A page over the cap whose newest part is what was there already."""
    line = f"{'x' * (CAP_BYTES - 1)}\n"
    memory.sync(S, [Add("a.md", line)])
    (change,) = memory.sync(S, [Replace("a.md", f"more\n{line}")]).changes
    assert not change.is_change
    assert len(memory.history(S)) == 1
    assert "more" in memory._memories[ScopeId("user", "u1")].archive


def test_threads_lose_no_update() -> None:
    """Eight of them, a hundred lines each."""
    memory = TransientProvider()

    def write(name: int) -> None:
        for number in range(100):
            memory.sync(S, [Add("a.md", f"{name}-{number}")])

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [line for line in read(memory, "a.md").content.split("\n") if line]
    assert len(set(lines)) == len(lines) == 800
    assert len(memory.history(S)) == 800


def _update(raw: dict[str, str]) -> Update:
    match raw["action"]:
        case "add":
            return Add(raw["key"], raw["content"])
        case "replace":
            return Replace(raw["key"], raw["content"])
        case "remove":
            return Remove(raw["key"], raw["substringMatch"])
        case _:
            return Delete(raw["key"])


@pytest.mark.skipif(not CONFORMANCE.exists(), reason="recorded cases are not there")
def test_recorded_cases_of_ethos_come_out_the_same() -> None:
    """Page and prefetched keys, for all 360."""
    for line in CONFORMANCE.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        memory = TransientProvider()
        if case["before"] is not None:
            memory.sync(S, [Add("MEMORY.md", "x")])
            kept = memory._memories[ScopeId("user", "u1")]
            kept.keep("MEMORY.md", case["before"], at=BEGIN)
        updates = [_update(raw) for raw in case["updates"]]
        memory.sync(S, updates)
        page = memory.read(S, "MEMORY.md")
        assert (page.content if page else None) == case["after"]
        assert case["after"] == apply_updates(case["before"], updates)
        keys = [entry.key for entry in memory.prefetch(S).entries]
        assert keys == (case["prefetched"] or [])
