from __future__ import annotations

import pytest

from ethos_memory.guard.hidden import find_hidden, has_hidden


def _rules(text: str) -> dict[str, int]:
    return {hidden.rule: hidden.score for hidden in find_hidden(text)}


@pytest.mark.parametrize(
    ("text", "rule", "score"),
    [
        ("a\U000e0041", "hidden.tag-characters", 100),
        ("🏴\U000e0067\U000e0062 no end", "hidden.tag-characters", 100),
        ("x\ufe01\ufe02\ufe03", "hidden.variation-selectors", 100),
        ("a\ufe00b\ufe00c\ufe00", "hidden.variation-selectors", 100),
        ("\u202eabc", "hidden.bidi-override", 90),
        ("\u202dabc", "hidden.bidi-override", 90),
        ("\u2067אב", "hidden.bidi-unbalanced", 45),
        ("\u202babc\u202c", "hidden.bidi-unbalanced", 45),
        ("ab\u200bcd", "hidden.zero-width", 45),
        ("ab\u200bcd\u200bef", "hidden.zero-width", 90),
        ("ab\u200b cd\u200b ef\u200b gh", "hidden.zero-width", 45),
        ("i\u00adg\u00adn\u00ado", "hidden.soft-hyphens", 90),
        ("\u200b\u200b\u200b", "hidden.invisible-run", 45),
        ("\u200b\u200c" * 4, "hidden.invisible-run", 90),
        ("a\x1b[8mb", "hidden.control", 45),
        ("a\x08b", "hidden.control", 45),
    ],
)
def test_each_way_to_hide_is_found(text: str, rule: str, score: int) -> None:
    """With its weight."""
    assert has_hidden(text)
    assert _rules(text)[rule] == score


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "\ufeffbegins with a mark",
        "tab\tand\nlines",
        "ab\u200b cd",
        "Donau\u00addampf\u00adschiff",
        "a\u00adb alone",
        "\u2067אב\u2069",
        "\u202bאב\u202c",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "❤\ufe0f 1\ufe0f\u20e3",
        "می\u200cخواهم",
    ],
)
def test_ordinary_text_hides_nothing(text: str) -> None:
    """Judged by what stands around."""
    assert find_hidden(text) == ()


def test_many_flags_and_tags_are_read_in_linear_time() -> None:
    """Flags are taken out first, not compared with each tag."""
    flag = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    (hidden,) = find_hidden(flag * 2_000 + "x\U000e0041")
    assert (hidden.start, hidden.end) == (14_001, 14_002)
