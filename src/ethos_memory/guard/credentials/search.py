"""The search itself: all rules over one text, and the text without what they found."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ethos_memory.guard.credentials.blocks import find_blocks
from ethos_memory.guard.credentials.forms import FORMS, find_forms
from ethos_memory.guard.credentials.named import find_named
from ethos_memory.guard.credentials.secret import MARKER, OPAQUE, Hit, Secret, marker
from ethos_memory.guard.credentials.shapes import SHAPES, find_shapes
from ethos_memory.guard.credentials.words import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.guard.credentials.forms import Form
    from ethos_memory.guard.credentials.shapes import Shape
    from ethos_memory.guard.credentials.words import Keyword

__all__ = ["find", "redact"]


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(MARKER)


@cache
def _digit() -> re.Pattern[str]:
    return re.compile("[0-9]")


@cache
def _long_run() -> re.Pattern[str]:
    """Return what no token goes without, its own prefix apart."""
    return re.compile("[A-Za-z0-9_.+/=-]{14}")


@cache
def _needles(*, is_ascii: bool, is_told: bool) -> tuple[str, ...]:
    """Return what no secret without a digit goes without; none holds another.

    Args:
        is_ascii: Whether needles of other scripts can be left out.
        is_told: Whether the text has a colon, an equals sign or a quote. Without one,
            letters alone are a secret only behind the commonest words.
    """
    words = (word for word in KEYWORDS if is_told or word.is_common)
    rows: tuple[Shape | Form | Keyword, ...] = (*SHAPES, *FORMS, *words)
    found = {needle.lower() for row in rows if row.is_plain for needle in row.needles}
    found = {needle for needle in found if needle.isascii() or not is_ascii}
    return tuple(
        needle
        for needle in sorted(found | {"-----"})
        if not any(other in needle for other in found if other != needle)
    )


def _is_prose(text: str) -> bool:
    """Tell whether a text is one that no rule need look at, as most lines are."""
    if _digit().search(text):
        return False
    folded = text.lower()
    is_told = ":" in text or '"' in text or "=" in text
    is_ascii = text.isascii()
    needles = _needles(is_ascii=is_ascii, is_told=is_told or not is_ascii)
    return not [needle for needle in needles if needle in folded]


def _without_markers(text: str) -> str:
    """Put opaque characters in place of markers; positions stay."""
    if "[redacted: " not in text:
        return text
    return _marker().sub(lambda match: OPAQUE * len(match.group()), text)


def _folded(text: str) -> str:
    """Return `text` in lower case, position by position.

    One letter, U+0130, becomes two in lower case.
    """
    return text.replace("\u0130", "I").lower()


def _hits(text: str) -> Iterator[Hit]:
    folded = _folded(text)
    has_digit = _digit().search(text) is not None
    is_long = _long_run().search(text) is not None
    if "-----" in text or "Private-Lines" in text:
        yield from find_blocks(text)
    if is_long:
        yield from find_shapes(text, has_digit=has_digit)
    yield from find_forms(text, folded, has_digit=has_digit, is_long=is_long)
    yield from find_named(text, folded, has_digit=has_digit)


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
    hits = [] if _is_prose(text) else list(_hits(_without_markers(text)))
    if not hits:
        return ()
    return tuple(hit.secret() for hit in _merged(hits))


def redact(text: str) -> str:
    """Replace each credential by a marker, such as ``[redacted: github token]``.

    The rest of the text keeps every character. Redacting twice changes nothing more.

    Args:
        text: A page, an entry, a label.

    Returns:
        The text with markers, or `text` itself when it holds no credential.
    """
    secrets = find(text)
    if not secrets:
        return text
    parts: list[str] = []
    done = 0
    for secret in secrets:
        parts += [text[done : secret.start], marker(secret.kind)]
        done = secret.end
    return "".join([*parts, text[done:]])
