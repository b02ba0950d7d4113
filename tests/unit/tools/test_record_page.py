"""A record's page: people read it, and it gives back exactly what was put."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.policy.pages import is_record
from ethos_memory.scope import parse_key
from ethos_memory.tools.record_page import (
    Record,
    format_record,
    page_of,
    parse_record,
    plain_json,
)

AT = datetime(2026, 11, 30, 21, 8, 17, 123456, tzinfo=UTC)
TEXT = """\
# Record "a/b"

- Namespace: ["memories", "u1"]
- Created: 2026-11-30T21:08:17.123456+00:00
- Updated: 2026-11-30T21:08:17.123456+00:00

```json
{
  "content": "Likes tea",
  "n": 1.5
}
```
"""
RECORD = Record(
    namespace=("memories", "u1"),
    key="a/b",
    value={"content": "Likes tea", "n": 1.5},
    created_at=AT,
    updated_at=AT,
)

any_text = st.text(st.characters(), max_size=12)
any_json: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3)
    ),
    max_leaves=8,
)


def test_a_page_is_text_for_people() -> None:
    """Names, times, and the value as JSON."""
    assert format_record(RECORD) == TEXT
    assert parse_record(TEXT) == RECORD


@settings(max_examples=150, deadline=None)
@given(
    st.lists(any_text, max_size=3),
    any_text,
    st.dictionaries(any_text, any_json, max_size=3),
)
def test_what_was_put_comes_back(
    namespace: list[str], key: str, value: dict[str, Any]
) -> None:
    """Any names, any JSON; and the page is plain lines of text."""
    record = evolve(RECORD, namespace=tuple(namespace), key=key, value=value)
    text = format_record(record)
    assert parse_record(text) == record
    assert text.encode("utf-8").decode() == text
    assert text.splitlines() == text.removesuffix("\n").split("\n")


@pytest.mark.parametrize(
    "value",
    [
        {"big": 10**400, "minus": -(2**70), "tiny": 5e-324, "zero": -0.0},
        {"is": True, "not": False, "none": None, "one": 1, "float": 1.0},
        {"": "", "a.b": {"$gt": []}, "``": "\n```\n# Record"},
        {"half": "\ud83d", "emoji": "\U0001f600", "ends": "\u2028\x85\r\n\x00\ufeff"},
    ],
)
def test_values_are_exact(value: dict[str, Any]) -> None:
    """Kinds of numbers as well: 1, 1.0 and true are three things."""
    found = parse_record(format_record(evolve(RECORD, value=value)))
    assert found is not None
    assert repr(found.value) == repr(value)


def test_numbers_and_texts_become_plain() -> None:
    """A subclass, a tuple and a mapping of another kind are what JSON makes of them."""
    number = IntEnum("number", ["ONE"])
    given = MappingProxyType({"a": (number(1), [2.0, None]), "b": {"c": True}})
    assert repr(plain_json(given)) == "{'a': [1, [2.0, None]], 'b': {'c': True}}"


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (float("nan"), ValueError),
        (float("-inf"), ValueError),
        ({1: "a"}, TypeError),
        ({"a": b"secret"}, TypeError),
        ([{"a", "b"}], TypeError),
        (AT, TypeError),
        (json.loads("[" * 101 + "]" * 101), ValueError),
    ],
)
def test_what_is_no_json_is_refused(value: Any, error: type[Exception]) -> None:
    """By its kind; the value is in no message."""
    with pytest.raises(error) as caught:
        plain_json(value)
    assert "secret" not in str(caught.value)


def test_a_hundred_levels_are_enough() -> None:
    """And come back."""
    value: Any = {}
    for _ in range(99):
        value = {"a": value}
    found = parse_record(format_record(evolve(RECORD, value=value)))
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "edited",
    [
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.replace("\n", "  \n").replace('json  \n{  \n  "', 'json\n{\n  "'),
        "\n\n" + TEXT.replace("\n", "\n\n") + "\n\n",
        TEXT.replace('{\n  "content": "Likes tea",\n', '{"content":"Likes tea",'),
    ],
)
def test_a_hand_may_change_the_layout(edited: str) -> None:
    """Blank lines, line ends, a mark at the beginning, JSON in one line."""
    assert parse_record(edited) == RECORD


def test_times_are_in_utc() -> None:
    """Whatever offset a person wrote."""
    edited = TEXT.replace("T21:08:17.123456+00:00", "T22:08:17.123456+01:00")
    found = parse_record(edited)
    assert found == RECORD
    assert found.created_at.tzinfo is UTC


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Record", "# Note"),
        ('"a/b"', '"a" "b"'),
        ('"a/b"', "a"),
        ('["memories", "u1"]', "[1]"),
        ('["memories", "u1"]', "[[]]"),
        ("- Created", "Created"),
        ("+00:00", ""),
        ("2026-11-30T21:08:17.123456+00:00", "today"),
        ("2026-11-30T21:08:17.123456+00:00", "0001-01-01T00:00:00+09:00"),
        ("1.5", "NaN"),
        ("1.5", "1e999"),
        ("1.5", "1" * 5000),
        ("1.5", "[" * 150 + "]" * 150),
        ("1.5", "[" * 100_000),
        ('{\n  "content": "Likes tea",\n  "n": 1.5\n}', "[1]"),
        ('"Likes tea",', '"Likes tea"'),
        ("\n```\n", "\n"),
        ("```\n", "```\nA note below."),
    ],
)
def test_a_damaged_page_is_no_record(old: str, new: str) -> None:
    """Nothing is guessed."""
    assert old in TEXT
    assert parse_record(TEXT.replace(old, new)) is None


@pytest.mark.parametrize(
    "front", ['# Record "a"', '# Record "a"\n- Namespace: []', TEXT.partition("``")[0]]
)
@pytest.mark.parametrize("filler", ["\n", " ", "\n ", '"', "```\n"])
def test_a_hostile_page_is_refused_in_linear_time(front: str, filler: str) -> None:
    """White space that is matched in two ways took hours for a page of it."""
    assert parse_record(front + filler * 200_000 + "x") is None


def test_pages_are_named_by_all_names() -> None:
    """Two records never share a page, and no name of theirs can be read in it."""
    names: list[tuple[tuple[str, ...], str]] = [
        ((), "a"),
        ((), ""),
        (("a",), ""),
        (("a",), "b"),
        (("a", "b"), ""),
        (("a/b",), "c"),
        (("a",), "b/c"),
        (("A",), "b"),
        (("a", '", "'), "b"),
        (("\ud83d",), "b"),
    ]
    pages = {page_of(*name) for name in names}
    assert len(pages) == len(names)
    assert all(is_record(page) and parse_key(page) == page for page in pages)
    assert page_of(["memories"], "k") == page_of(("memories",), "k")


@pytest.mark.parametrize(
    "name",
    ["MEMORY.md", "record-.md", "record-" + "0" * 31 + ".md", "a-record-1.md"],
)
def test_other_pages_are_no_records(name: str) -> None:
    """They are never read as one."""
    assert not is_record(name)


def test_the_value_is_private() -> None:
    """And so are the names."""
    shown = repr(RECORD)
    assert "tea" not in shown
    assert "u1" not in shown
    assert "a/b" not in shown
    assert json.loads(TEXT.split("```")[1].removeprefix("json"))
