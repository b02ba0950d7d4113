"""A process that forks one process a request, and knows how each of them ended.

A request is a line of JSON, the code and its arguments, with three descriptors: what
the process reads, what it writes, and where its id and then its status are told. What
the code imports is imported here, once, before the fork. Nothing outlives this process,
whatever became of the test that asked for it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress

#: As many descriptors come with a request.
_FDS = 3


def main() -> None:
    """Serve until nobody asks any more; a process that was forked runs its code."""
    control = socket.socket(fileno=int(sys.argv[1]))
    groups: set[int] = set()
    while True:
        text, fds, _, _ = socket.recv_fds(control, 65_536, _FDS)
        if not text:
            for group in groups:
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
            return
        while not text.endswith(b"\n"):
            text += control.recv(65_536)
        code, *arguments = json.loads(text)
        for line in code.splitlines():
            if line.startswith(("import ", "from ")):
                exec(line, {})
        group = _forked(*fds)
        if not group:
            control.close()
            sys.argv = ["-c", *arguments]
            exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})
            return
        groups.add(group)
        for fd in fds:
            os.close(fd)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                groups.discard(ended)


def _forked(stdin: int, stdout: int, status: int) -> int:
    """Fork twice; the one in between waits, and tells how the process ended.

    Returns:
        The id of their group of processes; 0 in the process itself.
    """
    if group := os.fork():
        return group
    os.setpgid(0, 0)
    child = os.fork()
    if child:
        os.close(stdin)
        os.close(stdout)
        os.write(status, f"{child}\n".encode())
        os.write(status, str(os.waitpid(child, 0)[1]).encode())
        os._exit(0)
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    for fd in (stdin, stdout, status):
        os.close(fd)
    return 0


if __name__ == "__main__":
    main()
