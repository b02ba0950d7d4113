"""Every Python block in README and docs runs as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser

from ethos_memory.errors import MissingExtraError

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if "```python" in path.read_text("utf-8")
)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order, in one namespace, in an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    document = Sybil(parsers=[PythonCodeBlockParser()], path=str(ROOT)).parse(
        ROOT / page
    )
    examples = list(document.examples())
    assert examples
    for example in examples:
        try:
            example.evaluate()
        except MissingExtraError as error:
            # A page about another framework runs where the framework is.
            pytest.skip(str(error))
