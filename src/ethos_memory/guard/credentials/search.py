"""The search itself: all rules over one text, and the text without what they found."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from ethos_memory.guard.credentials.blocks import find_blocks
from ethos_memory.guard.credentials.forms import find_forms
from ethos_memory.guard.credentials.named import find_named
from ethos_memory.guard.credentials.prose import is_prose
from ethos_memory.guard.credentials.secret import MARKER, OPAQUE, Hit, Secret, marker
from ethos_memory.guard.credentials.shapes import find_shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


__all__ = ["find", "redact"]

_Span = TypeVar("_Span", Hit, Secret)

#: What is found can change what its neighbors mean, so that a text is looked at again
#: without it. Two passes settle all but contrived texts.
MAX_PASSES: Final = 4

#: Shortest and longest run that is taken for a token.
MIN_RUN: Final = 14
MAX_RUN: Final = 4096
_RUN_CHARACTERS: Final = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=-"
)


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(MARKER)


@cache
def _digit() -> re.Pattern[str]:
    return re.compile("[0-9]")


#: What no token is made of becomes a blank, to find the runs that one can be.
_RUNS: Final = bytes(
    code if chr(code) in _RUN_CHARACTERS else 0x20 for code in range(256)
)


@cache
def _any_long_run() -> re.Pattern[bytes]:
    return re.compile(rb" [^ ]{%d}" % MIN_RUN)


@cache
def _long_run() -> re.Pattern[str]:
    return re.compile(f"[A-Za-z0-9_.+/=-]{{{MIN_RUN},{MAX_RUN}}}")


def _long_runs(text: str) -> list[str]:
    """Return the runs that a token can be."""
    spaced = b" " + text.encode("ascii", "replace").translate(_RUNS)
    if _any_long_run().search(spaced) is None:
        return []
    return _long_run().findall(text)


def _without_markers(text: str) -> str:
    """Put opaque characters in place of markers; positions stay."""
    if "[redacted: " not in text:
        return text
    return _marker().sub(lambda match: OPAQUE * len(match.group()), text)


def _replaced(
    text: str, spans: Sequence[_Span], instead: Callable[[_Span], str]
) -> str:
    """Put something in place of each span, in one pass over the text."""
    parts: list[str] = []
    done = 0
    for span in spans:
        parts += [text[done : span.start], instead(span)]
        done = span.end
    return "".join([*parts, text[done:]])


def _folded(text: str) -> str:
    """Return `text` in lower case, position by position.

    One letter, U+0130, becomes two in lower case.
    """
    return text.replace("\u0130", "I").lower()


def _hits(text: str) -> Iterator[Hit]:
    folded = _folded(text)
    has_digit = _digit().search(text) is not None
    runs = _long_runs(text)
    if "-----" in text or "Private-Lines" in text:
        yield from find_blocks(text)
    if runs:
        yield from find_shapes(text, has_digit=any(map(_digit().search, runs)))
    longest = max(map(len, runs), default=0)
    yield from find_forms(text, folded, has_digit=has_digit, longest=longest)
    yield from find_named(text, folded, has_digit=has_digit)


def _is_apart(hit: Hit, text: str) -> bool:
    """Tell whether a hit touches no marker: what is glued to one was judged with it."""
    return OPAQUE not in (text[hit.start - 1 : hit.start], text[hit.end : hit.end + 1])


def _merged(hits: list[Hit]) -> Iterator[Hit]:
    """Join hits that overlap; a shape names the whole, rather than the words."""
    hits.sort(key=lambda hit: (hit.start, hit.named, -hit.end))
    whole = hits[0]
    for hit in hits[1:]:
        if hit.start >= whole.end:
            yield whole
            whole = hit
            continue
        better = hit if whole.named and not hit.named else whole
        end = max(whole.end, hit.end)
        whole = Hit(better.kind, whole.start, end=end, named=better.named)
    yield whole


def find(text: str) -> tuple[Secret, ...]:
    """Find the credentials in a text.

    Pure, and linear in the length of the text. What `redact` writes is never found.

    Args:
        text: A page, an entry, a label.

    Returns:
        What was found, in the order of the text; spans do not overlap and cover
        exactly the secret, in code points.
    """
    if is_prose(text):
        return ()
    found: list[Hit] = []
    searched = _without_markers(text)
    for _ in range(MAX_PASSES):
        hits = [hit for hit in _hits(searched) if _is_apart(hit, searched)]
        if not hits:
            break
        fresh = list(_merged(hits))
        found += fresh
        searched = _replaced(
            searched, fresh, lambda hit: OPAQUE * (hit.end - hit.start)
        )
    found.sort(key=lambda hit: hit.start)
    return tuple(hit.secret() for hit in found)


def redact(text: str) -> str:
    """Replace each credential by a marker, such as ``[redacted: github token]``.

    The rest of the text keeps every character. Redacting twice changes nothing more.

    Args:
        text: A page, an entry, a label.

    Returns:
        The text with markers, or `text` itself when it holds no credential.
    """
    return _replaced(text, find(text), lambda secret: marker(secret.kind))
