"""Files of an open folder: read, listed, told apart, and never through a link."""

# ruff: noqa: PTH116
# `os` is what the code under test calls.

from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Folder, Root, Signature
from ethos_memory.disk.opening import describe, load
from ethos_memory.errors import PageTooLargeError, UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Root(tmp_path).folder(create=True) as opened:
        yield opened


def test_a_file_is_read_with_its_status(folder: Folder, tmp_path: Path) -> None:
    """Bytes, mode and signature come from one descriptor."""
    page = tmp_path / "M.md"
    page.write_bytes(b"\xff\r\nx")
    page.chmod(0o640)
    stored = folder.read("M.md", max_bytes=4)
    assert stored is not None
    assert stored.data == b"\xff\r\nx"
    assert stored.mode == 0o640
    assert stored.mtime_ns == page.stat().st_mtime_ns
    assert stored.signature == folder.signature("M.md")
    assert "xff" not in repr(stored)


def test_what_is_not_there_is_none(folder: Folder) -> None:
    """For every look."""
    assert folder.read("M.md", max_bytes=1) is None
    assert folder.signature("M.md") is None
    assert folder.status("M.md") is None
    assert folder.open("M.md") is None


def test_a_file_above_the_limit_is_refused(folder: Folder, tmp_path: Path) -> None:
    """Before it is read: a sparse file of a terabyte costs nothing."""
    with (tmp_path / "M.md").open("wb") as page:
        page.truncate(1 << 40)
    with pytest.raises(PageTooLargeError) as caught:
        folder.read("M.md", max_bytes=10)
    assert (caught.value.size, caught.value.limit) == (1 << 40, 10)


def test_a_file_that_grows_while_it_is_read_is_read_whole(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or refused, when it grows beyond the limit."""
    page = tmp_path / "M.md"
    page.write_bytes(b"12")
    fstat = os.fstat

    def growing(fd: int) -> os.stat_result:
        status = fstat(fd)
        page.write_bytes(b"123456")
        return status

    monkeypatch.setattr(os, "fstat", growing)
    stored = folder.read("M.md", max_bytes=6)
    assert stored is not None
    assert stored.data == b"123456"
    page.write_bytes(b"12")
    with pytest.raises(PageTooLargeError):
        folder.read("M.md", max_bytes=5)


def test_a_file_that_shrinks_while_it_is_read_is_what_is_left(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no endless loop."""
    page = tmp_path / "M.md"
    page.write_bytes(b"123456")
    fstat = os.fstat

    def shrinking(fd: int) -> os.stat_result:
        status = fstat(fd)
        page.write_bytes(b"12")
        return status

    monkeypatch.setattr(os, "fstat", shrinking)
    stored = folder.read("M.md", max_bytes=6)
    assert stored is not None
    assert stored.data == b"12"


def test_a_short_read_is_continued(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Network volumes may give less than was asked for."""
    (tmp_path / "M.md").write_bytes(b"123456")
    pread = os.pread
    monkeypatch.setattr(os, "pread", lambda fd, size, at: pread(fd, min(size, 2), at))
    stored = folder.read("M.md", max_bytes=6)
    assert stored is not None
    assert stored.data == b"123456"


def _socket(path: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "link"])
def test_what_is_no_file_is_refused_without_a_hang(
    folder: Folder, tmp_path: Path, kind: str
) -> None:
    """Opening a pipe in the ordinary way would wait for ever."""
    path = tmp_path / "M.md"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        _socket(path)
    else:
        path.symlink_to("/etc/hostname")
    with pytest.raises(UnsafePathError, match=f"a {kind}"):
        folder.read("M.md", max_bytes=9)
    with pytest.raises(UnsafePathError, match=f"a {kind}"):
        folder.signature("M.md")


def test_a_device_is_told_apart(folder: Folder) -> None:
    """Reading /dev/zero would never end."""
    fd = os.open("/dev/zero", os.O_RDONLY)
    try:
        with pytest.raises(UnsafePathError, match="a device, not a page"):
            load(fd, lambda: folder.label, max_bytes=9)
    finally:
        os.close(fd)
    assert describe(os.stat("/dev/null").st_mode) == "a device"


def test_errors_of_the_system_pass(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that may not be read is not an absent one."""
    (tmp_path / "M.md").write_text("")

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "refused")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError):
        folder.read("M.md", max_bytes=9)


