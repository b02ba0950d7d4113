"""`tools_for`: the view says which tools there are, at each call again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.errors import CorruptFileError, InvalidScopeError
from ethos_memory.tools import tools_for
from ethos_memory.turn import Turn
from tool_turns import (
    CLI,
    DIRECT,
    GUEST,
    IN_ROOM,
    OWNER,
    ROOM,
    STRANGER,
    by_name,
    open_memory,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

PAGES = ["memory_read", "memory_write"]
TEAM = ["team_memory_read", "team_memory_write", "team_memory_search"]
OFFERED: tuple[tuple[Turn, list[str]], ...] = (
    (CLI, [*PAGES, "memory_search"]),
    (Turn("ops", "web"), [*PAGES, "memory_search"]),
    (
        Turn("ops", "web", user_id="u1"),
        [*PAGES, "memory_search", "session_list_by_date"],
    ),
    (DIRECT, [*PAGES, "memory_search", "session_list_by_date"]),
    (IN_ROOM, [*PAGES, "memory_search", "session_list_by_date"]),
    (STRANGER, PAGES),
    (Turn("ops", "direct"), []),
    (Turn("ops", "phone"), []),
    (Turn("ops", "group", account=OWNER, user_id="u1", chat_id="-5"), []),
    (Turn("ops", "direct", account=OWNER, user_id="u1", was_shared=True), []),
    (Turn("ops", "supergroup", account=OWNER, user_id="u1"), []),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


@pytest.mark.parametrize(("turn", "names"), OFFERED)
def test_a_turn_is_offered_what_its_view_grants(
    memory: Memory, turn: Turn, names: list[str]
) -> None:
    """And team tools when it is granted all, and there is a team."""
    assert list(by_name(memory, turn)) == names
    has_all = "memory_search" in names
    with_team = [*names, *(TEAM if has_all else [])]
    assert list(by_name(memory, turn, team="crew")) == with_team


def test_a_turn_in_a_session_can_search_it(memory: Memory) -> None:
    """A stranger cannot, and a turn without an owner cannot."""
    for turn, has in ((DIRECT, True), (STRANGER, False), (CLI, False)):
        within = Turn(
            turn.personality,
            turn.surface,
            account=turn.account,
            user_id=turn.user_id,
            session_id="s1",
        )
        assert ("session_search" in by_name(memory, within)) is has


def test_schemas_name_no_scope_and_are_json(memory: Memory) -> None:
    """A model never says whose memory it is."""
    for tool in tools_for(memory, DIRECT, team="crew"):
        names = set(tool.parameters["properties"])
        assert not names & {"scope", "user_id", "personality", "team", "owner"}
        assert json.loads(json.dumps(tool.parameters)) == tool.parameters
        assert tool.description.endswith(".")
    writing = {tool.name for tool in tools_for(memory, DIRECT, team="t") if tool.writes}
    assert writing == {"memory_write", "team_memory_write"}
    for turn, stores in ((DIRECT, ["memory", "user"]), (STRANGER, ["user"])):
        write = by_name(memory, turn)["memory_write"]
        assert write.parameters["properties"]["store"]["enum"] == stores


def test_a_room_of_somebody_without_a_name_has_the_memory_alone(
    memory: Memory,
) -> None:
    """There is no profile to read then, when the map knows nobody."""
    turn = Turn("ops", "group", account=GUEST, chat_id=ROOM)
    tools = by_name(memory, turn)
    # The first message mints an id, as it does for a recall.
    assert memory.identity_map.find("telegram", 2) is not None
    assert list(tools) == list(by_name(memory, IN_ROOM))


def test_a_call_that_comes_anyway_is_refused(memory: Memory) -> None:
    """The session was marked as shared after the tools were made."""
    own = memory.sessions.for_owner("user:u1")
    id = own.create("k").id
    turn = Turn("ops", "direct", account=OWNER, user_id="u1", session_id=id)
    memory.remember(turn, Add("MEMORY.md", "- KEPT"))
    tools = by_name(memory, turn, team="crew")
    assert "KEPT" in tools["memory_read"].run({}).text
    own.update(id, was_shared=True)
    for tool in tools.values():
        answer = tool.run({})
        assert answer.error == "not_available"
        assert "KEPT" not in answer.text
    write = {"store": "memory", "action": "add", "content": "- LATER"}
    assert tools["memory_write"].run(write).error == "not_available"
    assert memory.provider.read("personality:ops", "MEMORY.md").content == "- KEPT\n"  # type: ignore[union-attr]


def test_a_damaged_map_offers_nothing(tmp_path: Path) -> None:
    """It is an error for the host, and never everybody's memory."""
    with open_memory(tmp_path) as memory:
        turn = Turn("ops", "direct", account=OWNER)
        tools = by_name(memory, turn)
        (tmp_path / "users" / "identity-map.json").write_text("{")
    with open_memory(tmp_path) as memory, pytest.raises(CorruptFileError):
        tools_for(memory, turn)
    assert tools


def test_a_bad_team_is_refused(memory: Memory) -> None:
    """The host names it, so the host is told."""
    with pytest.raises(InvalidScopeError):
        tools_for(memory, DIRECT, team="../x")
