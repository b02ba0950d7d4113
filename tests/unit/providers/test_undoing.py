"""What a change did, and taking it back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import History
from ethos_memory.entry import Add, Change, Delete, Replace
from ethos_memory.errors import UnsupportedError
from ethos_memory.providers.guarded import GuardedProvider, UnsafeNoGuard
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.providers.undoing import difference, undo

if TYPE_CHECKING:
    from pathlib import Path

SCOPE, KEY = "personality:ops", "MEMORY.md"


def state(content: str | None) -> Change:
    return Change(
        KEY,
        "r",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        source="tool",
        actions=("add",),
        content=content,
    )


@pytest.fixture(params=["markdown", "transient"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> GuardedProvider:
    """Return every provider of this package that keeps a history."""
    inner = (
        MarkdownProvider(tmp_path, durability="fast")
        if request.param == "markdown"
        else TransientProvider()
    )
    return GuardedProvider(inner, UnsafeNoGuard())


def text(memory: GuardedProvider) -> str | None:
    entry = memory.unsafe_read(SCOPE, KEY)
    return None if entry is None else entry.content


def test_a_difference_is_a_unified_diff() -> None:
    """As `diff -u` writes it, and as `patch` takes it."""
    before, after = state("- a\n- b\n- c\n"), state("- a\n- B\n- c\n")
    assert difference(before, after, key=KEY) == (
        "--- MEMORY.md\n+++ MEMORY.md\n@@ -1,3 +1,3 @@\n - a\n-- b\n+- B\n - c\n"
    )


@pytest.mark.parametrize("nothing", [None, state(None)])
def test_no_page_is_the_null_device(nothing: Change | None) -> None:
    """Before it was made, and after it was deleted."""
    made = difference(nothing, state("- a"), key=KEY)
    assert made == (
        "--- /dev/null\n+++ MEMORY.md\n@@ -0,0 +1 @@\n"
        "+- a\n\\ No newline at end of file\n"
    )
    gone = difference(state("- a\n"), nothing, key=KEY)
    assert gone.splitlines()[:2] == ["--- MEMORY.md", "+++ /dev/null"]


def test_equal_states_have_no_difference() -> None:
    """Whatever their revisions."""
    assert difference(state("- a\n"), state("- a\n"), key=KEY) == ""
    assert difference(None, state(None), key=KEY) == ""


def test_only_a_line_feed_ends_a_line() -> None:
    """A page may hold U+2028 or a lone CR within a line."""
    diff = difference(state("a\u2028b\rc\n"), state("a\u2028b\rd\n"), key=KEY)
    assert "-a\u2028b\rc\n+a\u2028b\rd\n" in diff


def test_a_long_page_is_compared_in_a_moment() -> None:
    """The changed middle stands as a whole; the head is that of any unified diff."""
    lines = [f"- {n}\n" for n in range(100_000)]
    before = state("".join(lines))
    after = state("".join([*lines[:50_000], "- new\n", *lines[50_000:]]))
    diff = difference(before, after, key=KEY).splitlines()
    assert diff[:2] == ["--- MEMORY.md", "+++ MEMORY.md"]
    assert "+- new" in diff
    assert len(diff) < 20


def test_undo_brings_back_the_state_before(memory: GuardedProvider) -> None:
    """And undoing again brings the change back: it is a change itself."""
    memory.sync(SCOPE, [Add(KEY, "- a")])
    memory.sync(SCOPE, [Replace(KEY, "- b")])
    (change,) = undo(memory, SCOPE, KEY).changes
    assert change.is_change
    assert text(memory) == "- a\n"
    assert memory.history(SCOPE, KEY)[0].source == "restore"
    undo(memory, SCOPE, KEY)
    assert text(memory) == "- b\n"


def test_undoing_a_creation_deletes_the_page(memory: GuardedProvider) -> None:
    """There was none before."""
    memory.sync(SCOPE, [Add(KEY, "- a")])
    undo(memory, SCOPE, KEY)
    assert text(memory) is None
    assert memory.history(SCOPE, KEY)[0].source == "restore"
    undo(memory, SCOPE, KEY)
    assert text(memory) == "- a\n"


def test_undoing_a_deletion_brings_the_page_back(memory: GuardedProvider) -> None:
    """Byte for byte; and what was deleted before a page was made is no page."""
    memory.sync(SCOPE, [Add(KEY, "- a")])
    memory.sync(SCOPE, [Delete(KEY)])
    undo(memory, SCOPE, KEY)
    assert text(memory) == "- a\n"
    undo(memory, SCOPE, KEY)
    assert text(memory) is None


def test_a_page_without_changes_cannot_be_undone(memory: GuardedProvider) -> None:
    """Of this key: another page's changes are its own."""
    memory.sync(SCOPE, [Add("OTHER.md", "- a")])
    with pytest.raises(LookupError, match="no change"):
        undo(memory, SCOPE, KEY)


