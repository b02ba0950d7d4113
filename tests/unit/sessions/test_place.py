from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import NotWrittenError
from ethos_memory.sessions import place

if TYPE_CHECKING:
    from typing import Any


@pytest.mark.parametrize("path", ["", "/", "a\0b", ".", "folder/.."])
def test_a_path_must_name_a_file(path: str) -> None:
    """And be one that a system can have."""
    with pytest.raises(ValueError):
        place.parse_path(path)
    with pytest.raises(TypeError):
        place.parse_path(b"s.db")  # type: ignore[arg-type]


def test_a_path_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a change of folder later moves nothing; a tilde is a name."""
    monkeypatch.chdir(tmp_path)
    assert place.parse_path("s.db") == tmp_path / "s.db"
    assert place.parse_path(Path("~/s.db")) == tmp_path / "~" / "s.db"


def test_two_that_create_a_file_at_once_both_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one's attempt is no error."""
    path = tmp_path / "s.db"
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    first = place.prepare(path)
    assert os.path.samestat(first, place.prepare(path))


def test_a_folder_that_takes_no_files_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the system's own reason."""

    def refuse(*_: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(NotWrittenError, match="Permission denied") as caught:
        place.prepare(tmp_path / "s.db")
    assert caught.value.errno == 13
    assert caught.value.__context__ is None


def test_what_lies_beside_a_database_is_made_private_too(tmp_path: Path) -> None:
    """But only regular files: a link's target is somebody else's business."""
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"s.db{suffix}").touch()
        (tmp_path / f"s.db{suffix}").chmod(0o666)
    target = tmp_path / "target"
    target.touch()
    target.chmod(0o644)
    (tmp_path / "s.db-journal").symlink_to(target)
    place.tighten(tmp_path / "s.db")
    for suffix in ("", "-wal", "-shm"):
        mode = (tmp_path / f"s.db{suffix}").stat().st_mode
        assert stat.S_IMODE(mode) == 0o600
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


def test_no_descriptor_of_an_open_database_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """POSIX would drop every lock on it that this process holds."""
    path = tmp_path / "s.db"
    place.prepare(path)
    path.chmod(0o644)
    opened: list[int] = []
    real = os.open

    def watch(name: Any, flags: int, *rest: Any) -> int:
        opened.append(flags)
        return real(name, flags, *rest)

    monkeypatch.setattr(os, "open", watch)
    place.prepare(path)
    assert opened == [os.O_PATH | os.O_NOFOLLOW]
    place.prepare(path)
    assert len(opened) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_where_the_system_can_it_changes_the_mode_without_following(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS, which has no descriptor for a name alone."""
    calls: list[dict[str, Any]] = []
    path = tmp_path / "s.db"
    place.prepare(path)
    path.chmod(0o644)
    monkeypatch.setattr(os, "supports_follow_symlinks", {os.chmod})
    monkeypatch.setattr(Path, "chmod", lambda *a, **k: calls.append({"to": a[1], **k}))
    place.tighten(path)
    assert calls == [{"to": 0o600, "follow_symlinks": False}]
