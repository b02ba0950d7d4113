from __future__ import annotations

from typing import Any

import attrs
import pytest

from ethos_memory.sessions import Message, transcript
from session_store import START


def _message(role: Any, content: str = "x", **fields: Any) -> Message:
    return Message("m", "s", role=role, content=content, at=START, **fields)


def _call(*ids: str, content: str = "", **fields: Any) -> Message:
    calls = tuple({"id": id, "name": "read"} for id in ids)
    return _message("assistant", content, tool_calls=calls, **fields)


def _result(id: str | None, content: str = "r") -> Message:
    return _message("tool_result", content, tool_call_id=id)


USER = _message("user")


def test_a_valid_conversation_stays_as_it_is() -> None:
    """Every value is the very same one."""
    messages = (
        _message("system"),
        _message("assistant", "welcome"),
        USER,
        USER,
        _call("a", "b"),
        _result("b"),
        _result("a"),
        _message("assistant", "done"),
        _message("user_steer"),
        _call("c", content="once more"),
        _result("c"),
    )
    found = transcript(iter(messages))
    assert len(found) == len(messages)
    assert all(left is right for left, right in zip(found, messages, strict=True))
    assert transcript(()) == ()


@pytest.mark.parametrize("before", [(), (USER,), (_message("system"), USER)])
def test_an_orphan_result_is_left_out(before: tuple[Message, ...]) -> None:
    """At the beginning of a part of a conversation, or after anything but a call."""
    assert transcript((*before, _result("a"), USER)) == (*before, USER)


def test_a_result_that_answers_nothing_is_left_out() -> None:
    """Of another call, or the second one of the same."""
    call, right = _call("a"), _result("a")
    assert transcript((USER, call, _result("z"), right, _result("a", "again"))) == (
        USER,
        call,
        right,
    )
    plain = _message("assistant", "no call")
    assert transcript((USER, plain, _result("a"), _result(None))) == (USER, plain)


def test_an_open_call_is_left_out_and_the_words_stay() -> None:
    """A run crashed before, or between, its results."""
    crashed = _call("a", "b", content="let me see")
    assert transcript((USER, crashed, _result("a"))) == (
        USER,
        attrs.evolve(crashed, tool_calls=crashed.tool_calls[:1]),  # type: ignore[index]
        _result("a"),
    )
    assert transcript((USER, crashed, USER)) == (
        USER,
        attrs.evolve(crashed, tool_calls=None),
        USER,
    )


def test_a_message_of_open_calls_alone_is_left_out() -> None:
    """Nothing of it is left to say; white space is nothing."""
    assert transcript((USER, _call("a"), USER)) == (USER, USER)
    assert transcript((USER, _call("a", content=" \n"))) == (USER,)


def test_a_result_belongs_to_the_call_right_before_it() -> None:
    """A later result, behind another message, answers it no more."""
    late = (USER, _call("a", content="c"), USER, _result("a"))
    assert [message.role for message in transcript(late)] == [
        "user",
        "assistant",
        "user",
    ]
    assert transcript(late)[1].tool_calls is None
    twice = (_call("a"), _call("b"), _result("a"), _result("b"))
    assert transcript(twice) == (_call("b"), _result("b"))


@pytest.mark.parametrize("name", ["id", "call_id", "tool_call_id"])
def test_the_id_of_a_call_is_found_in_every_format(name: str) -> None:
    """OpenAI's two, and those of Ethos and Anthropic."""
    call = _message("assistant", "", tool_calls=({name: "a"},))
    assert transcript((call, _result("a"))) == (call, _result("a"))
    assert transcript((call, _result("b"))) == ()


def test_calls_and_results_without_ids_belong_together_by_order() -> None:
    """The first result answers the first call; a name alone is no id."""
    calls = ({"name": "one"}, {"name": "two", "id": 5}, "three")
    call = _message("assistant", "", tool_calls=calls)
    found = transcript((call, _result(None), _result(None)))
    assert found[0].tool_calls == calls[:2]
    assert len(found) == 3
    full = (call, _result(None), _result(None), _result(None))
    assert transcript(full) == full
    assert transcript((*full, _result(None))) == full


def test_calls_among_the_content_blocks_are_calls() -> None:
    """With or without `tool_calls` beside them; other blocks stay."""
    text = {"type": "text", "text": "t"}
    use = {"type": "tool_use", "id": "a", "input": {}}
    other = {"type": "tool_use", "id": "b", "input": {}}
    alone = _message("assistant", "", content_blocks=(text, use, other, "odd"))
    assert transcript((alone, _result("a"))) == (
        attrs.evolve(alone, content_blocks=(text, use, "odd")),
        _result("a"),
    )
    only = _message("assistant", "", content_blocks=(use,))
    assert transcript((only,)) == ()
    assert transcript((only, _result("a"))) == (only, _result("a"))
    both = _call("a", "b", content_blocks=(text, use, other))
    full = (both, _result("a"), _result("b"))
    assert transcript(full) == full
    (head, result) = transcript((both, _result("b")))
    assert head.tool_calls == ({"id": "b", "name": "read"},)
    assert head.content_blocks == (text, other)
    assert result == _result("b")
