"""A private PostgreSQL server for the tests: started here, and ended by its own id.

It listens on a socket in its own folder only. Root starts it as another user, because
the server's programs refuse to run as root.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from ethos_memory.pg import Database

if TYPE_CHECKING:
    from ethos_memory.pg.database import Transaction

#: Nothing of this outlives the test run, so most tests need not wait for a disk.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")

#: Tables that hold rows of their own; with these, all others are emptied.
_ROOTS = (
    "scopes",
    "states",
    "accounts",
    "merged_ids",
    "identity_audit",
    "sessions",
)

#: The schema that most tests use.
SHARED = "shared"

_schemas = itertools.count(1)


def programs() -> Path | None:
    """Return the folder of the server's programs, if they are installed."""
    found = [Path(path).parent for path in filter(None, [shutil.which("initdb")])]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((path for path in found if (path / "initdb").exists()), None)


def _account() -> dict[str, Any]:
    """Return how a program is started as somebody who is not root."""
    if os.geteuid():
        return {}
    return {"user": 65534, "group": 65534, "extra_groups": []}


def _empty(transaction: Transaction) -> None:
    for table in _ROOTS:
        transaction.connection.execute(f"delete from {table}".encode())


class Server:
    """One server with its own data, in a new folder.

    Args:
        settings: Such as ``fsync=off``.
    """

    def __init__(self, *settings: str) -> None:
        bin_folder = programs()
        if bin_folder is None and not os.environ.get("CI"):
            pytest.skip("no PostgreSQL server: apt-get install postgresql")
        assert bin_folder is not None, "apt-get install postgresql"
        self.folder = Path(tempfile.mkdtemp(prefix="ethos-pg-", dir="/tmp"))
        self._bin = bin_folder
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._shared: Database | None = None
        if not os.geteuid():
            os.chown(self.folder, 65534, 65534)
        options = "-U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions"
        subprocess.run(
            [self._bin / "initdb", "-D", self.folder / "data", *options.split()],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **_account(),
        )
        self.start()

    @property
    def dsn(self) -> str:
        """How to reach it."""
        return f"host={self.folder} user=postgres dbname=postgres"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.folder}",
            "max_connections=60",
            "shared_buffers=16MB",
            *self._settings,
        )
        options = [part for setting in settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.folder / "data", *options],
                stdout=log,
                stderr=log,
                cwd="/",
                **_account(),
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.dsn).close()
                return
            time.sleep(0.02)
        pytest.fail((self.folder / "log").read_text("utf-8"))

    def kill(self) -> None:
        """Kill it with every process of its own, as a power cut would."""
        process = self._running()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        ids = [process.pid, *map(int, children.read_text("ascii").split())]
        for id in ids:
            with suppress(ProcessLookupError):
                os.kill(id, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """End it, and remove everything."""
        process = self._running()
        if self._shared is not None:
            self._shared.close()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        shutil.rmtree(self.folder)

    def schema(self) -> str:
        """Return the name of a schema that nobody used before."""
        return f"test_{next(_schemas)}"

    def shared(self) -> Database:
        """Return a database that many tests use, one after the other."""
        if self._shared is None:
            self._shared = Database(self.dsn, schema=SHARED)
        return self._shared

    def emptied(self) -> Database:
        """Return the shared database without rows."""
        self.shared().transact(_empty)
        return self.shared()

    def execute(self, *statements: str, dsn: str = "") -> list[tuple[Any, ...]]:
        """Run statements as the operator; return the rows of the last one."""
        with psycopg.connect(dsn or self.dsn, autocommit=True) as connection:
            *first, last = statements
            for statement in first:
                connection.execute(statement.encode())
            cursor = connection.execute(last.encode())
            return cursor.fetchall() if cursor.description else []

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process
