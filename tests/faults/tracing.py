"""Faults at one system call of one write, put there by `strace` from outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from attrs import frozen

import ethos_memory
from faults import victim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

__all__ = ["Outcome", "Victim", "needs_strace", "points"]

_TESTS: Final = Path(__file__).parents[1]
_SOURCE: Final = Path(ethos_memory.__file__).parents[1]

#: A system call in strace's output.
_CALL: Final = re.compile(r"^(?:\d+ +)?([a-z0-9_]+)\(", re.MULTILINE)


def _strace_problem() -> str:
    """Say why strace cannot be used; empty when it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-qq", "-e", "inject=fsync:error=EIO:when=99", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return tried.stderr.strip() if tried.returncode else ""


_PROBLEM: Final = _strace_problem()

needs_strace: Final = pytest.mark.skipif(
    bool(_PROBLEM), reason=f"faults at system calls: {_PROBLEM}"
)


@frozen
class Outcome:
    """How a write ended.

    Attributes:
        is_killed: Whether by the signal.
        error: The typed error's name; empty when it went well.
        is_committed: Whether the error says that the change was made.
        calls: The traced system calls, in order.
        is_hit: Whether the fault was put in.
    """

    is_killed: bool
    error: str
    is_committed: bool
    calls: tuple[str, ...] = ()
    is_hit: bool = False


class Victim:
    """The process of `victim.py`, for a `with` block."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, victim.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{_SOURCE}:{_TESTS}"},
        )
        assert self._said() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def run(
        self, operation: str, home: Path, *, limits: dict[str, int] | None = None
    ) -> Outcome:
        """Do one write without a fault, or within limits."""
        child = self._begin(operation, home, limits or {})
        os.kill(child, signal.SIGUSR1)
        return _outcome(int(self._said()))

    def trace(
        self, operation: str, home: Path, calls: Iterable[str], fault: str = ""
    ) -> Outcome:
        """Do one write with a fault at some system call.

        Args:
            operation: Its name.
            home: Where.
            calls: The system calls that are watched; strace's classes too.
            fault: What to inject, as strace takes it: ``"fsync:error=EIO:when=1"``.
        """
        child = self._begin(operation, home, {})
        log = home.with_name(f"{home.name}.strace")
        options = ["-e", f"trace={','.join(calls)}"]
        if fault:
            options += ["-e", f"inject={fault}"]
        tracer = subprocess.Popen(
            ["strace", "-o", log, *options, "-p", str(child)],
            stderr=subprocess.PIPE,
            text=True,
        )
        with tracer:
            assert tracer.stderr is not None
            said = tracer.stderr.readline()
            assert "attached" in said, said
            os.kill(child, signal.SIGUSR1)
            status = int(self._said())
            tracer.communicate()
        text = log.read_text()
        log.unlink()
        return _outcome(status, text)

    def _begin(self, operation: str, home: Path, limits: dict[str, int]) -> int:
        request = {"operation": operation, "home": str(home), "limits": limits}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return int(self._said())


def _outcome(status: int, log: str = "") -> Outcome:
    is_killed = os.WIFSIGNALED(status)
    code = 0 if is_killed else os.WEXITSTATUS(status)
    assert code != victim.UNTYPED, "an error that is none of ours; see above"
    is_committed = code >= victim.COMMITTED
    code -= victim.COMMITTED if is_committed else 0
    return Outcome(
        is_killed,
        victim.TYPED[code - 2] if code else "",
        is_committed,
        calls=tuple(_CALL.findall(log)),
        is_hit="(INJECTED)" in log or is_killed,
    )


def points(calls: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Count the calls of each name, as strace's ``when`` does.

    Yields:
        Each call's name and number, in order.
    """
    seen = Counter[str]()
    for name in calls:
        seen[name] += 1
        yield name, seen[name]
