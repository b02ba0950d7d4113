"""Laws of pages: what is removed, cut or split loses nothing else."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ethos_memory.page import (
    Removal,
    cut,
    cut_bytes,
    entries,
    fences,
    find_placeholder,
    front_matter,
    headings,
    remove_entry,
    split_at_cap,
    summary,
)
from ethos_memory.page.cut import grapheme_start
from ethos_memory.page.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.page import Entry
    from ethos_memory.page.cut import Part

#: The machine is shared, and Hypothesis reads its table of characters at first use.
LAW = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

#: Lines that begin, end, nest and interrupt each other.
LINES = [
    *["# h", "## h ##", "#", "#x", "a", "b c", "    code", "  ind", "- a", "- ", "-"],
    *["* b", "1. n", "2. n", "10) n", "```", "````", "~~~", "```sh", "===", "---"],
    *["- - x", "> q", ">", "> - z", "> ```", "> # h", "   - deep", "      more", "***"],
    *["\t- tab", "\tx", "- # h", "- ```", "  ```", "<!-- c", "--> e", "<!-- x -->"],
    *["", "", ""],
]
EXTRA = ["§", "| a | b |", "|---|---|", "| c | d |", "\ufeff", "é 🎉", "a", "a", "- a"]
MARKDOWN = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)
PAGE = st.builds(
    lambda mark, lines, end: mark + end.join(lines),
    st.sampled_from(["", "\ufeff"]),
    st.lists(st.sampled_from(LINES + EXTRA), max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
TEXT = st.one_of(PAGE, st.text(st.characters(exclude_categories=()), max_size=30))
WIDE = st.text(st.sampled_from("a\n\r é\u0301👩🏽\u200d💻🇩🇪語\u094dक"), max_size=40)

PARTS: tuple[Part, ...] = ("start", "end")

COMMONMARK = MarkdownIt("commonmark")


@LAW
@given(MARKDOWN)
def test_headings_are_those_of_an_independent_parser(text: str) -> None:
    """Level and line, for headings that are in no list or quote."""
    assume(front_matter(text) is None)
    starts = [line.start for line in outline(text).lines]
    found = [(one.level, starts.index(one.start)) for one in headings(text)]
    tokens = COMMONMARK.parse(text)
    assert found == [
        (int(token.tag[1]), token.map[0])
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


@LAW
@given(MARKDOWN)
def test_fences_are_those_of_an_independent_parser(text: str) -> None:
    """First line and info, wherever they stand."""
    assume(front_matter(text) is None)
    starts = [line.start for line in outline(text).lines]
    found = [(starts.index(one.start), one.info) for one in fences(text)]
    tokens = COMMONMARK.parse(text)
    assert found == [
        (token.map[0], token.info.strip())
        for token in tokens
        if token.type == "fence" and token.map
    ]


@LAW
@given(TEXT)
def test_lines_and_entries_cover_the_page_once(text: str) -> None:
    """No line is in two entries of the same parent, and none is out of order."""
    shape = outline(text)
    assert "".join(text[one.start : one.stop] for one in shape.lines) == (
        text.removeprefix("\ufeff")
    )
    last = -1
    for entry in entries(text):
        assert last < entry.first_line <= entry.last_line < len(shape.lines)
        last = entry.last_line
        inner = entry.first_line - 1
        for child in entry.children:
            assert inner < child.first_line <= child.last_line <= entry.last_line
            inner = child.last_line


def _lines(found: Iterable[Entry]) -> Counter[str]:
    return Counter(line for entry in found for line in entry.text.split("\n") if line)


@LAW
@given(TEXT, st.data())
def test_removing_takes_the_entry_and_nothing_else(
    text: str, data: st.DataObject
) -> None:
    """All other lines stay, byte for byte and in order; so do all other entries."""
    flat = [one for top in entries(text) for one in top.flat() if one.text]
    assume(flat)
    chosen = data.draw(st.sampled_from(flat))
    outcome = remove_entry(text, chosen.text)
    if not isinstance(outcome, Removal):
        return
    left = [one for top in entries(outcome.text) for one in top.flat()]
    # The last note of a page is read as markdown: the same lines, other entries.
    before, after = _lines(flat), _lines(left)
    assert not after - before
    assert before - after >= _lines([chosen])
    lost = Counter(text) - Counter(outcome.text + "".join(outcome.removed))
    assert not "".join(lost).strip(" \t\r\n§")
    kept = iter(text)
    assert all(character in kept for character in outcome.text)


@LAW
@given(TEXT, TEXT)
def test_a_careful_removal_never_raises(text: str, needle: str) -> None:
    """Whatever the page and whatever is looked for."""
    outcome = remove_entry(text, needle)
    if isinstance(outcome, Removal):
        assert outcome.removed
        assert all(piece in text for piece in outcome.removed)


@LAW
@given(WIDE, st.integers(-2, 45), st.sampled_from(PARTS))
def test_a_cut_fits_and_goes_through_no_character(
    text: str, size: int, part: Part
) -> None:
    """In characters and in bytes; it is the beginning or the end of the text."""
    for kept, measure in (
        (cut(text, size, keep=part), len),
        (cut_bytes(text, size, keep=part), lambda piece: len(piece.encode())),
    ):
        assert measure(kept) <= max(size, 0)
        place = len(kept) if part == "start" else len(text) - len(kept)
        assert (text[:place] if part == "start" else text[place:]) == kept
        assert grapheme_start(text, place) == place


@LAW
@given(WIDE, st.integers(4, 60))
def test_a_page_and_its_overflow_are_the_page(text: str, cap: int) -> None:
    """Byte for byte; what stays fits, is not empty, and begins a line if it can."""
    overflow, kept = split_at_cap(text, cap)
    assert overflow + kept == text
    assert len(kept.encode()) <= cap
    assert bool(kept) == bool(text)
    if overflow and not overflow.endswith("\n"):
        last_line = text.rstrip("\n\r ").rpartition("\n")[2]
        assert len(text.encode()) > cap
        assert len((last_line + text[len(text.rstrip()) :]).encode()) > cap


@LAW
@given(TEXT)
def test_reading_a_page_never_raises(text: str) -> None:
    """Nor does a summary hold a mark, or a line end that is not LF."""
    short = summary(text)
    assert "\r" not in short
    assert len(short) <= 200
    place = find_placeholder(text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


@LAW
@given(st.dictionaries(st.text("abc", min_size=1), st.text("xyz é", max_size=5)))
def test_front_matter_is_read_back(fields: dict[str, str]) -> None:
    """With any line end, with a mark and without."""
    lines = ["---", *(f"{key}: '{value}'" for key, value in fields.items()), "---", "x"]
    for mark in ("", "\ufeff"):
        for end in ("\n", "\r\n"):
            found = front_matter(mark + end.join(lines))
            assert found is not None
            assert found.fields == fields


PIECES = [
    *["a\n", "- a\n", "> ", "- ", "```\n", "§\n", "# h\n", "|a|\n|-|\n", "\u0301"],
    *[
        "<!--\n",
        "  - a\n",
        "    a\n",
        "1. a\n",
        "- x\n\n",
        "a\n\n",
        "[",
        "…(",
        "a: 1\n",
    ],
]


def read_all(text: str) -> None:
    """Do everything with a page that grows with it."""
    entries(text)
    summary(text)
    find_placeholder(text)
    remove_entry(text, "zz")
    remove_entry(text, "a")


@pytest.mark.parametrize("piece", PIECES)
def test_any_page_of_some_size_is_read(piece: str) -> None:
    """Whatever it is made of: nesting of any depth, and no more work than its square."""
    read_all(piece * (6_000 // len(piece)))


@pytest.mark.long
@pytest.mark.parametrize("piece", PIECES)
def test_any_page_of_a_larger_size_is_read(piece: str) -> None:
    """The same at 16 KB; a square of that would take minutes."""
    read_all(piece * (16_000 // len(piece)))


@pytest.mark.long
@pytest.mark.parametrize("piece", ["a\n", "- a\n", "1. a\n", "a\n\n", "|a|\n|-|\n"])
def test_any_page_of_a_large_size_is_read(piece: str) -> None:
    """The same at 128 KiB, for the pages that take longest."""
    read_all(piece * (131_072 // len(piece)))


def test_composed_and_decomposed_letters_are_one_needle() -> None:
    """A person cannot see the difference."""
    text = unicodedata.normalize("NFD", "- Zoë Ångström\n- other\n")
    outcome = remove_entry(text, "Zoë Ångström")
    assert isinstance(outcome, Removal)
    assert outcome.text == "- other\n"
