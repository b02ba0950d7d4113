"""The marker that stands for a withheld line.

A marker is text like any other: whoever writes one gains nothing by it, for `screen`
never trusts a marker that it finds. Only writers look for markers: a model that
writes back what it was shown would put the marker in place of the line.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["holds_marker", "marker"]

_OPENING: Final = "[withheld by the memory guard: "
_MARKER: Final = re.compile(
    r"\[\s{0,9}withheld\s{1,9}by\s{1,9}the\s{1,9}memory\s{1,9}guard\b", re.IGNORECASE
)


def marker(rule: str) -> str:
    """Return what stands in place of a line that `rule` withheld."""
    return f"{_OPENING}{rule}]"


def holds_marker(text: str) -> bool:
    """Tell whether a text holds a marker of ours, whole or cut short.

    Letter case and spacing do not matter: a model retypes what it was shown.
    """
    return _MARKER.search(text) is not None
