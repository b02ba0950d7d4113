"""What of a scope's folder is memory: named, copied and erased by one rule."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Folder
from ethos_memory.entry import Add, Replace
from ethos_memory.errors import NotWrittenError, UnsafePathError
from ethos_memory.providers.inventory import SupportsFiles
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.transient import TransientProvider

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "user:a"

#: Name by name, whether it is memory.
NAMES = {
    "USER.md": True,
    "user.md": True,
    "notes.md": True,
    "Nota de reunión 3.md": True,
    "USER (1).md": True,
    "USER.md~": True,
    ".USER.md.icloud": True,
    "memory-archive.md": True,
    "memory-history.jsonl": True,
    "memory-history.jsonl.rotating": True,
    "memory-history-2026-01.jsonl": True,
    "memory-vectors.bin": True,
    "memory-meta.json": True,
    "memory-pending.jsonl": True,
    "memory-tombstones.jsonl": True,
    "SOUL.md": False,
    "soul (1).md": False,
    "config.yaml": False,
    "face.png": False,
    "memory-history-2026.jsonl": False,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a scope's folder."""
    path = tmp_path / "users/a"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def memory(tmp_path: Path) -> MarkdownProvider:
    """Return a provider that does not wait for the disk."""
    return MarkdownProvider(tmp_path, durability="fast")


def copied(memory: SupportsFiles) -> dict[str, bytes]:
    took: dict[str, bytes] = {}
    memory.copy_files(SCOPE, took.__setitem__)
    return took


def test_providers_that_can_tell_their_files() -> None:
    """An operator's export asks for this ability."""
    assert isinstance(TransientProvider(), SupportsFiles)


def test_what_is_named_is_what_is_copied_and_what_is_erased(
    memory: MarkdownProvider, folder: Path
) -> None:
    """Nothing is erased that an export leaves out, and nothing is left behind."""
    for name in NAMES:
        (folder / name).write_bytes(name.encode())
    (folder / "attachments").mkdir()
    (folder / "history-blobs").mkdir()
    (folder / "history-blobs/0.md").write_bytes(b"old")
    files = memory.files(SCOPE)
    assert [file.name for file in files] == sorted(
        [*NAMES, "attachments", "history-blobs/0.md"]
    )
    ours = {file.name: file.size for file in files if file.is_memory}
    wanted = {name: len(name.encode()) for name, is_ours in NAMES.items() if is_ours}
    assert ours == {**wanted, "history-blobs/0.md": 3}
    took = copied(memory)
    assert {name: len(data) for name, data in took.items()} == ours
    assert took["USER.md"] == b"USER.md"
    assert memory.erase(SCOPE).files == tuple(sorted(ours))
    left = sorted(path.name for path in folder.iterdir())
    assert left == sorted(
        [*(n for n, ours in NAMES.items() if not ours), "attachments"]
    )


def test_history_and_long_pages_are_copied_whole(memory: MarkdownProvider) -> None:
    """Kept states as well, each under its hash."""
    memory.sync(SCOPE, [Add("USER.md", "a" * 5000)])
    memory.sync(SCOPE, [Replace("USER.md", "b" * 5000)])
    took = copied(memory)
    blobs = [data for name, data in took.items() if name.startswith("history-blobs/")]
    assert sorted(data[:1] for data in blobs) == [b"a", b"b"]
    assert {file.name for file in memory.files(SCOPE)} == took.keys()


def test_a_scope_without_a_folder_has_no_files(
    memory: MarkdownProvider, tmp_path: Path
) -> None:
    """And asking makes none."""
    assert memory.files(SCOPE) == ()
    assert not copied(memory)
    assert not list(tmp_path.iterdir())


def test_a_link_that_is_not_allowed_is_refused(
    memory: MarkdownProvider, folder: Path, tmp_path: Path
) -> None:
    """Its text may be anybody's."""
    (tmp_path / "secret").write_text("secret")
    (folder / "USER.md").symlink_to(tmp_path / "secret")
    with pytest.raises(UnsafePathError):
        memory.files(SCOPE)
    with pytest.raises(UnsafePathError):
        copied(memory)


def test_a_linked_page_is_copied_through_the_link(tmp_path: Path) -> None:
    """As it is read and written."""
    notes, folder = tmp_path / "notes", tmp_path / "home/users/a"
    notes.mkdir()
    folder.mkdir(parents=True)
    (notes / "me.md").write_text("- tea")
    (folder / "USER.md").symlink_to(notes / "me.md")
    memory = MarkdownProvider(tmp_path / "home", trusted_links=[notes])
    assert copied(memory) == {"USER.md": b"- tea"}
    assert [file.size for file in memory.files(SCOPE)] == [5]


def test_no_writer_is_let_in_while_files_are_copied(
    memory: MarkdownProvider, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a change could stand half in the copy."""
    memory.sync(SCOPE, [Add("USER.md", "- tea")])
    monkeypatch.setattr("ethos_memory.disk.lock.LOCK_SECONDS", 0)
    fd = os.open(folder, os.O_RDONLY)
    held: list[bool] = []

    def take(name: str, data: bytes) -> None:
        from filelock import lock_descriptor

        held.append(not lock_descriptor(fd, blocking=False))

    try:
        memory.copy_files(SCOPE, take)
    finally:
        os.close(fd)
    assert held == [True, True]


def test_a_file_that_goes_meanwhile_is_left_out(
    memory: MarkdownProvider, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that an editor removes just then."""
    (folder / "USER.md").write_bytes(b"- tea")
    names, entries = Folder.names, os.listdir
    monkeypatch.setattr(Folder, "names", lambda self: (*names(self), "GONE.md"))
    monkeypatch.setattr(
        "ethos_memory.providers.erasing.os.listdir",
        lambda fd: [*entries(fd), "gone.png"],
    )
    assert [file.name for file in memory.files(SCOPE)] == ["USER.md"]
    assert copied(memory) == {"USER.md": b"- tea"}


def test_a_name_that_is_no_text_is_told_as_its_bytes(
    memory: MarkdownProvider, folder: Path
) -> None:
    """It is left alone, and a report that names it can be written down."""
    (folder / os.fsdecode(b"caf\xe9.md")).write_bytes(b"x")
    (file,) = memory.files(SCOPE)
    assert (file.name, file.is_memory) == (r"caf\udce9.md", False)


def test_a_folder_that_is_erased_meanwhile_holds_nothing(
    memory: MarkdownProvider, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another erasure took it while this call waited for the lock: no error."""
    is_current = Folder.is_current

    def erased(self: Folder) -> bool:
        folder.rmdir()
        return is_current(self)

    monkeypatch.setattr(Folder, "is_current", erased)
    assert not copied(memory)
    folder.mkdir()
    assert memory.erase(SCOPE).files == ()
    assert not folder.exists()


def test_a_folder_that_cannot_be_locked_is_an_error(
    memory: MarkdownProvider, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there, and nothing of it was erased."""

    def refuse(*_: object, **__: object) -> bool:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    (folder / "USER.md").write_bytes(b"- tea")
    monkeypatch.setattr("filelock.lock_descriptor", refuse)
    for call in (copied, lambda provider: provider.erase(SCOPE)):
        with pytest.raises(NotWrittenError) as caught:
            call(memory)
        assert caught.value.errno == errno.ENOLCK
    assert (folder / "USER.md").exists()
