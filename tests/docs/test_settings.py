"""Every example of settings in the docs is one that is understood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ethos_memory.config import Config, parse_config, parse_personality
from ethos_memory.config.reader import _NAMES

DOCS = Path(__file__).parents[2] / "docs"
#: Pages about another host show that host's own settings as well.
EXAMPLES = [
    pytest.param(block, id=f"{path.stem}-{number}")
    for path in sorted(DOCS.rglob("*.md"))
    if not path.stem.startswith("use-with-")
    for number, block in enumerate(
        re.findall(r"```yaml\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
    )
]
PAGE = (DOCS / "reference/config.md").read_text("utf-8")


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_says_something(example: str) -> None:
    """Some pages show a fingerprint that is cut short."""
    text = re.sub(r"[0-9a-f]{4}…\([^)]*\)…[0-9a-f]{2}", "a" * 64, example)
    text = re.sub(r"[0-9a-f]{4}…", "a" * 64, text)
    if "memory.provider" in text:
        assert parse_personality(text) is not None
    else:
        assert parse_config(text) != Config()


def test_the_page_knows_every_key() -> None:
    """By the name that the reader has for it."""
    for name in _NAMES:
        assert f"`{name}`" in PAGE
