"""Real processes for the tests beside this file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ethos_memory

#: For the processes that swap a file and a link: one system call, no gap in between.
EXCHANGE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def exchange(one, other):
    if libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2):
        raise OSError(ctypes.get_errno(), "renameat2")
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that waits for a line, once it has said that it is ready."""
    source = Path(ethos_memory.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(*processes: subprocess.Popen[str]) -> None:
    """Let waiting processes begin."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def finish(*processes: subprocess.Popen[str]) -> list[str]:
    """Wait for processes to end well, and return what they said."""
    said = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return said
