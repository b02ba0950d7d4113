"""The look at a real home: nothing is followed, nothing hangs, nothing changes."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from ethos_memory.cli.doctor.view import look
from ethos_memory.errors import UnsafePathError


def never(_: int, __: str) -> bool:
    return False


def paths(root: Path) -> list[str]:
    return [node.path for node in look(str(root)).nodes]


def test_no_home_is_no_nodes(tmp_path: Path) -> None:
    """And it is not made."""
    root = tmp_path / "home"
    seen = look(str(root))
    assert (seen.path, seen.nodes) == (str(root), ())
    assert seen.read(("config.yaml",)) == b""
    assert not root.exists()


def test_a_look_goes_where_memory_is_and_nowhere_else(tmp_path: Path) -> None:
    """Ethos keeps much more in its home."""
    for name in (
        "config.yaml",
        "sessions.db",
        "skills/s/SKILL.md",
        "users/identity-map.json",
        "users/u/MEMORY.md",
        "users/u/history-blobs/0.md",
        "users/u/history-blobs/deeper/1.md",
        "users/u/other/2.md",
        "personalities/ops/SOUL.md",
        "teams/t/memory/roof.md",
        "teams/t/other/3.md",
        "teams/t/config.yaml",
        "memory-sessions.db",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert paths(tmp_path) == [
        "",
        "config.yaml",
        "memory-sessions.db",
        "personalities",
        "teams",
        "users",
        "personalities/ops",
        "teams/t",
        "users/identity-map.json",
        "users/u",
        "personalities/ops/SOUL.md",
        "teams/t/memory",
        "users/u/MEMORY.md",
        "users/u/history-blobs",
        "users/u/other",
        "teams/t/memory/roof.md",
        "users/u/history-blobs/0.md",
        "users/u/history-blobs/deeper",
    ]


def test_a_node_has_what_the_system_says_of_it(tmp_path: Path) -> None:
    """Mode, owner, size and time."""
    page = tmp_path / "users/u/MEMORY.md"
    page.parent.mkdir(parents=True)
    page.write_text("- tea\n")
    page.chmod(0o640)
    os.utime(page, (1000, 1000))
    seen = look(str(tmp_path))
    node = seen.named("users", "u", "MEMORY.md")
    assert node is not None
    assert node.is_file
    assert stat.S_IMODE(node.mode) == 0o640
    assert (node.uid, node.size, node.mtime) == (os.getuid(), 6, 1000)
    assert seen.read(node.parts) == b"- tea\n"
    assert seen.read(("users", "u", "GONE.md")) == b""
    assert (seen.level(0)[0].name, node.name) == ("", "MEMORY.md")


def test_links_are_seen_and_not_followed(tmp_path: Path) -> None:
    """A folder, a page, one that leads nowhere, one that leads to itself."""
    ext = tmp_path / "ext"
    (ext / "u2").mkdir(parents=True)
    (ext / "u2/USER.md").touch()
    (ext / "real.md").touch()
    root = tmp_path / "home"
    (root / "users/u1").mkdir(parents=True)
    (root / "users/u2").symlink_to(ext / "u2")
    for name, target in (
        ("A.md", ext / "real.md"),
        ("B.md", Path("missing.md")),
        ("C.md", Path("C.md")),
    ):
        (root / "users/u1" / name).symlink_to(target)
    seen = look(str(root), trusted_links=[str(ext)])
    links = {node.path: node for node in seen.nodes if node.is_link}
    assert sorted(links) == [
        "users/u1/A.md",
        "users/u1/B.md",
        "users/u1/C.md",
        "users/u2",
    ]
    assert links["users/u1/B.md"].target == "missing.md"
    trusted = [path for path, node in links.items() if node.is_trusted]
    assert trusted == ["users/u2", "users/u1/A.md"]
    assert seen.named("users", "u2", "USER.md") is None


def test_what_is_no_file_does_not_hang_a_look(tmp_path: Path) -> None:
    """A pipe would block a reader, a socket cannot be opened."""
    folder = tmp_path / "users/u"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "MEMORY.md")
    here = Path.cwd()
    os.chdir(folder)  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind("USER.md")
    finally:
        os.chdir(here)
    seen = look(str(tmp_path))
    for name in ("MEMORY.md", "USER.md"):
        node = seen.named("users", "u", name)
        assert node is not None
        assert not node.is_file
        with pytest.raises(UnsafePathError):
            seen.read(node.parts)


def test_names_that_cannot_be_decoded_are_seen(tmp_path: Path) -> None:
    """Old archives leave them."""
    folder = tmp_path / "users/u"
    folder.mkdir(parents=True)
    Path(os.fsdecode(bytes(folder) + b"/\xff.md")).touch()
    assert paths(tmp_path)[-1] == "users/u/\udcff.md"


def test_a_folder_that_cannot_be_listed_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are still looked at."""
    for name in ("u1", "u2", "u3"):
        (tmp_path / "users" / name).mkdir(parents=True)
    real = os.listdir

    def listdir(fd: int) -> list[str]:
        name = Path(f"/proc/self/fd/{fd}").readlink().name
        if name == "u1":
            raise PermissionError(13, "Permission denied")
        if name == "u2":
            raise UnsafePathError("u2", "a link")
        return real(fd)

    monkeypatch.setattr(os, "listdir", listdir)
    seen = look(str(tmp_path))
    assert seen.unlisted == (
        ("users/u1", "Permission denied"),
        ("users/u2", "u2: a link"),
    )


