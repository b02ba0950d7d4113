"""``session_search`` and ``session_list_by_date``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ethos_memory.tools import conversations
from ethos_memory.tools.answer import Declined
from ethos_memory.tools.binding import Bound
from ethos_memory.turn import Turn
from session_store import Clock, open_store, say
from tool_turns import ATTACK, CLI, DIRECT, OWNER, SECRET, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory


def day(number: int, hour: int = 10) -> datetime:
    """Return a time in May."""
    return datetime(2026, 5, number, hour, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    """A clock to turn."""
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    """A home whose conversations run by that clock."""
    store = open_store(tmp_path, clock=clock)
    with open_memory(tmp_path / "home", sessions=store) as memory:
        yield memory


def begun(memory: Memory, title: str | None = None, *, owner: str = "user:u1") -> str:
    """Begin a conversation."""
    sessions = memory.sessions.for_owner(owner)
    return sessions.create(f"key of {title}", title=title).id


def within(id: str) -> Turn:
    """Return the owner's turn in a session."""
    return Turn("ops", "direct", account=OWNER, user_id="u1", session_id=id)


def test_this_conversation_is_searched(memory: Memory, clock: Clock) -> None:
    """By words and times, numbered, with the time of each message."""
    id = begun(memory)
    for number in (1, 2, 3):
        clock.now = day(number)
        say(memory.sessions.for_owner("user:u1"), id, f"user: invoice no {number}")
    found = call(memory, within(id), "session_search", query="invoice", limit=2)
    assert len(found.text.splitlines()) == 2
    assert found.text.startswith("1. [2026-05-0")
    times = {"since": "2026-05-02", "until": "2026-05-02"}
    found = call(memory, within(id), "session_search", query="invoice", **times)
    assert found.text == "1. [2026-05-02T10:00] invoice no 2"
    none = call(memory, within(id), "session_search", query="absent")
    assert none.text == "Nothing found in this conversation."
    wrong = call(memory, within(id), "session_search", query="x", since="soon")
    assert wrong.error == "input_invalid"


def test_a_credential_that_was_said_is_not_shown(memory: Memory) -> None:
    """What people say is kept as it was; a tool shows it redacted."""
    id = begun(memory)
    say(memory.sessions.for_owner("user:u1"), id, f"user: my key is {SECRET} ok")
    found = call(memory, within(id), "session_search", query="key")
    assert "my key is" in found.text
    assert SECRET not in found.text


def test_an_order_is_not_shown_as_a_line_of_the_tool(memory: Memory) -> None:
    """Neither in what was said nor in a title, which anybody may have written."""
    id = begun(memory, f"Tea. {ATTACK}")
    say(memory.sessions.for_owner("user:u1"), id, f"user: {ATTACK}")
    found = call(memory, within(id), "session_search", query="instructions")
    listed = call(memory, DIRECT, "session_list_by_date")
    for answer in (found, listed):
        assert answer.error is None
        assert "withheld by the memory guard" in answer.text
        assert "Ignore all" not in answer.text
    assert "(1 messages)" in listed.text


def test_a_session_that_is_not_there_is_not_available(memory: Memory) -> None:
    """The same answer as for somebody else's."""
    begun(memory)
    answer = call(memory, within("unknown"), "session_search", query="x")
    assert answer.text == "There is no such conversation."


def test_conversations_of_a_time_are_listed(memory: Memory, clock: Clock) -> None:
    """The last one first, also when another is pinned."""
    assert call(memory, DIRECT, "session_list_by_date").text == (
        "No conversations in that time."
    )
    ids = []
    for number in (1, 2, 3):
        clock.now = day(number, 9)
        ids.append(begun(memory, f"day {number}"))
        if number == 1:
            memory.sessions.for_owner("user:u1").update(ids[0], pinned=True)
        clock.now = day(number)
        say(memory.sessions.for_owner("user:u1"), ids[-1], "user: hello")
    clock.now = day(4)
    ids.append(begun(memory))
    answer = call(memory, DIRECT, "session_list_by_date", until="2026-05-03")
    assert answer.text.splitlines()[0] == "1. [2026-05-03T10:00] day 3 (1 messages)"
    newest = call(memory, DIRECT, "session_list_by_date", limit=1)
    assert newest.text.startswith("1. [2026-05-04")
    only = call(
        memory, DIRECT, "session_list_by_date", since="2026-05-02", until="2026-05-02"
    )
    assert only.text == "1. [2026-05-02T10:00] day 2 (1 messages)"


def test_more_than_one_page_is_read(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit counts what is in the time, not what was looked at."""
    monkeypatch.setattr(conversations, "_PAGE", 2)
    for number in range(5):
        begun(memory, f"t{number}")
    answer = call(memory, DIRECT, "session_list_by_date", limit=5)
    assert len(answer.text.splitlines()) == 5


def test_without_an_owner_there_are_none(memory: Memory) -> None:
    """Whoever comes past the offer."""
    bound = Bound(memory, CLI)
    with pytest.raises(Declined, match="not_available"):
        conversations.list_by_date(bound, bound.view(), {})


def test_a_view_without_an_account_has_no_room(memory: Memory) -> None:
    """A room is a platform and a chat; without the platform it is nobody's."""
    turn = Turn("ops", "group", chat_id="5")
    view = memory.audience.view(CLI)
    assert Bound(memory, turn).owner(view) is None
