"""Removing one entry, carefully."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethos_memory.page import Refusal, Removal, remove_entry
from ethos_memory.page.removal import CANDIDATE_CHARS, MAX_CANDIDATES

FILES = Path(__file__).parents[2] / "cases" / "files"


def left(text: str, needle: str, *, under: str | None = None) -> str:
    outcome = remove_entry(text, needle, under=under)
    assert isinstance(outcome, Removal), outcome
    return outcome.text


def refused(text: str, needle: str, *, under: str | None = None) -> Refusal:
    outcome = remove_entry(text, needle, under=under)
    assert isinstance(outcome, Refusal), outcome
    return outcome


@pytest.mark.parametrize(
    ("text", "needle", "expected"),
    [
        ("a\nb\nc", "b", "a\nc"),
        ("a\nb\nc", "a", "b\nc"),
        ("a\nb\nc", "c", "a\nb"),
        ("a\nb\nc\n", "c", "a\nb\n"),
        ("a\r\nb\r\nc", "c", "a\r\nb"),
        ("a\rb", "b", "a"),
        ("a", "a", ""),
        ("\ufeffa\r\nb\r\n", "a", "\ufeffb\r\n"),
        ("a\n\nb\n\nc\n", "b", "a\n\nc\n"),
        ("a\n\nb\n", "a", "b\n"),
        ("a\n\nb\n", "b", "a\n"),
        ("a\n\n\nb\n\nc\n", "b", "a\n\n\nc\n"),
        ("- a\n- b\n", "a", "- b\n"),
        ("- a\n  more\n- b\n", "a\nmore", "- b\n"),
        ("- a\n  - b\n    - c\n- d\n", "b", "- a\n- d\n"),
        ("- a\n  - b\n- d\n", "- a\n  - b", "- d\n"),
        ("- [ ] a\n- b\n", "a", "- b\n"),
        ("- [x] a\n- b\n", "[x] a", "- b\n"),
        ("1. a\n2. b\n", "2) b", "1. a\n"),
        ("* a\n", "- a", ""),
        ("one\n§\ntwo\n§\nthree", "two", "one\n§\nthree"),
        ("one\n§\ntwo\n§\nthree", "one", "two\n§\nthree"),
        ("one\n§\ntwo\n§\nthree", "three", "one\n§\ntwo"),
        ("one\n§\none\n§\none\n", "one", ""),
        ("one\n§\ntwo\n§\none\n", "one", "two\n"),
        ("one\n§\n\ntwo\nmore\n\n§\nthree", "two", "one\n§\nthree"),
        ("only", "only", ""),
        ("# h\n\n- a\n§\n- b\n", "b", "# h\n\n- a\n"),
        ("# h\n\n- a\n§\n- b\n- c\n", "b", "# h\n\n- a\n§\n- c\n"),
        ("# h\n\n# i\n\na\n", "# h", "# i\n\na\n"),
        ("> a\n> b\n\nc", "b", "c"),
        ("<!-- a -->\nc", "<!-- a -->", "c"),
        ("```\na\n```\nc", "a", "c"),
        ("| a |\n|---|\n| b |\n| c |\n", "| b |", "| a |\n|---|\n| c |\n"),
        ("| a |\n|---|\n| b |\n\nc\n", "| a |\n|---|\n| b |", "c\n"),
        ("a b\nc d\n\ne", "a b\nc d", "e"),
        ("Zoe\u0308\nb", "Zoë", "b"),
    ],
)
def test_one_entry_goes_and_the_rest_keeps_its_bytes(
    text: str, needle: str, expected: str
) -> None:
    """With what is nested in it, one separator or one blank line."""
    assert left(text, needle) == expected


@pytest.mark.parametrize(
    ("text", "needle", "expected"),
    [
        ("test\nthis tests", "test", "this tests"),
        ("- test\n- the test", "test", "- the test"),
        ("test\n- test", "test", "- test"),
        ("test\n- test", "- test", "test"),
        ("- a b\n- a", "a", "- a b"),
        ("- tea\n\n| tea | x |\n|---|---|\n| y | tea |", "tea", None),
    ],
)
def test_the_closest_match_decides(
    text: str, needle: str, expected: str | None
) -> None:
    """The whole entry before the entry without its marker, before a part."""
    if expected is None:
        expected = text.removeprefix("- tea\n\n")
    assert left(text, needle) == expected


@pytest.mark.parametrize(
    ("text", "needle", "removed", "lines"),
    [
        ("a\n- b\n  - c\n", "b", ("- b\n  - c",), 2),
        ("a\na\n", "a", ("a", "a"), 2),
        ("x\r\n§\r\n a \r\n§\r\nx", "x", ("x", "x"), 2),
    ],
)
def test_the_answer_says_what_went(
    text: str, needle: str, removed: tuple[str, ...], lines: int
) -> None:
    """Byte for byte, one piece for each copy; separators are not counted."""
    outcome = remove_entry(text, needle)
    assert isinstance(outcome, Removal)
    assert outcome.removed == removed
    assert outcome.lines_removed == lines


@pytest.mark.parametrize(
    "needle",
    [
        *["", " ", "\n\t", "-", "*", "#", "##", "|", "§", "- ", "1.", "12)", "- [ ]"],
        *["[x]", "- [x] ", "---", "```", "|---|---|", "**", "…", ">", "\u200b", "\x00"],
    ],
)
def test_a_needle_without_a_word_is_refused(needle: str) -> None:
    """Everything holds a marker (case B04)."""
    text = f"- a\n\n{needle}\n"
    assert refused(text, needle).reason == "needle"


@pytest.mark.parametrize("needle", ["🎉", "€", "日", "é", "1", "x"])
def test_a_needle_of_one_letter_or_sign_is_looked_for(needle: str) -> None:
    """An emoji may be all that an entry is."""
    assert left(f"- other\n- {needle}\n", needle) == "- other\n"


def test_different_entries_that_match_are_listed() -> None:
    """Nothing goes; a person can choose."""
    refusal = refused("- tea is hot\n- tea is cold\n- coffee", "tea")
    assert refusal.reason == "ambiguous"
    assert refusal.candidates == ("- tea is hot", "- tea is cold")
    assert "tea" not in repr(refusal)
    assert "tea" not in refusal.message


def test_a_list_of_candidates_is_short() -> None:
    """Ten of 200 characters at most."""
    page = "".join(f"- {number} tea {'x' * 500}\n" for number in range(50))
    refusal = refused(page, "tea")
    assert len(refusal.candidates) == MAX_CANDIDATES
    assert max(map(len, refusal.candidates)) <= CANDIDATE_CHARS


def test_a_parent_and_its_child_that_match_are_two_entries() -> None:
    """The one holds the other, but does not say the same."""
    assert refused("- a tea\n  - b tea", "tea").reason == "ambiguous"
    assert refused("- tea\n  - tea", "tea").reason == "ambiguous"


def test_equal_entries_in_two_places_are_told_apart() -> None:
    """By the heading or the parent that they stand under."""
    text = "# A\n\n- Status: done\n\n# B\n\n- Status: done\n- x\n"
    assert refused(text, "Status: done").reason == "ambiguous"
    assert (
        left(text, "Status: done", under="# A") == "# A\n\n# B\n\n- Status: done\n- x\n"
    )
    assert (
        left(text, "Status: done", under="B") == "# A\n\n- Status: done\n\n# B\n\n- x\n"
    )
    nested = "- Tea\n  - no milk\n- Coffee\n  - no milk\n"
    assert refused(nested, "no milk").reason == "ambiguous"
    assert left(nested, "no milk", under="- Coffee") == "- Tea\n  - no milk\n- Coffee\n"
    assert refused(nested, "no milk", under="Cocoa").reason == "nothing"


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("- tag → CI", "tag -> CI"),
        ("- a – b", "a - b"),
        ("- “quoted”", '"quoted"'),
        ("- it’s", "it's"),
        ("- Tea Time", "tea time"),
        ("- a  b", "a b"),
        ("- wait…", "wait..."),
        ("- 日本", "日本 ".replace("日", "\u2f47")),
    ],
)
def test_a_near_miss_is_offered(text: str, needle: str) -> None:
    """Dashes, quotes, arrows, case and spacing; nothing goes."""
    refusal = refused(f"{text}\n- other\n", needle)
    assert refusal.reason == "nothing"
    assert refusal.candidates == (text,)


def test_a_miss_is_no_success() -> None:
    """The answer says that nothing matched, and offers nothing."""
    refusal = refused("- tea\n", "coffee")
    assert (refusal.reason, refusal.candidates) == ("nothing", ())
    assert refused("", "coffee").reason == "nothing"


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("# a\n\nb", "# a"),
        ("# a\n\nsee # a", "# a"),
        ("| a | b |\n|---|---|\n| c | d |", "| a | b |"),
        ("| a | b |\n|---|---|\n| c | d |", "a"),
        ("```\nopen\nmore", "open"),
    ],
)
def test_what_must_not_go_by_itself_stays(text: str, needle: str) -> None:
    """A better match that is protected is not passed over for a worse one."""
    refusal = refused(text, needle)
    assert refusal.reason == "protected"
    assert refusal.message.startswith("Nothing was removed: ")


def test_a_protected_entry_does_not_hide_a_free_one() -> None:
    """A word in a heading as well is still the bullet's."""
    assert left("# Coffee\n\n- Coffee: dark\n- x\n", "Coffee") == "# Coffee\n\n- x\n"


