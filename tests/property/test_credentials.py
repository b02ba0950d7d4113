"""Laws of the search for credentials."""

from __future__ import annotations

import re
import unicodedata
from random import Random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from credential_samples import KEEP, KINDS
from ethos_memory.guard.credentials import MARKER, find, marker, redact
from ethos_memory.guard.credentials.forms import FORMS
from ethos_memory.guard.credentials.needles import any_of
from ethos_memory.guard.credentials.prose import is_prose
from ethos_memory.guard.credentials.shapes import SHAPES
from ethos_memory.guard.credentials.words import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.guard.credentials.forms import Form
    from ethos_memory.guard.credentials.shapes import Shape
    from ethos_memory.guard.credentials.words import Keyword

#: The pieces that rules look for, so that random text is near every rule.
PIECES = sorted(
    {needle for shape in SHAPES for needle in shape.needles}
    | {needle for form in FORMS for needle in form.needles}
    | {word.needle for word in KEYWORDS}
)
GLUE = (
    " ", "\n", ": ", "=", " is ", ", ", '"', "'", "`", "(", ")", "-", "_", "*", "**",
    "/", "@", "&", "?", ".", "…", "\\", "\\n", "|", "はa", "。", "\r\n", "> ",
    "[redacted: ", "]", "[redacted: password]",
)  # fmt: skip
VALUES = (
    "hunter22", "a1B2c3D4e5F6g7H8i9", "aB3xQ9" * 8, "4471", "swordfish", "0x1f",
    "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG",
    "x!9", "12 characters", "\ue000", "İ",
)  # fmt: skip


def near_rules() -> st.SearchStrategy[str]:
    """Draw text that is made of what rules look for, and of anything."""
    piece = st.one_of(
        st.sampled_from(PIECES),
        st.sampled_from(GLUE),
        st.sampled_from(VALUES),
        st.text(max_size=6),
    )
    return st.lists(piece, max_size=14).map("".join)


@st.composite
def samples(draw: st.DrawFn) -> str:
    """Draw a sentence with a secret in it."""
    make: Callable[[Random], tuple[str, str]] = draw(st.sampled_from([*KINDS.values()]))
    return make(Random(draw(st.integers(0, 10**6))))[0]


def texts() -> st.SearchStrategy[str]:
    """Draw pages: samples, near misses and random text, in any order."""
    part = st.one_of(samples(), st.sampled_from(KEEP), near_rules())
    return st.lists(part, min_size=1, max_size=4).flatmap(
        lambda parts: st.sampled_from([" ", "\n", "\n\n", ""]).map(
            lambda glue: glue.join(parts)
        )
    )


@given(texts())
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    """Spans are not empty, do not overlap, and never leave the text."""
    at = 0
    for hit in find(text):
        assert at <= hit.start < hit.end <= len(text)
        at = hit.end


@given(texts())
def test_redacting_twice_changes_nothing(text: str) -> None:
    """A marker is never found, and takes nothing else with it."""
    once = redact(text)
    assert redact(once) == once


@given(texts())
def test_only_the_spans_are_replaced(text: str) -> None:
    """The text with markers is the text with exactly its spans replaced."""
    expected = text
    for hit in reversed(find(text)):
        expected = expected[: hit.start] + marker(hit.kind) + expected[hit.end :]
    assert redact(text) == expected


@given(texts())
def test_the_same_text_has_the_same_answer(text: str) -> None:
    """The search keeps no state between texts."""
    assert find(text) == find(text)


def _is_plainly_prose(text: str) -> bool:
    folded = text.lower()
    is_told = not text.isascii() or any(sign in text for sign in ':="')
    words = [word for word in KEYWORDS if is_told or word.is_common]
    rows: tuple[Shape | Form | Keyword, ...] = (*SHAPES, *FORMS, *words)
    plain = [row.needles for row in rows if row.is_plain]
    needles = ["-----", *(needle.lower() for row in plain for needle in row)]
    has_digit = re.search("[0-9]", text) is not None
    return not (has_digit or any(needle in folded for needle in needles))


@given(texts())
def test_prose_is_what_holds_no_digit_and_no_needle(text: str) -> None:
    """The fast way out says what one look after another would say."""
    assert is_prose(text) == _is_plainly_prose(text)


@given(st.lists(st.text("ab.[", min_size=1, max_size=4)), st.text("ab.[", max_size=9))
def test_one_search_finds_what_many_looks_find(needles: list[str], text: str) -> None:
    """Whatever the needles have in common."""
    found = any_of(needles).search(text) is not None
    assert found == any(needle in text for needle in needles)


@given(st.text(), near_rules())
def test_markers_alone_hold_nothing(before: str, kind: str) -> None:
    """Text of markers only has no secrets, whatever stands in place of the kind."""
    word = re.sub(r"[^a-z0-9]", "", kind.lower())[:20] + "xx"
    text = marker(word)
    assert re.fullmatch(MARKER, text)
    assert find(text) == ()
    assert all(marker(word) not in before[h.start : h.end] for h in find(before))


def test_only_one_letter_is_longer_in_lower_case() -> None:
    """The search relies on positions that lower case keeps, U+0130 apart."""
    longer = [
        chr(point)
        for point in range(0x110000)
        if len(chr(point).lower()) != 1 and unicodedata.category(chr(point)) != "Cs"
    ]
    assert longer == ["\u0130"]
