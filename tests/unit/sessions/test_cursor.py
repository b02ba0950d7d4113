from __future__ import annotations

import pytest

from ethos_memory.errors import InvalidCursorError
from ethos_memory.sessions.cursor import Place, seal, unseal

KEY = b"k" * 32
PLACE = Place(group=1, rank=-0.5, seq=7, newest_message=2**62, newest_session=3)


def test_a_place_comes_back_from_its_cursor() -> None:
    """Every part of it; the text is safe in an address."""
    cursor = seal(KEY, ("a", "b"), PLACE)
    assert unseal(KEY, ("a", "b"), cursor) == PLACE
    assert cursor.replace("-", "").replace("_", "").isalnum()


def test_a_cursor_is_bound_to_its_store_and_list() -> None:
    """Parts of a list's name cannot be cut up differently."""
    cursor = seal(KEY, ("a", "b"), PLACE)
    for key, scope in [
        (b"x" * 32, ("a", "b")),
        (KEY, ("ab",)),
        (KEY, ("ab", "")),
        (KEY, ("a", "b", "")),
        (KEY, ("b", "a")),
        (KEY, ()),
    ]:
        with pytest.raises(InvalidCursorError):
            unseal(key, scope, cursor)


def test_every_changed_character_is_noticed() -> None:
    """But for bits that no byte takes up."""
    cursor = seal(KEY, ("a",), PLACE)
    for at in range(len(cursor) - 1):
        other = "A" if cursor[at] != "A" else "B"
        with pytest.raises(InvalidCursorError):
            unseal(KEY, ("a",), cursor[:at] + other + cursor[at + 1 :])
    for changed in (cursor + "A", cursor[:-1], cursor[1:], cursor * 2, f" {cursor}"):
        with pytest.raises(InvalidCursorError):
            unseal(KEY, ("a",), changed)


def test_neighboring_places_look_nothing_alike() -> None:
    """Nobody can count rows by comparing cursors."""
    cursors = [seal(KEY, ("a",), Place(seq=seq)) for seq in range(100)]
    assert len({cursor[:8] for cursor in cursors}) == 100
    assert len({cursor[-8:] for cursor in cursors}) == 100
