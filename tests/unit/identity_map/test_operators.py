"""What an operator asks of the map: whose accounts, which id, and the journal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import CorruptFileError, InvalidScopeError
from ethos_memory.identity_map import AccountMap, SupportsAudit
from unit.identity_map.samples import ANA, BO, entry, map_bytes, open_map, write_map

if TYPE_CHECKING:
    from pathlib import Path

LONG_GONE = "111111111111"


def test_the_map_can_be_audited(tmp_path: Path) -> None:
    """Beside what every map can do."""
    assert isinstance(open_map(tmp_path), AccountMap)
    assert isinstance(open_map(tmp_path), SupportsAudit)


def test_the_accounts_of_a_user(tmp_path: Path) -> None:
    """Theirs and nobody else's, in the order of the file."""
    write_map(
        tmp_path,
        map_bytes(
            entry("telegram", 1, ANA),
            entry("slack", "U1", BO),
            entry("slack", "U2", ANA),
        ),
    )
    people = open_map(tmp_path)
    told = [one.account.account_id for one in people.accounts_of(ANA)]
    assert told == ["1", "U2"]
    assert people.accounts_of("nobody") == ()
    assert set(people.accounts_of(ANA)) <= set(people.accounts())


def test_a_merged_id_is_followed_to_the_one_that_is_kept(tmp_path: Path) -> None:
    """Through every merge, until somebody has the id again."""
    people = open_map(tmp_path)
    people.link("telegram", 1, LONG_GONE)
    people.merge(BO, LONG_GONE)
    people.merge(ANA, BO)
    assert people.kept_id(LONG_GONE) == ANA
    assert people.kept_id(BO) == ANA
    assert people.kept_id(ANA) == ANA
    assert people.kept_id("nobody") == "nobody"
    people.link("telegram", 2, BO)
    assert people.kept_id(BO) == BO
    assert people.kept_id(LONG_GONE) == BO


def test_an_undone_merge_takes_earlier_ones_back_with_it(tmp_path: Path) -> None:
    """Else forgetting one person would erase what was another's."""
    people = open_map(tmp_path)
    people.link("telegram", 1, ANA)
    people.link("telegram", 2, BO)
    people.link("telegram", 3, LONG_GONE)
    people.merge(BO, LONG_GONE)
    for account in people.merge(ANA, BO):
        people.link(account.platform, account.account_id, BO)
    assert people.merged_ids(ANA) == ()
    assert people.merged_ids(BO) == (LONG_GONE,)
    people.forget(BO)
    assert people.merged_ids(BO) == ()
    assert people.find("telegram", 1) is not None


@pytest.mark.parametrize("has_accounts", [True, False])
def test_merging_the_other_way_round_makes_no_circle(
    tmp_path: Path, has_accounts: bool
) -> None:
    """Whoever is kept last is nobody's old id, however long the chain."""
    people = open_map(tmp_path)
    if has_accounts:
        people.link("telegram", 1, ANA)
    people.merge(BO, ANA)
    people.merge(LONG_GONE, BO)
    people.merge(ANA, LONG_GONE)
    assert people.kept_id(ANA) == ANA
    assert people.kept_id(BO) == ANA
    assert people.kept_id(LONG_GONE) == ANA
    assert set(people.merged_ids(ANA)) == {BO, LONG_GONE}
    assert people.merged_ids(BO) == ()


def test_an_old_id_without_accounts_is_kept_under_its_own(tmp_path: Path) -> None:
    """Merging into somebody's old id reaches that somebody."""
    people = open_map(tmp_path)
    people.merge(ANA, BO)
    people.merge(BO, LONG_GONE)
    assert people.kept_id(LONG_GONE) == ANA
    assert set(people.merged_ids(ANA)) == {BO, LONG_GONE}


def test_records_that_circle_have_an_end(tmp_path: Path) -> None:
    """Only an editor can write them."""
    merged = "ethos-memory.merged"
    write_map(tmp_path, map_bytes(entry(merged, ANA, BO), entry(merged, BO, ANA)))
    assert open_map(tmp_path).kept_id(ANA) in {ANA, BO}


def test_what_is_done_elsewhere_is_written_down(tmp_path: Path) -> None:
    """With the platforms of the accounts; the map keeps its bytes."""
    data = map_bytes(entry("telegram", 1, ANA), entry("slack", "U1", BO))
    path = write_map(tmp_path, data)
    open_map(tmp_path).record("export", (ANA, LONG_GONE))
    (line,) = (tmp_path / "users/identity-audit.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "at": "2026-09-01T12:00:00.005Z",
        "verb": "export",
        "platforms": ["telegram"],
        "userIds": [ANA, LONG_GONE],
    }
    assert path.read_bytes() == data
    assert {one.name for one in path.parent.iterdir()} == {
        "identity-map.json",
        "identity-audit.jsonl",
    }


def test_a_home_without_a_map_gets_a_journal(tmp_path: Path) -> None:
    """People may be known to the host alone."""
    open_map(tmp_path).record("erase", (ANA,))
    assert [one.name for one in (tmp_path / "users").iterdir()] == [
        "identity-audit.jsonl"
    ]


def test_a_bad_id_or_a_damaged_map_is_an_error(tmp_path: Path) -> None:
    """Nothing is written then."""
    people = open_map(tmp_path)
    for call in (
        lambda: people.record("erase", ("../x",)),
        lambda: people.kept_id("../x"),
        lambda: people.accounts_of("../x"),
    ):
        with pytest.raises(InvalidScopeError):
            call()
    write_map(tmp_path, b"[")
    for call in (
        lambda: people.record("erase", (ANA,)),
        lambda: people.kept_id(ANA),
        lambda: people.accounts_of(ANA),
    ):
        with pytest.raises(CorruptFileError):
            call()
    assert [one.name for one in (tmp_path / "users").iterdir()] == ["identity-map.json"]
