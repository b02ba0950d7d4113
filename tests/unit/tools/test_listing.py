"""`listing`: what a model reads, byte for byte as the host writes it."""

from __future__ import annotations

from typing import Any

import pytest

from ethos_memory.providers.guarded_edit import Cut
from ethos_memory.tools import listing
from ethos_memory.tools.answer import Declined

TEXT = "one\ntwo\nthree\nfour\nfive\n"
HEAD = "Here's the content of /memories/a.md with line numbers:\n"


@pytest.mark.parametrize(
    ("lines", "first", "last"),
    [
        (None, 1, 5),
        ([2, 4], 2, 4),
        ((4, -1), 4, 5),
        ([0, 2], 1, 2),
        ([-3, 1], 1, 1),
        ([5, 99], 5, 5),
        ([4, 2], 4, 3),
        ([2, -5], 2, 1),
        ([9, 12], 9, 8),
    ],
)
def test_a_part_of_a_file_has_its_own_numbers(
    lines: Any, first: int, last: int
) -> None:
    """Lines that are not there are left out."""
    words = ["one", "two", "three", "four", "five"]
    expected = [f"{n:>6}\t{words[n - 1]}" for n in range(first, last + 1)]
    shown = listing.numbered("/memories/a.md", TEXT, lines)
    assert shown == HEAD + "\n".join(expected)


@pytest.mark.parametrize("lines", [[], [1], [1, 2, 3], ["1", "2"], "12", [True, 2], 3])
def test_what_is_no_part_is_refused(lines: object) -> None:
    """With an example."""
    with pytest.raises(Declined) as caught:
        listing.numbered("/memories/a.md", TEXT, lines)
    assert "[1, 20]" in caught.value.text


@pytest.mark.parametrize(
    ("line", "shown"), [(0, [1, 2, 3]), (2, [1, 2, 3, 4, 5]), (4, [3, 4, 5])]
)
def test_a_change_is_shown_with_two_lines_around(line: int, shown: list[int]) -> None:
    """As many as there are."""
    said = listing.snippet(TEXT, line)
    head, *lines = said.split("\n")
    assert head.endswith("(with line numbers):")
    assert [int(one.split("\t")[0]) for one in lines] == shown


def test_a_text_that_occurs_once_is_replaced() -> None:
    """Nowhere and several places are named."""
    at = TEXT.index("three")
    path = "/memories/a.md"
    assert listing.replacing(path, TEXT, "three", "3") == Cut(at, at + 5, "3")
    for wanted in ("six", ""):
        with pytest.raises(Declined) as caught:
            listing.replacing(path, TEXT, wanted, "")
        assert caught.value.text == (
            f"No replacement was performed, old_str `{wanted}` did not appear verbatim "
            "in /memories/a.md."
        )
    with pytest.raises(Declined) as caught:
        listing.replacing(path, TEXT, "o", "")
    assert "in lines: 1, 2, 4. Please" in caught.value.text


@pytest.mark.parametrize(
    ("text", "at", "cut"),
    [
        ("", 0, Cut(0, 0, "x\n")),
        ("", 1, Cut(0, 0, "\nx")),
        ("a\n", 0, Cut(0, 0, "x\n")),
        ("a\n", 1, Cut(2, 2, "x\n")),
        ("a\nb", 1, Cut(2, 2, "x\n")),
        ("a\nb", 2, Cut(3, 3, "\nx")),
        ("a\r\nb\r\n", 1, Cut(3, 3, "x\r\n")),
        ("\ufeffa\n", 0, Cut(1, 1, "x\n")),
        ("\ufeffa\n", 1, Cut(3, 3, "x\n")),
    ],
)
def test_a_line_is_put_behind_another(text: str, at: int, cut: Cut) -> None:
    """An open end is closed for it, and it is open then."""
    assert listing.inserting(text, at, "x\n") == cut
    with pytest.raises(Declined, match="input_invalid"):
        listing.inserting(text, 9, "x")


def test_a_folder_shows_two_levels_with_sizes() -> None:
    """Folders end in a slash and hold what is below them."""
    sizes = {"a.md": 17, "b/c.md": 1536, "b/d/e.md": 4096, "b/d/f/g.md": 1, "z.md": 0}
    head, *lines = listing.folder("/memories", sizes).split("\n")
    assert head == (
        "Here're the files and directories up to 2 levels deep in /memories, "
        "excluding hidden items:"
    )
    assert lines == [
        "5.5K\t/memories",
        "17B\t/memories/a.md",
        "5.5K\t/memories/b/",
        "1.5K\t/memories/b/c.md",
        "4.0K\t/memories/b/d/",
        "0B\t/memories/z.md",
    ]
    assert listing.folder("/memories/", {}).endswith("\n0B\t/memories/")
    assert "2G\t" in listing.folder("/memories", {"a.md": 2 * 1024**3})
    assert "4096G\t" in listing.folder("/memories", {"a.md": 4 * 1024**4})
