"""Connections that are kept open: making one takes a hundred times as long as a query."""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import StoreLockedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.pg.driver import Connection

__all__ = ["Pool"]

#: libpq's number for a connection that has no transaction open.
_IDLE: Final = 0

#: Connections of a parent process. They are never closed here: the server would take
#: that for the parent's word.
_INHERITED: Final[list[Connection]] = []


class Pool:
    """At most so many connections, the one used last first. Safe for threads.

    Args:
        connect: Makes a connection.
        size: The most that are open at once.
        wait_seconds: How long to wait for a free one.
        label: The database, for errors.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        *,
        size: int,
        wait_seconds: float,
        label: str,
    ) -> None:
        self._connect = connect
        self._size = size
        self._wait_seconds = wait_seconds
        self._label = label
        self._is_closed = False
        self._begin()

    def _begin(self) -> None:
        self._idle: deque[Connection] = deque()
        self._free = threading.Semaphore(self._size)
        self._forking = threading.Lock()
        self._pid = os.getpid()

    def take(self) -> Connection:
        """Lend a connection; give it back with `give_back`.

        Raises:
            StoreLockedError: When none became free in time.
            ValueError: When the pool was closed.
            Exception: What `connect` raises.
        """
        if self._pid != os.getpid():
            self._after_fork()
        if self._is_closed:
            msg = "the database was closed"
            raise ValueError(msg)
        free = self._free
        if not free.acquire(timeout=self._wait_seconds):
            raise StoreLockedError(self._label, waited_seconds=self._wait_seconds)
        try:
            return self._idle.pop()
        except IndexError:
            pass
        try:
            return self._connect()
        except BaseException:
            free.release()
            raise

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; one that is broken or busy is closed."""
        is_sound = not connection.closed and (
            connection.pgconn.transaction_status == _IDLE
        )
        if is_sound and not self._is_closed:
            self._idle.append(connection)
        else:
            connection.close()
        self._free.release()
        if self._is_closed:
            # It may have been closed just before the connection was put back.
            self._close_idle()

    def close(self) -> None:
        """Close what is idle; what is lent is closed as it comes back."""
        self._is_closed = True
        if self._pid == os.getpid():
            self._close_idle()

    def drop_idle(self) -> None:
        """Close what is idle, as after the server went away."""
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # pragma: no cover - another thread was faster
                return
            connection.close()

    def _after_fork(self) -> None:
        with self._forking:
            if self._pid != os.getpid():
                _INHERITED.extend(self._idle)
                self._begin()
