"""``python -m ethos_memory.cli`` is the same as ``ethos-memory``."""

from __future__ import annotations

import sys

from ethos_memory.cli import main

if __name__ == "__main__":
    sys.exit(main())
