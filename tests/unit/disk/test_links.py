"""Links that the operator allowed, and those that nobody can allow."""

# ruff: noqa: PTH208
# `os` is what the code under test calls.

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Folder, Root, locked, remove, replace, through
from ethos_memory.disk.links import TrustedLinks
from ethos_memory.errors import NotWrittenError, ScopeLockedError, UnsafePathError

if TYPE_CHECKING:
    from pathlib import Path


class Home:
    """A home with one scope, and a folder outside that is trusted."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"
        self.outside = tmp_path / "ext"
        self.scope = self.home / "users" / "u1"
        self.scope.mkdir(parents=True)
        self.outside.mkdir()
        self.root = Root(self.home, trusted_links=[self.outside])

    def folder(self, *names: str) -> Folder:
        return self.root.folder(*(names or ("users", "u1")), create=True)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_linked_page_is_read_and_written_through(home: Home) -> None:
    """The target changes, the link stays, the mode with it."""
    real = home.outside / "real.md"
    real.write_text("old")
    real.chmod(0o640)
    (home.scope / "USER.md").symlink_to(real)
    with home.folder() as folder, locked(folder):
        stored = folder.read("USER.md", max_bytes=9)
        assert stored is not None
        assert stored.data == b"old"
        assert folder.signature("USER.md") == stored.signature
        replace(folder, "USER.md", b"new")
    assert (home.scope / "USER.md").readlink() == real
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640
    assert os.listdir(home.outside) == ["real.md"]


def test_removing_a_linked_page_takes_text_and_link(home: Home) -> None:
    """A link to nothing could be neither read nor written."""
    (home.outside / "real.md").write_text("old")
    (home.scope / "USER.md").symlink_to(home.outside / "real.md")
    with home.folder() as folder, locked(folder):
        assert remove(folder, "USER.md")
        assert not remove(folder, "USER.md")
    assert os.listdir(home.scope) == []
    assert os.listdir(home.outside) == []


def test_a_linked_folder_is_walked_through(home: Home) -> None:
    """A scope kept elsewhere, also when it is the trusted folder itself."""
    (home.outside / "u2").mkdir()
    (home.home / "users" / "u2").symlink_to(home.outside / "u2")
    with home.folder("users", "u2") as folder, locked(folder):
        replace(folder, "M.md", b"x")
        assert folder.is_current()
    assert (home.outside / "u2" / "M.md").read_text() == "x"
    (home.home / "users" / "u2").unlink()
    (home.home / "users" / "u2").symlink_to(home.outside)
    with home.folder("users", "u2") as folder:
        assert folder.label.endswith("users/u2")
        with folder.folder("u2") as below:
            assert below is not None


def test_a_linked_folder_must_be_one(home: Home) -> None:
    """The error names the link."""
    (home.outside / "file").write_text("")
    (home.home / "users" / "u2").symlink_to(home.outside / "file")
    with pytest.raises(UnsafePathError, match="u2: a link that leads to no folder"):
        home.folder("users", "u2")


@pytest.mark.parametrize("target", ["missing.md", "USER.md", "../../../ext/none.md"])
def test_a_link_to_nothing_is_refused(home: Home, target: str) -> None:
    """Dangling or circular; nothing is made."""
    (home.scope / "USER.md").symlink_to(target)
    with home.folder() as folder, locked(folder):
        with pytest.raises(UnsafePathError, match="leads nowhere"):
            folder.read("USER.md", max_bytes=9)
        with pytest.raises(UnsafePathError, match="leads nowhere"):
            replace(folder, "USER.md", b"x")
    assert os.listdir(home.scope) == ["USER.md"]
    assert os.listdir(home.outside) == []


def test_a_link_beside_the_trusted_folder_is_refused(
    home: Home, tmp_path: Path
) -> None:
    """`ext-evil` is not below `ext`."""
    evil = tmp_path / "ext-evil"
    evil.mkdir()
    (evil / "M.md").write_text("secret")
    (home.scope / "M.md").symlink_to(evil / "M.md")
    with home.folder() as folder, pytest.raises(UnsafePathError, match="trusted_links"):
        folder.read("M.md", max_bytes=9)


def test_a_link_out_of_the_trusted_folder_is_refused(
    home: Home, tmp_path: Path
) -> None:
    """What counts is where it ends."""
    (tmp_path / "secret.md").write_text("secret")
    (home.outside / "on.md").symlink_to(tmp_path / "secret.md")
    (home.scope / "M.md").symlink_to(home.outside / "on.md")
    with home.folder() as folder, pytest.raises(UnsafePathError):
        folder.read("M.md", max_bytes=9)


@pytest.mark.parametrize("trusted", [".", "home", "home/users"])
def test_a_link_into_another_scope_is_refused_whatever_is_trusted(
    tmp_path: Path, trusted: str
) -> None:
    """Even when the operator trusts the home itself."""
    home = Home(tmp_path)
    other = home.home / "users" / "u2"
    other.mkdir()
    (other / "M.md").write_text("private")
    (home.scope / "M.md").symlink_to("../u2/M.md")
    (home.home / "users" / "u3").symlink_to("u2")
    root = Root(home.home, trusted_links=[tmp_path / trusted])
    with (
        root.folder("users", "u1", create=True) as folder,
        pytest.raises(UnsafePathError, match="into another"),
    ):
        folder.read("M.md", max_bytes=9)
    with pytest.raises(UnsafePathError, match="into another"):
        root.folder("users", "u3")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("real.md", "real.md"),
        ("folder/real.md", "folder"),
        ("folder", "folder/below"),
    ],
)
def test_two_scopes_cannot_be_linked_to_one_place(
    home: Home, one: str, other: str
) -> None:
    """Else one scope would write into the other by way of the outside."""
    (home.outside / "folder" / "below").mkdir(parents=True)
    for name in ("real.md", "folder/real.md"):
        (home.outside / name).write_text("")
    for scope, target in (("u1", one), ("u2", other)):
        path = home.home / "users" / scope
        if target.endswith(".md"):
            path.mkdir(exist_ok=True)
            path = path / "M.md"
        elif path.is_dir():
            path.rmdir()
        path.symlink_to(home.outside / target)
    with pytest.raises(UnsafePathError, match=r"what .*u2.* leads to as well"):
        _read(home, "u1")
    with pytest.raises(UnsafePathError, match=r"what .*u1.* leads to as well"):
        _read(home, "u2")


def _read(home: Home, scope: str) -> None:
    with home.folder("users", scope) as folder:
        folder.read("M.md", max_bytes=9)


def test_links_of_teams_and_of_kinds_count_as_well(home: Home) -> None:
    """A team's pages stand one folder further down."""
    (home.outside / "real.md").write_text("")
    (home.scope / "M.md").symlink_to(home.outside / "real.md")
    team = home.home / "teams" / "t" / "memory"
    team.mkdir(parents=True)
    (team / "plain.md").write_text("")
    (team / "M.md").symlink_to(home.outside / "real.md")
    with home.folder() as folder, pytest.raises(UnsafePathError, match="teams"):
        folder.read("M.md", max_bytes=9)
    (team / "M.md").unlink()
    (home.home / "personalities").symlink_to(home.outside)
    with home.folder() as folder, pytest.raises(UnsafePathError, match="personalities"):
        folder.read("M.md", max_bytes=9)


