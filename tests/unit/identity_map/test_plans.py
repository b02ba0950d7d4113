"""What each operation changes, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.identity_map.audit import Operation
from ethos_memory.identity_map.document import EMPTY, MERGED_PLATFORM
from ethos_memory.identity_map.parsing import parse
from ethos_memory.identity_map.plans import Change, forgotten, merged, minted, moved
from ethos_memory.identity_map.splice import spliced
from unit.identity_map.samples import ANA, BO, NOON, entry, parsed

if TYPE_CHECKING:
    from ethos_memory.identity_map.document import Document

CAI = "77aa88bb99cc"


def applied(document: Document, change: Change) -> Document:
    """Return the map after a change."""
    data = spliced(
        document,
        relinked=change.relinked,
        dropped=change.dropped,
        added=change.added,
    )
    return parse(data, path="map")


def test_nothing_is_no_change() -> None:
    """A purge of the last good copy alone leaves the map."""
    assert not Change()
    assert not Change(purges_backup=True)
    assert Change({0: ANA})
    assert Change(dropped=frozenset({0}))
    assert minted(("x", "1"), ANA, label="", at=NOON)


def test_a_new_account_without_a_label_shows_its_user_id() -> None:
    """Never its account id."""
    (row,) = minted(("x", "1"), ANA, label="", at=NOON).added
    assert row.label == f"x:{ANA}"
    (row,) = minted(("x", "1"), ANA, label="Ana", at=NOON).added
    assert row.label == "Ana"


def test_moving_takes_every_row_of_the_account() -> None:
    """Else the file would hold one account with two ids, and be corrupt."""
    document = parsed(entry("x", "1", ANA), entry("y", "1", ANA), entry("X", 1, ANA))
    change = moved(document, ("x", "1"), BO, verb="link", at=NOON)
    assert applied(document, change).user_ids == [BO, ANA, BO]
    assert change.operation == Operation("link", ("x",), (BO, ANA))


def test_moving_adds_an_account_not_seen_yet() -> None:
    """The operation then names no earlier id."""
    change = moved(EMPTY, ("x", "1"), BO, verb="link", at=NOON)
    assert applied(EMPTY, change).accounts == {("x", "1"): 0}
    assert change.operation == Operation("link", ("x",), (BO,))


def test_moving_to_where_it_is_changes_nothing() -> None:
    """Nor does it leave a line in the journal."""
    document = parsed(entry("x", "1", ANA))
    assert moved(document, ("x", "1"), ANA, verb="link", at=NOON) == Change()


def test_merging_moves_accounts_and_leaves_a_record() -> None:
    """The record has the five fields, so that anything may rewrite the file."""
    document = parsed(entry("x", "1", ANA), entry("y", "2", BO), entry("z", "3", BO))
    change = merged(document, ANA, BO, at=NOON)
    after = applied(document, change)
    assert after.user_ids == [ANA] * 4
    assert after.merged_into(ANA) == (BO,)
    assert after.members(3) == {
        "platform": "ethos-memory.merged",
        "platformUserId": BO,
        "userId": ANA,
        "displayLabel": f"merged id {BO}",
        "firstSeenAt": "2026-09-01T12:00:00.005Z",
    }
    assert change.operation == Operation("merge", ("y", "z"), (ANA, BO))


def test_merging_twice_changes_nothing() -> None:
    """The second time there is nothing left to say."""
    document = parsed(entry("x", "1", ANA), entry("y", "2", BO))
    after = applied(document, merged(document, ANA, BO, at=NOON))
    assert merged(after, ANA, BO, at=NOON) == Change()


def test_merging_on_takes_the_records_along() -> None:
    """Every id ever merged stays reachable from the last."""
    document = parsed(entry("x", "1", ANA), entry("y", "2", BO), entry("z", "3", CAI))
    document = applied(document, merged(document, ANA, BO, at=NOON))
    document = applied(document, merged(document, CAI, ANA, at=NOON))
    assert [document.user_id(key) for key in document.accounts] == [CAI] * 3
    assert set(document.merged_into(CAI)) == {ANA, BO}


def test_merging_back_turns_the_record() -> None:
    """No id is merged into itself, nor somebody and merged away at once."""
    document = parsed(entry("x", "1", ANA), entry("y", "2", BO))
    document = applied(document, merged(document, ANA, BO, at=NOON))
    document = applied(document, merged(document, BO, ANA, at=NOON))
    assert document.merged_into(BO) == (ANA,)
    assert document.merged_into(ANA) == ()
    assert set(document.merged) == {ANA}
    assert set(document.user_ids) == {BO}


def test_a_user_without_accounts_can_be_merged() -> None:
    """A web host passes user ids that no account has."""
    document = parsed(entry("x", "1", ANA))
    after = applied(document, merged(document, ANA, BO, at=NOON))
    assert after.merged_into(ANA) == (BO,)
    after = applied(after, merged(after, CAI, BO, at=NOON))
    assert after.merged_into(ANA) == ()
    assert after.merged_into(CAI) == (BO,)
    assert len(after.user_ids) == 2


def test_merging_an_empty_keeper_back_leaves_no_circle() -> None:
    """Its record would say that it was merged into itself."""
    document = parsed(entry("x", "1", CAI))
    document = applied(document, merged(document, ANA, BO, at=NOON))
    document = applied(document, merged(document, BO, ANA, at=NOON))
    assert document.merged_into(BO) == (ANA,)
    assert set(document.merged) == {ANA}


def test_forgetting_takes_accounts_and_records() -> None:
    """And nobody else's, nor an id that is somebody today."""
    document = parsed(
        entry("x", "1", ANA),
        entry("x", "2", CAI),
        entry(MERGED_PLATFORM, BO, ANA),
        entry(MERGED_PLATFORM, "old", BO),
        entry(MERGED_PLATFORM, CAI, ANA),
    )
    change = forgotten(document, ANA)
    after = applied(document, change)
    assert after.accounts == {("x", "2"): 0}
    assert not after.merged
    assert change.operation == Operation("forget", ("x",), (ANA, BO, "old"))
    assert change.purges_backup


def test_forgetting_nobody_changes_nothing() -> None:
    """Only the last good copy is looked at."""
    assert forgotten(parsed(entry("x", "1", ANA)), BO) == Change(purges_backup=True)


def test_a_link_back_undoes_a_merge() -> None:
    """The id is somebody again, and out of the other's reach for good."""
    document = parsed(entry("x", "1", ANA), entry("y", "2", BO))
    document = applied(document, merged(document, ANA, BO, at=NOON))
    document = applied(document, moved(document, ("y", "2"), BO, verb="link", at=NOON))
    assert document.user_ids == [ANA, BO]
    assert document.merged_into(ANA) == ()
    document = applied(document, moved(document, ("y", "2"), CAI, verb="l", at=NOON))
    assert document.merged_into(ANA) == ()


def test_a_link_says_nothing_of_two_ids_being_one() -> None:
    """A phone number that passes to somebody else brings no profile along."""
    document = parsed(entry("wa", "1", ANA), entry("x", "2", BO))
    after = applied(document, moved(document, ("wa", "1"), BO, verb="link", at=NOON))
    assert after.merged_into(BO) == ()
