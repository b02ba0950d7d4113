"""B08: cutting in the wrong place (the functions that cut, and the cap)."""

from __future__ import annotations

import pytest

from ethos_memory.entry import Add, Replace
from ethos_memory.page import cut, cut_bytes, split_at_cap
from ethos_memory.providers.transient import TransientProvider

SCOPE = "user:u1"
CAP = 524_288
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TEXT = "x" * 10 + FAMILY + "é日本"


@pytest.mark.parametrize("cap", range(40))
def test_no_cut_goes_through_a_joined_emoji(cap: int) -> None:
    """Each is valid, and never longer than the cap in its unit."""
    for kept, size in ((cut(TEXT, cap), len), (cut_bytes(TEXT, cap), _utf_8)):
        assert size(kept) <= cap
        assert TEXT.startswith(kept)
        assert FAMILY in kept or not set(FAMILY) & set(kept)


def _utf_8(text: str) -> int:
    return len(text.encode())


def test_over_the_cap_the_newest_lines_stay() -> None:
    """File and archive together hold all 4,001 lines once each."""
    lines = [f"{number:06d} " + "語" * 50 for number in range(4_000)]
    memory = TransientProvider()
    memory.sync(SCOPE, [Replace("MEMORY.md", "\n".join(lines))])
    memory.sync(SCOPE, [Add("MEMORY.md", "newest line")])
    page = memory.read(SCOPE, "MEMORY.md")
    assert page is not None
    assert _utf_8(page.content) <= CAP
    kept = [line for line in page.content.split("\n") if line]
    assert kept[-1] == "newest line"
    assert kept[:-1] == lines[-len(kept) + 1 :]
    archive = memory._memories[memory._id(SCOPE)].archive
    archived = [line for line in archive.split("\n") if line and line[0] != "<"]
    assert archived + kept == [*lines, "newest line"]


def test_one_line_over_the_cap_is_cut_between_characters() -> None:
    """No crash, no empty file, no loss."""
    line = "語" * 400_000
    memory = TransientProvider()
    memory.sync(SCOPE, [Replace("MEMORY.md", line)])
    page = memory.read(SCOPE, "MEMORY.md")
    assert page is not None
    assert CAP - 3 <= _utf_8(page.content) <= CAP
    assert set(page.content) == {"語", "\n"}
    archive = memory._memories[memory._id(SCOPE)].archive
    assert (archive + page.content).count("語") == 400_000


def test_a_split_keeps_whole_lines_and_every_byte() -> None:
    """What goes and what stays is the page."""
    page = "".join(f"{number:06d} é\r\n" for number in range(1_000))
    overflow, kept = split_at_cap(page, 1_000)
    assert overflow + kept == page
    assert overflow.endswith("\r\n")
    assert len(kept.encode()) > 1_000 - 11


def test_half_a_character_is_replaced_at_the_door() -> None:
    """A lone surrogate becomes U+FFFD; nothing is half written."""
    memory = TransientProvider()
    memory.sync(SCOPE, [Add("MEMORY.md", "broken \ud83d half")])
    page = memory.read(SCOPE, "MEMORY.md")
    assert page is not None
    assert page.content == "broken \ufffd half\n"
