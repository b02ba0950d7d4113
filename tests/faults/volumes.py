"""Real volumes that are small, read-only or broken; always taken down again."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["fill", "image", "mounted", "needs_images", "needs_mounts", "run"]


#: A name space of mounts of one's own.
_CLONE_NEWNS: Final = 0x00020000


def run(*command: str | Path) -> None:
    """Run a program; its own words are the error when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{command[0]}: {done.stderr.strip()}")


@cache
def _go_apart() -> None:
    """See our mounts alone, so that they end with us however we end."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "unshare"):
        raise OSError("this system has no name spaces of mounts")
    if libc.unshare(_CLONE_NEWNS):
        raise OSError(f"unshare: {os.strerror(ctypes.get_errno())}")
    run("mount", "--make-rprivate", "/")


@contextmanager
def mounted(folder: Path, *options: str, source: str | Path = "none") -> Iterator[Path]:
    """Mount something on a folder, which is made, for a `with` block."""
    _go_apart()
    folder.mkdir(exist_ok=True)
    run("mount", *options, source, folder)
    try:
        yield folder
    finally:
        _unmount(folder)


def _unmount(folder: Path) -> None:
    for _ in range(20):
        try:
            run("umount", folder)
        except OSError:
            # A process that was just killed may still be going away.
            time.sleep(0.05)
        else:
            return
    run("umount", "-l", folder)


def image(path: Path, kind: str, megabytes: int, *options: str) -> Path:
    """Make the image of a volume, sparse."""
    path.unlink(missing_ok=True)
    path.touch()
    os.truncate(path, megabytes * 1024 * 1024)
    quiet = {"ext4": ("-q", "-F"), "xfs": ("-q", "-f"), "btrfs": ("-q", "-f")}[kind]
    run(f"mkfs.{kind}", *quiet, *options, path)
    return path


def fill(path: Path, *, leave: int = 0) -> None:
    """Fill a volume with one file until only some bytes are left."""
    status = os.statvfs(path.parent)
    size = status.f_bavail * status.f_bsize - leave
    path.write_bytes(b"\0" * max(size, 0))


def _mount_problem() -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            with mounted(Path(folder) / "m", "-t", "tmpfs", "-o", "size=32k"):
                return ""
        except OSError as error:
            return str(error)


def _image_problem(kind: str) -> str:
    if _MOUNT_PROBLEM or shutil.which(f"mkfs.{kind}") is None:
        return _MOUNT_PROBLEM or f"mkfs.{kind} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = image(Path(folder) / "image", kind, 400 if kind == "xfs" else 120)
            with mounted(Path(folder) / "m", "-o", "loop", source=made):
                return ""
        except OSError as error:
            return str(error)


_MOUNT_PROBLEM: Final = _mount_problem()

needs_mounts: Final = pytest.mark.skipif(
    bool(_MOUNT_PROBLEM), reason=f"volumes of our own: {_MOUNT_PROBLEM}"
)


def needs_images(kind: str) -> None:
    """Skip the running test when images of a kind cannot be mounted."""
    problem = _image_problem(kind)
    if problem:
        pytest.skip(f"{kind} images: {problem}")