def test_an_edit_by_hand_is_the_newest_change(tmp_path: Path) -> None:
    """It is taken back first, and its text stays in the history."""
    memory = GuardedProvider(MarkdownProvider(tmp_path), UnsafeNoGuard())
    memory.sync(SCOPE, [Add(KEY, "- a")])
    memory.sync(SCOPE, [Add(KEY, "- b")])
    page = tmp_path / "personalities/ops" / KEY
    page.write_text("- by hand\n")
    undo(memory, SCOPE, KEY)
    assert text(memory) == "- a\n\n- b\n"
    assert "- by hand\n" in [change.content for change in memory.history(SCOPE, KEY)]
    page.unlink()
    undo(memory, SCOPE, KEY)
    assert text(memory) == "- a\n\n- b\n"


def test_a_history_with_holes_is_not_guessed(
    memory: GuardedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state before may be the lost one: deleting the page would be wrong."""
    memory.sync(SCOPE, [Add(KEY, "- a")])
    changes = memory.history(SCOPE, KEY)
    monkeypatch.setattr(memory, "inspect_history", lambda *_: History(changes, 0, 1))
    with pytest.raises(LookupError, match="not whole"):
        undo(memory, SCOPE, KEY)
    assert text(memory) == "- a\n"


def test_a_provider_without_history_says_so() -> None:
    """There is nothing to go back to."""

    class Five:
        prefetch = read = search = sync = list = None

    memory = GuardedProvider(Five(), UnsafeNoGuard())  # type: ignore[arg-type]
    for call in (
        lambda: undo(memory, SCOPE, KEY),
        lambda: memory.inspect_history(SCOPE),
        lambda: memory.files(SCOPE),
        lambda: memory.unsafe_copy_files(SCOPE, lambda *_: None),
    ):
        with pytest.raises(UnsupportedError, match="Five"):
            call()


def test_what_is_known_of_a_history_is_passed_on(tmp_path: Path) -> None:
    """How many lines are damaged; 0 when the provider does not count."""
    inner = MarkdownProvider(tmp_path)
    memory = GuardedProvider(inner, UnsafeNoGuard())
    memory.sync(SCOPE, [Add(KEY, "- a")])
    journal = tmp_path / "personalities/ops/memory-history.jsonl"
    journal.write_bytes(journal.read_bytes() + b"torn")
    assert memory.inspect_history(SCOPE).damaged == 1
    transient = GuardedProvider(TransientProvider(), UnsafeNoGuard())
    transient.sync(SCOPE, [Add(KEY, "- a")])
    history = transient.inspect_history(SCOPE, KEY)
    assert (len(history.changes), history.damaged, history.lost) == (1, 0, 0)


def test_files_pass_through_the_guard(tmp_path: Path) -> None:
    """As they are: for a person, never a model."""
    memory = GuardedProvider(MarkdownProvider(tmp_path), UnsafeNoGuard())
    memory.sync(SCOPE, [Add(KEY, "- a")])
    took: dict[str, bytes] = {}
    memory.unsafe_copy_files(SCOPE, took.__setitem__)
    assert took[KEY] == b"- a\n"
    assert {file.name for file in memory.files(SCOPE)} == took.keys()
