"""Old bytes or new, never half, and said when the disk did not confirm."""

# ruff: noqa: PTH208
# `os` is what the code under test calls.

from __future__ import annotations

import errno
import fcntl
import os
import sys
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import (
    Folder,
    LineFile,
    Root,
    Staged,
    append_line,
    locked,
    remove,
    replace,
    writing,
)
from ethos_memory.disk.append import Appended
from ethos_memory.disk.opening import flush
from ethos_memory.errors import (
    DurabilityUnknownError,
    InvalidKeyError,
    NotWrittenError,
    UnsafePathError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Root(tmp_path).folder(create=True) as opened, locked(opened):
        yield opened


class Calls:
    """Records the system calls of a write, and fails the ones it is told to."""

    NAMES = ("open", "write", "fchmod", "fsync", "rename", "unlink", "ftruncate")

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.fail: dict[str, int] = {}
        for name in self.NAMES:
            monkeypatch.setattr(os, name, self._wrap(name, getattr(os, name)))

    def _wrap(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **rest: object) -> object:
            self.made.append(name)
            if self.fail.get(name) == self.made.count(name):
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(*args, **rest)

        return call


def test_a_write_syncs_the_file_and_then_the_folder(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this order: each shorter way lost writes in simulated power cuts."""
    calls = Calls(monkeypatch)
    replace(folder, "M.md", b"new")
    wanted = [call for call in calls.made if call in ("write", "fsync", "rename")]
    assert wanted == ["write", "fsync", "rename", "fsync"]


def test_a_fast_write_skips_the_syncs_only(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never the rename."""
    calls = Calls(monkeypatch)
    replace(folder, "M.md", b"new", durability="fast")
    assert "fsync" not in calls.made
    assert "rename" in calls.made
    assert remove(folder, "M.md", durability="fast")
    assert "fsync" not in calls.made


@pytest.mark.parametrize(
    ("call", "number"),
    [("open", 1), ("fchmod", 1), ("write", 1), ("fsync", 1), ("rename", 1)],
)
@pytest.mark.parametrize("old", [b"old", None])
def test_an_error_before_the_rename_leaves_the_old_bytes_and_no_trace(
    folder: Folder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    call: str,
    number: int,
    old: bytes | None,
) -> None:
    """Typed, with the system's number; the next write succeeds."""
    if old is not None:
        (tmp_path / "M.md").write_bytes(old)
    calls = Calls(monkeypatch)
    calls.fail = {call: number}
    with pytest.raises(NotWrittenError) as caught:
        replace(folder, "M.md", b"new")
    assert caught.value.errno == errno.EIO
    assert caught.value.path == str(tmp_path / "M.md")
    calls.fail = {}
    stored = folder.read("M.md", max_bytes=9)
    assert (stored and stored.data) == old
    assert folder.names() == (("M.md",) if old is not None else ())
    replace(folder, "M.md", b"new")
    assert (tmp_path / "M.md").read_bytes() == b"new"


def test_an_error_after_the_rename_says_that_the_new_bytes_are_there(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Visible, and perhaps not for good."""
    calls = Calls(monkeypatch)
    calls.fail = {"fsync": 2}
    with pytest.raises(DurabilityUnknownError) as caught:
        replace(folder, "M.md", b"new")
    assert caught.value.committed
    assert (tmp_path / "M.md").read_bytes() == b"new"
    calls.made.clear()
    calls.fail = {"fsync": 1}
    with pytest.raises(DurabilityUnknownError):
        remove(folder, "M.md")
    assert folder.names() == ()


def test_a_short_write_is_continued(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk may take a part first."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
    replace(folder, "M.md", b"1234567890")
    append_line(folder, "j", b"1234567890", synced=False)
    assert (tmp_path / "M.md").read_bytes() == b"1234567890"
    assert (tmp_path / "j").read_bytes() == b"1234567890\n"


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777])
def test_a_new_file_is_private_whatever_the_umask(
    folder: Folder, tmp_path: Path, umask: int
) -> None:
    """Journals as well."""
    before = os.umask(umask)
    try:
        replace(folder, "M.md", b"")
        append_line(folder, "j", b"", synced=False)
    finally:
        os.umask(before)
    for name in ("M.md", "j"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o400, 0o640, 0o666])
def test_a_file_keeps_its_mode(folder: Folder, tmp_path: Path, mode: int) -> None:
    """Unless another one is asked for."""
    (tmp_path / "M.md").write_bytes(b"")
    (tmp_path / "M.md").chmod(mode)
    replace(folder, "M.md", b"x")
    assert (tmp_path / "M.md").stat().st_mode & 0o777 == mode
    replace(folder, "M.md", b"x", mode=0o644)
    assert (tmp_path / "M.md").stat().st_mode & 0o777 == 0o644
    replace(folder, "N.md", b"x", mode=0o644)
    assert (tmp_path / "N.md").stat().st_mode & 0o777 == 0o644


def test_a_file_keeps_its_owner(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator's root shell must not take a person's page away."""
    (tmp_path / "M.md").write_bytes(b"")
    (tmp_path / "M.md").chmod(0o660)
    status = folder.status("M.md")
    assert status is not None
    other = os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))
    monkeypatch.setattr(Folder, "status", lambda _self, _name: other)
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "fchown", lambda _fd, uid, gid: given.append((uid, gid)))
    replace(folder, "M.md", b"x")
    assert given == [(status.st_uid + 1, status.st_gid)]
    assert (tmp_path / "M.md").stat().st_mode & 0o777 == 0o660

    def refuse(*_: object) -> None:
        raise PermissionError(1, "refused")

    monkeypatch.setattr(os, "fchown", refuse)
    replace(folder, "M.md", b"x")
    assert (tmp_path / "M.md").stat().st_mode & 0o777 == 0o600


