"""A process that forks one child a request; each does one write and tells how it ended.

A request is a line of JSON: `operation`, `home`, and resource `limits` by name. The
answer is the child's process id, at once, and its exit status once it ended. The child
waits for SIGUSR1, so that a tracer can be attached before its first system call.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from ethos_memory import errors
from faults.operations import OPERATIONS

#: Any process may trace the caller, also where only a parent is allowed to.
_PR_SET_PTRACER = 0x59616D61

#: Exit statuses: an error's is 2 and its place in this list.
TYPED = sorted(errors.__all__)
UNTYPED = 1

#: Added for an error that says that the change was made.
COMMITTED = 100


def _status(error: Exception) -> int:
    if not isinstance(error, errors.EthosMemoryError):
        traceback.print_exception(error)
        return UNTYPED
    committed = COMMITTED if getattr(error, "committed", False) else 0
    return committed + 2 + TYPED.index(type(error).__name__)


def _child(operation: str, home: str, limits: dict[str, int]) -> int:
    act = OPERATIONS[operation].act
    for name, limit in limits.items():
        kind = getattr(resource, name)
        if name == "RLIMIT_NOFILE":
            limit += len(os.listdir("/dev/fd")) - 1  # noqa: PTH208, PLW2901
        resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, -1, 0, 0, 0)
    signal.sigwait({signal.SIGUSR1})
    try:
        act(Path(home))
    except Exception as error:  # noqa: BLE001 - the parent sees the status
        return _status(error)
    return 0


def _warm_up() -> None:
    """Have everything imported and cached that a first write would."""
    with tempfile.TemporaryDirectory() as folder:
        for name, operation in OPERATIONS.items():
            operation.act(operation.home(Path(folder) / name))


def main() -> None:
    """Serve until the input ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    _warm_up()
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            os._exit(_child(**request))
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
