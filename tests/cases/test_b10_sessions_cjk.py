"""Case B10: Chinese, Japanese and Korean conversations are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from session_store import Clock, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions

DOCS = {
    "a": "明天下午三点开项目评审会议讨论排期",
    "b": "设备清单(devices) … NAS … cdm-xxc",
    "c": "昨晚重启了路由器",
    "d": "회의록을 작성했습니다",
    "e": "毎週金曜 17:00 までに提出",
    "f": "昨晚的项目",
}
FOUND = {
    "项目": "af",
    "评审": "a",
    "评审会议": "a",
    "设备": "b",
    "设备清单": "b",
    "设备 NAS": "b",
    "昨晚": "cf",
    "회의록": "d",
    "회의": "d",
    "金曜": "e",
    "までに": "e",
}


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    """Return sessions that hold the messages of the case."""
    with open_store(tmp_path, clock=Clock()) as store:
        mine = store.for_owner("user:mei")
        for name, text in DOCS.items():
            mine.append(mine.create(name).id, "user", text)
        yield mine


def _found(sessions: Sessions, query: str, **narrowed: str) -> str:
    keys = {session.id: session.key for session in sessions.list().items}
    hits = sessions.search(query, **narrowed)  # type: ignore[arg-type]
    return "".join(sorted(keys[hit.session_id] for hit in hits))


@pytest.mark.parametrize(("query", "names"), FOUND.items())
def test_two_characters_are_a_word(sessions: Sessions, query: str, names: str) -> None:
    """Exactly the messages that hold them, in messages and in the list."""
    assert _found(sessions, query) == names
    listed = sessions.list(query).items
    assert "".join(sorted(session.key for session in listed)) == names


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_every_part_of_a_sentence_finds_it(sessions: Sessions, size: int) -> None:
    """There are no words to be guessed: any run of characters will do."""
    text = DOCS["a"]
    for start in range(len(text) - size + 1):
        assert "a" in _found(sessions, text[start : start + size])


def test_short_words_obey_the_same_filters(sessions: Sessions) -> None:
    """Session and dates narrow a search for two characters as for any other word."""
    ids = {session.key: session.id for session in sessions.list().items}
    last = sessions.messages(ids["f"]).items[0].at
    assert _found(sessions, "项目", session_id=ids["a"]) == "a"
    assert _found(sessions, "项目", since=last.isoformat()) == "f"


def test_what_is_gone_is_not_found(sessions: Sessions) -> None:
    """After an undo or a deletion none of the words finds it."""
    for session in sessions.list().items:
        if session.key in "ab":
            sessions.undo(session.id)
        else:
            sessions.delete(session.id)
    for query in FOUND:
        assert sessions.search(query) == ()
        assert sessions.list(query).items == ()
