"""Edits leave every other byte as it is."""

from __future__ import annotations

import json

import pytest

from ethos_memory.identity_map.document import EMPTY
from ethos_memory.identity_map.parsing import parse
from ethos_memory.identity_map.splice import Entry, spliced, time_text
from unit.identity_map.samples import ANA, BO, NOON, entry, map_bytes, parsed

NEW = Entry(("slack", 'U"1\\'), BO, label="Zoë \U0001f527", first_seen_at=NOON)

#: As a hand left it: a mark, tabs, two objects on a line, wide characters, no last line.
BY_HAND = (
    '\ufeff[\r\n\t{"platform":"a", "platformUserId":1,"userId" : "u1"},'
    '  {"userId": "u2", "platform": "b", "platformUserId": "徐", "note": [1, {"userId": 0}]}'
    '\r\n,\r\n{"platform": "c", "platformUserId": "3", "userId": "u3", "x": 1e2}  ]'
).encode()


def test_a_new_map_looks_as_ethos_writes_it() -> None:
    """Two-space indent, five fields in order, a time with milliseconds and Z."""
    assert spliced(EMPTY, added=(NEW, NEW)).decode() == (
        "[\n" + ",\n".join([_NEW_TEXT] * 2) + "\n]\n"
    )


_NEW_TEXT = """  {
    "platform": "slack",
    "platformUserId": "U\\"1\\\\",
    "userId": "0f9e8d7c6b5a",
    "displayLabel": "Zoë \U0001f527",
    "firstSeenAt": "2026-09-01T12:00:00.005Z"
  }"""


def test_a_new_row_goes_behind_the_last() -> None:
    """All bytes before and after it are the same ones; line ends are the file's."""
    document = parse(BY_HAND, path="map")
    new = spliced(document, added=(NEW,))
    text = ",\r\n" + _NEW_TEXT.replace("\n", "\r\n")
    assert new == BY_HAND[:-3] + text.encode() + BY_HAND[-3:]


def test_a_map_of_ours_stays_as_ethos_would_write_it() -> None:
    """Adding to Ethos's file gives the file that Ethos would write."""
    old = entry("a", "1", ANA)
    both = [old, json.loads(_NEW_TEXT)]
    assert spliced(parsed(old), added=(NEW,)) == map_bytes(*both)


def test_relinking_changes_the_user_id_alone() -> None:
    """Whatever its place among the fields."""
    document = parse(BY_HAND, path="map")
    new = spliced(document, relinked={0: "k", 1: "k"})
    assert new == BY_HAND.replace(b'"u1"', b'"k"').replace(b'"u2"', b'"k"')


def test_a_default_label_follows_its_user_id() -> None:
    """Else a picker would show an id that the account no longer has."""
    document = parsed(
        entry("Slack", "1", ANA, displayLabel=f"slack:{ANA}"),
        entry("slack", "2", ANA, displayLabel=f"slack:{BO}"),
    )
    rows = json.loads(spliced(document, relinked={0: BO, 1: BO}))
    assert [row["displayLabel"] for row in rows] == [f"slack:{BO}", f"slack:{BO}"]
    rows = json.loads(spliced(document, relinked={0: "k", 1: "k"}))
    assert [row["displayLabel"] for row in rows] == ["slack:k", f"slack:{BO}"]


@pytest.mark.parametrize(
    ("dropped", "kept"),
    [
        ({0}, ["u2", "u3"]),
        ({1}, ["u1", "u3"]),
        ({2}, ["u1", "u2"]),
        ({0, 1}, ["u3"]),
        ({1, 2}, ["u1"]),
        ({0, 2}, ["u2"]),
        ({0, 1, 2}, []),
        ((), ["u1", "u2", "u3"]),
    ],
)
@pytest.mark.parametrize("is_added", [True, False])
def test_dropped_rows_leave_the_others_whole(
    dropped: set[int], kept: list[str], *, is_added: bool
) -> None:
    """Any set of rows can go, with or without a new one coming."""
    document = parse(BY_HAND, path="map")
    added = (NEW,) if is_added else ()
    after = parse(
        spliced(document, dropped=frozenset(dropped), added=added), path="map"
    )
    assert after.user_ids == kept + [BO] * is_added
    raw = [BY_HAND[a:b] for a, b in zip(document.starts, document.ends, strict=True)]
    for row, text in enumerate(raw):
        assert (text in after.data) is (row not in dropped)
    assert after.data.startswith(BY_HAND[:4])


def test_everything_at_once() -> None:
    """A merge relinks, drops and adds in one go."""
    document = parse(BY_HAND, path="map")
    data = spliced(document, relinked={2: "k"}, dropped=frozenset({0}), added=(NEW,))
    assert parse(data, path="map").user_ids == ["u2", "k", BO]
    data = spliced(document, relinked={0: "k"}, dropped=frozenset({2}), added=(NEW,))
    assert parse(data, path="map").user_ids == ["k", "u2", BO]


def test_rows_come_in_their_order() -> None:
    """Not in the order of their bytes."""
    other = Entry(("aaa", "1"), ANA, label="", first_seen_at=NOON)
    for document in (EMPTY, parsed(entry("a", "1", ANA))):
        data = spliced(document, added=(NEW, other))
        assert [row["platform"] for row in json.loads(data)][-2:] == ["slack", "aaa"]


def test_a_time_is_written_in_utc() -> None:
    """With the milliseconds that are over, not rounded up."""
    assert time_text(NOON) == "2026-09-01T12:00:00.005Z"


def test_a_row_shows_no_account() -> None:
    """Account id and label stay out of a repr."""
    shown = repr(NEW)
    assert "U" not in shown.replace("UTC", "")
    assert "Zoë" not in shown
