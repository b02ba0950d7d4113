from __future__ import annotations

import pytest

from ethos_memory.policy.budget import shares, tail

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("needs", "weights", "room", "given"),
    [
        ([], [], 100, ()),
        ([10, 10], [1, 1], 100, (10, 10)),
        ([500, 500], [1, 1], 100, (50, 50)),
        ([500, 500], [4, 1], 100, (80, 20)),
        ([10, 500], [1, 1], 100, (10, 90)),
        ([10, 500, 500], [1, 1, 1], 100, (10, 45, 45)),
        ([30, 40, 500], [1, 1, 1], 100, (30, 35, 35)),
        ([33, 34, 500], [1, 1, 1], 100, (33, 33, 33)),
        ([5, 5], [1, 1], 0, (0, 0)),
        ([0, 5], [1, 1], 3, (0, 3)),
    ],
)
def test_what_one_page_does_not_need_goes_to_the_others(
    needs: list[int], weights: list[int], room: int, given: tuple[int, ...]
) -> None:
    assert shares(needs, weights, room) == given


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("one\ntwo\nthree", 100, "one\ntwo\nthree"),
        ("one\ntwo\nthree", 13, "one\ntwo\nthree"),
        ("one\ntwo\nthree", 12, "two\nthree"),
        ("one\ntwo\nthree", 9, "two\nthree"),
        ("one\ntwo\nthree", 8, "three"),
        ("one\n\n\nthree", 8, "three"),
        ("one\ntwo\nthree", 4, "hree"),
        ("one\ntwo\n", 3, "wo\n"),
        ("one\ntwo\n", 1, ""),
        ("one", 0, ""),
        ("one\n", 0, ""),
        ("", 0, ""),
        (FAMILY, 0, ""),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("a" + FAMILY + "b", 5, "b"),
        ("a" + FAMILY + "b", 6, FAMILY + "b"),
        ("\U0001f1f5\U0001f1f9\U0001f1ea\U0001f1f8", 3, "\U0001f1ea\U0001f1f8"),
        ("\U0001f1f5\U0001f1f9\U0001f1ea\U0001f1f8", 2, "\U0001f1ea\U0001f1f8"),
        ("語" * 5, 3, "語" * 3),
        ("\u0e17\u0e33x", 2, "x"),
    ],
)
def test_the_end_of_a_page_is_kept(text: str, most: int, kept: str) -> None:
    """At a line end when there is one, else between written characters."""
    assert tail(text, most) == kept


def test_a_page_of_marks_alone_is_cut_all_the_same() -> None:
    """No beginning of a character is in sight, and the search for one is bounded."""
    kept = tail("\u0301" * 50_000, 20_000)
    assert 19_000 <= len(kept) <= 20_000
