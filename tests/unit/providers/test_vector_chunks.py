"""A page is cut where a person would say that another thing begins."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.entry import trim
from ethos_memory.providers.vector_chunks import (
    CHUNK_BYTES,
    HEADING_CHARS,
    MAX_CHUNKS,
    chunks,
)

PAGE = """---
tags: [garden]
---
Loose line.

# Home

## Animals

- keeps bees
  - two hives
- has a dog

## Plans

# Work

Ships on Fridays.
"""


def texts(page: str) -> list[str]:
    return [chunk.text for chunk in chunks(page)]


def test_an_entry_is_a_chunk_under_its_headings() -> None:
    """Nested entries stay with theirs, and front matter is found as well."""
    assert texts(PAGE) == [
        "--- tags: [garden] ---",
        "Loose line.",
        "Home > Animals\n- keeps bees - two hives",
        "Home > Animals\n- has a dog",
        "Home\n## Plans",
        "Work\nShips on Fridays.",
    ]


def test_one_line_entries_are_chunks() -> None:
    """The other family of pages, with a sign between entries."""
    assert texts("keeps bees\n§\nhas a dog\n") == ["keeps bees", "has a dog"]


def test_a_page_without_words_has_no_chunks() -> None:
    """Nothing is embedded for it."""
    assert texts("") == texts(" \n\ufeff\n") == []


def test_line_ends_and_spaces_change_nothing() -> None:
    """What a Windows editor saved again is not embedded again."""
    before, after = chunks(PAGE), chunks(PAGE.replace("\n", "\r\n"))
    assert [one.digest for one in before] == [one.digest for one in after]
    assert len({one.digest for one in before}) == len(before)


def test_a_long_entry_is_cut_between_lines() -> None:
    """Each piece under the same headings, and no longer than a model reads."""
    lines = [f"line {number} of many" for number in range(200)]
    found = chunks("# Log\n\n" + "\n".join(lines))
    assert len(found) > 3
    assert all(chunk.text.startswith("Log\nline ") for chunk in found)
    shown = " ".join(chunk.text.removeprefix("Log\n") for chunk in found)
    assert shown == " ".join(lines)


def test_a_long_line_is_cut_between_words_or_characters() -> None:
    """In scripts without spaces by length; their characters take more bytes."""
    words = texts("word " * 400)
    assert set(" ".join(words).split()) == {"word"}
    han = texts("項目管理" * 200)
    assert "".join(han) == "項目管理" * 200
    assert max(len(piece.encode()) for piece in (*words, *han)) <= CHUNK_BYTES


def test_old_line_ends_are_places_to_cut() -> None:
    """A page from a very old editor."""
    found = texts("\r".join(["a line of text here"] * 100))
    assert {tuple(sorted(set(piece.split()))) for piece in found} == {
        ("a", "here", "line", "of", "text")
    }
    assert all(piece.startswith("a line") for piece in found)


def test_headings_above_are_cut_short() -> None:
    """They say what the words are about, and leave room for them."""
    [chunk] = chunks(f"# {'title ' * 100}\n\n- keeps bees")
    above, below = chunk.text.split("\n")
    assert (len(above), below) == (HEADING_CHARS, "- keeps bees")


def test_a_page_of_very_many_entries_is_taken_together() -> None:
    """Nothing is left out, and neighbors share a chunk."""
    lines = [f"n{number}" for number in range(MAX_CHUNKS + 1)]
    found = chunks("\n\n".join(lines))
    assert len(found) == -(-len(lines) // 2)
    assert " ".join(chunk.text for chunk in found).split() == lines
    assert found[0].text == "n0\nn1"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab #-\n\r§>`項é😀\ufeff\t", max_size=300))
def test_chunks_stand_in_order_and_hold_their_words(text: str) -> None:
    """Any text; a place in the page is that of the words."""
    end = 0
    for chunk in chunks(text):
        assert end <= chunk.start < chunk.end <= len(text)
        words = trim(" ".join(text[chunk.start : chunk.end].split()))
        assert chunk.text.endswith(words)
        assert words
        end = chunk.end


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="ab 項\n", min_size=300, max_size=3000))
def test_a_chunk_is_never_longer_than_a_model_reads(text: str) -> None:
    """Give or take the headings, and an entry of mixed scripts."""
    for chunk in chunks(text):
        assert len(chunk.text.encode()) <= 3 * CHUNK_BYTES + 4 * HEADING_CHARS
