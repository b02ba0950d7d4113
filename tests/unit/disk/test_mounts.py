"""The type of a volume, and the warning on a network one."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from ethos_memory.disk import Root
from ethos_memory.disk.mounts import volume_type

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def _device(path: Path) -> str:
    device = path.stat().st_dev
    return f"{os.major(device)}:{os.minor(device)}"


def _type(path: Path, table: str) -> str | None:
    mounts = path / "mountinfo"
    mounts.write_text(table)
    fd = os.open(path, os.O_RDONLY)
    try:
        return volume_type(fd, str(path), mounts=mounts)
    finally:
        os.close(fd)


def test_the_device_decides(tmp_path: Path) -> None:
    """A longer mount point of another device does not."""
    table = (
        f"30 1 0:99 / {tmp_path} rw - nfs4 host:/x rw\n"
        f"31 1 {_device(tmp_path)} / / rw shared:1 - ext4 /dev/x rw\n"
    )
    assert _type(tmp_path, table) == "ext4"


def test_without_the_device_the_longest_mount_point_decides(tmp_path: Path) -> None:
    """A btrfs subvolume shows a device that no mount has; blanks are escaped."""
    folder = tmp_path / "a b"
    folder.mkdir()
    table = (
        "30 1 0:97 / / rw - ext4 /dev/x rw\n"
        f"31 1 0:98 / {tmp_path}/a\\040b rw - cifs //host/x rw\n"
        f"32 1 0:99 / {tmp_path}/a rw - tmpfs x rw\n"
    )
    assert _type(folder, table) == "cifs"


def test_a_system_without_the_table_says_nothing(tmp_path: Path) -> None:
    """Such as macOS."""
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert volume_type(fd, str(tmp_path), mounts=tmp_path / "none") is None
    finally:
        os.close(fd)


def test_this_machine_is_told(tmp_path: Path) -> None:
    """The real table is understood."""
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert volume_type(fd, str(tmp_path))
    finally:
        os.close(fd)


def test_a_network_volume_is_warned_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Clearly, and with the way out."""
    root = Root(tmp_path, volume=lambda _fd, _path: "nfs4")
    for _ in range(3):
        root.folder("users")
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert "nfs4" in record.message
    assert "PostgreSQL" in record.message


def test_a_local_volume_is_not_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor one whose type nobody knows."""
    with Root(tmp_path, volume=lambda _fd, _path: "ext4").folder():
        pass
    with Root(tmp_path, volume=lambda _fd, _path: None).folder():
        pass
    assert not caplog.records
