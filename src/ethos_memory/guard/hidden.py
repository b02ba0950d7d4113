"""Characters that hide text, judged by what stands around them.

Presence proves nothing: joiners make emoji families, Persian words and Indic conjuncts,
tag characters make the flag of Scotland, variation selectors make a heart red
(case B05). What hides is a zero-width character inside a Latin word, an override of the
reading direction, and a run of characters that nobody sees.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

__all__ = ["Hidden", "find_hidden", "has_hidden"]

#: Everything below looks at these only; a text without them costs one search.
_SUSPECTS: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

#: A flag of a region: black flag, two to six tag letters or digits, the end tag.
_FLAG: Final = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"
)
_SELECTOR: Final = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_INVISIBLE: Final = (
    "\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
)
_LATIN: Final = "[A-Za-z\u00c0-\u024f]"
_IN_WORD: Final = re.compile(f"(?<={_LATIN})[{_INVISIBLE}]{{1,64}}(?={_LATIN})")
_AT_WORD: Final = re.compile(
    f"(?<={_LATIN})[{_INVISIBLE}](?= )|(?<= )[{_INVISIBLE}](?={_LATIN})"
)
_RUN: Final = re.compile(f"[{_INVISIBLE}]{{3,4096}}")
#: Hyphenation leaves two letters at least on both sides of a mark.
_SHY: Final = re.compile(
    "\u00ad[A-Za-z]\u00ad|\u00ad[A-Za-z](?![A-Za-z])|(?<![A-Za-z])[A-Za-z]\u00ad"
)
_ISOLATES: Final = re.compile("[\u2066-\u2068]")
_EMBEDDINGS: Final = re.compile("[\u202a\u202b]")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

#: Nobody sees them and nothing but hiding explains them.
_CERTAIN: Final = 100
_STRONG: Final = 90
#: Text processors leave some behind.
_ODD: Final = 45

#: A run of one character says nothing; a code needs two, and eight of them a letter.
_SHORTEST_CODE: Final = 8
_MANY_EDGES: Final = 3


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


def has_hidden(text: str) -> bool:
    """Tell cheaply whether a text holds a character that can hide text."""
    if text.isascii() and text.isprintable():
        return False
    return _SUSPECTS.search(text) is not None


def find_hidden(text: str) -> tuple[Hidden, ...]:
    """Find where text hides.

    Args:
        text: Any text; line ends are not looked at.

    Returns:
        The first place of each kind.
    """
    if _SUSPECTS.search(text) is None:
        return ()
    plain = _FLAG.sub(lambda flag: " " * len(flag.group()), text)
    return tuple(hidden for kind in _KINDS if (hidden := kind(plain)) is not None)


def _tags(text: str) -> Hidden | None:
    match = re.search("[\U000e0000-\U000e007f]{1,4096}", text)
    reason = "invisible tag characters carry a hidden text"
    return _hidden("hidden.tag-characters", _CERTAIN, match, reason)


def _selectors(text: str) -> Hidden | None:
    match = re.search(f"{_SELECTOR}{{3,4096}}|(?:[A-Za-z]{_SELECTOR}){{3}}", text)
    reason = "variation selectors carry a hidden text"
    return _hidden("hidden.variation-selectors", _CERTAIN, match, reason)


def _direction(text: str) -> Hidden | None:
    match = re.search("[\u202d\u202e]", text)
    reason = "a direction override shows the line in another order than it is read"
    return _hidden("hidden.bidi-override", _STRONG, match, reason)


def _isolation(text: str) -> Hidden | None:
    reason = "marks of the reading direction do not add up"
    opening = _ISOLATES.search(text)
    if opening is not None and len(_ISOLATES.findall(text)) != text.count("\u2069"):
        return _hidden("hidden.bidi-unbalanced", _ODD, opening, reason)
    if _RIGHT_TO_LEFT.search(text) is None:
        return _hidden("hidden.bidi-unbalanced", _ODD, _EMBEDDINGS.search(text), reason)
    return None


def _zero_width(text: str) -> Hidden | None:
    found = list(_IN_WORD.finditer(text))
    reason = "invisible characters split words"
    if not found:
        edges = list(_AT_WORD.finditer(text))
        match = edges[0] if len(edges) >= _MANY_EDGES else None
        return _hidden("hidden.zero-width", _ODD, match, reason)
    score = _STRONG if len(found) > 1 else _ODD
    return _hidden("hidden.zero-width", score, found[0], reason)


def _soft_hyphens(text: str) -> Hidden | None:
    found = list(_SHY.finditer(text))
    reason = "soft hyphens stand where no word is hyphenated"
    match = found[0] if len(found) > 1 else None
    return _hidden("hidden.soft-hyphens", _STRONG, match, reason)


def _run(text: str) -> Hidden | None:
    runs = list(_RUN.finditer(text))
    reason = "a run of invisible characters can carry a hidden text"
    for run in runs:
        if len(run.group()) >= _SHORTEST_CODE and len(set(run.group())) > 1:
            return _hidden("hidden.invisible-run", _STRONG, run, reason)
    return _hidden("hidden.invisible-run", _ODD, runs[0] if runs else None, reason)


def _control(text: str) -> Hidden | None:
    match = re.search("\x1b\\[|[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]", text)
    reason = "a control character can hide text on a terminal"
    return _hidden("hidden.control", _ODD, match, reason)


_KINDS: Final = (
    _tags,
    _selectors,
    _direction,
    _isolation,
    _zero_width,
    _soft_hyphens,
    _run,
    _control,
)


def _hidden(
    rule: str, score: int, match: re.Match[str] | None, reason: str
) -> Hidden | None:
    return None if match is None else Hidden(rule, score, *match.span(), reason)
