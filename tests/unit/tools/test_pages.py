"""``memory_read``, ``memory_write`` and ``memory_search``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add, Origin, Replace
from ethos_memory.turn import Turn
from tool_turns import (
    ATTACK,
    CLI,
    DIRECT,
    IN_ROOM,
    SECRET,
    STRANGER,
    by_name,
    call,
    open_memory,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

HAND = Origin("web-editor")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home in which a personality and two users have pages."""
    with open_memory(tmp_path / "home") as memory:
        sync = memory.provider.sync
        sync("personality:ops", [Add("MEMORY.md", "- deploys on Monday")])
        sync("personality:ops", [Add("USER.md", "- COPY of the owner")])
        sync("personality:ops", [Add("notes.md", "- the wiki is down")])
        sync("personality:ops", [Add("OBSERVATIONS.md", "- User SIGNAL")])
        sync("user:u2", [Add("USER.md", "- keeps bees")])
        yield memory


def page(memory: Memory, scope: str, key: str) -> str | None:
    """Return a page as it is."""
    entry = memory.provider.unsafe_read(scope, key)
    return None if entry is None else entry.content


def test_both_pages_are_read_with_their_headings(memory: Memory) -> None:
    """The profile first, as in a prompt."""
    both = "## About You\n\n- COPY of the owner\n\n## Memory\n\n- deploys on Monday"
    assert call(memory, CLI, "memory_read").text == both
    assert call(memory, CLI, "memory_read", store="both").text == both
    assert call(memory, CLI, "memory_read", store="user").text == "- COPY of the owner"
    assert (
        call(memory, CLI, "memory_read", store="memory").text == "- deploys on Monday"
    )


def test_a_stranger_reads_their_own_profile_alone(memory: Memory) -> None:
    """Neither the memory nor the copy, by whatever name."""
    assert call(memory, STRANGER, "memory_read").text == "- keeps bees"
    assert call(memory, STRANGER, "memory_read", key="USER.md").text == "- keeps bees"
    for key in ("MEMORY.md", "notes.md", "OBSERVATIONS.md", "IDENTITY.md"):
        assert call(memory, STRANGER, "memory_read", key=key).error == "not_available"
    answer = call(memory, STRANGER, "memory_read", store="memory")
    assert answer.error == "input_invalid"


def test_a_guest_of_a_room_never_reads_the_copy(memory: Memory) -> None:
    """Not by its name, and not by a search."""
    assert "COPY" not in call(memory, IN_ROOM, "memory_read").text
    assert call(memory, IN_ROOM, "memory_read", key="USER.md").text == "- keeps bees"
    for query in ("COPY owner", "SIGNAL"):
        found = call(memory, IN_ROOM, "memory_search", query=query)
        assert found.text == "Nothing found."


def test_an_owner_without_a_page_reads_the_copy_and_writes_their_own(
    memory: Memory,
) -> None:
    """As a prompt shows it, and as `remember` writes it."""
    tools = by_name(memory, DIRECT)
    assert tools["memory_read"].run({"store": "user"}).text == "- COPY of the owner"
    wanted = {"store": "user", "action": "replace", "content": "- likes tea"}
    assert tools["memory_write"].run(wanted).error is None
    assert page(memory, "user:u1", "USER.md") == "- likes tea\n"
    assert page(memory, "personality:ops", "USER.md") == "- COPY of the owner\n"


def test_empty_pages_say_so(tmp_path: Path) -> None:
    """Each in its own words."""
    with open_memory(tmp_path) as memory:
        read = by_name(memory, CLI)["memory_read"].run
        assert read({}).text == "Memory is empty. No notes recorded yet."
        assert read({"store": "memory"}).text == "MEMORY.md is empty."
        assert read({"store": "user"}).text == "USER.md is empty."
        memory.remember(CLI, Add("MEMORY.md", "x"))
        assert read({}).text == "## Memory\n\nx"


def test_other_pages_are_read_by_name(memory: Memory) -> None:
    """A name outside the grammar is refused, one that is not there is not available."""
    assert call(memory, CLI, "memory_read", key="notes.md").text == "- the wiki is down"
    assert call(memory, CLI, "memory_read", key="none.md").error == "not_available"
    assert call(memory, CLI, "memory_read", key="../x.md").error == "input_invalid"
    assert call(memory, CLI, "memory_read", key="user.md").error == "input_invalid"


def test_what_is_read_is_screened(memory: Memory) -> None:
    """Attacks are withheld and credentials replaced, also by a search."""
    lines = f"- ok\n- {ATTACK}\n- key {SECRET}\n"
    memory.provider.sync("personality:ops", [Replace("notes.md", lines)], origin=HAND)
    for answer in (
        call(memory, CLI, "memory_read", key="notes.md"),
        call(memory, CLI, "memory_search", query="previous instructions"),
        call(memory, CLI, "memory_search", query="ok key"),
    ):
        assert ATTACK not in answer.text
        assert SECRET not in answer.text


