"""B23: the page belongs to another tool: dotfile links and sync copies."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.errors import UnsafePathError
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

#: What sync services put beside MEMORY.md.
COPIES = (
    "MEMORY (conflicted copy 2026-04-01).md",
    "MEMORY.sync-conflict-20260401-101500-ABCDEFG.md",
    "MEMORY-DESKTOP-7QX.md",
    "MEMORY-DESKTOP-7QX-2.md",
    "MEMORY (1).md",
    "MEMORY 2.md",
    "MEMORY_conflict-20260401.md",
    ".MEMORY.md.icloud",
    "~$MEMORY.md",
    "MEMORY.md~",
    "MEMORY.md.bak",
)


@pytest.fixture
def ext(tmp_path: Path) -> Path:
    """The home's links lead here."""
    ext = tmp_path / "ext"
    (ext / "u2dir").mkdir(parents=True)
    (ext / "real.md").write_text("old\n")
    (ext / "real.md").chmod(0o644)
    users = tmp_path / "home/users"
    for name in ("u1", "u3", "u4", "u5"):
        (users / name).mkdir(parents=True)
    (users / "u1/USER.md").symlink_to(ext / "real.md")
    (users / "u2").symlink_to(ext / "u2dir")
    (users / "u3/USER.md").symlink_to("../u1/USER.md")
    (users / "u4/USER.md").symlink_to("missing.md")
    (users / "u5/USER.md").symlink_to("USER.md")
    return ext


def _tree(path: Path) -> dict[str, str]:
    return {
        str(one.relative_to(path)): str(one.readlink())
        if one.is_symlink()
        else one.read_text()
        if one.is_file()
        else ""
        for one in path.rglob("*")
    }


@pytest.mark.parametrize("user", ["u1", "u2", "u3", "u4", "u5"])
def test_without_the_setting_every_link_is_refused(
    tmp_path: Path, ext: Path, user: str
) -> None:
    """By name, with the setting in the error, and nothing changes."""
    memory = MarkdownProvider(tmp_path / "home")
    before = _tree(tmp_path)
    for call in (
        lambda: memory.sync(f"user:{user}", [Add("USER.md", "- new")]),
        lambda: memory.read(f"user:{user}", "USER.md"),
        lambda: memory.prefetch(f"user:{user}"),
        lambda: memory.list(f"user:{user}"),
    ):
        with pytest.raises(UnsafePathError, match=rf"{user}.*trusted_links"):
            call()
    assert _tree(tmp_path) == before


def test_a_trusted_link_is_written_through(tmp_path: Path, ext: Path) -> None:
    """A page and a whole scope; the link stays, and the mode."""
    memory = MarkdownProvider(tmp_path / "home", trusted_links=[ext])
    (tmp_path / "home/users/u3/USER.md").unlink()
    for user in ("u1", "u2"):
        memory.sync(f"user:{user}", [Add("USER.md", "- new")])
        entry = memory.read(f"user:{user}", "USER.md")
        assert entry is not None
        assert "- new" in entry.content
    assert (tmp_path / "home/users/u1/USER.md").is_symlink()
    assert (ext / "real.md").read_text() == "old\n\n- new\n"
    assert (ext / "real.md").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "home/users/u2").is_symlink()
    assert (ext / "u2dir/USER.md").read_text() == "- new\n"
    assert memory.history("user:u1")[0].content == "old\n\n- new\n"


@pytest.mark.parametrize("trusted", ["ext", "home", "."])
@pytest.mark.parametrize("user", ["u3", "u4", "u5"])
def test_no_setting_allows_a_link_into_another_scope_or_to_nothing(
    tmp_path: Path, ext: Path, trusted: str, user: str
) -> None:
    """Nothing is made either."""
    memory = MarkdownProvider(tmp_path / "home", trusted_links=[tmp_path / trusted])
    before = _tree(tmp_path)
    with pytest.raises(UnsafePathError):
        memory.sync(f"user:{user}", [Add("USER.md", "- new")])
    with pytest.raises(UnsafePathError):
        memory.read(f"user:{user}", "USER.md")
    changed = {
        path for path, text in _tree(tmp_path).items() if before.get(path) != text
    }
    assert changed == set()


def test_a_linked_root_works(tmp_path: Path) -> None:
    """Dotfiles."""
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to("real")
    memory = MarkdownProvider(tmp_path / "home")
    memory.sync("user:u1", [Add("USER.md", "x")])
    assert (tmp_path / "real/users/u1/USER.md").read_text() == "x\n"


def test_copies_are_left_alone_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not listed, not searched, not in the prompt; they may hold the only copy."""
    folder = tmp_path / "users/u1"
    folder.mkdir(parents=True)
    for name in (*COPIES, "MEMORY.md", "conflict-resolution.md", "project-API.md"):
        (folder / name).write_text(f"needle {name}\n")
    memory = MarkdownProvider(tmp_path)
    caplog.set_level(logging.WARNING, "ethos_memory")
    for _ in range(2):
        memory.prefetch("user:u1")
        memory.list("user:u1")
        memory.search("user:u1", "needle")
    keys = [ref.key for ref in memory.list("user:u1")]
    found = {hit.key for hit in memory.search("user:u1", "needle", limit=99)}
    pages = ["MEMORY.md", "conflict-resolution.md", "project-API.md"]
    assert keys == pages
    assert found == set(pages)
    [record] = caplog.records
    for name in COPIES:
        assert name in record.getMessage()
    assert "needle" not in record.getMessage()
    caplog.clear()
    (folder / "USER (1).md").write_text("x")
    memory.prefetch("user:u1")
    [record] = caplog.records
    assert "USER (1).md" in record.getMessage()
    assert "MEMORY (1).md" not in record.getMessage()
    for name in COPIES:
        assert (folder / name).read_text() == f"needle {name}\n"


def test_few_scopes_are_kept_in_mind(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that was dropped is said again."""
    monkeypatch.setattr("ethos_memory.providers.copies._KEPT_SCOPES", 1)
    memory = MarkdownProvider(tmp_path)
    for user in ("u1", "u2", "u1"):
        folder = tmp_path / "users" / user
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "MEMORY (1).md").write_text("x")
        memory.list(f"user:{user}")
    assert len(caplog.records) == 3
