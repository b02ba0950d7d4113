"""The power is cut: what was acknowledged is there, and nothing is half there.

Two ways, on images of real file systems. `copy`: the writer is stopped, and the image is
copied; the copy lacks whatever was not flushed. `shutdown`: the file system is told to
go down at once, in the middle of whatever it does, without its journal (ext4, XFS).
"""

from __future__ import annotations

import fcntl
import os
import random
import signal
import struct
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from attrs import frozen

from concurrency.processes import go, start
from ethos_memory.entry import Add
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.markdown import MarkdownProvider
from faults.operations import SCOPE, accounts_of, temporary_files
from faults.volumes import image, mounted, needs_images, needs_mounts, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from concurrency.processes import Process

pytestmark = needs_mounts

#: `_IOR('X', 125, __u32)`, and "do not even flush the journal".
_FS_IOC_SHUTDOWN: Final = 0x8004587D
_NO_LOG_FLUSH: Final = struct.pack("I", 2)

#: Replaces a page that carries its own hash, appends to another, makes a third and
#: mints an id, and then tells the number in one write.
_WRITER: Final = """
import os, sys
from hashlib import sha256
from ethos_memory.entry import Add, Replace
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.markdown import MarkdownProvider
memory = MarkdownProvider(sys.argv[1])
known = IdentityMap(sys.argv[1], redact=str)
print("ready", flush=True)
sys.stdin.readline()
number = int(sys.argv[2])
while True:
    number += 1
    body = f"{number} x" + "x" * (number * 997 % 9000)
    text = f"{sha256(body.encode()).hexdigest()} {body}"
    memory.sync("user:u1", [Replace("MEMORY.md", text), Add("LOG.md", str(number))])
    memory.sync(f"personality:p{number}", [Add("MEMORY.md", str(number))])
    user_id = known.resolve("telegram", number)
    os.write(1, f"{number} {user_id}\\n".encode())
"""


@frozen
class Cut:
    """A way to cut the power.

    Attributes:
        kind: The file system.
        options: Mount options.
        way: "copy" or "shutdown".
        megabytes: The image's size.
    """

    kind: str
    options: str = "loop"
    way: str = "copy"
    megabytes: int = 48


CUTS: Final = {
    "ext4": Cut("ext4"),
    "ext4 that commits before its data": Cut(
        "ext4", "loop,commit=1,noauto_da_alloc", "shutdown"
    ),
    "ext4 that goes down": Cut("ext4", way="shutdown"),
    "XFS that goes down": Cut("xfs", way="shutdown", megabytes=320),
    "btrfs": Cut("btrfs", megabytes=128),
}

#: After so many cuts on one volume a new one is made: it would become full.
_CUTS_A_VOLUME: Final = 10


def _cut(cut: Cut, folder: Path, last: int, seconds: float) -> dict[int, str]:
    """Cut the power once, somewhere; the volume is then as the cut left it.

    Returns:
        What was acknowledged since `last`.
    """
    disk, left = folder / "image", folder / "left"
    with mounted(folder / "m", "-o", cut.options, source=disk) as volume:
        writer = start(_WRITER, volume, last)
        first = _begun(writer)
        time.sleep(seconds)
        if cut.way == "copy":
            said = first | _stopped(writer, lambda: _copy(disk, left))
        else:
            _shut_down(volume)
            said = first | _ended(writer)
    if cut.way == "copy":
        left.rename(disk)
    return said


def _copy(disk: Path, left: Path) -> None:
    run("cp", "--sparse=always", disk, left)


def _shut_down(volume: Path) -> None:
    fd = os.open(volume, os.O_RDONLY)
    try:
        fcntl.ioctl(fd, _FS_IOC_SHUTDOWN, _NO_LOG_FLUSH)
    finally:
        os.close(fd)


def _stopped(writer: Process, act: Callable[[], None]) -> dict[int, str]:
    """Act on the volume while the writer stands still, and end it.

    Returns:
        What was acknowledged until then.
    """
    writer.send_signal(signal.SIGSTOP)
    _wait_until_stopped(writer.pid)
    act()
    return _ended(writer)


def _begun(writer: Process) -> dict[int, str]:
    """Let the writer begin, and wait until it acknowledged once."""
    go(writer)
    line = b""
    while not line.endswith(b"\n"):
        # One by one: what a buffer takes too much of, `communicate` would not see.
        byte = os.read(writer.stdout.fileno(), 1)
        assert byte, "the writer ended"
        line += byte
    return _told(line.decode())


def _ended(writer: Process) -> dict[int, str]:
    writer.kill()
    return _told(writer.communicate()[0])