def test_two_pages_of_one_scope_may_lead_to_one_place(home: Home) -> None:
    """It is the same person's memory."""
    (home.outside / "real.md").write_text("x")
    for name in ("M.md", "N.md"):
        (home.scope / name).symlink_to(home.outside / "real.md")
    with home.folder() as folder:
        for _ in range(2):
            assert folder.read("M.md", max_bytes=9) is not None
            assert folder.read("N.md", max_bytes=9) is not None


def test_links_of_other_scopes_to_other_places_disturb_nobody(home: Home) -> None:
    """Everybody may have a page in the same outside folder."""
    for number in (1, 2):
        (home.outside / f"real{number}.md").write_text("x")
        scope = home.home / "users" / f"u{number}"
        scope.mkdir(exist_ok=True)
        (scope / "M.md").symlink_to(home.outside / f"real{number}.md")
    _read(home, "u1")
    _read(home, "u2")


def test_the_links_of_a_linked_kind_are_their_own_business(home: Home) -> None:
    """A bad link in one scope refuses that page, not everybody."""
    users = home.outside / "users"
    (users / "u1").mkdir(parents=True)
    (users / "u2").mkdir()
    (users / "u2" / "M.md").write_text("x")
    (users / "u1" / "M.md").symlink_to("../u2/M.md")
    (home.scope).rmdir()
    (home.home / "users").rmdir()
    (home.home / "users").symlink_to(users)
    with home.folder("users", "u2") as folder:
        assert folder.read("M.md", max_bytes=9) is not None
    with home.folder("users", "u1") as folder, pytest.raises(UnsafePathError):
        folder.read("M.md", max_bytes=9)


