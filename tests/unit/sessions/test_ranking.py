"""Which conversations come first."""

from __future__ import annotations

from ethos_memory.sessions.cursor import Place
from ethos_memory.sessions.ranking import Candidate, in_order, left_after, ranked
from ethos_memory.sessions.wanted import parse_wanted

#: Number, id, pinned, last message, length.
ROWS = [(1, "a", 0, 10, 20), (2, "b", 0, 20, 20), (3, "c", 1, 5, 20)]


def _found(query: str, **holders: list[tuple[str, int]]) -> list[str]:
    wanted = parse_wanted(query)
    held = {word: holders.get(" ".join(word), []) for word in wanted.sought}
    found = in_order(ranked(ROWS, wanted, held, newest_message=100))
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


def test_texts_without_a_word_are_no_division_by_zero() -> None:
    """Sessions of no length have one all the same."""
    wanted = parse_wanted("tea")
    rows = [(1, "a", 0, 0, 0)]
    holders = {word: [("a", 0)] for word in wanted.sought}
    assert len(ranked(rows, wanted, holders, newest_message=0)) == 1
    assert ranked([], wanted, holders, newest_message=0) == []


def test_a_list_goes_on_behind_the_place_where_it_was_left() -> None:
    """The place tells which state of the store is shown."""
    listed = in_order(Candidate(*row[2:4], row[0], row[1]) for row in ROWS)
    assert [one.id for one in listed] == ["c", "b", "a"]
    state = Place(newest_message=30, newest_session=3)
    place = listed[1].place(state)
    assert (place.newest_message, place.newest_session, place.seq) == (30, 3, 2)
    assert left_after(listed, None) == listed
    assert [one.id for one in left_after(listed, place)] == ["a"]
