"""What stands between reading a page and replacing it: editors, errors, the cap."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Folder, LineFile, Staged, history, rotation
from ethos_memory.entry import Add, Delete, Remove, Replace, Update
from ethos_memory.errors import (
    DurabilityUnknownError,
    NotWrittenError,
    PageTooLargeError,
    RevisionConflictError,
)
from ethos_memory.providers import writing
from ethos_memory.providers.cap import ARCHIVE, CAP_BYTES
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable

SCOPE = "user:u1"


@pytest.fixture
def memory(tmp_path: Path) -> MarkdownProvider:
    return MarkdownProvider(tmp_path)


@pytest.fixture
def page(memory: MarkdownProvider, tmp_path: Path) -> Path:
    memory.sync(SCOPE, [Add("USER.md", "- one")])
    return tmp_path / "users/u1/USER.md"


def _before(
    monkeypatch: pytest.MonkeyPatch, name: str, step: Callable[[], None]
) -> None:
    """Have something happen just before a system call, the first time."""
    real = getattr(os, name)
    left = [step]

    def call(*args: object, **rest: object) -> object:
        if left and (name != "rename" or args[1] == "USER.md"):
            left.pop()()
        return real(*args, **rest)

    monkeypatch.setattr(os, name, call)


def _append(page: Path, text: str) -> None:
    with page.open("a") as editor:
        editor.write(text)


def _exchange(page: Path, text: str) -> None:
    """Save as most editors do: a new file in the page's place."""
    other = page.with_name("editor.txt")
    other.write_text(text)
    other.replace(page)


def _contents(memory: MarkdownProvider) -> list[str | None]:
    return [change.content for change in memory.history(SCOPE, "USER.md")]


@pytest.mark.parametrize("edit", [_append, _exchange])
def test_an_edit_before_the_last_look_is_taken_up(
    memory: MarkdownProvider,
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    edit: Callable[[Path, str], None],
) -> None:
    """And the history knows no state that never was."""
    stage = Staged.__enter__
    left = [1]

    def staged(self: Staged) -> Staged:
        entered = stage(self)
        if left and self._name == "USER.md":
            left.pop()
            edit(page, "- one\n- editor\n" if edit is _exchange else "- editor\n")
        return entered

    monkeypatch.setattr(Staged, "__enter__", staged)
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n- editor\n\n- two\n"
    assert _contents(memory) == [
        "- one\n- editor\n\n- two\n",
        "- one\n- editor\n",
        "- one\n",
    ]