def test_the_home_under_another_name_is_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bind mount of the home below the trusted folder."""
    mounted = home.outside / "mount"
    mounted.mkdir()
    (mounted / "M.md").write_text("")
    (home.scope / "M.md").symlink_to(mounted / "M.md")
    monkeypatch.setattr(os.path, "samestat", lambda _one, _other: True)
    with home.folder() as folder, pytest.raises(UnsafePathError, match="into another"):
        folder.read("M.md", max_bytes=9)


def test_a_home_that_is_gone_is_under_no_other_name(tmp_path: Path) -> None:
    """Nothing to compare with."""
    (tmp_path / "ext" / "a").mkdir(parents=True)
    (tmp_path / "ext" / "a" / "M.md").write_text("")
    (tmp_path / "link").symlink_to("ext/a/M.md")
    trusted = TrustedLinks([tmp_path / "ext"], root=str(tmp_path / "none"))
    fd, path, leaf = trusted.open_parent(str(tmp_path / "link"))
    os.close(fd)
    assert (path, leaf) == (str(tmp_path / "ext" / "a"), "M.md")


@pytest.mark.parametrize("victim", ["folder", "leaf", "errno"])
def test_a_target_that_is_swapped_while_it_is_followed_leads_nowhere(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    """The path that was resolved is a hint; the walk follows no link."""
    folder = home.outside / "folder"
    folder.mkdir()
    (folder / "real.md").write_text("fine")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "real.md").write_text("secret")
    (home.scope / "M.md").symlink_to(folder / "real.md")
    resolve = TrustedLinks._resolve

    def swap(trusted: TrustedLinks, link: str) -> str:
        target = resolve(trusted, link)
        if victim == "leaf":
            (folder / "real.md").unlink()
            (folder / "real.md").symlink_to(secret / "real.md")
        else:
            folder.rename(home.outside / "away")
            if victim == "folder":
                folder.symlink_to(secret)
        return target

    monkeypatch.setattr(TrustedLinks, "_resolve", swap)
    error = FileNotFoundError if victim == "errno" else UnsafePathError
    with home.folder() as opened, pytest.raises(error):
        opened.read("M.md", max_bytes=9)


def test_the_targets_folder_is_locked_as_well(home: Home) -> None:
    """Two homes may be linked to one page."""
    (home.outside / "real.md").write_text("")
    (home.scope / "M.md").symlink_to(home.outside / "real.md")
    with (
        Root(home.outside).folder(create=True) as target,
        locked(target),
        home.folder() as folder,
        pytest.raises(ScopeLockedError),
        through(folder, "M.md", timeout_seconds=0),
    ):
        pass


def test_a_target_that_moves_before_it_is_locked_is_followed_again(home: Home) -> None:
    """The folder behind the link is compared with its name like any other."""
    (home.outside / "a").mkdir()
    (home.outside / "a" / "real.md").write_text("")
    (home.scope / "M.md").symlink_to(home.outside / "a" / "real.md")
    with home.folder() as folder:
        target, leaf = folder.target("M.md")
        with target:
            assert (leaf, target.is_current()) == ("real.md", True)
            (home.outside / "a").rename(home.outside / "b")
            with pytest.raises(UnsafePathError), locked(target):
                pass


def test_a_link_that_cannot_be_removed_is_an_error(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And named."""
    (home.outside / "real.md").write_text("")
    (home.scope / "M.md").symlink_to(home.outside / "real.md")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "refused")

    with home.folder() as folder, locked(folder):
        monkeypatch.setattr(os, "unlink", refuse)
        with pytest.raises(NotWrittenError, match=r"M\.md"):
            remove(folder, "M.md")
