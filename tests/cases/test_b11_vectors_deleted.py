"""B11: deleted, yet still found; by meaning as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.providers.vector import VectorProvider
from ethos_memory.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.provider import SearchMode

SCOPE = "user:u1"


@pytest.mark.parametrize("mode", [None, "keyword", "semantic", "hybrid"])
def test_what_is_gone_from_the_page_is_gone_from_search(
    mode: SearchMode | None, tmp_path: Path
) -> None:
    """Removed, replaced, deleted; for who has the home open, and after a restart."""
    memory = VectorProvider(tmp_path, HashEmbedder(512))

    def found(query: str) -> bool:
        """Tell whether a page says it, or is taken to mean it."""
        told = set()
        for provider in (memory, VectorProvider(tmp_path, HashEmbedder(512))):
            hits = provider.search(SCOPE, query, mode=mode)
            near = provider.search(SCOPE, query, mode="semantic")
            told.add(any(query in hit.content + hit.snippet for hit in hits))
            told.add(any(hit.score > 0.3 for hit in near))
        assert len(told) == 1
        return told.pop()

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
    memory.sync(SCOPE, [Add("MEMORY.md", "- keeps bees")])
    assert found("bees")
    memory.erase(SCOPE)
    assert not found("bees")
    assert not (tmp_path / "users/u1").exists()
