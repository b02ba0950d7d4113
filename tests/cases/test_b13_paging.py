"""Case B13: paging shows every message once, whatever its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import InvalidCursorError
from session_store import START, Clock, open_store, say, texts, walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions

SIZES = [1, 2, 3, 5, 13, 50]


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    """Return sessions in which every message carries one and the same time."""
    with open_store(tmp_path, clock=lambda: START) as store:
        yield store.for_owner("user:ana")


@pytest.mark.parametrize("size", SIZES)
def test_every_message_comes_once_and_in_order(sessions: Sessions, size: int) -> None:
    """One message a turn: pages of any size, joined, are the conversation."""
    id = sessions.create("k").id
    other = sessions.create("other").id
    wanted = [f"m{number}" for number in range(13)]
    for text in wanted:
        say(sessions, id, f"user: {text}")
        say(sessions, other, f"user: not {text}")
    pages = walk(sessions, id, size)
    assert [text for page in reversed(pages) for text in page] == wanted
    assert all(len(page) == size for page in pages[:-1])
    assert pages[-1]


@pytest.mark.parametrize("size", SIZES)
def test_a_turn_is_never_split(sessions: Sessions, size: int) -> None:
    """A page begins with a user's message, but for what stands before the first."""
    id = sessions.create("k").id
    roles = "assistant system user assistant user tool_steer user assistant user user"
    for number, role in enumerate(roles.replace("tool_steer", "user_steer").split()):
        sessions.append(id, role, f"{role} {number}")
    pages = walk(sessions, id, size)
    together = [text for page in reversed(pages) for text in page]
    assert together == texts(sessions.messages(id, turns=99).items)
    assert all(page[0].startswith("user ") for page in pages[:-1])
    assert pages[-1][:2] == ["assistant 0", "system 1"]
    for page in pages[:-1]:
        assert sum(text.startswith("user ") for text in page) == size


def test_pages_stay_while_messages_arrive(sessions: Sessions) -> None:
    """What is said meanwhile shows on no older page, and moves nothing."""
    id = sessions.create("k").id
    say(sessions, id, *(f"user: m{number}" for number in range(6)))
    newest = sessions.messages(id, turns=2)
    say(sessions, id, "user: new", "assistant: newer")
    older = sessions.messages(id, before=newest.next_cursor, turns=2)
    assert texts(older.items) == ["m2", "m3"]
    sessions.undo(id, 3)
    say(sessions, id, "user: other", "assistant: words")
    oldest = sessions.messages(id, before=older.next_cursor, turns=9)
    assert texts(oldest.items) == ["m0", "m1"]
    assert oldest.next_cursor is None


def test_a_cursor_outlives_the_turn_it_was_made_from(sessions: Sessions) -> None:
    """After an undo it neither splits a turn nor begins anew."""
    id = sessions.create("k").id
    say(sessions, id, "user: a", "user: b", "user: c", "assistant: d")
    cursor = sessions.messages(id, turns=1).next_cursor
    sessions.undo(id, 2)
    say(sessions, id, "user: x", "assistant: y", "assistant: z")
    assert texts(sessions.messages(id, before=cursor).items) == ["a"]


def test_size_zero_is_an_empty_page_and_below_zero_an_error(sessions: Sessions) -> None:
    """SQLite would read -1 as "no limit"."""
    id = sessions.create("k").id
    say(sessions, id, "user: m")
    page = sessions.messages(id, turns=0)
    assert (page.items, page.next_cursor) == ((), None)
    assert sessions.list(limit=0).items == ()
    assert sessions.search("m", limit=0) == ()
    assert sessions.undo(id, 0) == 0
    for call in (
        lambda: sessions.messages(id, turns=-1),
        lambda: sessions.list(limit=-1),
        lambda: sessions.search("m", limit=-1),
        lambda: sessions.undo(id, -1),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        sessions.messages(id, turns="5")  # type: ignore[arg-type]
    assert len(sessions.messages(id, turns=10**30).items) == 1


@pytest.mark.parametrize("cursor", ["abc", "", "=", "\0", "é", "A" * 75, "A" * 5_000])
def test_a_damaged_cursor_is_an_error(sessions: Sessions, cursor: str) -> None:
    """It is never the first page again."""
    id = sessions.create("k").id
    say(sessions, id, "user: m")
    with pytest.raises(InvalidCursorError):
        sessions.messages(id, before=cursor)
    with pytest.raises(InvalidCursorError):
        sessions.list(cursor=cursor)
    with pytest.raises(InvalidCursorError):
        sessions.messages(id, before=cursor, turns=0)


def test_a_foreign_cursor_is_an_error(sessions: Sessions) -> None:
    """One of another session, another list or another filter."""
    ids = [sessions.create(key).id for key in ("one", "two", "three")]
    for id in ids:
        say(sessions, id, "user: word a", "user: word b")
    of_messages = sessions.messages(ids[0], turns=1).next_cursor
    of_list = sessions.list(limit=1).next_cursor
    of_words = sessions.list("word", limit=1).next_cursor
    assert of_messages
    assert of_list
    assert of_words
    fork = sessions.fork(ids[0]).id
    for call in (
        lambda: sessions.messages(ids[1], before=of_messages),
        lambda: sessions.messages(fork, before=of_messages),
        lambda: sessions.messages(ids[0], before=of_list),
        lambda: sessions.list(cursor=of_messages),
        lambda: sessions.list("word", cursor=of_list),
        lambda: sessions.list("words", cursor=of_words),
        lambda: sessions.list(key_prefix="t", cursor=of_list),
        lambda: sessions.list(since=START, cursor=of_list),
        lambda: sessions.list(cursor=of_list[:-2] + "AA"),
    ):
        with pytest.raises(InvalidCursorError):
            call()


def test_a_cursor_does_not_tell_how_much_others_said(tmp_path: Path) -> None:
    """No part of it is a number of rows, and equal places look nothing alike."""
    import base64

    with open_store(tmp_path, clock=Clock()) as store:
        others = store.for_owner("user:ben")
        talk = others.create("k").id
        say(others, talk, *(f"user: {number}" for number in range(300)))
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        say(sessions, id, "user: a", "user: b", "user: c")
        first = sessions.messages(id, turns=1).next_cursor
        second = sessions.messages(id, turns=2).next_cursor
        assert first
        assert second
        for cursor in (first, second):
            raw = base64.urlsafe_b64decode(cursor + "=")
            assert b"\x01\x2e" not in raw
            assert b"\0\0\0" not in raw


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("q", ["", "word"])
def test_lists_show_every_session_once(sessions: Sessions, size: int, q: str) -> None:
    """While sessions are spoken in, and new ones begin, between the pages."""
    ids = [sessions.create(f"k{number}").id for number in range(7)]
    for id in ids:
        say(sessions, id, "user: a word")
    seen: list[str] = []
    cursor = None
    while True:
        page = sessions.list(q, limit=size, cursor=cursor)
        assert len(page.items) <= size
        seen.extend(session.id for session in page.items)
        cursor = page.next_cursor
        if cursor is None:
            break
        say(sessions, ids[len(seen) % 7], "user: more of a word, and words")
        say(sessions, sessions.create(f"new{len(seen)}").id, "user: word")
    assert sorted(seen) == sorted(ids)
    if not q:
        assert seen == ids[::-1]
