"""The entries of a page, in both families."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.page import Entry, entries

if TYPE_CHECKING:
    from ethos_memory.page.entries import EntryKind

FILES = Path(__file__).parents[2] / "cases" / "files"


def read(name: str) -> str:
    return (FILES / name).read_bytes().decode()


def shape(text: str) -> list[tuple[EntryKind, str]]:
    return [(one.kind, one.text) for top in entries(text) for one in top.flat()]


def test_between_separators_stands_one_entry() -> None:
    """A section sign inside a line is text (case B04)."""
    found = entries(read("01-section-sign-entries.md"))
    assert [entry.kind for entry in found] == ["note"] * 8
    assert found[2].text.startswith("Contract law folder: paragraph numbers")
    assert found[3].text == "test"
    assert found[5].text == found[6].text


def test_markdown_is_taken_apart_into_its_entries() -> None:
    """Nested ones in their parents, a fence in its bullet, rows in their table."""
    found = shape(read("08-fences-tables-nested.md"))
    assert [kind for kind, _ in found] == [
        "heading",
        "item",
        "item",
        "item",
        "item",
        "item",
        "item",
        "item",
        "item",
        "item",
        "table",
        *["row"] * 4,
        "paragraph",
        "line",
        "line",
        "fence",
    ]
    assert found[1][1].startswith("- README template to reuse:\n````md\n# Project")
    assert found[1][1].endswith("````\nKeep this final instruction.")
    assert [text for _, text in found[2:7]] == [
        "- Coffee",
        "- beans: dark",
        "- grinder: 14",
        "- weekend: 16",
        "- no milk",
    ]
    assert found[8] == ("item", "1. numbered\ncontinuation of number one")
    assert found[10] == ("table", "")
    assert found[13] == ("row", "| tea | green |")
    assert found[15] == ("paragraph", "")
    assert found[16] == ("line", "I like tea")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n---\n", []),
        ("one", [("line", "one")]),
        ("- one\n\n  more\n- two", [("item", "- one\n\nmore"), ("item", "- two")]),
        ("- - one\n  - two", [("item", "- - one"), ("item", "- two")]),
        (
            "- - one\n    - in\n- x",
            [("item", "- - one"), ("item", "- in"), ("item", "- x")],
        ),
        ("-\n  - a", [("item", "-"), ("item", "- a")]),
        ("> a\n> - b\n>\n> c", [("quote", "> a\n> - b\n>\n> c")]),
        ("- a\n  > b\n  > # c", [("item", "- a\n> b\n> # c")]),
        ("    code\n\n    more", [("code", "code\n\nmore")]),
        ("<!-- a\n\nb -->", [("comment", "<!-- a\n\nb -->")]),
        ("---\na: 1\n---\none", [("line", "one")]),
        (
            "a | b\n- | -\n1 | 2",
            [("line", "a | b"), ("item", "- | -\n1 | 2")],
        ),
        (
            "a | b\n--|--\nc \\| d",
            [("table", ""), ("row", "a | b"), ("row", "--|--"), ("row", "c \\| d")],
        ),
        (
            "note\n| a |\n|---|",
            [("table", ""), ("line", "note"), ("row", "| a |"), ("row", "|---|")],
        ),
        (
            "| a | b |\n|---|\n",
            [("paragraph", ""), ("line", "| a | b |"), ("line", "|---|")],
        ),
        ("one\n§\n\n§\n two\nmore \n\n§", [("note", "one"), ("note", "two\nmore")]),
        ("---\na: 1\n---\n\none\n§\ntwo", [("note", "one"), ("note", "two")]),
        ("§", []),
        ("# h\none\n§\ntwo", [("heading", "# h"), ("line", "one"), ("line", "two")]),
    ],
)
def test_each_thing_is_one_entry(
    text: str, expected: list[tuple[EntryKind, str]]
) -> None:
    """What is between, such as rules and blank lines, is in none."""
    assert shape(text) == expected


def test_an_entry_tells_where_it_stands() -> None:
    """In code points and lines of the page, its nested entries included."""
    text = "\ufeffa\r\n\r\n- b\r\n  - c\r\n"
    line, item = entries(text)
    assert text[line.start : line.end] == "a"
    assert text[item.start : item.end] == "- b\r\n  - c"
    assert (item.first_line, item.last_line) == (2, 3)
    assert (item.children[0].first_line, item.children[0].last_line) == (3, 3)


def test_an_entry_knows_its_headings() -> None:
    """The outermost first; a higher one ends the lower ones."""
    text = "a\n# One\n## Two\n- b\n  - c\n# Three\nd"
    found = {entry.text: entry for top in entries(text) for entry in top.flat()}
    assert found["a"].headings == ()
    assert found["- b"].headings == found["- c"].headings == ("One", "Two")
    assert found["## Two"].headings == ("One",)
    assert found["d"].headings == ("Three",)


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("# a\n\nb", ["# a"]),
        ("# a\n## b", ["# a"]),
        ("# a\n# b\n\n---", []),
        ("| a |\n|---|\n| b |", ["| a |", "|---|"]),
        ("```\nopen", ["```\nopen"]),
        ("- a\n  ```\n  open\n- b", ["- a\n```\nopen"]),
        ("- a\n  - ```\n    open", ["- ```\nopen"]),
        ("> ```\n> open", ["> ```\n> open"]),
        ("<!-- open", ["<!-- open"]),
        ("a\n§\n```\nopen", ["```\nopen"]),
        ("```\nclosed\n```", []),
    ],
)
def test_some_entries_must_not_go_by_themselves(
    text: str, protected: list[str]
) -> None:
    """Headings in use, the head of a table, what has no certain end."""
    found = [one.text for top in entries(text) for one in top.flat() if one.protected]
    assert found == protected


def test_private_text_is_in_no_repr() -> None:
    """A log never holds what a page says."""
    assert "secret" not in repr(entries("# secret\n\n- secret\n  - secret"))


def test_an_entry_is_a_value() -> None:
    """Reading a page twice gives equal entries."""
    assert entries("- a") == (
        Entry("item", "- a", first_line=0, last_line=0, start=0, end=3),
    )