def test_an_edit_in_place_after_the_last_look_is_taken_up(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's old descriptor still shows what the editor wrote into it."""
    _before(monkeypatch, "rename", partial(_append, page, "- editor\n"))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n- editor\n\n- two\n"
    assert "- one\n- editor\n" in _contents(memory)


@pytest.mark.parametrize("update", [Replace("USER.md", "- new"), Delete("USER.md")])
def test_what_was_destroyed_at_the_last_moment_is_in_the_history(
    memory: MarkdownProvider,
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    update: Update,
) -> None:
    """A replacement means what it says, and is never the end of the old text."""
    name = "unlink" if isinstance(update, Delete) else "rename"
    _before(monkeypatch, name, partial(_append, page, "- editor\n"))
    memory.sync(SCOPE, [update])
    assert page.exists() is not isinstance(update, Delete)
    assert "- one\n- editor\n" in _contents(memory)
    memory.restore(
        SCOPE,
        "USER.md",
        next(
            change.revision
            for change in memory.history(SCOPE)
            if change.content == "- one\n- editor\n"
        ),
    )
    assert page.read_text() == "- one\n- editor\n"


def test_a_page_that_grew_beyond_reading_at_the_last_moment_is_let_go(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is made; to say "too large" now would be a lie."""
    _before(monkeypatch, "rename", partial(_append, page, "x" * 3_000_000))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n\n- two\n"


def test_a_page_that_cannot_be_read_once_more_is_let_go(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the rename: the change is made."""

    def refuse(*_: object) -> bytes:
        raise OSError(5, "input/output error")

    _before(monkeypatch, "rename", lambda: monkeypatch.setattr(os, "pread", refuse))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n\n- two\n"


def test_a_page_saved_anew_with_the_same_text_is_applied_to(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another file."""
    _before(monkeypatch, "fsync", partial(_exchange, page, "- one\n"))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n\n- two\n"
    assert _contents(memory) == ["- one\n\n- two\n", "- one\n"]


def test_a_revision_is_compared_again_when_the_page_changed(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit between the check and the rename is a conflict, not lost."""
    entry = memory.read(SCOPE, "USER.md")
    assert entry is not None
    _before(monkeypatch, "fsync", partial(_append, page, "- editor\n"))
    with pytest.raises(RevisionConflictError) as caught:
        memory.sync(SCOPE, [Replace("USER.md", "x", if_revision=entry.revision)])
    assert caught.value.content == "- one\n- editor\n"
    assert page.read_text() == "- one\n- editor\n"


def test_a_page_that_appears_meanwhile_is_taken_up(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was absent when it was read."""
    page.unlink()
    _before(monkeypatch, "fsync", partial(_exchange, page, "- editor\n"))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- editor\n\n- two\n"


def test_a_page_that_vanishes_meanwhile_is_made(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody deleted it: the addition stands alone."""
    _before(monkeypatch, "fsync", page.unlink)
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- two\n"


def test_a_page_that_never_stands_still_is_an_error(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not an endless loop, and nothing is written over the editor's work."""
    fsync = os.fsync
    count = [0]

    def busy(fd: int) -> None:
        fsync(fd)
        count[0] += 1
        page.write_text(f"- editor {count[0]}\n")

    monkeypatch.setattr(os, "fsync", busy)
    with pytest.raises(NotWrittenError, match="changed every time"):
        memory.sync(SCOPE, [Add("USER.md", "- two")])
    monkeypatch.undo()
    assert page.read_text().startswith("- editor")
    assert _contents(memory) == ["- one\n"]


def test_a_page_touched_but_not_changed_is_not_applied_again(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes count, once the status says that something happened."""
    _before(monkeypatch, "fsync", partial(os.utime, page, ns=(0, 0)))
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n\n- two\n"
    text = (page.parent / "memory-history.jsonl").read_text()
    assert len(text.splitlines()) == 2


def test_a_settled_page_is_compared_by_its_status(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No second reading."""
    os.utime(page, ns=(0, 0))
    monkeypatch.setattr("time.time_ns", lambda: 1 << 62)
    reads: list[str] = []
    read = Folder.read

    def counted(self: Folder, name: str, *, max_bytes: int):  # type: ignore[no-untyped-def]
        reads.append(name)
        return read(self, name, max_bytes=max_bytes)

    monkeypatch.setattr(Folder, "read", counted)
    monkeypatch.setattr(writing, "maintain", lambda *_args, **_rest: None)
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert "USER.md" not in reads
    assert page.read_text() == "- one\n\n- two\n"


@pytest.mark.parametrize("update", [Add("USER.md", "x"), Delete("USER.md")])
def test_a_refused_write_leaves_page_history_and_archive(
    memory: MarkdownProvider,
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    update: Update,
) -> None:
    """The line that was written for it is taken back."""
    before = {path.name: path.read_bytes() for path in page.parent.iterdir()}

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", refuse)
        patch.setattr(os, "unlink", refuse)
        with pytest.raises(NotWrittenError) as caught:
            memory.sync(SCOPE, [update])
    assert caught.value.errno == 28
    memory.sync(SCOPE, [Remove("USER.md", "nothing of the kind")])
    assert {path.name: path.read_bytes() for path in page.parent.iterdir()} == before


def test_what_cannot_be_taken_back_is_found_out(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line stays, and `history` knows that its change never happened."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", refuse)
        patch.setattr(os, "ftruncate", refuse)
        with pytest.raises(NotWrittenError):
            memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert "two" in (page.parent / "memory-history.jsonl").read_text()
    assert _contents(memory) == ["- one\n"]


def test_a_change_that_the_disk_did_not_confirm_is_in_the_history(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It happened."""
    _failing_sync(monkeypatch, number=2)
    with pytest.raises(DurabilityUnknownError):
        memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert page.read_text() == "- one\n\n- two\n"
    page.write_text("- one\n")
    assert _contents(memory) == ["- one\n\n- two\n", "- one\n"]


def _failing_sync(monkeypatch: pytest.MonkeyPatch, *, number: int) -> None:
    fsync = os.fsync
    count = [0]

    def sync(fd: int) -> None:
        count[0] += 1
        if count[0] == number:
            raise OSError(5, "input/output error")
        fsync(fd)

    monkeypatch.setattr(os, "fsync", sync)


@pytest.mark.parametrize("number", range(2, 5))
def test_trouble_with_the_history_is_not_trouble_with_the_page(
    memory: MarkdownProvider,
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    """What only prepares a change is "not written", however far it came."""
    page.write_text("x" * 5000)
    _failing_sync(monkeypatch, number=number)
    with pytest.raises(NotWrittenError):
        memory.sync(SCOPE, [Replace("USER.md", "y")])
    assert page.read_text() == "x" * 5000


def test_a_hint_that_cannot_be_written_costs_nothing(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line counts without it."""

    def refuse(*_: object) -> int:
        raise OSError(5, "input/output error")

    monkeypatch.setattr(os, "pwrite", refuse)
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    assert _contents(memory) == ["- one\n\n- two\n", "- one\n"]


def test_a_journal_moves_before_the_first_change_of_a_batch(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and not for a batch that changes nothing."""
    monkeypatch.setattr(rotation, "LIVE_BYTES", 1)
    memory.sync(SCOPE, [Remove("USER.md", "nothing")])
    months = partial(
        lambda folder: [path.name for path in folder.glob("memory-history-*")],
        page.parent,
    )
    assert months() == []
    memory.sync(SCOPE, [Add("USER.md", "- two"), Add("A.md", "a")])
    assert len(months()) == 1
    assert len((page.parent / "memory-history.jsonl").read_text().splitlines()) == 2


def test_an_unreadable_page_closes_its_descriptor(
    memory: MarkdownProvider, page: Path
) -> None:
    """And the folder's; what else the process has open is others' business."""
    page.write_bytes(b"x" * 3_000_000)
    with pytest.raises(PageTooLargeError):
        memory.sync(SCOPE, [Add("USER.md", "x")])
    opened = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            opened.add(descriptor.readlink())
    assert not opened & {page, page.parent}


def test_a_page_above_the_cap_moves_its_oldest_lines_to_the_archive(
    memory: MarkdownProvider, page: Path
) -> None:
    """Marked as Ethos marks them; the byte-order mark stays with the page."""
    body = "".join(f"{number:06d} {'x' * 50}\r\n" for number in range(9500))
    page.write_bytes(("\ufeff" + body).encode())
    memory.sync(SCOPE, [Add("USER.md", "newest")])
    kept = page.read_bytes().decode()
    assert len(page.read_bytes()) <= CAP_BYTES
    assert kept.startswith("\ufeff0")
    assert kept.endswith("\r\n\r\nnewest\r\n")
    _, comment, moved = (page.parent / ARCHIVE).read_bytes().decode().split("\n", 2)
    assert comment.startswith("<!-- overflow-archived 20")
    assert comment.endswith("Z from USER.md -->")
    assert moved + kept[1:] == body + "\r\nnewest\r\n"


def test_an_archive_is_taken_back_with_its_change(
    memory: MarkdownProvider, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the text would be there twice."""
    page.write_text("line\n" * 120_000)
    with monkeypatch.context() as patch:
        patch.setattr(LineFile, "append", _refuse_second(LineFile.append))
        with pytest.raises(NotWrittenError):
            memory.sync(SCOPE, [Add("USER.md", "x")])
    assert (page.parent / ARCHIVE).read_bytes() == b""
    assert page.read_text() == "line\n" * 120_000


def _refuse_second(real: Callable[..., object]) -> Callable[..., object]:
    calls: list[int] = []

    def call(*args: object, **rest: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise NotWrittenError("journal", cause=OSError(28, "no space left"))
        return real(*args, **rest)

    return call


def test_history_names_an_edit_by_hand_as_such(
    memory: MarkdownProvider, page: Path
) -> None:
    """Its source is nobody's through this library."""
    page.write_text("- by hand\n")
    memory.sync(SCOPE, [Add("USER.md", "- two")])
    sources = [change.source for change in memory.history(SCOPE)]
    assert sources == ["api", history.OUTSIDE, "api"]
