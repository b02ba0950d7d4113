"""Headings and fences of a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.page import Fence, Heading, fences, headings
from ethos_memory.page.outline import outline

if TYPE_CHECKING:
    from ethos_memory.page.scanner import Kind

FILES = Path(__file__).parents[2] / "cases" / "files"


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in headings(text)]


def kinds(text: str) -> list[tuple[Kind, int, int]]:
    return [(block.kind, block.first, block.last) for block in outline(text).blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n## Two ##\n### \n####### seven", [(1, "One"), (2, "Two"), (3, "")]),
        ("#no\n    # code\n   # yes", [(1, "yes")]),
        ("# a # b\n## #\n# x#", [(1, "a # b"), (2, ""), (1, "x#")]),
        ("One\n===\nTwo\nlines\n---", [(1, "One"), (2, "Two\nlines")]),
        ("---\n===\n\n---", []),
        ("- item\n---\n> quote\n===", []),
        ("# a\r\n\r\nb\r\n===\r\n", [(1, "a"), (1, "b")]),
        ("\ufeff# a\n", [(1, "a")]),
        ("# a\r# b", [(1, "a"), (1, "b")]),
        ("```\n# no\n```\n# yes", [(1, "yes")]),
        ("- # in a list\n> # in a quote\n\n# out", [(1, "out")]),
        ("<!--\n# no\n-->\n# yes\n<!-- x -->\n# more", [(1, "yes"), (1, "more")]),
        ("---\n# no: 1\na: b\n---\n# yes", [(1, "yes")]),
        ("text\n    # still text\n===", [(1, "text\n# still text")]),
    ],
)
def test_headings_are_those_of_markdown(
    text: str, expected: list[tuple[int, str]]
) -> None:
    """Not in code, comments or front matter; those in lists belong to the list."""
    assert titles(text) == expected


def test_a_heading_tells_where_it_stands() -> None:
    """With its underline, without its line end."""
    assert headings("a\r\n===\r\n# b") == (
        Heading(1, "a", start=0, end=6),
        Heading(1, "b", start=8, end=11),
    )
    assert "secret" not in repr(headings("# secret"))


def test_a_longer_fence_holds_a_shorter_one() -> None:
    """And one that is never closed runs to the end of the page."""
    page = (FILES / "08-fences-tables-nested.md").read_bytes().decode()
    assert titles(page) == [(1, "Setext title")]
    template, open_one = fences(page)
    assert (template.info, template.is_closed) == ("md", True)
    assert page[template.start : template.end].count("\n") == 10
    assert (open_one.info, open_one.is_closed) == ("text", False)
    assert page[open_one.end :] in {"", "\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\na", [(0, 1, False)]),
        ("```\na\n```", [(0, 2, True)]),
        ("```\na\n    ```\n ``` \nb", [(0, 3, True)]),
        ("~~~~\n~~~\n~~~~~", [(0, 2, True)]),
        ("~~~\n```\n~~~\n```", [(0, 2, True), (3, 3, False)]),
        ("``` a`b\nx", []),
        ("~~~ a`b\nx", [(0, 1, False)]),
        ("- ```\n  a\nout", [(0, 1, False)]),
        ("- ```\n  a\n\n  ```\nout", [(0, 3, True)]),
        ("> ```\n> a\nout", [(0, 1, False)]),
        ("> ```\n\n> out", [(0, 0, False)]),
        ("text\n```\n", [(1, 1, False)]),
        ("    ```\n", []),
        ("\t```\n", []),
        ("- a\n\t- b\n\n\t  ```\n\t  c\n\t  ```", [(3, 5, True)]),
    ],
)
def test_a_fence_ends_with_its_mark_or_with_what_is_around_it(
    text: str, expected: list[tuple[int, int, bool]]
) -> None:
    """A list item or a quote that ends, ends the fence in it."""
    found = [
        (block.first, block.last, block.is_closed)
        for block in outline(text).blocks
        if block.kind == "fence"
    ]
    assert found == expected
    assert len(fences(text)) == len(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("a\nb\n\nc", [("text", 0, 1), ("text", 3, 3)]),
        ("    a\n\n    b\nc", [("code", 0, 2), ("text", 3, 3)]),
        ("    a\n- \n\n      b", [("code", 0, 0), ("code", 3, 3)]),
        ("- a\nlazy\n\n  b", [("text", 0, 1), ("text", 3, 3)]),
        (
            "a\n- - b\n***\n* * *",
            [("text", 0, 0), ("text", 1, 1), ("rule", 2, 2), ("rule", 3, 3)],
        ),
        ("a\n2. b\n1. c", [("text", 0, 1), ("text", 2, 2)]),
        ("a\n-\n+\nb", [("heading", 0, 1), ("text", 3, 3)]),
        ("a\n*\nb", [("text", 0, 2)]),
        ("-\n\n  a", [("text", 2, 2)]),
        ("-\n  a", [("text", 1, 1)]),
        ("-      a", [("code", 0, 0)]),
        ("a\n§\nb\n§ 1", [("text", 0, 0), ("separator", 1, 1), ("text", 2, 3)]),
        ("- a\n§ \n  b", [("text", 0, 0), ("separator", 1, 1), ("text", 2, 2)]),
        ("```\n§\n```", [("fence", 0, 2)]),
        ("- ```\n§", [("fence", 0, 0), ("separator", 1, 1)]),
        ("<!-- a\n\nb -->\nc", [("comment", 0, 2), ("text", 3, 3)]),
        ("- <!-- a\nb", [("comment", 0, 0), ("text", 1, 1)]),
        ("---\na: 1\n---\nb", [("front matter", 0, 2), ("text", 3, 3)]),
        ("> a\nlazy\n\n> b", [("text", 0, 1), ("text", 3, 3)]),
        (">\na", [("text", 1, 1)]),
    ],
)
def test_every_line_is_in_one_block(
    text: str, expected: list[tuple[Kind, int, int]]
) -> None:
    """Blank lines and empty list items are in none."""
    assert kinds(text) == expected


def test_nesting_without_end_is_followed_to_a_limit() -> None:
    """What is deeper is the text of what is around it."""
    (block,) = outline("> " * 500 + "a").blocks
    assert len(block.around) == 32
    (block,) = outline("- " * 500 + "a").blocks
    assert len(block.around) == 32


def test_a_fence_tells_where_it_stands() -> None:
    """From its opening line to its closing one."""
    assert fences("a\n```sh x\nb\n```\n") == (Fence("sh x", True, start=2, end=15),)
