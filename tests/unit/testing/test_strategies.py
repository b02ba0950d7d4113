"""Hostile names are refused by the grammar, and drawn text stays what it is said to be."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from ethos_memory.entry import Add, Delete, Remove, Replace, apply_updates
from ethos_memory.errors import InvalidKeyError, InvalidScopeError, UnknownScopeError
from ethos_memory.page import front_matter
from ethos_memory.scope import ScopeId, parse_key
from ethos_memory.testing import (
    HOSTILE_IDS,
    HOSTILE_KEYS,
    HOSTILE_QUERIES,
    HOSTILE_SCOPES,
    HOSTILE_TEXTS,
    hostile_ids,
    hostile_keys,
    hostile_text,
    page_text,
    updates,
)

LAW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
ONCE = settings(database=None, suppress_health_check=list(HealthCheck))


def test_hostile_scopes_are_outside_the_grammar() -> None:
    """Each of them, so that a contract can ask for the refusal."""
    for scope in (*HOSTILE_SCOPES, *(f"x:{id}" for id in HOSTILE_IDS)):
        with pytest.raises(InvalidScopeError) as caught:
            ScopeId.parse(scope)
        assert not isinstance(caught.value, UnknownScopeError)


def test_hostile_keys_are_outside_the_grammar() -> None:
    """Or no page's."""
    for key in HOSTILE_KEYS:
        with pytest.raises(InvalidKeyError):
            parse_key(key)


def test_nothing_is_listed_twice() -> None:
    """Look-alikes are other texts."""
    lists = (HOSTILE_IDS, HOSTILE_KEYS, HOSTILE_SCOPES, HOSTILE_TEXTS, HOSTILE_QUERIES)
    for known in lists:
        assert len(set(known)) == len(known)


def test_hostile_texts_can_be_written() -> None:
    """Blank ones and front matter have tests of their own."""
    for text in HOSTILE_TEXTS:
        assert apply_updates(None, [Add("a.md", text)])
        assert front_matter(text) is None


def test_some_names_are_inside_the_grammar() -> None:
    """So that a test sees what is accepted as well."""
    find(hostile_ids(), lambda name: name.isascii() and name.isalnum(), settings=ONCE)
    find(hostile_keys(), lambda key: key not in HOSTILE_KEYS, settings=ONCE)
    find(hostile_text(), lambda text: text not in HOSTILE_TEXTS, settings=ONCE)


@LAW
@given(page_text(max_words=4))
def test_page_text_holds_no_front_matter(text: str) -> None:
    """A page of it is all body; what is written of it is text."""
    assert front_matter(text) is None
    (apply_updates(None, [Replace("a.md", text)]) or "").encode()


@LAW
@given(st.lists(updates(st.just("a.md"), st.just("x")), max_size=6))
def test_updates_are_of_the_four_kinds(batch: list[object]) -> None:
    """With the keys and texts that were asked for."""
    assert all(isinstance(one, Add | Replace | Remove | Delete) for one in batch)
    assert all(one.content == "x" for one in batch if isinstance(one, Add | Replace))
