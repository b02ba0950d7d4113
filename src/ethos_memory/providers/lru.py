"""What is kept in memory of the scopes that were used last."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LruCache"]

_T = TypeVar("_T")


class LruCache(Generic[_T]):
    """Values by name, each made when it is first used. Safe for threads.

    Args:
        most: How many are kept; the one that was used longest ago goes first.
        make: Makes a value.
    """

    def __init__(self, most: int, make: Callable[[], _T]) -> None:
        self._most = most
        self._make = make
        self._kept: dict[str, _T] = {}
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, the one that was used last at the end."""
        return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def use(self, name: str) -> _T:
        """Return the value of a name."""
        with self._lock:
            value = self._kept.pop(name) if name in self._kept else self._make()
            self._kept[name] = value
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return value

    def forget(self, name: str) -> None:
        """Let go of a value. One that is not there is no error."""
        with self._lock:
            self._kept.pop(name, None)
