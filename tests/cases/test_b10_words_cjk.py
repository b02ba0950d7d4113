"""B10: Chinese, Japanese and Korean text cannot be found."""

from __future__ import annotations

import pytest

from ethos_memory.words import Index

DOCS = {
    "a": "明天下午三点开项目评审会议讨论排期",
    "b": "设备清单(devices) … NAS … cdm-xxc",
    "c": "昨晚重启了路由器",
    "d": "회의록을 작성했습니다",
    "e": "毎週金曜 17:00 までに提出",
    "f": "昨晚的项目",
}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("项目", "af"),
        ("评审", "a"),
        ("评审会议", "a"),
        ("设备", "b"),
        ("设备清单", "b"),
        ("设备 NAS", "b"),
        ("昨晚", "cf"),
        ("회의록", "d"),
        ("회의", "d"),
        ("金曜", "e"),
        ("までに", "e"),
    ],
)
def test_a_word_is_found_where_it_stands(query: str, names: str) -> None:
    """And nowhere else; after it was dropped, nowhere at all."""
    index = Index()
    for name, text in DOCS.items():
        index.put(name, text)
    assert {match.name for match in index.search(query, 10)} == set(names)
    for name in names:
        index.discard(name)
    assert index.search(query, 10) == ()


def test_every_part_of_a_sentence_is_found() -> None:
    """Any two characters or more, wherever they stand."""
    index = Index()
    for name, text in DOCS.items():
        index.put(name, text)
    text = DOCS["a"]
    for start in range(len(text) - 1):
        for end in range(start + 2, len(text) + 1):
            assert index.search(text[start:end], 10)[0].name in "af"
