"""The markdown provider: what it promises beyond the text of an update."""

# ruff: noqa: PTH208
# `os` is what the code under test calls.

from __future__ import annotations

import os
import stat
import threading
import time
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Folder, Root, lock, read_history
from ethos_memory.entry import (
    Add,
    Delete,
    Origin,
    Remove,
    Replace,
    SyncReport,
    Update,
)
from ethos_memory.errors import (
    CorruptFileError,
    InvalidKeyError,
    InvalidScopeError,
    NotWrittenError,
    PageTooLargeError,
    RevisionConflictError,
    UnknownScopeError,
    UnsafePathError,
    UnsupportedError,
)
from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory
from ethos_memory.providers.layout import TEAMS
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.pages import moment
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ethos_memory.provider import SearchMode

SCOPE = "user:u1"


@pytest.fixture
def memory(tmp_path: Path) -> MarkdownProvider:
    return MarkdownProvider(tmp_path)


def _put(root: Path, key: str, data: bytes | str, scope: str = "users/u1") -> Path:
    path = root / scope / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def _read(memory: MarkdownProvider, key: str = "USER.md") -> str | None:
    entry = memory.read(SCOPE, key)
    return entry.content if entry else None


def test_it_is_a_provider_with_every_ability(memory: MarkdownProvider) -> None:
    """By shape, as a host would ask."""
    for ability in (MemoryProvider, SupportsHistory, SupportsErase):
        assert isinstance(memory, ability)


