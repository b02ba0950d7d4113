"""The four updates on text, and the values around them (DESIGN section 5)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.entry import (
    Add,
    Change,
    Delete,
    KeyChange,
    MemoryEntry,
    MemorySnapshot,
    Origin,
    Remove,
    Replace,
    SearchHit,
    additions,
    apply_updates,
    edit,
)
from ethos_memory.errors import InvalidKeyError
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from ethos_memory.entry import Update

KEY = "MEMORY.md"
RECORDS = Path(__file__).parents[1] / "conformance" / "markdown-sync.jsonl"


def parsed(record: dict[str, Any]) -> Update:
    """Read one recorded update."""
    key = record["key"]
    if record["action"] == "delete":
        return Delete(key)
    if record["action"] == "remove":
        return Remove(key, record["substringMatch"])
    kind = Add if record["action"] == "add" else Replace
    return kind(key, record["content"])


def test_the_updates_mean_what_ethos_recorded() -> None:
    """360 of 360 recorded batches, byte for byte."""
    records = [json.loads(line) for line in RECORDS.read_text("utf-8").splitlines()]
    differing = [
        record["id"]
        for record in records
        if apply_updates(record["before"], map(parsed, record["updates"]))
        != record["after"]
    ]
    assert len(records) == 360
    assert differing == []


def test_an_add_keeps_a_mark_and_every_line_end() -> None:
    """Case B07: the mark, the CRLF lines and the one LF line stay as they are."""
    before = "\ufeffa\r\nb\r\nc\n"
    assert apply_updates(before, [Add(KEY, "d\ne")]) == before + "\r\nd\r\ne\r\n"


def test_an_add_after_an_unfinished_line_ends_it_first() -> None:
    """39 % of real pages have no newline at the end."""
    assert apply_updates("a\r\nb", [Add(KEY, "c")]) == "a\r\nb\r\n\r\nc\r\n"
    assert apply_updates("a", [Add(KEY, "b")]) == "a\n\nb\n"


def test_an_add_to_a_blank_page_keeps_its_mark() -> None:
    """A page of white space is nothing, but its mark and line ends are a choice."""
    assert apply_updates("\ufeff \r\n", [Add(KEY, "a\nb")]) == "\ufeffa\r\nb\r\n"
    assert apply_updates(None, [Add(KEY, "a\r\nb")]) == "a\r\nb\r\n"


@pytest.mark.parametrize("blank", ["", " \n\t", "\ufeff", "\u3000"])
def test_a_blank_add_changes_nothing(blank: str) -> None:
    """Not even a page appears, nor a line end."""
    assert apply_updates(None, [Add(KEY, blank)]) is None
    assert apply_updates("a", [Add(KEY, blank)]) == "a"


def test_a_replace_keeps_mark_and_line_ends_of_the_page() -> None:
    """A web form posts CRLF; a page keeps its own."""
    assert apply_updates("\ufeffa\r\nb\r\n", [Replace(KEY, "c\nd")]) == (
        "\ufeffc\r\nd\r\n"
    )
    assert apply_updates("a\nb\n", [Replace(KEY, "c\r\nd")]) == "c\nd\n"
    assert apply_updates("a\n", [Replace(KEY, "   \n")]) == "\n"


def test_white_space_is_javascripts() -> None:
    """U+FEFF is trimmed, U+001C and U+0085 are not."""
    assert apply_updates(None, [Replace(KEY, "\ufeff a \x1c\x85")]) == "a \x1c\x85\n"


@pytest.mark.parametrize("text", ["a", " a \r\n\nb\r", "\ufeff\n", "\n", "\ufeffa\r\n"])
def test_an_exact_replacement_is_stored_as_it_is(text: str) -> None:
    """For a page of which most stays; and still it is no empty file."""
    for before in (None, "x\n", "\ufeffx\r\n"):
        assert apply_updates(before, [Replace(KEY, text, exact=True)]) == text
        assert apply_updates(before, [Replace(KEY, "", exact=True)]) == "\n"


def test_a_removal_takes_lines_and_counts_them() -> None:
    """Case-sensitive, no pattern, never across lines; the last line keeps its end."""
    outcome = edit("\ufefftea\r\nTea\r\na.b\r\ntea 2\r\nend\n", [Remove(KEY, "tea")])
    assert (outcome.text, outcome.lines_removed) == ("\ufeffTea\r\na.b\r\nend\n", 2)
    assert edit("a.b\naxb\n", [Remove(KEY, "a.b")]).text == "axb\n"


@pytest.mark.parametrize("needle", ["", "absent", "a\nb", "\r"])
def test_a_removal_without_a_match_writes_nothing(needle: str) -> None:
    """The very text comes back, untrimmed, and no page is made."""
    text = "a  \r\nb \r\n\r\n"
    assert edit(text, [Remove(KEY, needle)]).text is text
    assert edit(text, [Remove(KEY, needle)]).lines_removed == 0
    assert edit(None, [Remove(KEY, needle)]).text is None


def test_removals_of_a_batch_are_summed_and_order_holds() -> None:
    """Each step sees what the one before it left; the last delete or add wins."""
    updates: list[Update] = [Add(KEY, "x"), Remove(KEY, "a"), Remove(KEY, "x")]
    assert edit("a\n", updates).lines_removed == 2
    assert apply_updates("a\n", [Delete(KEY), Add(KEY, "b")]) == "b\n"
    assert apply_updates("a\n", [Add(KEY, "b"), Delete(KEY)]) is None


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    """Case B08: repaired at the door; a pair becomes its character."""
    assert Add(KEY, "broken \ud83d half").content == "broken \ufffd half"
    assert Replace(KEY, "\ud83d\ude00").content == "\U0001f600"


@pytest.mark.parametrize(
    "build",
    [
        lambda key: Add(key, "x"),
        lambda key: Replace(key, "x"),
        lambda key: Remove(key, "x"),
        Delete,
    ],
)
def test_an_update_that_exists_names_a_page(build: Any) -> None:
    """Keys are checked where the update is made, before any batch."""
    with pytest.raises(InvalidKeyError):
        build("../x.md")


@pytest.mark.parametrize(
    ("base", "edited", "added"),
    [
        ("- a\n", "- a\n- b\n", "- b"),
        ("- a", "- a\n\n- b\n- c", "- b\n- c"),
        ("- a\r\n", "- a\r\n- b\r\n", "- b"),
        ("", "- a\n", "- a"),
        ("- a\n", "- a\n", None),
        ("- a\n", "- ab\n", None),
        ("- a\n- b\n", "- a\n", None),
        ("- a\n", "- new\n- a\n", None),
    ],
)
def test_an_edit_that_only_added_can_be_made_again(
    base: str, edited: str, added: str | None
) -> None:
    """Anything else would be guessing what a person meant."""
    assert additions(base, edited) == added


def test_no_value_shows_what_was_remembered() -> None:
    """`repr` is what logs hold."""
    now = datetime.now(UTC)
    values = (
        MemoryEntry(KEY, "PRIVATE", revision="r", updated_at=now),
        SearchHit(KEY, "PRIVATE", snippet="PRIVATE", score=1.0),
        Add(KEY, "PRIVATE"),
        Replace(KEY, "PRIVATE"),
        Remove(KEY, "PRIVATE"),
        Change(KEY, "r", at=now, source="tool", actions=("add",), content="PRIVATE"),
        edit("PRIVATE", []),
    )
    assert "PRIVATE" not in repr(values)


def test_a_snapshot_without_entries_is_false() -> None:
    """So that a host can write `if snapshot`."""
    scope = ScopeId.user("a")
    entry = MemoryEntry(KEY, "x", revision="r", updated_at=datetime.now(UTC))
    assert not MemorySnapshot(scope, ())
    assert MemorySnapshot(scope, (entry,))


@pytest.mark.parametrize(
    ("source", "is_human"),
    [("web-editor", True), ("cli", True), ("restore", True), ("tool", False)],
)
def test_three_sources_count_as_a_persons_hand(source: str, is_human: bool) -> None:
    """What a person writes is stored and reported, never refused."""
    assert Origin(source).is_human is is_human


@pytest.mark.parametrize(
    ("before", "after", "large"),
    [(100, 20, True), (100, 21, False), (100, 0, True), (0, 0, False), (10, 50, False)],
)
def test_a_shrink_of_four_fifths_is_large(before: int, after: int, large: bool) -> None:
    """Case B03: worth a question."""
    change = KeyChange(
        KEY,
        ("replace",),
        revision_before="a",
        revision_after="b",
        size_before=before,
        size_after=after,
        lines_removed=0,
    )
    assert change.is_large_shrink is large
    assert change.is_change
