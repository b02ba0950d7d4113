"""Killed, or refused by the system, at every system call of a write: old or new."""

from __future__ import annotations

import shutil
import signal
from typing import TYPE_CHECKING, Final

import pytest

from faults.aftermath import Expected, check_next_write
from faults.operations import OPERATIONS, copied
from faults.tracing import needs_strace, points

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from faults.tracing import Victim

pytestmark = needs_strace

#: The calls that change something on disk.
CHANGING: Final = (
    *("openat", "mkdirat", "write", "pwrite64", "fsync", "fchmod"),
    *("ftruncate", "renameat", "unlinkat"),
)

#: Every error of reliability.md 2.4 that a system call gives.
ERRORS: Final = (
    *("ENOSPC", "EFBIG", "EDQUOT", "EROFS", "EMFILE", "EPERM", "EIO", "EINTR"),
)

#: What calls that change nothing can fail with.
READING_ERRORS: Final = ("EIO", "EINTR")

#: All that takes a path or a descriptor.
ALL_CALLS: Final = ("%file", "%desc")


class _Bench:
    """One operation, again and again from the same home, with a fault each time."""

    def __init__(self, victim: Victim, name: str, folder: Path) -> None:
        self._victim = victim
        self._name = name
        self._folder = folder
        self.expected = Expected.of(name, folder)
        traced = copied(self.expected.prepared, folder / "traced")
        self.plan = victim.trace(name, traced, ALL_CALLS).calls

    def faults(self, calls: tuple[str, ...]) -> Iterator[tuple[str, int]]:
        """Yield each point, and one beyond the last of each name."""
        found = [(name, number) for name, number in points(self.plan) if name in calls]
        yield from found
        yield from {name: number + 1 for name, number in found}.items()

    def hit(self, call: str, fault: str, number: int) -> bool:
        """Put a fault at the n-th call of a name, and see that all is well.

        Returns:
            Whether the operation came that far.
        """
        home = copied(self.expected.prepared, self._folder / "home")
        injected = f"{call}:{fault}:when={number}"
        try:
            outcome = self._victim.trace(self._name, home, (call,), injected)
            self.expected.check(outcome, home)
            check_next_write(home)
        finally:
            shutil.rmtree(home, ignore_errors=True)
        return outcome.is_hit


def _run(bench: _Bench, calls: tuple[str, ...], faults: tuple[str, ...]) -> int:
    """Put every fault at every call, and return how many hit."""
    hits, wrong = 0, []
    for call, number in bench.faults(calls):
        for fault in faults:
            try:
                hits += bench.hit(call, fault, number)
            except Exception as error:  # noqa: BLE001 - all of them are told at the end
                wrong.append((call, number, fault, repr(error)[:300]))
    assert wrong == []
    return hits


KILL: Final = f"signal={signal.SIGKILL.name.removeprefix('SIG')}"


@pytest.mark.parametrize("name", ["replace", "delete", "mint"])
def test_killed_before_a_change_it_is_old_or_new(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """At every rename, removal, sync and new folder."""
    bench = _Bench(victim, name, tmp_path)
    calls = ("mkdirat", "fsync", "renameat", "unlinkat", "pwrite64")
    assert _run(bench, calls, (KILL,)) >= 5


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_killed_before_every_call_it_is_old_or_new(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """All that takes a path or a descriptor, until the process survives."""
    bench = _Bench(victim, name, tmp_path)
    assert _run(bench, tuple(dict.fromkeys(bench.plan)), (KILL,)) >= 50


@pytest.mark.parametrize(
    ("name", "call", "error"),
    [
        ("create", "mkdirat", "ENOSPC"),
        ("replace", "write", "ENOSPC"),
        ("replace", "fsync", "EIO"),
        ("append", "openat", "EMFILE"),
        ("delete", "unlinkat", "EPERM"),
        ("mint", "renameat", "EDQUOT"),
        ("mint first", "fsync", "EIO"),
    ],
)
def test_refused_it_says_whether_the_text_is_old_or_new(
    victim: Victim, tmp_path: Path, name: str, call: str, error: str
) -> None:
    """A typed error; nothing is left behind, and the next write succeeds."""
    bench = _Bench(victim, name, tmp_path)
    assert _run(bench, (call,), (f"error={error}",)) >= 1


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_refused_at_every_change_it_says_whether_it_is_old_or_new(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """Each error at each call that changes something."""
    bench = _Bench(victim, name, tmp_path)
    calls = tuple(call for call in CHANGING if call in bench.plan)
    faults = tuple(f"error={error}" for error in ERRORS)
    assert _run(bench, calls, faults) >= 8 * 10


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_refused_at_every_look_it_says_whether_it_is_old_or_new(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """At every call that changes nothing, closing among them."""
    bench = _Bench(victim, name, tmp_path)
    calls = tuple(call for call in dict.fromkeys(bench.plan) if call not in CHANGING)
    faults = tuple(f"error={error}" for error in READING_ERRORS)
    assert _run(bench, calls, faults) >= 2 * 20
