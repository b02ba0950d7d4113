"""What was said, and by whom: only the user themselves is learned from."""

from __future__ import annotations

from typing import Final, Protocol

from ethos_memory.scope import plain_text

__all__ = ["SaidMessage", "own_text"]

#: Who speaks for themselves in a conversation; see `sessions`.
_USER_ROLES: Final = frozenset({"user", "user_steer"})


class SaidMessage(Protocol):
    """A message with its role, as a session store keeps it."""

    @property
    def role(self) -> str:
        """Who said it; only ``user`` and ``user_steer`` are learned from."""
        ...

    @property
    def content(self) -> str:
        """What was said."""
        ...


def own_text(message: str | SaidMessage) -> str:
    """Return what the user said, ``""`` for a message by anybody else."""
    if isinstance(message, str):
        return plain_text(message, what="message")
    if message.role not in _USER_ROLES:
        return ""
    return plain_text(message.content, what="message")