def test_what_goes_away_meanwhile_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may be writing."""
    folder = tmp_path / "users/u"
    folder.mkdir(parents=True)
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda fd: [*real(fd), "gone"])
    assert "users/u/gone" not in paths(tmp_path)
    (tmp_path / "users").rename(tmp_path / "other")
    seen = look(str(tmp_path))
    assert seen.read(("users", "u", "MEMORY.md")) == b""


def test_a_folder_that_goes_away_has_nothing_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the name and the look into it."""
    folder = tmp_path / "users"
    folder.mkdir()
    status = os.stat

    def stat_then_remove(*args: Any, **options: Any) -> os.stat_result:
        found = status(*args, **options)
        if args[0] == "users" and folder.exists():
            folder.rmdir()
        return found

    monkeypatch.setattr(os, "stat", stat_then_remove)
    assert paths(tmp_path) == ["", "users"]
    assert not folder.exists()


def test_the_disk_is_asked_whether_it_ignores_case(tmp_path: Path) -> None:
    """About a name that is there and has letters."""
    asked: list[str] = []

    def probe(_: int, name: str) -> bool:
        asked.append(name)
        return True

    assert not look(str(tmp_path), probe=probe).ignores_case
    (tmp_path / "1").touch()
    assert not look(str(tmp_path), probe=probe).ignores_case
    (tmp_path / "config.yaml").touch()
    assert look(str(tmp_path), probe=probe).ignores_case
    assert asked == ["config.yaml"]


@pytest.mark.parametrize(
    ("type_", "network"), [("nfs4", "nfs4"), ("ext4", ""), (None, "")]
)
def test_a_network_disk_is_named(
    tmp_path: Path, type_: str | None, network: str
) -> None:
    """By the type that the system gives."""
    seen = look(str(tmp_path), probe=never, volume=lambda *_: type_)
    assert seen.network == network


def test_a_linked_root_is_looked_at(tmp_path: Path) -> None:
    """DESIGN 4: the root is resolved once."""
    (tmp_path / "real/users").mkdir(parents=True)
    (tmp_path / "home").symlink_to("real")
    assert paths(tmp_path / "home") == ["", "users"]


def test_a_root_that_cannot_be_opened_is_there_all_the_same(tmp_path: Path) -> None:
    """It is no home that is yet to be made."""
    (tmp_path / "home").touch()
    seen = look(str(tmp_path / "home"))
    assert seen.nodes == ()
    assert seen.exists
    assert not look(str(tmp_path / "other")).exists
