"""Folders that cannot be left."""

# ruff: noqa: PTH208
# `os` is what the code under test calls.

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Root, confine, ignores_case, locked, replace
from ethos_memory.disk.confine import refuse_other_casing
from ethos_memory.errors import UnsafePathError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    """The root itself comes with the first write."""
    root = Root(tmp_path / "home")
    with root.folder("users", "u1") as folder:
        assert folder is None
    with root.folder() as folder:
        assert folder is None
    assert not root.path.exists()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_new_folders_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """The root, its missing parents, and every folder below."""
    before = os.umask(umask)
    try:
        with Root(tmp_path / "a" / "home").folder("users", "u1", create=True):
            pass
    finally:
        os.umask(before)
    for path in ("a", "a/home", "a/home/users", "a/home/users/u1"):
        assert _mode(tmp_path / path) == 0o700


def test_a_umask_that_takes_the_owners_bits_is_overruled(tmp_path: Path) -> None:
    """As far as a folder without them can be opened at all."""
    root = Root(tmp_path)
    before = os.umask(0o277)
    try:
        with root.folder("users", create=True):
            pass
    finally:
        os.umask(before)
    assert _mode(tmp_path / "users") == 0o700


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    """The operator may share it with a group."""
    (tmp_path / "users").mkdir()
    (tmp_path / "users").chmod(0o750)
    with Root(tmp_path).folder("users", "u1", create=True):
        pass
    assert _mode(tmp_path / "users") == 0o750


def test_a_linked_root_is_resolved_once(tmp_path: Path) -> None:
    """Dotfiles: the root is a link, and what it led to at first is kept."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    root = Root(tmp_path / "link")
    assert root.path == tmp_path.resolve() / "real"
    (tmp_path / "other").mkdir()
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("other")
    with root.folder("users", create=True):
        pass
    assert (tmp_path / "real" / "users").is_dir()
    assert not any((tmp_path / "other").iterdir())


def test_a_root_that_was_exchanged_is_opened_anew(tmp_path: Path) -> None:
    """A restored backup is read, not the folder that was moved away."""
    home = tmp_path / "home"
    root = Root(home)
    with root.folder("old", create=True):
        pass
    home.rename(tmp_path / "moved")
    with root.folder("old") as folder:
        assert folder is None
    (home / "new").mkdir(parents=True)
    with root.folder("new") as folder:
        assert folder is not None
    with root.folder("old") as folder:
        assert folder is None


@pytest.mark.parametrize("kind", ["file", "link", "pipe"])
def test_a_root_that_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    """A link that takes the resolved root's place is not followed."""
    root = Root(tmp_path / "home")
    if kind == "file":
        root.path.write_text("")
    elif kind == "link":
        root.path.symlink_to(tmp_path)
    else:
        os.mkfifo(root.path)
    with pytest.raises(UnsafePathError, match=r"home: a .*, not a folder"):
        root.folder("users")


def test_a_root_behind_a_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    """The parents of the root are the operator's."""
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        Root(tmp_path / "file" / "home").folder("users")


def test_a_closed_root_opens_nothing(tmp_path: Path) -> None:
    """Closing can be repeated; a folder that is open stays open."""
    root = Root(tmp_path)
    with root.folder() as folder:
        root.close()
        root.close()
        assert folder is not None
        assert folder.names() == ()
        with pytest.raises(ValueError, match="closed"):
            root.folder()


def test_windows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no calls that are relative to a descriptor."""
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(UnsupportedError):
        Root(tmp_path)


def test_descriptors_are_closed(tmp_path: Path) -> None:
    """However a walk ends."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    root = Root(tmp_path)
    for names in ((), ("users",), ("users", "u1"), ("none",)):
        with root.folder(*names, create=names != ("none",)):
            pass
    for name in ("file", "link"):
        with pytest.raises(UnsafePathError):
            root.folder(name, "below", create=True)
    root.close()
    del root
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("target", [".", "missing", "link", "/etc", "/proc/self/root"])
def test_a_linked_folder_is_refused(tmp_path: Path, target: str) -> None:
    """Existing, dangling, circular or magic; the error names the way out."""
    (tmp_path / "link").symlink_to(target)
    for names in (("link",), ("link", "u1")):
        with pytest.raises(UnsafePathError, match=r"link: a link.*trusted_links"):
            Root(tmp_path).folder(*names, create=True)


@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_what_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    """The error says what it is."""
    if kind == "file":
        (tmp_path / "users").write_text("")
    else:
        os.mkfifo(tmp_path / "users")
    with pytest.raises(UnsafePathError, match=f"a {kind}, not a folder"):
        Root(tmp_path).folder("users", "u1", create=True)