@pytest.mark.parametrize(
    ("text", "needle", "expected"),
    [
        ("a\n- b\n---\n", "b", "a\n\n---\n"),
        ("a\n1. b\n2. c\n", "b", "a\n\n2. c\n"),
        ("- a\n> b\nc\n", "> b\nc", "- a\n"),
    ],
)
def test_neighbors_stay_what_they_were(text: str, needle: str, expected: str) -> None:
    """Text above a rule would be a heading, so that a blank line stays between."""
    assert left(text, needle) == expected


def test_nothing_goes_where_neighbors_would_change() -> None:
    """Without the comment, the last line would be the bullet's."""
    refusal = refused("- a\n<!-- b -->\n  c\n", "<!-- b -->")
    assert refusal.reason == "protected"


@pytest.mark.parametrize(
    ("text", "needle", "spans"),
    [
        ("- a\n- b\n- c\n", "b", ((4, 8),)),
        ("- a\n- b", "b", ((3, 7),)),
        ("- a", "a", ((0, 3),)),
        ("- a\n\n- b\n- a\n", "a", ((0, 5), (9, 13))),
        ("§\na\n§\nb\n", "a", ((2, 6),)),
        ("a\r\n\r\nb", "b", ((1, 6),)),
    ],
)
def test_the_spans_that_go_are_told(
    text: str, needle: str, spans: tuple[tuple[int, int], ...]
) -> None:
    """In order and apart; what is left is the page without them."""
    removal = remove_entry(text, needle)
    assert isinstance(removal, Removal)
    assert removal.spans == spans
    left = text
    for start, end in reversed(spans):
        left = left[:start] + left[end:]
    assert removal.text == left


def test_private_text_is_in_no_repr() -> None:
    """A log never holds what a page says."""
    assert "secret" not in repr(remove_entry("- secret\n- b", "secret"))


@pytest.mark.parametrize("name", [path.name for path in sorted(FILES.glob("*.md"))])
def test_every_entry_of_every_file_can_be_asked_for(name: str) -> None:
    """It goes alone, or the answer says why not; the other lines stay in order."""
    text = (FILES / name).read_bytes().decode()
    for line in text.splitlines():
        outcome = remove_entry(text, line)
        if isinstance(outcome, Removal):
            before, after = text.splitlines(), outcome.text.splitlines()
            kept = iter(before)
            assert all(one in kept for one in after)
            assert len(before) - len(after) >= outcome.lines_removed
