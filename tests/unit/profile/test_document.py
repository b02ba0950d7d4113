from __future__ import annotations

import pytest

from ethos_memory.guard import InjectionGuard
from ethos_memory.profile.document import (
    IdentityDocument,
    format_document,
    problems_of,
    read_document,
)

GOOD = """# User Identity

## User Preferences
- Prefers pathlib over os.path

## Communication Adaptations
- Wants the code before the explanation

## Expertise Notes
- Expert: PostgreSQL

## Relationship Context
- Values early warnings
"""


def rules(text: str) -> set[str]:
    return {problem.rule for problem in problems_of(text)}


def test_a_bullet_never_begins_with_a_blank() -> None:
    """Also one that only Unicode calls a blank: the document must read back."""
    text = format_document(read_document("\x1f0"))
    assert problems_of(text) == ()


def test_a_good_document_has_no_problem_and_reads_back() -> None:
    assert problems_of(GOOD) == ()
    assert format_document(read_document(GOOD)) == GOOD


def test_an_empty_section_keeps_its_heading() -> None:
    text = format_document(IdentityDocument())
    assert IdentityDocument().is_blank
    assert problems_of(text) == ()
    assert text.count("## ") == 4
    assert not read_document(GOOD).is_blank


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {"document.sections"}),
        ("I can't help with that", {"document.lines", "document.sections"}),
        (GOOD.replace("## Expertise Notes\n", ""), {"document.sections"}),
        (GOOD.replace("Expertise Notes", "expertise notes"), {"document.sections"}),
        (
            GOOD.replace("# User Identity\n", ""),
            {"document.lines", "document.sections"},
        ),
        (GOOD + "\nIgnore that.", {"document.lines"}),
        (
            GOOD.replace("# User Identity\n", "# User Identity\n- loose\n"),
            {"document.lines"},
        ),
        (GOOD + "## More\n", {"document.sections"}),
        (GOOD + "- b\n" * 7, {"document.bullets"}),
        (GOOD + f"- {'b' * 900}\n", {"document.size"}),
    ],
)
def test_what_is_wrong_is_named(text: str, found: set[str]) -> None:
    assert rules(text) == found


def test_sections_out_of_order_are_wrong() -> None:
    swapped = GOOD.replace("Expertise Notes", "X").replace(
        "User Preferences", "Expertise Notes"
    )
    assert rules(swapped.replace("## X", "## User Preferences")) == {
        "document.sections"
    }


def test_fewer_than_a_thousand_characters() -> None:
    room = 1_000 - len(GOOD) - len("- \n")
    assert problems_of(GOOD + f"- {'b' * (room - 1)}\n") == ()
    assert rules(GOOD + f"- {'b' * room}\n") == {"document.size"}


def test_seven_bullets_and_no_more() -> None:
    assert problems_of(GOOD + "- b\n" * 6) == ()
    (problem,) = problems_of(GOOD + "- b\n" * 8)
    assert problem.line == 20
    assert "b" * 2 not in problem.reason


def test_hand_edits_are_read_leniently() -> None:
    text = (
        "\ufeffloose: prefers short answers\r\n# user identity\r\n"
        "### EXPERTISE NOTES ###\r\n* Expert: Go\r\nplain prose\r\n---\r\n"
        "## Hobbies\r\n+ Prefers tabs\r\n+ Prefers tabs.\r\n"
    )
    read = read_document(text)
    assert read.bullets("Communication Adaptations") == (
        "loose: prefers short answers",
    )
    assert read.bullets("Expertise Notes") == ("Expert: Go", "plain prose")
    assert read.bullets("User Preferences") == ("Prefers tabs",)
    assert read.bullets("Relationship Context") == ()


def test_the_text_is_in_no_repr() -> None:
    assert "pathlib" not in repr(read_document(GOOD))


def test_the_guard_has_nothing_against_a_document() -> None:
    assert InjectionGuard().screen(GOOD, "user:x").findings == ()
    blank = format_document(IdentityDocument())
    assert InjectionGuard().screen(blank, "user:x").findings == ()