def test_add_appends_and_tells_both_sizes(memory: Memory) -> None:
    """The page goes where the turn says."""
    answer = call(
        memory, CLI, "memory_write", store="memory", action="add", content="- new"
    )
    assert answer.text == "Appended to MEMORY.md: 20 -> 27 bytes."
    assert page(memory, "personality:ops", "MEMORY.md") == (
        "- deploys on Monday\n\n- new\n"
    )


@pytest.mark.parametrize("content", [None, "", " \n\t"])
@pytest.mark.parametrize("action", ["add", "replace"])
def test_blank_text_is_refused(
    memory: Memory, action: str, content: str | None
) -> None:
    """It would add nothing, or wipe the page."""
    answer = call(
        memory, CLI, "memory_write", store="memory", action=action, content=content
    )
    assert (answer.error, answer.text) == (
        "input_invalid",
        "Nothing was written: the content is empty.",
    )
    assert page(memory, "personality:ops", "MEMORY.md") == "- deploys on Monday\n"


def test_the_same_text_again_says_so(memory: Memory) -> None:
    """A model is not told of a change that was none."""
    answer = call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="replace",
        content="- deploys on Monday",
    )
    assert "as it was" in answer.text


def test_an_attack_is_refused_and_a_credential_replaced(memory: Memory) -> None:
    """The answer names the rule, and never the text."""
    write = by_name(memory, CLI)["memory_write"].run
    refused = write({"store": "memory", "action": "add", "content": f"- {ATTACK}"})
    assert refused.error == "input_invalid"
    assert "refused by the guard" in refused.text
    assert ATTACK not in refused.text
    kept = write({"store": "memory", "action": "add", "content": f"- key {SECRET}"})
    assert kept.text.endswith("A credential in it was replaced by a marker.")
    assert SECRET not in (page(memory, "personality:ops", "MEMORY.md") or "")


def test_a_page_that_changed_since_it_was_read_is_not_replaced(memory: Memory) -> None:
    """Somebody else's note would be lost; after reading again it goes."""
    tools = by_name(memory, CLI)
    wanted = {"store": "memory", "action": "replace", "content": "- all new"}
    tools["memory_read"].run({})
    memory.remember(CLI, Add("MEMORY.md", "- LATE"))
    assert tools["memory_write"].run(wanted).error == "STALE_WRITE"
    assert "LATE" in (page(memory, "personality:ops", "MEMORY.md") or "")
    tools["memory_read"].run({})
    assert tools["memory_write"].run(wanted).error is None
    # Its own write is known to the model, so it may go on from there.
    again = {**wanted, "content": "- newer"}
    assert tools["memory_write"].run(again).error is None
    assert page(memory, "personality:ops", "MEMORY.md") == "- newer\n"


def test_an_own_note_does_not_hide_somebody_elses(memory: Memory) -> None:
    """The model read, somebody wrote, the model added: what was written is unseen."""
    tools = by_name(memory, CLI)
    tools["memory_read"].run({})
    memory.remember(CLI, Add("MEMORY.md", "- LATE"))
    tools["memory_write"].run({"store": "memory", "action": "add", "content": "- mine"})
    wanted = {"store": "memory", "action": "replace", "content": "- all new"}
    assert tools["memory_write"].run(wanted).error == "STALE_WRITE"


def test_a_search_is_limited_after_what_must_not_be_found(memory: Memory) -> None:
    """A profile that ranks first takes nobody's place."""
    update = Add("USER.md", "wiki wiki wiki")
    memory.provider.sync("personality:ops", [update])
    found = call(memory, CLI, "memory_search", query="wiki", limit=1)
    assert found.text == "### notes.md\n- the wiki is down"
    both = call(memory, CLI, "memory_search", query="wiki Monday", mode="keyword")
    assert both.text.count("### ") == 2
    assert "\n\n---\n\n" in both.text
    wrong = call(memory, CLI, "memory_search", query="wiki", mode="semantic")
    assert wrong.error == "not_available"


def test_the_history_knows_that_a_tool_wrote(memory: Memory) -> None:
    """With the session and platform of the turn."""
    turn = Turn("ops", "cli", session_id="s9")
    call(memory, turn, "memory_write", store="memory", action="add", content="- x")
    newest = memory.provider.history("personality:ops", "MEMORY.md")[0]
    assert (newest.source, newest.actions) == ("tool", ("add",))
