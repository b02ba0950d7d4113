"""Questions to a map that was understood."""

from __future__ import annotations

from ethos_memory.identity_map.document import EMPTY, MERGED_PLATFORM
from ethos_memory.turn import Account
from unit.identity_map.samples import ANA, BO, entry, parsed

CAI = "77aa88bb99cc"


def test_a_record_is_no_account() -> None:
    """It has a user id, and neither makes that one live nor can be resolved."""
    document = parsed(entry(MERGED_PLATFORM, BO, ANA), entry("x", "1", CAI))
    assert document.accounts == {("x", "1"): 1}
    assert document.records() == {0}
    assert document.rows_of(ANA) == {0}
    assert document.account_rows(ANA) == set()
    assert document.accounts_of(ANA) == ()
    assert document.accounts_of(CAI) == (Account("x", "1"),)
    assert not document.is_live(ANA)
    assert document.is_live(CAI)
    assert document.user_id((MERGED_PLATFORM, BO)) is None


def test_merged_ids_are_followed_through_each_other() -> None:
    """Whoever was merged into one who was merged belongs to the last."""
    document = parsed(
        entry("x", "1", ANA),
        entry(MERGED_PLATFORM, BO, ANA),
        entry(MERGED_PLATFORM, CAI, BO),
    )
    assert document.merged_into(ANA) == (BO, CAI)
    assert document.merged_into(BO) == (CAI,)
    assert document.merged_into("unknown") == ()


def test_a_circle_of_records_ends() -> None:
    """A hand edit can say anything, and hangs nothing."""
    document = parsed(
        entry(MERGED_PLATFORM, ANA, ANA),
        entry(MERGED_PLATFORM, BO, ANA),
        entry(MERGED_PLATFORM, CAI, BO),
        entry(MERGED_PLATFORM, "back", CAI),
        entry("x", "1", ANA),
    )
    assert document.merged_into(ANA) == (BO, CAI, "back")
    assert document.merged_into(BO) == (CAI, "back")


def test_somebody_today_is_nobodys_merged_id() -> None:
    """An id that an account has belongs to that account's person."""
    document = parsed(entry("x", "1", BO), entry(MERGED_PLATFORM, BO, ANA))
    assert document.merged_into(ANA) == ()


def test_an_id_is_in_use_in_any_casing() -> None:
    """A folder that differs only in case could not be made."""
    document = parsed(entry("x", "1", "AbC"), entry(MERGED_PLATFORM, "Old", "AbC"))
    assert document.has_id("abc")
    assert document.has_id("OLD")
    assert not document.has_id("abd")


def test_the_text_of_a_map_is_in_no_repr() -> None:
    """A document in a log or a traceback shows nobody."""
    assert repr(parsed(entry("telegram", "700100200", ANA))) == "Document()"


def test_no_rows_of_nothing() -> None:
    """An account that is not there has no rows."""
    assert EMPTY.rows(EMPTY.accounts.get(("x", "1"))) == ()
