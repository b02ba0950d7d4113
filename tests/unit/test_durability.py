"""How long a write waits is one of two words, wherever it is given."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory import IdentityMap, MarkdownProvider, Memory, TransientProvider
from ethos_memory.pg import Database
from ethos_memory.providers.teams import markdown_teams
from ethos_memory.providers.vault import VaultProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DSN = "host=127.0.0.1 port=1 user=nobody dbname=nothing"


@pytest.mark.parametrize(
    "open_it",
    [
        MarkdownProvider,
        VaultProvider,
        markdown_teams,
        IdentityMap,
        Memory.open,
        partial(Memory.open, provider=TransientProvider()),
        lambda _, **options: Database(DSN, **options),
    ],
)
@pytest.mark.parametrize("word", ["slow", "FULL", "", None, True])
def test_another_word_is_refused(
    tmp_path: Path, open_it: Callable[..., Any], word: object
) -> None:
    """A slip of the pen must not mean "do not wait for the disk"."""
    with pytest.raises(ValueError, match="durability is one of full, fast"):
        open_it(tmp_path, durability=word)
    assert not any(tmp_path.iterdir())
