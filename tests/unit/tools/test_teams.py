"""The team tools: the host says which team, and every topic is a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.tools import teams
from ethos_memory.tools.answer import Declined
from ethos_memory.tools.binding import Bound
from tool_turns import ATTACK, CLI, IN_ROOM, by_name, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer
    from ethos_memory.turn import Turn


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home without teams."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


def write(memory: Memory, turn: Turn = CLI, **given: Any) -> ToolAnswer:
    """Write a topic of the crew."""
    return call(memory, turn, "team_memory_write", team="crew", **given)


def read(memory: Memory, team: str = "crew", **given: Any) -> str:
    """Read what a team keeps."""
    return call(memory, CLI, "team_memory_read", team=team, **given).text


def test_a_topic_is_written_read_listed_and_found(memory: Memory) -> None:
    """By its name with or without the ending; another team sees nothing of it."""
    assert read(memory) == "There are no topics yet."
    assert read(memory, key="plans") == "There is no team memory for plans.md yet."
    told = write(memory, action="add", key="decisions", content="- use Rust")
    assert told.text == "Appended to decisions.md: 0 -> 11 bytes."
    assert read(memory) == "- decisions"
    assert read(memory, key="decisions") == read(memory, key="decisions.md")
    assert read(memory, key="decisions") == "- use Rust"
    found = call(memory, CLI, "team_memory_search", team="crew", query="rust")
    assert found.text == "### decisions.md\n- use Rust"
    assert read(memory, team="other") == "There are no topics yet."
    elsewhere = call(memory, CLI, "team_memory_search", team="other", query="rust")
    assert elsewhere.text == "Nothing found."


def test_the_careful_write_holds_for_a_topic(memory: Memory) -> None:
    """One entry, a report, no promises, no blanks, no attacks."""
    write(memory, action="add", key="a", content="- one\n- two")
    assert write(memory, action="remove", key="a", substring_match="two").error is None
    assert read(memory, key="a") == "- one"
    promise = "- x\n\n[... rest of the file unchanged ...]"
    refused: tuple[dict[str, Any], ...] = (
        {"action": "replace", "content": promise},
        {"action": "replace", "content": " "},
        {"action": "add"},
        {"action": "add", "content": f"- {ATTACK}"},
        {"action": "remove"},
        {"action": "remove", "content": "missing"},
    )
    for given in refused:
        assert write(memory, key="a", **given).error == "input_invalid"
    assert read(memory, key="a") == "- one"
    assert write(memory, action="replace", key="a", content="- new").error is None
    assert read(memory, key="a") == "- new"


def test_a_topic_is_deleted_and_its_text_is_kept(memory: Memory) -> None:
    """One that is not there is not deleted."""
    write(memory, action="add", key="a", content="- one")
    assert write(memory, action="delete", key="a").text == (
        "Deleted a.md: 6 -> 0 bytes."
    )
    assert write(memory, action="delete", key="a").error == "not_available"
    kept = [change.content for change in memory.teams.history("team:crew", "a.md")]
    assert "- one\n" in kept


def test_a_topic_that_changed_since_it_was_read_is_not_replaced(
    memory: Memory,
) -> None:
    """Another member's line would be lost."""
    tools = by_name(memory, CLI, team="crew")
    tools["team_memory_read"].run({"key": "a"})
    write(memory, action="add", key="a", content="- THEIRS")
    wanted = {"action": "replace", "key": "a", "content": "- mine"}
    assert tools["team_memory_write"].run(wanted).error == "STALE_WRITE"
    assert read(memory, key="a") == "- THEIRS"


@pytest.mark.parametrize("key", ["../x", "a/b", "", "SOUL", "memory-archive"])
def test_a_name_outside_the_grammar_is_refused(memory: Memory, key: str) -> None:
    """By reading and by writing."""
    answer = call(memory, CLI, "team_memory_read", team="crew", key=key)
    assert answer.error == "input_invalid"
    assert write(memory, action="add", key=key, content="x").error == "input_invalid"


def test_a_room_writes_with_its_platform(memory: Memory) -> None:
    """The history names the tool."""
    assert write(memory, IN_ROOM, action="add", key="a", content="- x").error is None
    (change,) = memory.teams.history("team:crew", "a.md")
    assert change.source == "tool"


def test_without_a_team_there_is_none(memory: Memory) -> None:
    """Whoever comes past the offer."""
    bound = Bound(memory, CLI)
    with pytest.raises(Declined, match="not_available"):
        teams.read(bound, bound.view(), {})
