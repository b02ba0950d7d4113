"""`writing`: removing by what the model can see, against everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add, Replace
from ethos_memory.tools import writing
from ethos_memory.tools.answer import Declined
from tool_turns import ATTACK, CLI, SECRET, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.entry import MemoryEntry, SyncReport, Update
    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer

SCOPE = "personality:ops"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home without pages."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


def by_hand(memory: Memory, text: str) -> None:
    """Put a page there as an editor outside does: nothing screens it."""
    memory.provider._inner.sync(SCOPE, [Replace("MEMORY.md", text)])


def removed(memory: Memory, needle: str | None, **more: str) -> ToolAnswer:
    """Remove an entry as a model does."""
    return call(
        memory,
        CLI,
        "memory_write",
        store="memory",
        action="remove",
        substring_match=needle,
        **more,
    )


def content(memory: Memory) -> str:
    """Return the page as it is."""
    entry = memory.provider.unsafe_read(SCOPE, "MEMORY.md")
    return "" if entry is None else entry.content


def test_one_entry_goes_and_the_answer_counts(memory: Memory) -> None:
    """Entries, lines and bytes."""
    by_hand(memory, "- a\n- b one\n  two\n- c\n- c\n")
    answer = removed(memory, "b one")
    assert answer.text == (
        "Removed one entry (2 lines) from MEMORY.md: 26 -> 12 bytes."
    )
    assert removed(memory, "c").text.startswith("Removed 2 copies of one entry (2 ")
    assert content(memory) == "- a\n"


def test_content_stands_in_for_the_needle(memory: Memory) -> None:
    """As Ethos takes it; a heading tells two places apart."""
    by_hand(memory, "# A\n- tea\n\n# B\n- tea\n")
    assert removed(memory, None, content="tea").error == "input_invalid"
    answer = removed(memory, None, content="tea", under="B")
    assert answer.text.startswith("Removed one entry (1 line)")
    assert content(memory).startswith("# A\n- tea\n")


def test_nothing_to_look_for_and_nothing_there(memory: Memory) -> None:
    """Both are refusals, and never read as success."""
    assert removed(memory, "x").text == "Nothing was removed: MEMORY.md is empty."
    by_hand(memory, "- a\n")
    for needle in (None, "", "-", "missing"):
        answer = removed(memory, needle)
        assert answer.error == "input_invalid"
        assert not answer.text.startswith("Removed")
    assert content(memory) == "- a\n"


def test_candidates_are_listed_as_a_model_may_read_them(memory: Memory) -> None:
    """Neither a credential nor a withheld line comes out of a refusal."""
    by_hand(memory, f"- note one {SECRET}\n- note two\n- note {ATTACK}\n")
    answer = removed(memory, "note")
    assert "\n- " in answer.text
    assert "note two" in answer.text
    for private in (SECRET, SECRET[:20], ATTACK):
        assert private not in answer.text


def test_what_is_not_shown_is_not_found(memory: Memory) -> None:
    """A model cannot feel for a credential by removing it."""
    text = f"- first\n- key {SECRET}\n- last\n"
    by_hand(memory, text)
    for needle in (SECRET[:20], SECRET):
        assert removed(memory, needle).error == "input_invalid"
    assert "not shown" in removed(memory, "key").text
    assert content(memory) == text


def test_an_entry_beside_a_credential_goes(memory: Memory) -> None:
    """The rest stays, but for the credential, which becomes its marker."""
    by_hand(memory, f"- first\n- key {SECRET}\n- last\n")
    assert removed(memory, "last").error is None
    assert content(memory).startswith("- first\n- key ")
    assert SECRET not in content(memory)


def test_a_page_with_an_attack_is_for_a_person(memory: Memory) -> None:
    """A model that wrote it back would be the one who stores it."""
    text = f"- first\n- {ATTACK}\n- last\n"
    by_hand(memory, text)
    answer = removed(memory, "last")
    assert answer.error == "input_invalid"
    assert "refused by the guard" in answer.text
    assert content(memory) == text


def racing(memory: Memory, rounds: int) -> writing.Page:
    """Return a page that somebody else adds to, between our read and our write."""
    left = [rounds]

    def read() -> MemoryEntry | None:
        return memory.provider.unsafe_read(SCOPE, "MEMORY.md")

    def write(update: Update) -> SyncReport:
        if left[0]:
            left[0] -= 1
            memory.remember(CLI, Add("MEMORY.md", f"- other {left[0]}"))
        return memory.remember(CLI, update)

    return writing.Page(
        "MEMORY.md", read, lambda: memory.provider.read(SCOPE, "MEMORY.md"), write
    )


def test_a_removal_loses_nobody_elses_note(memory: Memory) -> None:
    """It looks again, as often as it takes."""
    by_hand(memory, "- mine\n")
    told = writing.remove(racing(memory, 3), "mine", under=None)
    assert told.startswith("Removed one entry")
    assert [f"- other {n}" in content(memory) for n in range(3)] == [True] * 3
    assert "mine" not in content(memory)


def test_a_removal_ends(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """When others never stop."""
    monkeypatch.setattr(writing, "_MOST_ROUNDS", 3)
    by_hand(memory, "- mine\n")
    with pytest.raises(Declined) as caught:
        writing.remove(racing(memory, 99), "mine", under=None)
    assert caught.value.code == "STALE_WRITE"
    assert "- mine\n" in content(memory)


@pytest.mark.parametrize("shown", ["gone", "older"])
def test_what_is_shown_and_what_is_there_are_of_one_state(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, shown: str
) -> None:
    """Somebody wrote between the two reads: both are read again."""
    monkeypatch.setattr(writing, "_MOST_ROUNDS", 3)
    by_hand(memory, "- mine\n")
    older = memory.provider.read(SCOPE, "MEMORY.md") if shown == "older" else None
    memory.remember(CLI, Add("MEMORY.md", "- other"))
    entry = memory.provider.unsafe_read(SCOPE, "MEMORY.md")
    page = writing.Page(
        "MEMORY.md", lambda: entry, lambda: older, lambda u: memory.remember(CLI, u)
    )
    with pytest.raises(Declined) as caught:
        writing.remove(page, "mine", under=None)
    assert caught.value.code == "STALE_WRITE"
    assert content(memory) == "- mine\n\n- other\n"