def test_a_scope_has_ethos_s_own_place(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Text or value."""
    memory.sync("personality:muse", [Add("MEMORY.md", "one")])
    memory.sync(ScopeId.user("u1"), [Add("USER.md", "two")])
    assert (tmp_path / "personalities/muse/MEMORY.md").read_text() == "one\n"
    assert (tmp_path / "users/u1/USER.md").read_text() == "two\n"
    mode = (tmp_path / "users/u1/USER.md").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_teams_are_a_provider_of_their_own(tmp_path: Path) -> None:
    """With its own place, and no other kind."""
    teams = MarkdownProvider.with_layout(tmp_path, TEAMS)
    teams.sync("team:core", [Add("plan.md", "ship")])
    assert (tmp_path / "teams/core/memory/plan.md").read_text() == "ship\n"
    assert [ref.key for ref in teams.list("team:core")] == ["plan.md"]
    with pytest.raises(UnknownScopeError):
        teams.read("user:u1", "USER.md")
    with pytest.raises(UnknownScopeError):
        MarkdownProvider(tmp_path).read("team:core", "plan.md")
    assert teams.erase("team:core").files
    assert not (tmp_path / "teams/core/memory").exists()


def test_an_entry_tells_revision_and_time(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Of the exact bytes."""
    path = _put(tmp_path, "USER.md", b"\xef\xbb\xbfa\r\n")
    os.utime(path, ns=(0, 1_500_000_000_123_456_789))
    entry = memory.read(SCOPE, "USER.md")
    assert entry is not None
    assert entry.revision == sha256(b"\xef\xbb\xbfa\r\n").hexdigest()
    assert entry.content == "\ufeffa\r\n"
    assert entry.updated_at == datetime(2017, 7, 14, 2, 40, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize("at_ns", [1 << 70, -(1 << 70)])
def test_a_time_without_a_calendar_is_1970(at_ns: int) -> None:
    """A broken clock must not cost the page."""
    assert moment(at_ns).year == 1970


def test_a_scope_that_is_not_there_is_empty(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """For every reading call, and nothing is made."""
    assert not memory.prefetch(SCOPE)
    assert memory.read(SCOPE, "USER.md") is None
    assert memory.search(SCOPE, "x") == ()
    assert memory.list(SCOPE) == ()
    assert memory.history(SCOPE) == ()
    assert memory.erase(SCOPE).files == ()
    assert not any(tmp_path.iterdir())


def test_prefetch_gives_the_pages_that_are_not_blank(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """In their order, whatever else is there."""
    _put(tmp_path, "USER.md", "two\n")
    _put(tmp_path, "NOTES.md", "three\n")
    _put(tmp_path, "MEMORY.md", " \ufeff\n\u3000")
    assert [entry.key for entry in memory.prefetch(SCOPE).entries] == ["USER.md"]
    _put(tmp_path, "MEMORY.md", "one\n")
    keys = [entry.key for entry in memory.prefetch(SCOPE).entries]
    assert keys == ["MEMORY.md", "USER.md"]


def test_a_page_changed_by_hand_is_read_at_once(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Same size, same moment, time set back: nothing stale is ever served."""
    path = _put(tmp_path, "USER.md", "0000\n")
    for number in range(1, 300):
        text = f"{number:04d}\n"
        with path.open("r+b") as page:
            page.write(text.encode())
        if number % 3 == 0:
            os.utime(path, ns=(0, 0))
        assert _read(memory) == text


def test_an_unchanged_page_is_read_once(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once its status is settled; the next look costs one stat."""
    path = _put(tmp_path, "USER.md", "text\n")
    _settle(monkeypatch)
    assert _read(memory) == "text\n"
    reads = _reads(monkeypatch)
    assert _read(memory) == "text\n"
    assert reads == []
    path.write_text("other\n")
    assert _read(memory) == "other\n"
    assert len(reads) == 1


def _settle(monkeypatch: pytest.MonkeyPatch, seconds: int = 60) -> None:
    """Let everything that was written look a minute old."""
    now = time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: now() + seconds * 10**9)


def _reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record which descriptors are read from now on."""
    reads: list[int] = []
    pread = os.pread

    def read(fd: int, size: int, at: int) -> bytes:
        reads.append(fd)
        return pread(fd, size, at)

    monkeypatch.setattr(os, "pread", read)
    return reads


def test_few_pages_are_remembered(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a long-lived process does not grow."""
    monkeypatch.setattr("ethos_memory.providers.pages._KEPT_PAGES", 2)
    _settle(monkeypatch)
    for number in range(4):
        _put(tmp_path, f"{number}.md", "x")
        memory.read(SCOPE, f"{number}.md")
    assert [key for _, key in memory._pages._kept] == ["2.md", "3.md"]
    _put(tmp_path, "large.md", "x" * 100_000)
    memory.read(SCOPE, "large.md")
    assert len(memory._pages._kept) == 2


def test_an_update_that_changes_nothing_writes_nothing(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """No file, no folder, no journal, not even a new time."""
    nothing: list[Update] = [
        Remove("USER.md", "x"),
        Remove("USER.md", ""),
        Delete("N.md"),
        Add("M.md", " "),
    ]
    report = memory.sync(SCOPE, nothing)
    assert [change.is_change for change in report.changes] == [False] * 3
    assert not any(tmp_path.iterdir())
    path = _put(tmp_path, "USER.md", "a\n")
    before = path.stat()
    memory.sync(SCOPE, [*nothing, Replace("USER.md", "a")])
    assert path.stat() == before
    assert memory.sync(SCOPE, []) == SyncReport(())
    assert os.listdir(path.parent) == ["USER.md"]


def test_a_report_tells_what_happened(memory: MarkdownProvider) -> None:
    """One entry a page, in the order the pages were first named."""
    report = memory.sync(
        SCOPE,
        [
            Add("B.md", "one\ntwo"),
            Add("A.md", "x"),
            Remove("B.md", "t"),
            Delete("A.md"),
        ],
    )
    first, second = report.changes
    assert (first.key, first.actions) == ("B.md", ("add", "remove"))
    assert (first.revision_before, first.size_before) == ("", 0)
    assert first.revision_after == sha256(b"one\n").hexdigest()
    assert (first.size_after, first.lines_removed) == (4, 1)
    assert (second.key, second.is_change) == ("A.md", False)


def test_what_is_no_update_is_refused_before_anything(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """A tuple with the right names, for instance."""
    with pytest.raises(TypeError, match="tuple"):
        memory.sync(SCOPE, [Add("A.md", "x"), ("add", "B.md", "x")])  # type: ignore[list-item]
    assert not any(tmp_path.iterdir())


def test_a_revision_that_does_not_hold_stops_the_whole_batch(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Before anything is written; the error carries what is there."""
    memory.sync(SCOPE, [Add("A.md", "a"), Add("B.md", "b")])
    revision = sha256(b"b\n").hexdigest()
    batches: tuple[list[Update], ...] = (
        [Add("A.md", "x"), Replace("B.md", "x", if_revision="0" * 64)],
        [Replace("B.md", "x", if_revision=""), Add("A.md", "x")],
        [Replace("B.md", "x", if_revision=revision), Delete("B.md", if_revision="")],
    )
    for batch in batches:
        with pytest.raises(RevisionConflictError) as caught:
            memory.sync(SCOPE, batch)
        assert (caught.value.key, caught.value.revision) == ("B.md", revision)
        assert caught.value.content == "b\n"
        assert _read(memory, "A.md") == "a\n"
    memory.sync(SCOPE, [Replace("B.md", "c", if_revision=revision)])
    memory.sync(SCOPE, [Replace("C.md", "c", if_revision="")])
    assert (_read(memory, "B.md"), _read(memory, "C.md")) == ("c\n", "c\n")


@pytest.mark.parametrize(
    "update",
    [Replace("A.md", "x", if_revision="0" * 64), Delete("A.md", if_revision="0" * 64)],
)
def test_a_revision_of_a_scope_that_is_not_there_conflicts(
    memory: MarkdownProvider, tmp_path: Path, update: Update
) -> None:
    """And nothing is made."""
    with pytest.raises(RevisionConflictError) as caught:
        memory.sync(SCOPE, [update])
    assert (caught.value.revision, caught.value.content) == ("", None)
    assert not any(tmp_path.iterdir())
    memory.sync(SCOPE, [Delete("A.md", if_revision="")])
    memory.sync(SCOPE, [Replace("A.md", "x", if_revision="")])
    with pytest.raises(RevisionConflictError):
        memory.sync(SCOPE, [Replace("A.md", "y", if_revision="")])


def test_a_scope_erased_before_it_was_locked_is_made_anew(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that waited for an erasure."""
    memory.sync(SCOPE, [Add("A.md", "a")])
    flock = lock._attempt

    def late(folder: Folder) -> bool:
        if (tmp_path / "users/u1/A.md").exists():
            MarkdownProvider(tmp_path).erase(SCOPE)
        return flock(folder)

    erasing = [1]

    def once(folder: Folder) -> bool:
        if erasing:
            erasing.pop()
            return late(folder)
        return flock(folder)

    monkeypatch.setattr(lock, "_attempt", once)
    memory.sync(SCOPE, [Add("A.md", "b")])
    assert _read(memory, "A.md") == "b\n"


def test_an_error_names_the_pages_already_written(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Keys are written in order, each whole."""
    _put(tmp_path, "C.md", b"\xff")
    with pytest.raises(CorruptFileError) as caught:
        memory.sync(
            SCOPE,
            [Add("A.md", "a"), Remove("X.md", "x"), Add("B.md", "b"), Add("C.md", "c")],
        )
    assert caught.value.written == ("A.md", "B.md")
    assert _read(memory, "B.md") == "b\n"


def test_an_undecodable_page_is_in_no_error(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """A decoding error would hold its bytes."""
    _put(tmp_path, "A.md", b"secret \xff")
    with pytest.raises(CorruptFileError) as caught:
        memory.sync(SCOPE, [Add("A.md", "a")])
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "secret" not in repr(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, scope, key: memory.read(scope, key),
        lambda memory, scope, key: memory.history(scope, key),
        lambda memory, scope, key: memory.restore(scope, key, ""),
        lambda memory, scope, key: memory.sync(scope, [Add(key, "x")]),
    ],
)
def test_bad_names_are_refused_by_every_call(
    memory: MarkdownProvider,
    tmp_path: Path,
    call: Callable[[MarkdownProvider, str, str], object],
) -> None:
    """The same way, and before anything is made."""
    for key in ("../x.md", "memory.md", "SOUL.md", "x"):
        with pytest.raises(InvalidKeyError):
            call(memory, SCOPE, key)
    for scope in ("user:..", "user:a/b", "nobody"):
        with pytest.raises(InvalidScopeError):
            call(memory, scope, "A.md")
    with pytest.raises(UnknownScopeError):
        call(memory, "team:x", "A.md")
    assert not any(tmp_path.iterdir())


def test_a_page_above_two_megabytes_is_refused(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """And found in a list; the pages beside it are searched."""
    _put(tmp_path, "A.md", "needle " * 400_000)
    _put(tmp_path, "B.md", "needle")
    with pytest.raises(PageTooLargeError):
        memory.read(SCOPE, "A.md")
    with pytest.raises(PageTooLargeError):
        memory.sync(SCOPE, [Add("A.md", "x")])
    assert [hit.key for hit in memory.search(SCOPE, "needle")] == ["B.md"]
    first, second = memory.list(SCOPE, summaries=True)
    assert (first.key, first.size, first.summary) == ("A.md", 2_800_000, "")
    assert second.summary == "needle"


def test_listing_tells_names_and_measures(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """Only pages; a summary only when asked for."""
    _put(tmp_path, "B.md", "\ufeff\r\n\r\nfirst\r\nline\r\n\r\nrest")
    _put(tmp_path, "A.md", "")
    for name in ("SOUL.md", "memory-archive.md", ".x.md", "x.txt", "memory.md"):
        _put(tmp_path, name, "x")
    (tmp_path / "users/u1/folder.md").mkdir()
    refs = memory.list(SCOPE)
    assert [(ref.key, ref.size) for ref in refs] == [("A.md", 0), ("B.md", 26)]
    assert refs[0].summary is None
    assert refs[0].updated_at.tzinfo is UTC
    with_summaries = memory.list(SCOPE, summaries=True)
    assert [ref.summary for ref in with_summaries] == ["", "first\nline"]
    assert [ref.key for ref in memory.list(SCOPE, limit=1)] == ["A.md"]
    assert memory.list(SCOPE, limit=0) == ()
    with pytest.raises(ValueError, match="limit"):
        memory.list(SCOPE, limit=-1)


def test_a_page_that_vanishes_while_it_is_listed_is_left_out(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And counts for no limit."""
    _put(tmp_path, "B.md", "x")
    monkeypatch.setattr(
        "ethos_memory.disk.Folder.names", lambda _self: ("A.md", "B.md")
    )
    assert [ref.key for ref in memory.list(SCOPE, limit=1)] == ["B.md"]
    monkeypatch.setattr("ethos_memory.providers.pages.Pages.read", lambda *_args: None)
    assert [ref.summary for ref in memory.list(SCOPE, summaries=True)] == [""]


def test_searching_is_by_keyword(memory: MarkdownProvider, tmp_path: Path) -> None:
    """Whole page, snippet and score; pages that wait for a synthesis are not found."""
    _put(tmp_path, "A.md", "Müller keeps bees.\n" + "x " * 3000)
    _put(tmp_path, "B.md", "muller\n")
    _put(tmp_path, "OBSERVATIONS.md", "- User is called Müller\n")
    for name in ("SOUL.md", "memory-archive.md", "MEMORY (1).md"):
        _put(tmp_path, name, "Müller")
    hits = memory.search(SCOPE, "bees Müller", mode="keyword")
    assert [hit.key for hit in hits] == ["A.md", "B.md"]
    assert len(hits[0].content) > 6000
    assert "bees" in hits[0].snippet
    assert len(hits[0].snippet) < 1000
    assert hits[0].score > 0
    assert len(memory.search(SCOPE, "muller", limit=1)) == 1
    assert memory.search(SCOPE, "muller", limit=0) == ()
    assert memory.search(SCOPE, " ") == ()
    assert memory.search("user:u2", "muller") == ()
    with pytest.raises(ValueError, match="limit"):
        memory.search(SCOPE, "x", limit=-1)
    others: tuple[SearchMode, ...] = ("semantic", "hybrid")
    for mode in others:
        with pytest.raises(UnsupportedError):
            memory.search(SCOPE, "x", mode=mode)


def test_a_search_leaves_out_what_is_no_page(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """One link in a folder must not hide all other pages."""
    _put(tmp_path, "A.md", "needle")
    _put(tmp_path, "B.md", "needle")
    assert len(memory.search(SCOPE, "needle")) == 2
    (tmp_path / "users/u1/B.md").unlink()
    (tmp_path / "users/u1/B.md").symlink_to("A.md")
    assert [hit.key for hit in memory.search(SCOPE, "needle")] == ["A.md"]
    with pytest.raises(UnsafePathError):
        memory.list(SCOPE)


def test_few_scopes_stay_indexed(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ones that were searched last; a settled page is not read again."""
    monkeypatch.setattr(memory._indexes._kept, "_most", 2)
    _settle(monkeypatch)
    for name in ("u1", "u2", "u1", "u3"):
        _put(tmp_path, "A.md", "needle", f"users/{name}")
        assert memory.search(f"user:{name}", "needle")
    assert list(memory._indexes._kept) == ["user:u1", "user:u3"]
    reads = _reads(monkeypatch)
    assert memory.search("user:u3", "needle")
    assert reads == []


def test_every_state_can_be_restored_byte_for_byte(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """A page written by hand, a large one, one with a mark and CRLF; and a deletion."""
    by_hand = "\ufeff- by hand\r\n\r\n\r\n- twice  \n"
    path = _put(tmp_path, "USER.md", by_hand)
    states = [by_hand]
    for update in (
        Add("USER.md", "- added"),
        Replace("USER.md", "large\n" + "語" * 5000),
        Remove("USER.md", "large"),
        Delete("USER.md"),
        Add("USER.md", "fresh"),
    ):
        memory.sync(SCOPE, [update])
        states.append(path.read_bytes().decode() if path.exists() else "")
    changes = memory.history(SCOPE, "USER.md")
    assert [change.content or "" for change in changes] == states[::-1]
    assert [change.source for change in changes] == ["api"] * 5 + ["outside"]
    for change, state in zip(changes, states[::-1], strict=True):
        memory.restore(SCOPE, "USER.md", change.revision)
        assert (path.read_bytes().decode() if path.exists() else "") == state
    newest = memory.history(SCOPE, "USER.md")[0]
    assert (newest.source, newest.content) == ("restore", by_hand)
    report = memory.restore(SCOPE, "USER.md", newest.revision)
    assert not report.changes[0].is_change


def test_a_state_that_never_was_cannot_be_restored(memory: MarkdownProvider) -> None:
    """Nor one of another page."""
    memory.sync(SCOPE, [Add("A.md", "x")], origin=Origin("tool"))
    revision = memory.history(SCOPE)[0].revision
    with pytest.raises(LookupError):
        memory.restore(SCOPE, "B.md", revision)
    with pytest.raises(LookupError):
        memory.restore(SCOPE, "A.md", "")


def test_damaged_history_is_counted(memory: MarkdownProvider, tmp_path: Path) -> None:
    """For `doctor`."""
    memory.sync(SCOPE, [Add("A.md", "x")])
    with (tmp_path / "users/u1/memory-history.jsonl").open("a") as live:
        live.write("torn")
    memory.sync(SCOPE, [Add("A.md", "y")])
    inspected = memory.inspect_history(SCOPE)
    assert (inspected.damaged, inspected.lost) == (1, 0)
    assert inspected.changes == memory.history(SCOPE)
    assert memory.inspect_history("user:none").damaged == 0


def test_erasing_takes_everything_of_the_memory(
    memory: MarkdownProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of any name, copies, archive, history, kept pages, Ethos's sidecars."""
    memory.sync(SCOPE, [Add("A.md", "x" * 5000), Add("USER.md", "y")])
    _settle(monkeypatch)
    memory.read(SCOPE, "USER.md")
    memory.search(SCOPE, "y")
    assert memory._pages._kept
    names = (
        *("memory-archive.md", "memory-meta.json", "memory-pending.jsonl"),
        *("memory-tombstones.jsonl", "MEMORY (1).md", "Nota de reunión.md"),
        *("memory-history-2025-01.jsonl", "soulmates.md", "USER.md.bak"),
    )
    for name in names:
        _put(tmp_path, name, "x")
    report = memory.erase(SCOPE)
    assert set(names) | {"A.md", "USER.md", "memory-history.jsonl"} <= set(report.files)
    assert any(name.startswith("history-blobs/") for name in report.files)
    assert list(report.files) == sorted(report.files)
    assert not (tmp_path / "users/u1").exists()
    assert memory.erase(SCOPE).files == ()
    assert memory.history(SCOPE) == ()
    assert memory.read(SCOPE, "USER.md") is None
    assert not memory._pages._kept
    assert not memory._indexes._kept


def test_erasing_leaves_what_is_no_memory(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """The agent itself and its configuration, and the neighbors."""
    memory.sync("personality:muse", [Add("MEMORY.md", "x")])
    memory.sync("personality:other", [Add("MEMORY.md", "x")])
    kept = ("SOUL.md", "SOUL (1).md", "config.yaml", "photo.jpg")
    for name in kept:
        _put(tmp_path, name, "x", "personalities/muse")
    memory.erase("personality:muse")
    assert set(os.listdir(tmp_path / "personalities/muse")) == set(kept)
    assert memory.read("personality:other", "MEMORY.md")


def test_erasing_refuses_a_link_before_anything_is_erased(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """The text would live on where it leads to."""
    memory.sync(SCOPE, [Add("A.md", "x")])
    (tmp_path / "users/u1/Z.md").symlink_to("/etc/hostname")
    with pytest.raises(UnsafePathError):
        memory.erase(SCOPE)
    assert _read(memory, "A.md") == "x\n"


def test_two_erasures_at_once_are_no_error(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """The folder may go between opening and locking, and while one waits for it."""
    for _ in range(10):
        memory.sync(SCOPE, [Add("A.md", "x")])
        gone: list[tuple[str, ...]] = []
        threads = [
            threading.Thread(target=lambda: gone.append(memory.erase(SCOPE).files))  # noqa: B023 - joined below
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(gone) == [(), (), (), ("A.md", "memory-history.jsonl")]
        assert not (tmp_path / "users/u1").exists()


def test_a_parent_that_vanishes_while_erasing_is_no_error(
    memory: MarkdownProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is gone, as wanted."""
    memory.sync(SCOPE, [Add("A.md", "x")])
    folder = Root.folder

    def only_whole(self: Root, *names: str) -> object:
        return folder(self, *(names if len(names) == 2 else ("none",)))

    monkeypatch.setattr(Root, "folder", only_whole)
    assert memory.erase(SCOPE).files == ("A.md", "memory-history.jsonl")


def test_a_shared_root_stays_open(tmp_path: Path) -> None:
    """`Memory` closes it, once."""
    root = Root(tmp_path)
    with MarkdownProvider(root) as memory:
        memory.sync(SCOPE, [Add("A.md", "x")])
    with root.folder("users", "u1") as folder:
        assert folder is not None
    with pytest.raises(ValueError, match="trusted links"):
        MarkdownProvider(root, trusted_links=[tmp_path])


def test_a_provider_that_was_closed_says_so(tmp_path: Path) -> None:
    """Closing can be repeated."""
    memory = MarkdownProvider(tmp_path)
    memory.close()
    memory.close()
    with pytest.raises(ValueError, match="closed"):
        memory.read(SCOPE, "A.md")


def test_a_home_that_may_not_be_written_says_so(
    memory: MarkdownProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed, whatever call it was."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(30, "read-only file system")

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(NotWrittenError, match="read-only"):
        memory.sync(SCOPE, [Add("A.md", "x")])


def test_fast_writes_wait_for_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files, journals and kept pages alike; only new folders are synced."""
    memory = MarkdownProvider(tmp_path, durability="fast")
    memory.sync(SCOPE, [Add("A.md", "x" * 5000)])
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    memory.sync(SCOPE, [Replace("A.md", "y" * 600_000), Delete("A.md")])
    memory.erase(SCOPE)
    assert synced == []


def test_private_text_is_in_no_repr(memory: MarkdownProvider) -> None:
    """Of an entry, a hit, a change or a report."""
    report = memory.sync(SCOPE, [Add("USER.md", "topsecret")])
    shown = repr(
        (
            report,
            memory.read(SCOPE, "USER.md"),
            memory.search(SCOPE, "topsecret"),
            memory.list(SCOPE, summaries=True),
            memory.inspect_history(SCOPE),
        )
    )
    assert "topsecret" not in shown


def test_reading_the_history_takes_no_lock(tmp_path: Path) -> None:
    """A plain folder is enough."""
    MarkdownProvider(tmp_path).sync(SCOPE, [Add("A.md", "x")])
    with Root(tmp_path).folder("users", "u1") as folder:
        assert folder is not None
        assert len(read_history(folder, None, max_bytes=99).changes) == 1
