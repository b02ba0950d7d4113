"""B08: a page at its cap, rewritten with a new line on top: the line has no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Replace
from ethos_memory.providers.cap import CAP_BYTES
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.providers.vault import VaultProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOPE = "user:u1"
#: With its number and its end 256 bytes, which fill a page to the last one.
LINE = f"- {'tea ' * 62}"


@pytest.mark.parametrize(
    "open_provider",
    [MarkdownProvider, VaultProvider, lambda _: TransientProvider()],
)
def test_a_line_without_room_is_archived_though_the_page_stays(
    tmp_path: Path,
    open_provider: Callable[
        [Path], MarkdownProvider | VaultProvider | TransientProvider
    ],
) -> None:
    """The page reads as before, so nothing is replaced; every line is kept once."""
    memory = open_provider(tmp_path)
    lines = [f"{LINE}{number:05}" for number in range(4_096)]
    memory.sync(SCOPE, [Replace("large.md", "\n".join(lines))])
    full = memory.read(SCOPE, "large.md")
    assert full is not None
    assert len(full.content) == CAP_BYTES
    text = f"- a new first line\n{full.content}"
    report = memory.sync(SCOPE, [Replace("large.md", text)])
    assert not report.changes[0].is_change
    page = memory.read(SCOPE, "large.md")
    assert page is not None
    assert page.content == full.content
    kept: dict[str, str] = {}
    memory.copy_files(SCOPE, lambda name, data: kept.update({name: data.decode()}))
    archive = next(text for name, text in kept.items() if "archive" in name)
    assert archive.count("- a new first line\n") == 1
    assert sum(text.count("- a new first line") for text in kept.values()) == 1
