"""Real processes for the tests beside this file.

They are forked by one process that has imported what they import (`forker.py`): to start
Python anew for each of them took longer than what they do.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import ethos_memory

if TYPE_CHECKING:
    from io import TextIOWrapper

_TESTS = Path(__file__).parents[1]
_SOURCE = Path(ethos_memory.__file__).parents[1]

#: For the processes that swap a file and a link: one system call, no gap in between.
EXCHANGE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def exchange(one, other):
    if libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2):
        raise OSError(ctypes.get_errno(), "renameat2")
"""


class Process:
    """A process that runs some code, with the part of `Popen` that the tests use.

    Args:
        pid: Its id.
        stdin: What it reads.
        stdout: What it writes.
        status: Tells how it ended, once it did.
    """

    def __init__(
        self,
        pid: int,
        stdin: TextIOWrapper,
        stdout: TextIOWrapper,
        status: TextIOWrapper,
    ) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """Return how it ended; `None` while it runs."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Wait until it ended, and return how."""
        if self.returncode is None:
            with self._status as status:
                self.returncode = os.waitstatus_to_exitcode(int(status.read()))
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def communicate(self) -> tuple[str, None]:
        """End its input, wait until it ended, and return what it still wrote."""
        with suppress(BrokenPipeError):
            self.stdin.close()
        with self.stdout:
            said = self.stdout.read()
        self.wait()
        return said, None


@cache
def _forker() -> socket.socket:
    """Start the process that forks all others, and return how it is asked."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [
                sys.executable,
                Path(__file__).with_name("forker.py"),
                str(theirs.fileno()),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={
                **os.environ,
                "PYTHONPATH": f"{_SOURCE}:{_TESTS}",
                # A process of several threads is not forked safely.
                "OPENBLAS_NUM_THREADS": "1",
            },
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def launch(code: str, *arguments: object) -> Process:
    """Start a process."""
    stdin, to_it = os.pipe()
    from_it, stdout = os.pipe()
    about_it, status = os.pipe()
    request = json.dumps([code, *map(str, arguments)]) + "\n"
    socket.send_fds(_forker(), [request.encode()], [stdin, stdout, status])
    for fd in (stdin, stdout, status):
        os.close(fd)
    told = os.fdopen(about_it)
    pid = int(told.readline())
    return Process(pid, os.fdopen(to_it, "w"), os.fdopen(from_it), told)


def start(code: str, *arguments: object) -> Process:
    """Start a process that waits for a line, once it has said that it is ready."""
    process = launch(code, *arguments)
    assert process.stdout.readline() == "ready\n"
    return process


def go(*processes: Process) -> None:
    """Let waiting processes begin."""
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()


def finish(*processes: Process) -> list[str]:
    """Wait for processes to end well, and return what they said."""
    said = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return said