def test_a_link_that_goes_away_meanwhile_is_no_page(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and looking."""
    (tmp_path / "M.md").symlink_to("x")
    stat = os.stat

    def late(name: str, **rest: object) -> os.stat_result:
        (tmp_path / "M.md").unlink(missing_ok=True)
        return stat(name, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", late)
    assert folder.read("M.md", max_bytes=9) is None


def test_a_page_that_goes_away_between_two_looks_has_no_signature(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link to nothing by the time it is followed."""
    (tmp_path / "M.md").symlink_to("x")
    monkeypatch.setattr(Folder, "_open_other", lambda _self, _name: None)
    assert folder.signature("M.md") is None


def test_names_are_those_of_files_and_links(folder: Folder, tmp_path: Path) -> None:
    """Sorted; folders, pipes and names that cannot be decoded are left out."""
    for name in ("b.md", "a.md", "ü.md"):
        (tmp_path / name).write_text("")
    (tmp_path / "c.md").symlink_to("nowhere")
    (tmp_path / "d.md").mkdir()
    os.mkfifo(tmp_path / "e.md")
    fd = os.open(os.fsencode(tmp_path) + b"/\xff.md", os.O_CREAT | os.O_WRONLY)
    os.close(fd)
    assert folder.names() == ("a.md", "b.md", "c.md", "ü.md")
    scan = folder.scan()
    assert set(scan) == {"a.md", "b.md", "c.md", "ü.md"}
    assert scan["a.md"] == folder.signature("a.md")
    assert scan["c.md"] is None


def test_what_goes_away_during_a_scan_is_not_there(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer's temporary file is renamed between its name and the look at it."""
    for name in ("a.md", "gone.tmp"):
        (tmp_path / name).touch()
    real = os.scandir

    @contextmanager
    def scandir(fd: int) -> Iterator[list[os.DirEntry[str]]]:
        with real(fd) as entries:
            listed = list(entries)
        (tmp_path / "gone.tmp").unlink()
        yield listed

    monkeypatch.setattr(os, "scandir", scandir)
    assert set(folder.scan()) == {"a.md"}


def test_the_label_is_the_path(folder: Folder, tmp_path: Path) -> None:
    """For messages."""
    assert folder.label == str(tmp_path)
    assert folder.label_of("M.md") == str(tmp_path / "M.md")


def test_a_folder_in_a_folder(folder: Folder, tmp_path: Path) -> None:
    """Opened and made by the same rules."""
    with folder.folder("blobs") as below:
        assert below is None
    with folder.folder("blobs", create=True) as below:
        assert below.label == str(tmp_path / "blobs")
        assert below.is_current()
    (tmp_path / "link").symlink_to("blobs")
    with pytest.raises(UnsafePathError):
        folder.folder("link")


def test_a_folder_is_opened_again_by_its_name(tmp_path: Path) -> None:
    """When another took its place; and it stays when nothing did."""
    with Root(tmp_path).folder("ana", create=True) as folder:
        assert folder.is_current()
    with Root(tmp_path).folder("ana") as opened:
        assert opened is not None
        (tmp_path / "ana").rename(tmp_path / "moved")
        assert not opened.is_current()
        assert not opened.rewalk()
        (tmp_path / "ana").mkdir()
        (tmp_path / "ana" / "M.md").write_text("new")
        assert not opened.is_current()
        assert opened.names() == ()
        assert opened.rewalk()
        assert opened.is_current()
        assert opened.names() == ("M.md",)


def test_a_folder_of_a_root_that_is_gone_is_not_current(tmp_path: Path) -> None:
    """Nothing is left to compare with."""
    with Root(tmp_path / "home").folder("ana", create=True) as folder:
        (tmp_path / "home").rename(tmp_path / "moved")
        assert not folder.is_current()


def test_closing_can_be_repeated(tmp_path: Path) -> None:
    """The number may be another file's by then."""
    folder = Root(tmp_path).folder(create=True)
    folder.close()
    folder.close()


def test_a_fresh_signature_is_not_trusted() -> None:
    """Within a clock tick a file can change twice and look the same."""
    signature = Signature(mtime_ns=100, ctime_ns=1_000_000_000, size=1, ino=1)
    assert not signature.is_settled(1_000_000_000 + 20_000_000)
    assert signature.is_settled(1_000_000_000 + 20_000_001)
    assert not signature.is_settled(0)
