"""Characters that hide text, judged by what stands around them.

Presence proves nothing: joiners make emoji families, Persian words and Indic conjuncts,
tag characters make the flag of Scotland, variation selectors make a heart red
(case B05). What hides is a zero-width character inside a Latin word, an override of the
reading direction, and a run of characters that nobody sees.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Hidden", "find_hidden"]

#: Everything below looks at these only; a text without them costs one search.
_SUSPECTS: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

#: A flag of a region: black flag, two to six tag letters or digits, the end tag.
_FLAG: Final = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"
)
_TAGS: Final = re.compile("[\U000e0000-\U000e007f]{1,4096}")
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,4096}")
_OVERRIDE: Final = re.compile("[\u202d\u202e]")
_INVISIBLE: Final = (
    "\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
)
_IN_WORD: Final = re.compile(
    f"(?<=[A-Za-z\u00c0-\u024f])[{_INVISIBLE}]{{1,64}}(?=[A-Za-z\u00c0-\u024f])"
)
_RUN: Final = re.compile(f"[{_INVISIBLE}]{{3,4096}}")
_ESCAPE: Final = re.compile("\x1b\\[|[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


@frozen
class Hidden:
    """A place where text hides.

    Attributes:
        rule: Its id, in the category ``hidden``.
        score: From 1 to 100.
        start: First code point.
        end: One past the last.
        reason: One sentence for a person.
    """

    rule: str
    score: int
    start: int
    end: int
    reason: str


_KINDS: Final = (
    (
        "hidden.variation-selectors",
        100,
        _SELECTORS,
        "a run of variation selectors can carry a hidden text",
    ),
    (
        "hidden.bidi-override",
        90,
        _OVERRIDE,
        "a direction override shows the line in another order than it is read",
    ),
    ("hidden.zero-width", 90, _IN_WORD, "an invisible character splits a word"),
    (
        "hidden.invisible-run",
        90,
        _RUN,
        "a run of invisible characters can carry a hidden text",
    ),
    ("hidden.control", 45, _ESCAPE, "a control character can hide text on a terminal"),
)


def find_hidden(text: str) -> tuple[Hidden, ...]:
    """Find where text hides.

    Args:
        text: Any text; line ends are not looked at.

    Returns:
        The places, in the order of the text.
    """
    if _SUSPECTS.search(text) is None:
        return ()
    return tuple(sorted(_found(text), key=lambda hidden: (hidden.start, hidden.end)))


def _found(text: str) -> Iterator[Hidden]:
    flags = [match.span() for match in _FLAG.finditer(text)]
    for match in _TAGS.finditer(text):
        if not any(
            start < match.start() and match.end() <= end for start, end in flags
        ):
            yield Hidden(
                "hidden.tag-characters",
                100,
                *match.span(),
                "invisible tag characters carry a hidden text",
            )
    for rule, score, pattern, reason in _KINDS:
        for match in pattern.finditer(text):
            yield Hidden(rule, score, *match.span(), reason)
