"""What the guard already knows: verdicts by content, so that a page is read once."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from ethos_memory.verdict import Verdict

__all__ = ["SHORTEST", "Known"]

#: A shorter text is read again sooner than it is looked up.
SHORTEST: Final = 512

#: Bounds of what is kept: verdicts, and characters in all of them together.
_MOST_VERDICTS: Final = 1_024
_MOST_CHARACTERS: Final = 8_000_000

_Key: TypeAlias = tuple[bytes, bool]


class Known:
    """Verdicts of one guard, least recently used first.

    The key is the hash of the content and how strictly it was judged; the rules are the
    guard's own and never change. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._verdicts: OrderedDict[_Key, Verdict] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def get(self, text: str, *, is_user: bool) -> Verdict | None:
        """Return the verdict about a text, `None` when it is not kept."""
        if len(text) < SHORTEST:
            return None
        key = _key(text, is_user)
        with self._lock:
            known = self._verdicts.get(key)
            if known is not None:
                self._verdicts.move_to_end(key)
            return known

    def keep(self, text: str, verdict: Verdict, *, is_user: bool) -> None:
        """Keep the verdict about a text that is long enough."""
        if len(text) >= SHORTEST:
            self._keep(_key(text, is_user), verdict)

    def _keep(self, key: _Key, verdict: Verdict) -> None:
        with self._lock:
            if key not in self._verdicts:
                self._characters += _size(verdict)
            self._verdicts[key] = verdict
            while (
                len(self._verdicts) > _MOST_VERDICTS
                or self._characters > _MOST_CHARACTERS
            ):
                _, oldest = self._verdicts.popitem(last=False)
                self._characters -= _size(oldest)


def _key(text: str, is_user: bool) -> _Key:  # noqa: FBT001, part of the key
    return sha256(text.encode("utf-8", "surrogatepass")).digest(), is_user


def _size(verdict: Verdict) -> int:
    return len(verdict.stored) + len(verdict.shown)
