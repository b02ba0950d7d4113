"""Four processes that write a hundred times each, through whatever a test gives them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[2] / "src"
TESTS: Final = Path(__file__).parents[1]
WRITERS: Final = 4
WRITES: Final = 100

_PROGRAM: Final = """\
import sys
sys.path[:0] = sys.argv[3:5]
home, name = sys.argv[1:3]
{body}
for number in range({writes}):
    write(f"w{{name}}-{{number}}-end")
"""


def race(home: Path, body: str) -> None:
    """Run the writers at once.

    Args:
        home: Where they write.
        body: Python that defines ``write(text)``; ``home`` and ``name`` are given.
    """
    program = _PROGRAM.format(body=body, writes=WRITES)
    command = [sys.executable, "-W", "ignore", "-c", program, str(home)]
    paths = [str(SOURCES), str(TESTS)]
    writers = [
        subprocess.Popen([*command, str(number), *paths], stderr=subprocess.PIPE)
        for number in range(WRITERS)
    ]
    errors = [writer.communicate()[1].decode() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * WRITERS, errors


def lost(text: str) -> list[str]:
    """Return what was written and is not there."""
    wanted = (
        f"w{name}-{number}-end" for name in range(WRITERS) for number in range(WRITES)
    )
    return [one for one in wanted if one not in text]
