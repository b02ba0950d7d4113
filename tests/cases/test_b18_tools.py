"""B18 through the tools: searching old talks finds nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.turn import Account, Turn
from session_store import open_store, say
from tool_turns import GUEST, OWNER, ROOM, by_name, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

ROOM_OWNER = f"telegram:{ROOM}"
OWNERS = {
    "telegram:bot:1": "user:u1",
    "telegram:bot:12": "user:u2",
    "telegram:bot:-100777:topic:5": ROOM_OWNER,
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home in which three owners talked of the same thing."""
    store = open_store(tmp_path)
    for key, owner in OWNERS.items():
        sessions = store.for_owner(owner)
        id = sessions.create(key, title=f"invoice of {owner}").id
        padding = "and more of it " * 20 if owner == "user:u1" else ""
        say(sessions, id, *(f"user: invoice {n} {padding}" for n in range(30)))
    with open_memory(tmp_path / "home", sessions=store) as memory:
        yield memory


def session_of(memory: Memory, owner: str) -> str:
    """Return the id of an owner's session."""
    return memory.sessions.for_owner(owner).list().items[0].id


def turn_of(memory: Memory, owner: str, *, session: str | None = None) -> Turn:
    """Return a turn of an owner, in their own session or another one."""
    id = session_of(memory, session or owner)
    if owner == ROOM_OWNER:
        return Turn(
            "ops", "group", account=GUEST, user_id="u2", chat_id=ROOM, session_id=id
        )
    account = OWNER if owner == "user:u1" else Account("discord", 9)
    user_id = owner.removeprefix("user:")
    return Turn("ops", "direct", account=account, user_id=user_id, session_id=id)


@pytest.mark.parametrize("owner", OWNERS.values())
def test_only_the_callers_own_is_found(memory: Memory, owner: str) -> None:
    """And the limit counts the caller's own."""
    tools = by_name(memory, turn_of(memory, owner))
    found = tools["session_search"].run({"query": "invoice", "limit": 5})
    assert len(found.text.splitlines()) == 5
    assert ("and more" in found.text) is (owner == "user:u1")
    listed = tools["session_list_by_date"].run({})
    assert len(listed.text.splitlines()) == 1
    assert f"invoice of {owner}" in listed.text


@pytest.mark.parametrize("owner", OWNERS.values())
@pytest.mark.parametrize("other", OWNERS.values())
def test_a_foreign_session_is_no_session(
    memory: Memory, owner: str, other: str
) -> None:
    """Even when the host's turn names it: the boundary is the owner's."""
    if owner == other:
        return
    turn = turn_of(memory, owner, session=other)
    found = by_name(memory, turn)["session_search"].run({"query": "invoice"})
    assert found.error == "not_available"
    assert found.text == "There is no such conversation."


def test_no_argument_leads_out(memory: Memory) -> None:
    """Neither a session nor an owner can be named."""
    tools = by_name(memory, turn_of(memory, "user:u1"))
    for name in ("session_id", "session", "owner", "key_prefix"):
        for tool in ("session_search", "session_list_by_date"):
            given = {"query": "invoice", name: session_of(memory, "user:u2")}
            assert tools[tool].run(given).error == "input_invalid"
