"""What `PostgresIdentityMap` does beyond the contract."""

from __future__ import annotations

import errno
import logging
from itertools import chain, repeat
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.errors import InvalidAccountError, NotWrittenError
from ethos_memory.identity_map import SupportsAudit
from ethos_memory.identity_map import postgres as module
from ethos_memory.identity_map.postgres import PostgresIdentityMap
from ethos_memory.providers.postgres import PostgresProvider
from postgres.lossy import answer_lost

if TYPE_CHECKING:
    from ethos_memory.pg import Database
    from postgres.server import Server

ANA = "a1b2c3d4e5f6"
BO = "b1b2c3d4e5f6"


@pytest.fixture
def database(postgres: Server) -> Database:
    """Return the shared database, empty."""
    return postgres.emptied()


@pytest.fixture
def people(database: Database) -> PostgresIdentityMap:
    """Return a map of the shared database."""
    return PostgresIdentityMap(database)


def go_away(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server be unreachable."""

    def gone() -> None:
        raise NotWrittenError("label", cause=OSError(errno.ECONNREFUSED, "gone"))

    monkeypatch.setattr(database._pool, "take", gone)


def test_known_accounts_resolve_while_the_server_is_away(
    people: PostgresIdentityMap, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one is given no id, and a forgotten one is not known any more."""
    ana = people.resolve("x", 1)
    people.resolve("x", 2)
    people.forget(people.resolve("x", 2))
    go_away(database, monkeypatch)
    assert people.resolve("X", "1") == ana
    for number in (2, 3):
        with pytest.raises(NotWrittenError):
            people.resolve("x", number)


def test_only_so_many_accounts_stay_known(
    people: PostgresIdentityMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was seen first is left out first."""
    monkeypatch.setattr(module, "_KNOWN_ACCOUNTS", 2)
    for number in (1, 2, 3, 3):
        people.resolve("x", number)
    assert [id for _, id in people._known] == ["2", "3"]


def test_a_map_closes_what_it_opened(postgres: Server) -> None:
    """A database that was passed in stays open."""
    own = PostgresIdentityMap(postgres.dsn, schema="shared")
    own.close()
    with pytest.raises(ValueError, match="closed"):
        own.accounts()
    shared = postgres.emptied()
    PostgresIdentityMap(shared).close()
    assert PostgresIdentityMap(shared).accounts() == ()


def test_an_id_in_use_is_drawn_again(database: Database) -> None:
    """In any casing; also one that was merged away, and one that has pages only."""
    PostgresProvider(database).sync("user:pages1", [Add("USER.md", "x")])
    people = PostgresIdentityMap(database)
    people.link("x", 1, "Linked1")
    people.link("x", 2, BO)
    people.merge(ANA, BO)
    used = ("linked1", "PAGES1", BO.upper(), ANA)
    for call, free in ((people.resolve, "free1"), (people.unlink, "free2")):
        draws = chain(used, [free])
        people._new_id = lambda draws=draws: next(draws)  # type: ignore[misc]
        assert call("y", free) == free


def test_ids_that_are_all_in_use_are_no_endless_loop(database: Database) -> None:
    """A host's own source of ids may be a bad one."""
    people = PostgresIdentityMap(database, new_id=repeat("same").__next__)
    assert people.resolve("x", 1) == "same"
    with pytest.raises(RuntimeError, match="in use"):
        people.resolve("x", 2)
    with pytest.raises(RuntimeError, match="in use"):
        people.unlink("x", 1)
    assert len(people.accounts()) == 1


def test_the_records_platform_is_nobodys(people: PostgresIdentityMap) -> None:
    """As in the file, so that a map can move from one to the other."""
    with pytest.raises(InvalidAccountError):
        people.resolve("ethos-memory.merged", 1)


def test_a_label_is_harmless_on_the_way_out(
    people: PostgresIdentityMap, database: Database
) -> None:
    """An operator may have edited the table; without a label the id is shown."""
    people.resolve("x", 1, display_label="Ana")
    secret = "ghp_" + "a1B2" * 9
    database.transact(
        lambda work: work.connection.execute(
            "update accounts set label = %s", (f"Ana\n{secret}",)
        )
    )
    people.link("x", 2, BO)
    ana, bo = people.accounts()
    label = ana.account.display_label or ""
    assert label.startswith("Ana ")
    assert secret not in label
    assert bo.account.display_label == f"x:{BO}"
    people.link("x", 2, ANA)
    (moved,) = people.accounts_of(ANA)
    assert moved.account.display_label == f"x:{ANA}"


def test_operations_are_audited_and_logged(
    people: PostgresIdentityMap,
    database: Database,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Verb, platforms and user ids, never an account id; what changes nothing is not."""
    assert isinstance(people, SupportsAudit)
    with caplog.at_level(logging.INFO, "ethos_memory"):
        people.link("x", 12345, ANA)
        people.link("x", 12345, ANA)
        people.link("y", 2, BO)
        people.merge(ANA, BO)
        people.record("export", (ANA, BO))
        people.forget(ANA)
    rows = database.read(
        lambda connection: connection.execute(
            "select verb, platforms, user_ids from identity_audit order by id"
        ).fetchall()
    )
    assert rows == [
        ("link", ["x"], [ANA]),
        ("link", ["y"], [BO]),
        ("merge", ["y"], [ANA, BO]),
        ("export", ["x", "y"], [ANA, BO]),
        ("forget", ["x", "y"], [ANA, BO]),
    ]
    assert len(caplog.records) == 5
    assert "12345" not in caplog.text


def test_a_merge_back_and_forth_leaves_one_record(people: PostgresIdentityMap) -> None:
    """Records move and go as in the file."""
    people.link("x", 1, ANA)
    people.link("x", 2, BO)
    people.merge(ANA, BO)
    assert people.kept_id(BO) == ANA
    assert people.kept_id(ANA) == ANA
    people.link("x", 2, BO)
    people.merge(BO, ANA)
    assert people.kept_id(ANA) == BO
    assert people.merged_ids(BO) == (ANA,)
    assert people.merged_ids(ANA) == ()
    people.merge("c1", "d1")
    people.merge("e1", "d1")
    assert people.kept_id("d1") == "e1"


@pytest.mark.parametrize("happens", [True, False])
def test_an_operation_whose_answer_was_lost_happens_once(
    happens: bool, people: PostgresIdentityMap, database: Database
) -> None:
    """And tells whose the account was before it, not after."""
    people.link("x", 1, ANA)
    with answer_lost(database, happens=happens):
        assert people.link("x", 1, BO) == ANA
    with answer_lost(database, happens=happens):
        minted = people.resolve("x", 2)
    assert people.resolve("x", 2) == minted
    with answer_lost(database, happens=happens):
        assert people.forget(BO) == 1
    assert [known.user_id for known in people.accounts()] == [minted]
