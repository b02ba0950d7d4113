"""B11: deleted, yet still found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "user:u1"


def test_what_is_gone_from_the_page_is_gone_from_search(tmp_path: Path) -> None:
    """Removed, replaced, deleted, edited by hand; before and after opening again."""
    memory = MarkdownProvider(tmp_path)

    def found(query: str) -> bool:
        hits = memory.search(SCOPE, query)
        assert hits == MarkdownProvider(tmp_path).search(SCOPE, query)
        return bool(hits)

    memory.sync(
        SCOPE,
        [
            Add("MEMORY.md", "- zebrafish quantum marmalade"),
            Add("MEMORY.md", "- keeps bees"),
        ],
    )
    assert found("zebrafish")
    memory.sync(SCOPE, [Remove("MEMORY.md", "zebrafish quantum marmalade")])
    assert not found("zebrafish")
    assert found("bees")
    memory.sync(SCOPE, [Replace("MEMORY.md", "- keeps ducks")])
    assert not found("bees")
    memory.sync(SCOPE, [Delete("MEMORY.md")])
    assert not found("ducks")
    page = tmp_path / "users/u1/MEMORY.md"
    page.write_text("- a heron\n")
    assert found("heron")
    page.write_text("- a raven\n")
    assert not found("heron")
    assert found("raven")
    page.unlink()
    assert not found("raven")
    memory.sync(SCOPE, [Add("MEMORY.md", "- keeps bees")])
    memory.erase(SCOPE)
    assert not found("bees")
