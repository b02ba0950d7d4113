"""Diffs that give both pages back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.disk import patch as patch_module
from ethos_memory.disk.patch import excerpt, patch, sides, whole_diff

PAGES = st.lists(st.sampled_from(["a", "b", "", "- x", "@@ -1 +1 @@", "\\ No"])).map(
    "\n".join
) | st.text(alphabet=st.characters(exclude_categories=["Cs"]))


@given(PAGES, PAGES)
@settings(max_examples=150)
def test_a_whole_diff_gives_both_pages_back(before: str, after: str) -> None:
    """Whatever the pages hold, line ends and diff syntax included."""
    assert sides(whole_diff("N.md", before, after)) == (before, after)


@given(PAGES, PAGES)
@settings(max_examples=150)
def test_a_page_that_only_grew_is_compared_like_any_other(
    before: str, added: str
) -> None:
    """Its lines are not looked at one by one, and the diff is the same."""
    after = before + added
    longhand = patch_module._format("N.md", patch_module._compare(before, after))
    assert whole_diff("N.md", before, after) == longhand


@given(PAGES, PAGES)
@settings(max_examples=150)
def test_a_diff_leads_from_each_page_to_the_other(before: str, after: str) -> None:
    """With all lines as context, and with four."""
    for make in (whole_diff, excerpt):
        if before != after:
            diff = make("N.md", before, after)
            assert patch(before, diff) == after
            assert patch(after, diff, backwards=True) == before


def test_the_layout_is_the_one_of_ethos() -> None:
    """Index line, 67 times `=`, both names, one hunk, the marker at a missing LF."""
    assert whole_diff("M.md", "a\nb\nc\n", "a\nc") == (
        "Index: M.md\n" + "=" * 67 + "\n--- M.md\n+++ M.md\n"
        "@@ -1,3 +1,2 @@\n a\n-b\n-c\n+c\n\\ No newline at end of file\n"
    )


def test_a_page_that_only_lost_lines_shows_which() -> None:
    """Lines that stay are context, wherever the lost ones stood."""
    lines = whole_diff("M.md", "a\nb\nc\nd\n", "a\nc\n").split("\n")[5:-1]
    assert lines == [" a", "-b", " c", "-d"]


def test_an_excerpt_shows_four_lines_around_the_change() -> None:
    """Line numbers count from the top of the page."""
    before = "".join(f"{n}\n" for n in range(20))
    diff = excerpt("M.md", before, before.replace("10\n", "ten\n"))
    assert "@@ -7,9 +7,9 @@" in diff
    assert "\n 6\n" in diff
    assert "\n 5\n" not in diff


def test_several_hunks_of_ethos_apply() -> None:
    """Ethos writes one hunk for each place."""
    before = "".join(f"{n}\n" for n in range(20))
    after = before.replace("2\n", "two\n", 1).replace("17\n", "")
    diff = (
        "Index: M.md\n" + "=" * 67 + "\n--- M.md\n+++ M.md\n"
        "@@ -2,3 +2,3 @@\n 1\n-2\n+two\n 3\n"
        "@@ -17,3 +17,2 @@\n 16\n-17\n 18\n"
    )
    assert patch(before, diff) == after
    assert patch(after, diff, backwards=True) == before


@pytest.mark.parametrize("text", ["", "other\n", "b\na\n"])
def test_a_diff_that_does_not_fit_gives_nothing(text: str) -> None:
    """A page that was changed otherwise is not patched into nonsense."""
    assert patch(text, whole_diff("M.md", "a\nb\n", "a\n")) is None


@pytest.mark.parametrize(
    "diff", ["", "nonsense", "\n\n\n\n+a\n\\ No newline at end of file"]
)
def test_text_that_is_no_diff_says_nothing(diff: str) -> None:
    """Journals may be damaged; nothing raises."""
    assert sides(diff) == ("", "")


def test_long_pages_of_equal_lines_are_compared_in_linear_time() -> None:
    """A quadratic comparison would take minutes here."""
    before, after = "\n" * 200_000, "x\n" + "\n" * 150_000 + "y\n"
    assert sides(whole_diff("M.md", before, after)) == (before, after)
