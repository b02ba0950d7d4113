"""Turns and accounts: parsed at the edge, compared exactly."""

from __future__ import annotations

import pytest

from ethos_memory.errors import InvalidAccountError, InvalidScopeError
from ethos_memory.turn import MAX_ACCOUNT_LENGTH, SURFACES, Account, Turn


def test_a_number_and_its_text_are_one_account() -> None:
    """Case B21: a messenger delivers the id once as a number, once as text."""
    assert Account("telegram", 700100200) == Account("telegram", "700100200")


def test_a_platform_name_is_folded_and_an_account_id_is_not() -> None:
    """Only the platform's name has no case."""
    assert Account("Telegram", "Ana").platform == "telegram"
    assert Account("telegram", "Ana") != Account("telegram", "ana")


def test_platform_and_account_are_never_joined() -> None:
    """Case B21: `matrix` + `@a:b` is not `matrix:@a` + `b`."""
    assert Account("matrix", "@marta:example.org") != Account(
        "matrix:@marta", "example.org"
    )


def test_the_label_is_no_part_of_the_account() -> None:
    """A changed display name is the same account."""
    assert Account("t", "1", display_label="a") == Account("t", "1", display_label="b")


@pytest.mark.parametrize("text", ["", " ", " x", "x ", "x\n", "\tx", "a\0b", "a\x85b"])
def test_empty_padded_and_unprintable_ids_are_refused(text: str) -> None:
    """Refused, not trimmed: two accounts must never become one by tidying."""
    with pytest.raises(InvalidAccountError):
        Account(text, "1")
    with pytest.raises(InvalidAccountError):
        Account("telegram", text)


@pytest.mark.parametrize(
    "text", ["a\udcff", "a\u2028b", "x" * (MAX_ACCOUNT_LENGTH + 1)]
)
def test_surrogates_separators_and_giants_are_refused(text: str) -> None:
    """None of these could be kept as a line of text."""
    with pytest.raises(InvalidAccountError):
        Account("telegram", text)


@pytest.mark.parametrize("value", [None, True, 1.5, b"1", ["1"]])
def test_other_types_are_no_account_id(value: object) -> None:
    """A missing id is an error, never the account called `None`."""
    with pytest.raises(TypeError):
        Account("telegram", value)  # type: ignore[arg-type]


def test_an_account_id_is_in_no_repr() -> None:
    """Logs hold the platform, never the account."""
    account = Account("telegram", "PRIVATE-ID", display_label="PRIVATE-LABEL")
    assert "PRIVATE" not in repr(account)
    assert "PRIVATE" not in repr(Turn("ops", "direct", account=account))
    with pytest.raises(InvalidAccountError) as caught:
        Account("telegram", " PRIVATE-ID")
    assert "PRIVATE" not in str(caught.value)


@pytest.mark.parametrize(
    "surface", [None, "", "supergroup", "channel", "thread", "Direct", "direct ", 7]
)
def test_an_unknown_surface_is_a_group(surface: object) -> None:
    """Case B17: what is not known is treated as the strictest."""
    assert Turn("ops", surface).surface == "group"  # type: ignore[arg-type]


@pytest.mark.parametrize("surface", SURFACES)
def test_a_known_surface_is_kept(surface: str) -> None:
    """The five words of DESIGN section 3."""
    assert Turn("ops", surface).surface == surface


def test_ids_of_a_turn_are_checked_at_the_edge() -> None:
    """A turn that exists names valid scopes."""
    with pytest.raises(InvalidScopeError):
        Turn("../x", "direct")
    with pytest.raises(InvalidScopeError):
        Turn("ops", "direct", user_id="a/b")
    assert Turn("ops", "group", chat_id=-100777).chat_id == "-100777"
    with pytest.raises(TypeError):
        Turn("ops", "group", chat_id=None)  # type: ignore[arg-type]
    assert Turn("ops", "direct", was_shared=1).was_shared is True
