"""The home that a command works on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ethos_memory.config import Config
from ethos_memory.home import choose_guard
from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.providers.guarded import Guard

__all__ = ["configured_guard", "opened"]


def opened(call: Call) -> Memory:
    """Open the home of a call, for a `with` block.

    Raises:
        EthosMemoryError: When it cannot be opened as it stands.
    """
    return Memory.open(call.home, trusted_links=call.trusted_links)


def configured_guard(call: Call) -> Guard:
    """Return the guard as the home's config sets it; the home need not exist.

    Raises:
        CorruptFileError: When the config cannot be read.
    """
    return choose_guard(None, Config.load(Path(call.home).expanduser()))
