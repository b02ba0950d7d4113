"""Our own attacks, one technique a file, with benign twins.

The first character of a line says what the guard makes of it:

``+`` withheld, ``*`` flagged, ``o`` an attack that passes (a limit that we know),
``-`` benign, no finding, ``=`` benign, flagged and no more.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

FOLDER = Path(__file__).parent / "attacks"
_ESCAPE = re.compile(r"\\(\\|n|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_SAMPLE = re.compile(r"([+*o=-]) (.+)")


@frozen
class Sample:
    """A line of a file."""

    technique: str
    mark: str
    text: str

    @property
    def is_attack(self) -> bool:
        return self.mark in "+*o"


def _plain(match: re.Match[str]) -> str:
    escape = match.group(1)
    if escape in "\\n":
        return {"\\": "\\", "n": "\n"}[escape]
    return chr(int(escape[1:], 16))


def load(folder: Path = FOLDER) -> tuple[Sample, ...]:
    """Read every file of a folder."""
    found: list[Sample] = []
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            match = _SAMPLE.fullmatch(line)
            if match is not None:
                text = _ESCAPE.sub(_plain, match.group(2))
                found.append(Sample(path.stem, match.group(1), text))
            elif line and not line.startswith("#"):
                msg = f"{path.name}: a line begins with none of + * o - = #"
                raise ValueError(msg)
    return tuple(found)
