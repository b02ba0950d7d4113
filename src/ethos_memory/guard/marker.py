"""What is told of a line instead of its text: a fingerprint, or the marker in its place.

A marker is text like any other: whoever writes one gains nothing by it, for `screen`
never trusts a marker that it finds. Only writers look for markers: a model that
writes back what it was shown would put the marker in place of the line.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from ethos_memory.entry import trim

__all__ = ["fingerprint_of", "holds_marker", "marker"]

_OPENING: Final = "[withheld by the memory guard: "
_MARKER: Final = re.compile(
    r"\[\s{0,9}withheld\s{1,9}by\s{1,9}the\s{1,9}memory\s{1,9}guard\b", re.IGNORECASE
)


def fingerprint_of(line: str) -> str:
    """Return the sha256 of the trimmed line in hex."""
    return sha256(trim(line).encode("utf-8", "surrogatepass")).hexdigest()


def marker(rule: str) -> str:
    """Return what stands in place of a line that `rule` withheld."""
    return f"{_OPENING}{rule}]"


def holds_marker(text: str) -> bool:
    """Tell whether a text holds a marker of ours, whole or cut short.

    Letter case and spacing do not matter: a model retypes what it was shown.
    """
    return _MARKER.search(text) is not None