def test_a_hard_link_is_broken_and_its_other_name_keeps_the_bytes(
    folder: Folder, tmp_path: Path
) -> None:
    """Nothing is written in place: a backup may share the file."""
    for name in ("M.md", "j"):
        (tmp_path / name).write_bytes(b"old\n")
        (tmp_path / f"{name}.backup").hardlink_to(tmp_path / name)
    replace(folder, "M.md", b"new")
    append_line(folder, "j", b"new", synced=True)
    assert (tmp_path / "j").read_bytes() == b"old\nnew\n"
    for name in ("M.md", "j"):
        assert (tmp_path / f"{name}.backup").read_bytes() == b"old\n"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_is_no_file_is_not_written(
    folder: Folder, tmp_path: Path, kind: str
) -> None:
    """Not replaced, not removed, not appended to."""
    path = tmp_path / "M.md"
    if kind == "link":
        path.symlink_to(tmp_path / "victim")
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    for call in (
        lambda: replace(folder, "M.md", b"x"),
        lambda: remove(folder, "M.md"),
        lambda: append_line(folder, "M.md", b"x", synced=False),
    ):
        with pytest.raises(UnsafePathError, match=f"a {kind}"):
            call()
    assert os.listdir(tmp_path) == ["M.md"]


def test_another_casing_is_not_made(folder: Folder, tmp_path: Path) -> None:
    """On any volume."""
    replace(folder, "Notes.md", b"")
    with pytest.raises(UnsafePathError, match="only in case"):
        replace(folder, "notes.md", b"x")
    with pytest.raises(UnsafePathError, match="only in case"):
        append_line(folder, "NOTES.md", b"x", synced=False)
    assert os.listdir(tmp_path) == ["Notes.md"]


def test_removing_tells_whether_there_was_a_file(folder: Folder) -> None:
    """A file that is not there is no error."""
    replace(folder, "M.md", b"")
    assert remove(folder, "M.md")
    assert not remove(folder, "M.md")


