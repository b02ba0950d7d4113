"""What holds for every conversation, whatever keeps it (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.errors import MessageOrderError, NotPermittedError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_binding", "check_order", "fork_suffix", "require_owner"]

#: After these a tool result may stand.
_BEFORE_RESULT: Final = frozenset({"assistant", "tool_result"})

#: Digits of a fork's id in its key: 48 bits, so that two forks never have one key.
_FORK_DIGITS: Final = 12


def require_owner(owner: str | None) -> str:
    """Return whose a new session is.

    Raises:
        NotPermittedError: When everybody's are meant.
    """
    if owner is None:
        raise NotPermittedError("a session needs an owner; create it for one")
    return owner


def check_order(role: str, last_role: str | None) -> None:
    """Refuse a tool result without the call that it answers.

    Args:
        role: Of the message to be stored.
        last_role: Of the last one that is there, if any.

    Raises:
        MessageOrderError: When `role` may not stand after it.
    """
    if role == "tool_result" and last_role not in _BEFORE_RESULT:
        raise MessageOrderError(
            "a tool_result must follow an assistant message or another tool_result"
        )


def check_binding(bound: str | None, changes: Mapping[str, Any]) -> None:
    """Refuse to bind a session to another personality than it is bound to.

    Raises:
        NotPermittedError: When that is among the changes.
    """
    if bound is not None and changes.get("personality_id", bound) != bound:
        raise NotPermittedError("the session is bound to another personality")


def fork_suffix(id: str) -> str:
    """Return what a fork's key has behind the original's.

    The fork's id is in it, so that two forks within one clock tick have two keys.
    """
    return f":fork:{id[:_FORK_DIGITS]}"
