"""Accounts as callers name them."""

from __future__ import annotations

import pytest

from ethos_memory.errors import InvalidAccountError
from ethos_memory.identity_map.account import parse_account, parse_key
from ethos_memory.identity_map.document import MERGED_PLATFORM


def test_a_platform_has_no_case_and_a_number_is_text() -> None:
    """The key is the same however the host spells it."""
    assert parse_key("Telegram", 7) == parse_key("telegram", "7") == ("telegram", "7")
    account = parse_account("Telegram", 7, "Ana")
    assert (account.platform, account.account_id) == ("telegram", "7")
    assert account.display_label == "Ana"


@pytest.mark.parametrize("platform", [MERGED_PLATFORM, MERGED_PLATFORM.upper()])
def test_the_platform_of_merges_is_nobodys(platform: str) -> None:
    """Otherwise an account could say that two people are one."""
    for parse in (parse_account, parse_key):
        with pytest.raises(InvalidAccountError, match="the map's own"):
            parse(platform, "x")


def test_a_padded_name_is_refused() -> None:
    """It is never altered into acceptance."""
    with pytest.raises(InvalidAccountError, match="padded"):
        parse_key("telegram", " 7")
