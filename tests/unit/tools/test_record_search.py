"""Filters, patterns and words over records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ethos_memory.tools.record_page import Record
from ethos_memory.tools.record_search import (
    begins_with,
    check_filter,
    ends_with,
    is_wanted,
    ranked,
)

AT = datetime(2026, 11, 30, tzinfo=UTC)
VALUE: dict[str, Any] = {
    "name": "tea",
    "score": 4.5,
    "count": 3,
    "is": True,
    "none": None,
    "tags": ["a", "b"],
    "inner": {"deep": {"x": 1}, "y": "z"},
    "a.b": "dotted",
    "a": {"b": "nested", "c": "only"},
}


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"name": "tea"},
        {"name": "tea", "count": 3.0},
        {"tags": ["a", "b"]},
        {"tags": ("a", {"$ne": "x"})},
        {"inner": {"deep": {"x": 1}}},
        {"inner": {"y": {"$gt": "y"}}},
        {"inner.deep.x": {"$gte": 1}},
        {"a.b": "dotted"},
        {"a.c": "only"},
        {"missing": None},
        {"none": None},
        {"missing": {"$ne": 1}},
        {"is": True},
        {"is": {"$ne": 1}},
        {"tags": {"$eq": ("a", "b")}},
        {"score": {"$gt": 4, "$lt": 5}},
        {"score": {"$gte": 4.5, "$lte": 4.5}},
        {"score": {"$lt": float("inf")}},
        {"count": {"$gt": -(10**400)}},
        {"name": {"$gt": "sea", "$lte": "tea"}},
    ],
)
def test_a_value_that_meets_a_filter(wanted: dict[str, Any]) -> None:
    """Equality, operators, nested fields."""
    check_filter(wanted)
    assert is_wanted(VALUE, wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": "Tea"},
        {"name": "tea", "count": 4},
        {"is": 1},
        {"count": True},
        {"tags": ["a"]},
        {"tags": ["b", "a"]},
        {"tags": "a"},
        {"name": ["tea"]},
        {"name": {"deep": 1}},
        {"inner": {"deep": {"x": 2}}},
        {"inner.deep.x.more": 1},
        {"name.x": "tea"},
        {"score": {"$gt": 4.5}},
        {"score": {"$lt": 4.5}},
        {"score": {"$gte": "4"}},
        {"name": {"$gt": 4}},
        {"missing": {"$gt": 4}},
        {"is": {"$gt": 0}},
        {"is": {"$eq": 1}},
        {"count": {"$ne": 3}},
        {"count": {"$eq": float("nan")}},
        {"tags": {"$gt": ["a"]}},
    ],
)
def test_a_value_that_does_not(wanted: dict[str, Any]) -> None:
    """Two kinds that cannot be compared are no match, and no error."""
    check_filter(wanted)
    assert not is_wanted(VALUE, wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        {"a": {"$regex": "x"}},
        {"a": {"$gt": 1, "b": 2}},
        {"a": {"b": {"c": {"$in": []}}}},
    ],
)
def test_an_unknown_operator_is_an_error(wanted: dict[str, Any]) -> None:
    """Never a match of everything or nothing."""
    with pytest.raises(ValueError, match=r"Known: \$eq, \$gt"):
        check_filter(wanted)


def test_a_filter_is_no_deeper_than_a_value() -> None:
    """An error of ours, whatever the depth."""
    wanted: dict[str, Any] = {}
    for _ in range(99):
        wanted = {"a": wanted}
    check_filter(wanted)
    for _ in range(10_000):
        wanted = {"a": wanted}
    with pytest.raises(ValueError, match="levels deep"):
        check_filter(wanted)


def test_paths_match_by_label() -> None:
    """With a wildcard for one label, never for a part of one."""
    namespace = ("users", "u12", "prefs")
    assert begins_with(namespace, ())
    assert begins_with(namespace, ("users", "u12"))
    assert begins_with(namespace, ("users", "*", "prefs"))
    assert not begins_with(namespace, ("users", "u1"))
    assert not begins_with(namespace, ("Users",))
    assert not begins_with(namespace, (*namespace, "*"))
    assert ends_with(namespace, ["prefs"])
    assert ends_with(namespace, ("*", "prefs"))
    assert not ends_with(namespace, ("u12",))
    assert not ends_with(namespace, ("*", "*", "*", "*"))


def test_words_are_found_best_first() -> None:
    """In fields, their names, the key, and any script."""

    def record(key: str, **value: Any) -> Record:
        return Record(
            namespace=("m",), key=key, value=value, created_at=AT, updated_at=AT
        )

    records = [
        record("1", content="likes coffee"),
        record("2", content="likes tea, green tea"),
        record("3", favorite_color="blue"),
        record("4", text="这是中文"),
        record("tea-5", deep=[{"x": "y"}]),
    ]

    def found(query: str) -> list[str]:
        return [one.key for one, _ in ranked(records, query)]

    assert found("green tea")[0] == "2"
    assert set(found("tea")) == {"2", "tea-5"}
    assert found("color") == ["3"]
    assert found("中文") == ["4"]
    assert found("whisky") == found("") == found('" OR *') == []
    scores = [score for _, score in ranked(records, "likes tea")]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert ranked([], "tea") == []
