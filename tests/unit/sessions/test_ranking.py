"""Which conversations come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.sessions.cursor import Place
from ethos_memory.sessions.ranking import listed
from ethos_memory.sessions.wanted import parse_wanted

if TYPE_CHECKING:
    from ethos_memory.sessions.ranking import Holders
    from ethos_memory.sessions.wanted import Wanted

#: Number, id, pinned, last message, length.
ROWS = [(1, "a", 0, 10, 20), (2, "b", 0, 20, 20), (3, "c", 1, 5, 20)]
STATE = Place(newest_message=100, newest_session=3)


def _found(query: str, **holders: list[tuple[str, int]]) -> list[str]:
    wanted = parse_wanted(query)

    def find(asked: Wanted) -> Holders:
        return {word: holders.get(" ".join(word), []) for word in asked.sought}

    found = listed(ROWS, wanted, find, state=STATE, after=None)
    return [candidate.id for candidate in found]


def test_all_words_come_before_any() -> None:
    """However often the one word stands there."""
    tea, bees = [("a", 1), ("b", 2), *(("b", n) for n in range(3, 20))], [("a", 4)]
    assert _found("tea bees", tea=tea, bees=bees) == ["a", "b"]


def test_a_message_that_holds_both_words_counts_for_more() -> None:
    """An answer often stands in one message of a long talk."""
    assert _found("tea bees", tea=[("a", 1), ("b", 3)], bees=[("a", 2), ("b", 3)]) == [
        "b",
        "a",
    ]


def test_a_phrase_must_be_there() -> None:
    """Words alone do not make up for it."""
    assert _found('"tea" bees', tea=[("a", 1)], bees=[("a", 2), ("b", 3)]) == ["a"]


def test_equals_stand_newest_first_and_strangers_not_at_all() -> None:
    """A word of a session outside the list counts for nothing there."""
    assert _found("tea", tea=[("a", 1), ("b", 2), ("foreign", 3)]) == ["b", "a"]
    assert _found("tea", tea=[("foreign", 3)]) == []
    assert _found("tea") == []


def test_a_phrase_that_nothing_holds_is_read_as_words() -> None:
    """What else was typed is looked for then."""
    assert _found('"bee tea" bees', bees=[("a", 1)]) == ["a"]
    assert _found('"bee tea"', bees=[("a", 1)]) == []


def test_sessions_without_a_word_are_no_division_by_zero() -> None:
    """A title may hold one all the same."""
    wanted, rows = parse_wanted("tea"), [(1, "a", 0, 0, 0)]
    found = listed(
        rows, wanted, lambda _: {("tea",): [("a", 0)]}, state=Place(), after=None
    )
    assert [one.id for one in found] == ["a"]
    assert listed([], wanted, lambda _: {}, state=Place(), after=None) == []


def test_a_list_goes_on_behind_the_place_where_it_was_left() -> None:
    """The place tells which state of the store is shown."""
    nothing = parse_wanted("")
    found = listed(ROWS, nothing, lambda _: {}, state=STATE, after=None)
    assert [one.id for one in found] == ["c", "b", "a"]
    place = found[1].place(STATE)
    assert (place.newest_message, place.newest_session, place.seq) == (100, 3, 2)
    rest = listed(ROWS, nothing, lambda _: {}, state=STATE, after=place)
    assert [one.id for one in rest] == ["a"]
