"""B22: a lock left by a dead process."""

# ruff: noqa: PTH208
# Names as the system gives them.

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Root, locked
from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "user:u1"

#: A writer that stands still just before it renames, until it is told to go on.
_STUCK = """
import os, sys
from ethos_memory.entry import Add
from ethos_memory.providers.markdown import MarkdownProvider
def stuck(*args, **rest):
    print("inside", flush=True)
    sys.stdin.readline()
    rename(*args, **rest)
rename, os.rename = os.rename, stuck
MarkdownProvider(sys.argv[1]).sync("user:u1", [Add("MEMORY.md", "- from the child")])
"""


def _stuck(root: Path) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", _STUCK, root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"inside\n"
    return child


def test_a_lock_dies_with_its_holder(tmp_path: Path) -> None:
    """Killed inside the critical section: the next write succeeds, and tidies up."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("MEMORY.md", "- one")])
    with _stuck(tmp_path) as child:
        assert any(".tmp" in name for name in os.listdir(tmp_path / "users/u1"))
        child.kill()
    with (
        Root(tmp_path).folder("users", "u1", create=True) as folder,
        locked(folder, timeout_seconds=0),
    ):
        pass
    memory.sync(SCOPE, [Add("MEMORY.md", "- two")])
    page = tmp_path / "users/u1/MEMORY.md"
    assert page.read_text() == "- one\n\n- two\n"
    assert sorted(os.listdir(page.parent)) == ["MEMORY.md", "memory-history.jsonl"]
    contents = [change.content for change in memory.history(SCOPE)]
    assert contents == ["- one\n\n- two\n", "- one\n"]


def test_a_live_holder_is_respected_and_readers_do_not_wait(tmp_path: Path) -> None:
    """Both texts are there in the end."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("MEMORY.md", "- one")])
    with _stuck(tmp_path) as child:
        # Whoever waited for the lock here would wait in vain, and raise.
        assert memory.read(SCOPE, "MEMORY.md") is not None
        assert memory.prefetch(SCOPE)
        assert memory.search(SCOPE, "one")
        assert len(memory.list(SCOPE)) == 1
        assert len(memory.history(SCOPE)) == 1
        assert child.stdin is not None
        threading.Timer(0.1, child.stdin.close).start()
        memory.sync(SCOPE, [Add("MEMORY.md", "- two")])
    entry = memory.read(SCOPE, "MEMORY.md")
    assert entry is not None
    assert entry.content == "- one\n\n- from the child\n\n- two\n"


@pytest.mark.parametrize("left", ["", "999999", "garbage\0", None])
def test_old_lock_files_block_nobody_and_are_no_memory(
    tmp_path: Path, left: str | None
) -> None:
    """Copied from a backup, or left by another program."""
    folder = tmp_path / "users/u1"
    folder.mkdir(parents=True)
    lock = folder / "MEMORY.md.lock"
    if left is None:
        lock.mkdir()
    else:
        lock.write_text(left)
        os.utime(lock, (0, 0))
        lock.chmod(0o400)
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("MEMORY.md", "- one")])
    assert [ref.key for ref in memory.list(SCOPE)] == ["MEMORY.md"]
    assert lock.exists()


def test_the_error_names_what_is_locked(tmp_path: Path) -> None:
    """After a bounded wait."""
    root = Root(tmp_path)
    with (
        root.folder("users", "u1", create=True) as holder,
        locked(holder),
        root.folder("users", "u1", create=True) as waiter,
        pytest.raises(TimeoutError, match=r"users/u1: locked by another writer"),
        locked(waiter, timeout_seconds=0.01),
    ):
        pass
