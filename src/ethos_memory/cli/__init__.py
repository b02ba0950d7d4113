"""The command line: ``ethos-memory``. Plain text, or JSON with ``--json``."""

from __future__ import annotations

from ethos_memory.cli.parser import main

__all__ = ["main"]
