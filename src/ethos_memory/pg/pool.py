"""Connections that are kept open: making one takes a hundred times as long as a query."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
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
        #: Of what is lent and what is idle. Changed under the lock of `_freed` alone.
        self._open = 0
        self._waiting = 0
        self._freed = threading.Condition()
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
        self._refuse_closed()
        try:
            # Nearly always; it takes no lock.
            return self._idle.pop()
        except IndexError:
            pass
        return self._wait()

    def _wait(self) -> Connection:
        """Wait for an idle connection, or for room for one more."""
        deadline = time.monotonic() + self._wait_seconds
        with self._freed:
            # Before looking: who gives one back from now on sees that somebody waits.
            self._waiting += 1
            try:
                while self._open >= self._size:
                    with suppress(IndexError):
                        return self._idle.pop()
                    self._wait_until(deadline)
                    self._refuse_closed()
                self._open += 1
            finally:
                self._waiting -= 1
        try:
            return self._connect()
        except BaseException:
            self._make_room()
            raise

    def _refuse_closed(self) -> None:
        if self._is_closed:
            msg = "the database was closed"
            raise ValueError(msg)

    def _wait_until(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise StoreLockedError(self._label, waited_seconds=self._wait_seconds)
        self._freed.wait(left)

    def _make_room(self) -> None:
        with self._freed:
            self._open -= 1
            self._freed.notify()

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; one that is broken or busy is closed."""
        is_sound = not connection.closed and (
            connection.pgconn.transaction_status == _IDLE
        )
        if is_sound and not self._is_closed:
            self._idle.append(connection)
            if self._waiting:
                with self._freed:
                    self._freed.notify()
        else:
            self._end(connection)
        if self._is_closed:
            # It may have been closed just before the connection was put back.
            self._close_idle()

    def close(self) -> None:
        """Close what is idle; what is lent is closed as it comes back."""
        self._is_closed = True
        if self._pid == os.getpid():
            self._close_idle()
            with self._freed:
                self._freed.notify_all()

    def drop_idle(self) -> None:
        """Close what is idle, as after the server went away."""
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # pragma: no cover - another thread was faster
                return
            self._end(connection)

    def _end(self, connection: Connection) -> None:
        connection.close()
        self._make_room()

    def _after_fork(self) -> None:
        with self._forking:
            if self._pid != os.getpid():
                _INHERITED.extend(self._idle)
                self._begin()
