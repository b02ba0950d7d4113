"""Cutting text to a size."""

from __future__ import annotations

import pytest

from ethos_memory.page import cut, cut_bytes, split_at_cap
from ethos_memory.page.cut import grapheme_end, grapheme_start

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "character",
    [
        FAMILY,
        "e\u0301",
        "👍🏽",
        "🇩🇪",
        "❤\ufe0f",
        "\r\n",
        "\u1112\u116c\u11ab",
        "क\u094dष",
        "น\u0e33",
        "ﾃ\uff9e",
        "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    ],
)
def test_no_character_is_cut_through(character: str) -> None:
    """Wherever in it the cut would fall, at both of its ends."""
    text = f"x{character}y"
    for at in range(2, len(character) + 1):
        assert grapheme_start(text, at) == 1
        assert grapheme_end(text, at) == len(character) + 1
    assert grapheme_start(text, 1) == grapheme_end(text, 1) == 1


@pytest.mark.parametrize(
    "text", ["ab", "\n\u0301", "\r\u0301", "\u200dx", "日本", "🇩🇪🇫🇷", "a🇩", "🇩a"]
)
def test_characters_that_do_not_belong_together_are_parted(text: str) -> None:
    """A flag ends after two letters, and nothing clings to a line end."""
    middle = len(text) // 2
    assert grapheme_start(text, middle) == grapheme_end(text, middle) == middle


def test_nobodys_character_is_cut_where_asked() -> None:
    """A run of marks without end is no character worth keeping together."""
    text = "a" + "\u0301" * 1_000
    assert grapheme_start(text, 500) == 500
    assert grapheme_end(text, 500) == 500
    assert grapheme_start(text, 40) == 0
    assert grapheme_end(text, 990) == 1_001


@pytest.mark.parametrize(
    ("text", "max_chars", "kept"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("abc", 0, ""),
        ("abc", -1, ""),
        ("", 0, ""),
        ("one\ntwo\nthree", 9, "one\ntwo\n"),
        ("one\ntwo\nthree", 8, "one\ntwo\n"),
        ("one\ntwo\nthree", 7, "one\n"),
        ("one\r\ntwo", 5, "one\r\n"),
        (f"x{FAMILY}", 4, "x"),
        (f"{FAMILY}", 4, ""),
    ],
)
def test_the_beginning_is_kept(text: str, max_chars: int, kept: str) -> None:
    """Whole lines when there is a line end, else whole characters."""
    assert cut(text, max_chars) == kept


@pytest.mark.parametrize(
    ("text", "max_chars", "kept"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "bc"),
        ("abc", 0, ""),
        ("one\ntwo\nthree", 9, "two\nthree"),
        ("one\ntwo\nthree", 8, "three"),
        ("one\ntwo\nthree\n", 6, "three\n"),
        ("one\ntwo\nthree\n", 4, "ree\n"),
        (f"{FAMILY}x", 4, "x"),
    ],
)
def test_the_end_is_kept(text: str, max_chars: int, kept: str) -> None:
    """The last line end of all is none to cut at."""
    assert cut(text, max_chars, keep="end") == kept


@pytest.mark.parametrize(
    ("text", "max_bytes", "kept"),
    [
        ("日本", 6, "日本"),
        ("日本", 5, "日"),
        ("日本", 2, ""),
        ("日本", 0, ""),
        ("日本", -1, ""),
        ("日\n本語", 8, "日\n"),
        (f"x{FAMILY}", 17, "x"),
        ("\ud83d\ud83d", 5, "\ud83d"),
    ],
)
def test_bytes_are_counted_as_utf_8(text: str, max_bytes: int, kept: str) -> None:
    """Three of them for a Han character; half a character counts as well."""
    assert cut_bytes(text, max_bytes) == kept


@pytest.mark.parametrize(
    ("text", "max_bytes", "kept"),
    [("日本", 5, "本"), ("日\n本語", 8, "本語"), ("日本", 0, ""), ("日本", -3, "")],
)
def test_the_end_is_kept_in_bytes(text: str, max_bytes: int, kept: str) -> None:
    """Counted from the last byte."""
    assert cut_bytes(text, max_bytes, keep="end") == kept


@pytest.mark.parametrize(
    ("text", "cap", "overflow", "kept"),
    [
        ("one\ntwo\n", 8, "", "one\ntwo\n"),
        ("one\ntwo\n", 7, "one\n", "two\n"),
        ("one\ntwo\n", 4, "one\n", "two\n"),
        ("one\r\ntwo\r\n", 9, "one\r\n", "two\r\n"),
        ("old\nlonger than the cap", 8, "old\nlonger than", " the cap"),
        ("日本語\n", 7, "日", "本語\n"),
        ("日本語\n\n", 6, "日本", "語\n\n"),
        (f"{FAMILY}x", 5, FAMILY, "x"),
        (f"x{FAMILY}", 11, f"x{FAMILY[:2]}", FAMILY[2:]),
        ("", 4, "", ""),
    ],
)
def test_the_oldest_goes_and_something_stays(
    text: str, cap: int, overflow: str, kept: str
) -> None:
    """Whole lines, then whole characters, and at the worst whole code points."""
    assert split_at_cap(text, cap) == (overflow, kept)
