"""A small file, written whole or not at all, for its owner alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["put"]


def put(path: Path, text: str) -> None:
    """Write a file in place of what stands there.

    Raises:
        OSError: When it cannot be written; what stood there does still.
    """
    # The host skips names that begin with a dot.
    fd, staged = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(staged).replace(path)
    except OSError:
        Path(staged).unlink()
        raise