def test_errors_of_the_system_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many open files is not "no such folder"."""
    root = Root(tmp_path)
    with root.folder():
        pass
    monkeypatch.setattr(os, "open", _refusing(24))
    with pytest.raises(OSError, match="24"):
        root.folder("users")


def _refusing(number: int):  # type: ignore[no-untyped-def]
    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, "refused")

    return refuse


def test_another_casing_of_a_folder_is_not_made(tmp_path: Path) -> None:
    """On any volume: a copy of the home may land on one that ignores case."""
    root = Root(tmp_path)
    with root.folder("users", "Ana_b", create=True):
        pass
    with pytest.raises(UnsafePathError, match="only in case"):
        root.folder("users", "ana_b", create=True)
    assert os.listdir(tmp_path / "users") == ["Ana_b"]


def test_of_two_casings_made_at_once_none_wins_silently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look, after making, finds the one that came in between."""
    looks: list[str] = []

    def late(parent: int, path: tuple[str, ...], *, undo: bool = False) -> None:
        if not looks:
            (tmp_path / path[-1].upper()).mkdir()
        else:
            refuse_other_casing(parent, path, undo=undo)
        looks.append(path[-1])

    monkeypatch.setattr(confine, "refuse_other_casing", late)
    with pytest.raises(UnsafePathError, match="only in case"):
        Root(tmp_path).folder("ana", create=True)
    assert os.listdir(tmp_path) == ["ANA"]


def test_a_folder_made_by_somebody_else_meanwhile_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two first writes at once."""

    def late(_parent: int, path: tuple[str, ...], *, undo: bool = False) -> None:
        assert not undo
        (tmp_path / path[-1]).mkdir(exist_ok=True)

    monkeypatch.setattr(confine, "refuse_other_casing", late)
    with Root(tmp_path).folder("ana", create=True) as folder:
        assert folder.names() == ()


def test_a_folder_that_is_erased_again_and_again_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not an endless loop."""
    root = Root(tmp_path)
    made: list[str] = []

    def make(_parent: int, path: tuple[str, ...]) -> bool:
        made.append(path[-1])
        return True

    monkeypatch.setattr(confine, "_make", make)
    with pytest.raises(FileNotFoundError):
        root.folder("ana", create=True)
    assert 1 < len(made) < 20


def test_a_parent_that_appears_meanwhile_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes start at once in a new home."""
    mkdir = os.mkdir

    def late(path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        mkdir(path, mode, dir_fd=dir_fd)
        if dir_fd is None:
            mkdir(path, mode)

    monkeypatch.setattr(os, "mkdir", late)
    with Root(tmp_path / "a" / "b").folder("users", create=True):
        pass


class _CaseIgnored:
    """A volume that ignores case, for one stored name."""

    def __init__(self, stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._stored = stored
        self._open = os.open
        self._stat = os.stat
        monkeypatch.setattr(os, "open", self.open)
        monkeypatch.setattr(os, "stat", self.stat)

    def _real(self, name: object) -> object:
        folded = isinstance(name, str) and name.lower() == self._stored.lower()
        return self._stored if folded else name

    def open(self, name: object, *args: int, dir_fd: int | None = None) -> int:
        return self._open(self._real(name), *args, dir_fd=dir_fd)  # type: ignore[arg-type]

    def stat(self, name: object, **rest: object) -> os.stat_result:
        return self._stat(self._real(name), **rest)  # type: ignore[arg-type]


def test_where_case_is_ignored_the_stored_name_must_be_the_asked_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else `user:Ana` would read what `user:ana` keeps."""
    (tmp_path / "ana").mkdir()
    _CaseIgnored("ana", monkeypatch)
    root = Root(tmp_path)
    with root.folder("ana") as folder:
        assert folder is not None
    with pytest.raises(UnsafePathError, match="only in case"):
        root.folder("Ana")
    with pytest.raises(UnsafePathError, match="only in case"):
        root.folder("ANA", create=True)


def test_where_case_is_ignored_pages_are_compared_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root is asked once what kind of volume it is on."""
    asked: list[str] = []

    def probe(_fd: int, name: str) -> bool:
        asked.append(name)
        return True

    root = Root(tmp_path, probe=probe)
    with root.folder("ana", create=True) as folder, locked(folder):
        replace(folder, "Notes.md", b"x")
        _CaseIgnored("Notes.md", monkeypatch)
        assert folder.read("Notes.md", max_bytes=9) is not None
        with pytest.raises(UnsafePathError, match="only in case"):
            folder.read("notes.md", max_bytes=9)
    assert asked == ["ana"]


def test_this_volume_minds_case(tmp_path: Path) -> None:
    """The probe looks for the name in another casing."""
    (tmp_path / "users").mkdir()
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert not ignores_case(fd, "users")
    finally:
        os.close(fd)


def test_two_casings_on_a_volume_that_minds_case_are_no_sign(tmp_path: Path) -> None:
    """Both names are there, and are not the same folder."""
    (tmp_path / "users").mkdir()
    (tmp_path / "USERS").mkdir()
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert not ignores_case(fd, "users")
    finally:
        os.close(fd)
