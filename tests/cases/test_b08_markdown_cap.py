"""B08: a page above the cap, of many lines and of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.entry import Add, Replace
from ethos_memory.providers.cap import ARCHIVE, CAP_BYTES
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "personality:ops"


def _parts(tmp_path: Path) -> tuple[str, str]:
    folder = tmp_path / "personalities/ops"
    data = (folder / "MEMORY.md").read_bytes()
    assert 0 < len(data) <= CAP_BYTES
    return (folder / ARCHIVE).read_bytes().decode(), data.decode()


def test_the_newest_lines_stay_and_none_is_lost(tmp_path: Path) -> None:
    """632 kB in UTF-8, 232,000 characters: bytes are what counts."""
    memory = MarkdownProvider(tmp_path)
    lines = [f"{number:06d} " + "語" * 50 for number in range(4000)]
    memory.sync(SCOPE, [Replace("MEMORY.md", "\n".join(lines))])
    memory.sync(SCOPE, [Add("MEMORY.md", "newest line")])
    archive, page = _parts(tmp_path)
    assert "newest line" in page
    found = [
        line
        for line in (archive + page).split("\n")
        if line and not line.startswith("<!--")
    ]
    assert found == [*lines, "newest line"]


def test_one_endless_line_is_cut_between_characters(tmp_path: Path) -> None:
    """Neither a crash nor an empty file, and every character once."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Replace("MEMORY.md", "語" * 400_000)])
    archive, page = _parts(tmp_path)
    assert archive.count("語") + page.count("語") == 400_000
    assert set(page) == {"語", "\n"}


def test_half_a_character_is_replaced_at_the_door(tmp_path: Path) -> None:
    """A lone surrogate from a broken client."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("MEMORY.md", "broken \ud83d half")])
    entry = memory.read(SCOPE, "MEMORY.md")
    assert entry is not None
    assert entry.content == "broken \ufffd half\n"
