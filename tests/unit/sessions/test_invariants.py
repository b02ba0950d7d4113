"""What holds for every conversation."""

from __future__ import annotations

import pytest

from ethos_memory.errors import MessageOrderError, NotPermittedError
from ethos_memory.sessions.invariants import (
    check_binding,
    check_order,
    fork_suffix,
    require_owner,
)
from ethos_memory.sessions.record import ROLES


def test_a_new_session_has_an_owner() -> None:
    """Nothing is begun for everybody."""
    assert require_owner("user:a") == "user:a"
    with pytest.raises(NotPermittedError):
        require_owner(None)


@pytest.mark.parametrize("last", [None, *ROLES])
def test_a_tool_result_follows_its_call(last: str | None) -> None:
    """Or another result; every other role may stand anywhere."""
    for role in ROLES:
        if role == "tool_result" and last not in {"assistant", "tool_result"}:
            with pytest.raises(MessageOrderError):
                check_order(role, last)
        else:
            check_order(role, last)


def test_a_session_stays_bound_to_its_personality() -> None:
    """One that is not bound yet may be; what changes something else may pass."""
    check_binding(None, {"personality_id": "ops"})
    check_binding("ops", {"personality_id": "ops"})
    check_binding("ops", {"title": "other"})
    for other in ("other", None):
        with pytest.raises(NotPermittedError):
            check_binding("ops", {"personality_id": other})


def test_two_forks_have_two_keys() -> None:
    """Each has part of its own id in it."""
    assert fork_suffix("0123456789abcdef" * 2) == ":fork:0123456789ab"
