"""A search in one conversation; what is found at all is case B09's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    """Return three conversations that went on side by side."""
    with open_store(tmp_path) as store:
        mine = store.for_owner("user:ana")
        ids = [mine.create(key).id for key in ("a", "b", "silent")]
        for number in range(5):
            for id in ids[:2]:
                say(mine, id, f"user: walrus {number}")
        yield mine


def _id(sessions: Sessions, key: str) -> str:
    (found,) = sessions.list(key_prefix=key).items
    return found.id


@pytest.mark.parametrize("query", ["walrus", "walrus unheard", '"walrus" unheard'])
def test_all_of_one_conversation_is_found(sessions: Sessions, query: str) -> None:
    """Its first message and its last, and none of those said in between."""
    for key in ("a", "b"):
        id = _id(sessions, key)
        hits = sessions.search(query, session_id=id)
        assert {hit.session_id for hit in hits} == {id}
        assert sorted(hit.snippet for hit in hits) == [f"walrus {n}" for n in range(5)]


def test_nothing_is_found_where_nothing_was_said(sessions: Sessions) -> None:
    """Nor where all of it was taken back."""
    assert sessions.search("walrus", session_id=_id(sessions, "silent")) == ()
    sessions.undo(_id(sessions, "a"), 5)
    assert sessions.search("walrus", session_id=_id(sessions, "a")) == ()
    assert len(sessions.search("walrus")) == 5
