"""The provider that a config names, and where its settings stand."""

from __future__ import annotations

import pytest

from ethos_memory.config import ProviderChoice
from ethos_memory.config.choice import named_variable
from ethos_memory.errors import CorruptFileError


def choice(**options: str) -> ProviderChoice:
    """Return one that stands on line 3, and its first option on line 4."""
    lines = {"": 3} | {name: 4 + number for number, name in enumerate(options)}
    return ProviderChoice("redis", options, file="c.yaml", lines=lines)


def test_two_that_say_the_same_are_equal() -> None:
    """Wherever they stand: one provider serves both."""
    one = ProviderChoice("redis", {"a": "1", "b": "2"}, file="x", lines={"": 1})
    two = ProviderChoice("redis", {"b": "2", "a": "1"}, file="y", key="memory.provider")
    assert one == two
    assert len({one, two}) == 1
    assert one != ProviderChoice("redis", {"a": "1"}, file="x")
    assert one != ProviderChoice("other", {"a": "1", "b": "2"}, file="x")


def test_options_are_private() -> None:
    assert "SECRET" not in repr(choice(url="SECRET"))


def test_a_place_is_named_as_it_is_spelled_there() -> None:
    """An option that is missing would stand where the provider's name does."""
    one = choice(url="x")
    assert one.place() == "line 3: memory"
    assert one.place("url") == "line 4: memoryOptions.url"
    assert one.place("ttl") == "line 3: memoryOptions.ttl"
    assert ProviderChoice("a", file="f").place() == "memory"
    assert str(one.refused("url", "no address")) == (
        "c.yaml: line 4: memoryOptions.url: no address"
    )


@pytest.mark.parametrize("options", [{}, {"url": ""}])
def test_a_required_option_is_missing(options: dict[str, str]) -> None:
    with pytest.raises(CorruptFileError) as caught:
        choice(**options).required("url")
    assert caught.value.reason == "line 3: memory: redis needs memoryOptions.url"


def test_an_option_may_have_a_default() -> None:
    assert choice(url="x", empty="").optional("url", "y") == "x"
    assert choice(url="x", empty="").optional("empty", "y") == "y"
    assert choice().optional("url", "y") == "y"


@pytest.mark.parametrize(
    ("text", "name", "bare"),
    [
        ("${PW}", "PW", "PW"),
        ("env:PW", "PW", "PW"),
        ("PW", None, "PW"),
        ("${PW} x", None, None),
        ("$PW", None, None),
        ("${1}", None, None),
        ("${}", None, None),
        ("env:", None, None),
        ("env:a b", None, None),
        ("", None, None),
    ],
)
def test_a_value_may_name_a_variable(
    text: str, name: str | None, bare: str | None
) -> None:
    """As a whole, never a part of it: a password may hold any sign."""
    assert named_variable(text) == name
    assert named_variable(text, may_be_bare=True) == bare


def test_options_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word is a word there; an empty one stays empty."""
    monkeypatch.setenv("PW", "SECRET")
    one = choice(plain="PW", named="${PW}", other="env:PW", empty="")
    assert one.resolved() == {
        "plain": "PW",
        "named": "SECRET",
        "other": "SECRET",
        "empty": "",
    }
    assert one.resolve("plain", may_be_bare=True) == "SECRET"


@pytest.mark.parametrize("value", [None, ""])
def test_a_variable_that_is_not_set_is_an_error(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty one as well: it would mean another place."""
    monkeypatch.delenv("PW", raising=False)
    if value is not None:
        monkeypatch.setenv("PW", value)
    with pytest.raises(CorruptFileError) as caught:
        choice(url="x", pw="${PW}").resolved()
    assert caught.value.reason == (
        "line 5: memoryOptions.pw: names a variable that is not set"
    )
