"""One writer at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import filelock
import pytest

from ethos_memory.disk import Folder, Root, locked
from ethos_memory.disk.lock import temporary_name
from ethos_memory.errors import NotWrittenError, ScopeLockedError, UnsafePathError

if TYPE_CHECKING:
    from pathlib import Path


def _open(tmp_path: Path) -> Folder:
    return Root(tmp_path).folder("ana", create=True)


def test_a_second_writer_waits_and_is_told_whom_for(tmp_path: Path) -> None:
    """Bounded, and the error names the folder."""
    with _open(tmp_path) as one, _open(tmp_path) as other, locked(one):
        started = time.monotonic()
        with (
            pytest.raises(ScopeLockedError) as caught,
            locked(other, timeout_seconds=0.05),
        ):
            pass
        assert 0.05 <= time.monotonic() - started < 5
    assert caught.value.path == str(tmp_path / "ana")
    assert caught.value.waited_seconds >= 0.05


def test_the_lock_is_free_after_the_block(tmp_path: Path) -> None:
    """Also after an error in it."""
    with _open(tmp_path) as one, _open(tmp_path) as other:
        with pytest.raises(KeyError), locked(one):
            raise KeyError
        with locked(other, timeout_seconds=0):
            pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    """Each call opens the folder anew."""
    inside: list[int] = []
    worst: list[int] = []

    def work() -> None:
        for _ in range(10):
            with _open(tmp_path) as folder, locked(folder):
                inside.append(1)
                worst.append(len(inside))
                time.sleep(0.0005)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(worst), max(worst)) == (40, 1)


def test_the_lock_dies_with_its_holder(tmp_path: Path) -> None:
    """A killed process holds nobody up."""
    with _open(tmp_path):
        pass
    code = (
        "import sys, time\n"
        "from ethos_memory.disk import Root, locked\n"
        "with Root(sys.argv[1]).folder('ana', create=True) as f, locked(f):\n"
        "    print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with _open(tmp_path) as folder:
            with pytest.raises(ScopeLockedError), locked(folder, timeout_seconds=0):
                pass
            holder.kill()
            holder.wait()
            with locked(folder, timeout_seconds=0):
                pass


def test_a_child_that_was_forked_inside_does_not_keep_the_lock(tmp_path: Path) -> None:
    """It inherits the descriptor; the lock is given up by name."""
    with _open(tmp_path) as one, _open(tmp_path) as other:
        ready, go = os.pipe()
        with locked(one):
            child = os.fork()
            if not child:
                os.read(ready, 1)
                os._exit(0)
        with locked(other, timeout_seconds=0):
            pass
        os.write(go, b"x")
        os.waitpid(child, 0)
        os.close(ready)
        os.close(go)


def test_a_folder_exchanged_before_it_was_locked_is_opened_again(
    tmp_path: Path,
) -> None:
    """Else two writers would each hold the lock of another folder."""
    with _open(tmp_path) as folder:
        (tmp_path / "ana").rename(tmp_path / "moved")
        (tmp_path / "ana").mkdir()
        with locked(folder), _open(tmp_path) as other:
            with pytest.raises(ScopeLockedError), locked(other, timeout_seconds=0):
                pass
            (tmp_path / "ana" / "M.md").write_text("")
            assert folder.names() == ("M.md",)


def test_a_folder_erased_before_it_was_locked_is_made_anew_by_a_writer(
    tmp_path: Path,
) -> None:
    """And is an error for whoever only looked."""
    with Root(tmp_path).folder("ana", create=True) as writer:
        with Root(tmp_path).folder("ana") as reader:
            assert reader is not None
            (tmp_path / "ana").rmdir()
            with pytest.raises(NotWrittenError), locked(reader):
                pass
        with locked(writer):
            assert (tmp_path / "ana").is_dir()


def test_a_link_in_the_place_of_the_locked_folder_is_refused(tmp_path: Path) -> None:
    """And the lock is not kept."""
    with _open(tmp_path) as folder:
        (tmp_path / "ana").rename(tmp_path / "moved")
        (tmp_path / "ana").symlink_to("moved")
        with pytest.raises(UnsafePathError), locked(folder):
            pass
        with Root(tmp_path).folder("moved") as moved:
            assert moved is not None
            with locked(moved, timeout_seconds=0):
                pass


def test_left_over_temporary_files_are_swept(tmp_path: Path) -> None:
    """Only those: under the lock each of them is a dead writer's."""
    with _open(tmp_path) as folder:
        ours = temporary_name()
        others = [".ethos-memory-x.tmp", "M.md.tmp", ".x.tmp", "M.md"]
        for name in (ours, *others):
            (tmp_path / "ana" / name).write_text("")
        (tmp_path / "ana" / temporary_name()).mkdir()
        with locked(folder):
            assert folder.names() == tuple(sorted(others))


def test_a_folder_that_cannot_be_swept_is_not_left_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next writer may be luckier."""

    def refuse(_fd: int) -> list[str]:
        raise OSError(5, "cannot be listed")

    with _open(tmp_path) as one, _open(tmp_path) as other:
        with monkeypatch.context() as patch:
            patch.setattr(os, "listdir", refuse)
            with pytest.raises(OSError, match="cannot be listed"), locked(one):
                pass
        with locked(other, timeout_seconds=0):
            pass


def test_a_volume_without_locks_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a write without."""

    def refuse(_fd: int, *, blocking: bool) -> bool:
        raise OSError(37, "no locks available")

    monkeypatch.setattr(filelock, "lock_descriptor", refuse)
    with _open(tmp_path) as folder, pytest.raises(NotWrittenError), locked(folder):
        pass


def test_pauses_grow_and_stay_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 0.2 ms to 10 ms, never the 50 ms of a poll."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 30:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    with (
        _open(tmp_path) as one,
        _open(tmp_path) as other,
        locked(one),
        pytest.raises(KeyboardInterrupt),
        locked(other),
    ):
        pass
    assert 0.0001 <= pauses[0] <= 0.0002
    assert all(0.0001 <= pause <= 0.01 for pause in pauses)
    assert pauses[-1] >= 0.005
    assert len(set(pauses[-10:])) > 1