def _told(text: str) -> dict[int, str]:
    pairs = [line.split() for line in text.splitlines()]
    return {int(number): user_id for number, user_id in pairs}


def _wait_until_stopped(pid: int) -> None:
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.0005)


def _check(home: Path, said: dict[int, str], last: int, *, cuts: int) -> int:
    """Look at a volume after the cut.

    Returns:
        The last number that is there: acknowledged, or one more.
    """
    last = max(said, default=last)
    memory = MarkdownProvider(home)
    page = memory.read(SCOPE, "MEMORY.md")
    found = 0
    if page is not None:
        digest, _, body = page.content.removesuffix("\n").partition(" ")
        assert sha256(body.encode()).hexdigest() == digest, "torn or empty"
        found = int(body.split(" ")[0])
    assert found in (last, last + 1)
    log = memory.read(SCOPE, "LOG.md")
    numbers = {int(line) for line in log.content.split()} if log else set()
    assert said.keys() <= numbers <= set(range(1, found + 1))
    for number in said:
        own = memory.read(f"personality:p{number}", "MEMORY.md")
        assert own is not None
        assert own.content.startswith(f"{number}\n")
    accounts = accounts_of(home) if said else {}
    assert {accounts[str(number)] for number in said} == set(said.values())
    # A replaced text was synced into the history first; an addition need not be there.
    inspected = memory.inspect_history(SCOPE, "MEMORY.md")
    # Each cut may leave one addition's line half written; nothing is glued to it.
    assert inspected.damaged <= cuts
    assert inspected.lost == 0
    assert len(inspected.changes) >= last
    _check_next(home, memory, found)
    return found


def _check_next(home: Path, memory: MarkdownProvider, found: int) -> None:
    for number in range(found, found + 2):
        memory.sync(f"personality:p{number}", [Add("NEXT.md", "next")])
    memory.sync(SCOPE, [Add("NEXT.md", "next")])
    IdentityMap(home, redact=str).resolve("telegram", f"next {found}")
    assert not temporary_files(home)
    pages = [*home.glob("*/*/*.md"), *home.glob("users/*.json*")]
    assert [path for path in pages if not path.stat().st_size] == []


def _cuts(cut: Cut, folder: Path, times: int, *, seed: int) -> int:
    """Cut the power again and again, and return how much was acknowledged."""
    needs_images(cut.kind)
    source = random.Random(seed)
    last = acknowledged = 0
    for number in range(times):
        if number % _CUTS_A_VOLUME == 0:
            last = 0
            image(folder / "image", cut.kind, cut.megabytes)
        said = _cut(cut, folder, last, source.uniform(0, 0.08))
        acknowledged += len(said)
        # The journal is replayed here.
        options = ("-o", cut.options)
        with mounted(folder / "m", *options, source=folder / "image") as volume:
            cuts = number % _CUTS_A_VOLUME + 1
            last = _check(volume, said, last, cuts=cuts)
    return acknowledged


@pytest.mark.parametrize("name", list(CUTS)[:2])
def test_a_power_cut_loses_nothing_that_was_acknowledged(
    tmp_path: Path, name: str
) -> None:
    """A few of the hundred of the long form, on ext4."""
    _cuts(CUTS[name], tmp_path, 2, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("name", CUTS)
def test_a_hundred_power_cuts_lose_nothing_that_was_acknowledged(
    tmp_path: Path, name: str
) -> None:
    """On every file system whose tools are there."""
    assert _cuts(CUTS[name], tmp_path, 100, seed=100) >= 100


#: The same without a sync: what a cut then takes shows that it is a real one.
_CARELESS: Final = """
import os, sys
print("ready", flush=True)
sys.stdin.readline()
path = os.path.join(sys.argv[1], "MEMORY.md")
for number in range(1, 10**9):
    with open(path + ".tmp", "w") as file:
        file.write(f"{number}\\n")
    os.rename(path + ".tmp", path)
    os.write(1, f"{number} x\\n".encode())
"""


def test_the_same_cut_takes_what_was_not_synced(tmp_path: Path) -> None:
    """Else the tests above would prove nothing."""
    needs_images("ext4")
    disk = image(tmp_path / "image", "ext4", 48)
    with mounted(tmp_path / "before", "-o", "loop", source=disk) as volume:
        writer = start(_CARELESS, volume)
        said = _begun(writer)
        said |= _stopped(writer, lambda: _copy(disk, tmp_path / "left"))
    with mounted(tmp_path / "after", "-o", "loop", source=tmp_path / "left") as volume:
        kept = ""
        with suppress(FileNotFoundError):
            kept = (volume / "MEMORY.md").read_text()
    assert kept != f"{max(said)}\n"
