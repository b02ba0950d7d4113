"""`arguments`: what a model sends is checked against the schema it was given."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from typing_extensions import override

from ethos_memory.tools.answer import Declined
from ethos_memory.tools.arguments import (
    checked,
    choice,
    count,
    moment,
    schema,
    text,
)

WANTED = schema(
    ("query",),
    query=text("words"),
    limit=count(20, "most"),
    mode=choice(("a", "b"), "which"),
)


class Tricky(str):
    """Text that answers with other text."""

    __slots__ = ()

    @override
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def test_a_schema_is_json_and_closed() -> None:
    """A host sends it to a model as it is."""
    assert json.loads(json.dumps(WANTED)) == WANTED
    assert WANTED["additionalProperties"] is False
    assert WANTED["required"] == ["query"]


def test_what_keeps_to_it_is_copied() -> None:
    """`None` stands for what was left out, and 5.0 for 5."""
    given = {"query": "x", "limit": 5.0, "mode": None}
    assert checked(given, WANTED) == {"query": "x", "limit": 5}
    assert checked({"query": "", "limit": 20, "mode": "b"}, WANTED)["limit"] == 20


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "JSON object"),
        ([("query", "x")], "JSON object"),
        ("query", "JSON object"),
        ({}, "query is missing"),
        ({"query": None}, "query is missing"),
        ({"query": 5}, "query must be text"),
        ({"query": ["x"]}, "query must be text"),
        ({"query": "x", "limit": 0}, "from 1 to 20"),
        ({"query": "x", "limit": 21}, "from 1 to 20"),
        ({"query": "x", "limit": 2.5}, "from 1 to 20"),
        ({"query": "x", "limit": float("nan")}, "from 1 to 20"),
        ({"query": "x", "limit": float("inf")}, "from 1 to 20"),
        ({"query": "x", "limit": True}, "from 1 to 20"),
        ({"query": "x", "limit": "5"}, "from 1 to 20"),
        ({"query": "x", "mode": "c"}, "one of: a, b"),
        ({"query": "x", "mode": Tricky("c")}, "one of: a, b"),
        ({"query": "x", "scope": "user:u2"}, "no argument 'scope'"),
        ({"query": "x", 7: "y"}, "no argument 7"),
        ({"query": "x", "a\nb" * 99: "y"}, r"no argument 'a\nb"),
    ],
)
def test_what_does_not_is_refused_in_words(given: Any, said: str) -> None:
    """The words say what to send instead, and echo a name in part only."""
    with pytest.raises(Declined) as caught:
        checked(given, WANTED)
    assert said in caught.value.text
    assert "\n" not in caught.value.text
    assert len(caught.value.text) < 120


def test_a_day_is_its_first_or_last_moment() -> None:
    """In UTC when there is no offset."""
    assert moment("since", None) is None
    assert moment("since", "2026-05-04") == datetime(2026, 5, 4, tzinfo=UTC)
    end = moment("until", " 2026-05-04 ", is_end=True)
    assert end == datetime(2026, 5, 4, 23, 59, 59, 999_999, tzinfo=UTC)
    at = datetime(2026, 5, 4, 8, 30, tzinfo=UTC)
    assert moment("until", "2026-05-04T10:30+02:00", is_end=True) == at
    assert moment("since", "2026-05-04T08:30") == at


@pytest.mark.parametrize(
    "value",
    ["", "yesterday", "2026-13-01", "0001-01-01T00:00+23:00", "9999-12-31T23:00-02:00"],
)
def test_what_is_no_time_is_refused(value: str) -> None:
    """Also one before the first year or after the last."""
    with pytest.raises(Declined, match="input_invalid") as caught:
        moment("since", value, is_end=True)
    assert "since must be a day" in caught.value.text
    assert caught.value.__suppress_context__
