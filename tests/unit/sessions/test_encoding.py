"""How single values are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ethos_memory.errors import InvalidNameError
from ethos_memory.sessions.encoding import (
    clean,
    clean_or_none,
    dump,
    exact,
    instant,
    load,
    moment,
    sequence,
)


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    """A pair is the character that it means."""
    assert clean("a\ud800b", what="text") == "a\ufffdb"
    assert clean("\ud83d\ude00", what="text") == "\U0001f600"
    assert clean_or_none(None, what="text") is None
    with pytest.raises(TypeError):
        clean(b"a", what="text")


@pytest.mark.parametrize("name", ["", "a\ud800", "\ud83d\ude00"])
def test_a_name_is_taken_as_it_is_or_refused(name: str) -> None:
    """It may be an account's, so that no message has it."""
    assert exact("a b", what="key") == "a b"
    with pytest.raises(InvalidNameError) as caught:
        exact(name, what="key")
    assert caught.value.name == name
    assert not name or name not in str(caught.value)


def test_a_time_comes_back_as_it_was() -> None:
    """Whatever its offset; one without any is never guessed."""
    at = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=timezone(timedelta(hours=5)))
    assert moment(instant(at)) == moment(instant(at.isoformat())) == at
    assert moment(instant(at)).tzinfo is UTC
    with pytest.raises(ValueError, match="offset"):
        instant("2026-01-02")
    with pytest.raises(TypeError):
        instant(5)  # type: ignore[arg-type]


def test_json_is_read_as_it_was_written_and_as_nothing_else() -> None:
    """What JSON has nothing for is in no message."""
    assert load(dump({"ä": [1, None]}, what="metadata"), dict) == {"ä": [1, None]}
    with pytest.raises(ValueError, match="another kind"):
        load("[]", dict)
    with pytest.raises(ValueError, match="metadata must be JSON") as caught:
        dump({"secret": object()}, what="metadata")
    assert caught.value.__context__ is None


def test_a_text_is_no_list() -> None:
    """Although it can be gone through."""
    assert sequence(None, what="calls") is None
    assert sequence(({"a": 1},), what="calls") == '[{"a":1}]'
    for wrong in ("ab", {"a": 1}):
        with pytest.raises(TypeError, match="calls must be a list or tuple"):
            sequence(wrong, what="calls")  # type: ignore[arg-type]
