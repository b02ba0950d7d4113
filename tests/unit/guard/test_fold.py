from __future__ import annotations

import pytest

from ethos_memory.guard.fold import fold


@pytest.mark.parametrize(
    ("text", "word", "original"),
    [
        ("say Ignore now", "ignore", "Ignore"),
        ("é ig\u200bnore é", "ignore", "ig\u200bnore"),
        ("ﬁle x", "fil", "ﬁl"),
        ("\u200b\u200babc", "abc", "abc"),
        ("ab\u200b", "ab", "ab"),
        ("x\U0001d422\U0001d420y", "ig", "\U0001d422\U0001d420"),
        ("іgnоrе", "ignore", "іgnоrе"),
    ],
)
def test_a_span_points_at_the_original(text: str, word: str, original: str) -> None:
    """What nobody sees belongs to it only inside."""
    folded = fold(text)
    place = folded.text.index(word)
    start, end = folded.span(place, place + len(word))
    assert text[start:end] == original


def test_private_text_is_in_no_repr() -> None:
    """Logs hold reprs."""
    assert "secret" not in repr(fold("secret"))
