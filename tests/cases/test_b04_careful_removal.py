"""B04: `remove` takes too much, too little, or nothing, and says "Updated"."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethos_memory.entry import Remove, Replace
from ethos_memory.page import Refusal, Removal, entries, remove_entry
from ethos_memory.providers.transient import TransientProvider

FILES = Path(__file__).parent / "files"
SCOPE = "user:u1"


def page(number: str) -> str:
    (path,) = FILES.glob(f"{number}-*.md")
    return path.read_bytes().decode()


def removal(number: str, needle: str) -> Removal:
    outcome = remove_entry(page(number), needle)
    assert isinstance(outcome, Removal)
    return outcome


def refusal(number: str, needle: str) -> Refusal:
    outcome = remove_entry(page(number), needle)
    assert isinstance(outcome, Refusal)
    return outcome


def test_1_an_entry_that_is_only_a_word_goes_alone() -> None:
    """The other six and the longer one stay, with one separator fewer."""
    before, outcome = page("01"), removal("01", "test")
    assert outcome.removed == ("test",)
    assert outcome.text == before.replace("§\ntest\n", "", 1)
    assert "§\n§" not in outcome.text


def test_2_copies_of_one_entry_go_together() -> None:
    """And the answer says that two went."""
    outcome = removal("01", "Prefers short status lines")
    assert len(outcome.removed) == outcome.lines_removed == 2
    assert len(entries(outcome.text)) == 6
    assert "§\n§" not in outcome.text
    assert not outcome.text.endswith("§")


def test_3_an_arrow_that_was_retyped_matches_nothing() -> None:
    """The answer says so, and offers the entry that nearly matches."""
    outcome = refusal("01", "Release routine: tag -> CI")
    assert outcome.reason == "nothing"
    assert [text[:15] for text in outcome.candidates] == ["Release routine"]


def test_4_a_letter_matches_too_many() -> None:
    """They are listed, and nothing goes."""
    outcome = refusal("01", "e")
    assert outcome.reason == "ambiguous"
    assert len(outcome.candidates) == 7


def test_5_a_line_that_is_part_of_another_goes_alone() -> None:
    """The longer line and the table row stay."""
    before, outcome = page("08"), removal("08", "I like tea")
    assert outcome.text == before.replace("\nI like tea\n", "\n", 1)
    assert "I like tea in the morning" in outcome.text
    assert "| I like tea | yes |" in outcome.text


def test_6_a_bullet_goes_with_everything_nested_in_it() -> None:
    """No line is left that was indented under it."""
    outcome = removal("08", "Coffee")
    assert outcome.lines_removed == 5
    assert "grinder" not in outcome.text
    assert "no milk" not in outcome.text


def test_7_a_line_in_a_fence_stands_for_the_whole_entry() -> None:
    """A fence is never cut open."""
    outcome = removal("08", "## Installation")
    assert outcome.removed[0].startswith("- README template to reuse:")
    assert outcome.removed[0].endswith("Keep this final instruction.")
    assert "````" not in outcome.text


def test_8_a_table_row_goes_alone() -> None:
    """Header and separator stay."""
    outcome = removal("08", "| tea | green |")
    assert outcome.removed == ("| tea | green |",)
    assert "| key | value |\n|-----|-------|\n| I like tea | yes |" in outcome.text


@pytest.mark.parametrize("needle", ["", " ", "-", "#", "|", "§"])
@pytest.mark.parametrize("number", ["01", "08"])
def test_9_an_empty_needle_is_an_error(number: str, needle: str) -> None:
    """So is one that is only a marker."""
    assert refusal(number, needle).reason == "needle"


@pytest.mark.parametrize(
    ("number", "needle"),
    [
        ("01", "test"),
        ("01", "Prefers short status lines"),
        ("01", "Release routine: tag -> CI"),
        ("01", "e"),
        ("08", "I like tea"),
        ("08", "Coffee"),
        ("08", "## Installation"),
        ("08", "| tea | green |"),
        ("01", ""),
        ("08", " "),
    ],
)
def test_the_raw_removal_says_how_many_lines_went(number: str, needle: str) -> None:
    """Nothing matched is 0; what went is in the history."""
    memory = TransientProvider()
    memory.sync(SCOPE, [Replace("MEMORY.md", page(number))])
    before = memory.read(SCOPE, "MEMORY.md")
    assert before is not None
    (change,) = memory.sync(SCOPE, [Remove("MEMORY.md", needle)]).changes
    lines = before.content.removesuffix("\n").split("\n")
    holding = [line for line in lines if needle and needle in line]
    assert change.lines_removed - len(holding) in {0, 1 if needle == " " else 0}
    assert change.is_change == bool(holding)
    after = memory.read(SCOPE, "MEMORY.md")
    assert after is not None
    assert after.revision == change.revision_after
    assert before.revision in {one.revision for one in memory.history(SCOPE)}