def test_a_line_never_joins_half_a_line(folder: Folder, tmp_path: Path) -> None:
    """A crash may leave one without its end."""
    append_line(folder, "j", b"one", synced=True)
    with (tmp_path / "j").open("ab") as journal:
        journal.write(b"half")
    with LineFile(folder, "j") as journal:
        assert journal.append(b"two", synced=False) == Appended(8, 13)
        assert journal.append(b"three", synced=False) == Appended(13, 19)
        assert (tmp_path / "j").read_bytes() == b"one\nhalf\ntwo\nthree\n"
        assert (journal.size(), journal.head(3)) == (19, b"one")
        journal.overwrite(b"T", at=9)
        journal.truncate(13)
    assert (tmp_path / "j").read_bytes() == b"one\nhalf\nTwo\n"


def test_a_new_journal_is_durable_with_its_folder(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name must survive as well; later only the line."""
    calls = Calls(monkeypatch)
    append_line(folder, "j", b"one", synced=True)
    assert calls.made.count("fsync") == 2
    append_line(folder, "j", b"two", synced=True)
    assert calls.made.count("fsync") == 3


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_line_that_fails_leaves_no_half(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """It is taken back, if the disk still allows that much."""
    append_line(folder, "j", b"one", synced=False)
    calls = Calls(monkeypatch)
    calls.fail = {call: 1}
    with pytest.raises(NotWrittenError):
        append_line(folder, "j", b"two", synced=True)
    assert (tmp_path / "j").read_bytes() == b"one\n"
    calls.made.clear()
    calls.fail = {call: 1, "ftruncate": 1}
    with pytest.raises(NotWrittenError):
        append_line(folder, "j", b"two", synced=True)


def test_a_journal_behind_a_trusted_link_is_appended_to(tmp_path: Path) -> None:
    """The link stays, and the target's folder is locked meanwhile."""
    (tmp_path / "home").mkdir()
    (tmp_path / "ext").mkdir()
    (tmp_path / "ext/j").write_bytes(b"one\n")
    (tmp_path / "home/j").symlink_to(tmp_path / "ext/j")
    root = Root(tmp_path / "home", trusted_links=[tmp_path / "ext"])
    with root.folder(create=True) as home, locked(home):
        append_line(home, "j", b"two", synced=True)
    assert (tmp_path / "home/j").is_symlink()
    assert (tmp_path / "ext/j").read_bytes() == b"one\ntwo\n"


def test_a_journal_that_may_not_be_opened_is_an_error(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a missing one."""
    (tmp_path / "j").write_bytes(b"one\n")
    calls = Calls(monkeypatch)
    calls.fail = {"open": 1}
    with pytest.raises(NotWrittenError):
        append_line(folder, "j", b"two", synced=False)


def test_a_journal_that_was_being_opened_when_a_person_stopped_it_is_closed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what stopped it is passed on as it is."""
    append_line(folder, "j", b"one", synced=False)
    before = len(os.listdir("/dev/fd"))

    def stop(_fd: int) -> os.stat_result:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", stop)
        with pytest.raises(KeyboardInterrupt):
            append_line(folder, "j", b"two", synced=False)
    assert len(os.listdir("/dev/fd")) == before


def test_a_block_without_commit_leaves_no_trace(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the temporary file cannot be removed any more."""
    with Staged(folder, "M.md", b"x"):
        assert len(os.listdir(tmp_path)) == 1
    assert os.listdir(tmp_path) == []
    calls = Calls(monkeypatch)
    calls.fail = {"unlink": 1}
    with Staged(folder, "M.md", b"x"):
        pass
    assert folder.read("M.md", max_bytes=1) is None


def test_errors_inside_a_block_are_typed_once() -> None:
    """Ours pass as they are, whatever else they are."""
    with pytest.raises(NotWrittenError, match="here"), writing("here"):
        raise PermissionError(errno.EPERM, "refused")
    with pytest.raises(InvalidKeyError), writing("here"):
        raise InvalidKeyError("x", "y")


def test_macos_flushes_the_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `fsync` does not."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda fd, what: asked.append((fd, what)))
    flush(7)
    assert asked == [(7, 51)]
