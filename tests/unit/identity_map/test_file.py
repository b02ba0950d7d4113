"""What the calls do, seen from outside."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError, InvalidAccountError, InvalidScopeError
from ethos_memory.identity_map import IdentityMap
from ethos_memory.turn import Account
from unit.identity_map.samples import (
    ANA,
    BO,
    entry,
    map_bytes,
    map_path,
    open_map,
    rows_on_disk,
    write_map,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def audit_lines(home: Path) -> list[dict[str, Any]]:
    """Return the lines of a home's audit journal."""
    path = home / "users" / "identity-audit.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_an_account_keeps_the_id_it_was_given(tmp_path: Path) -> None:
    """Random, 12 lower-case hex digits, and the same from then on."""
    known = open_map(tmp_path)
    user_id = known.resolve("telegram", 7, display_label="Ana")
    assert re.fullmatch(r"[0-9a-f]{12}", user_id)
    assert known.resolve("Telegram", "7", display_label="other") == user_id
    assert open_map(tmp_path).resolve("TELEGRAM", 7) == user_id
    assert known.resolve("telegram", "8") != user_id
    assert rows_on_disk(tmp_path)[0] == {
        "platform": "telegram",
        "platformUserId": "7",
        "userId": user_id,
        "displayLabel": "Ana",
        "firstSeenAt": "2026-09-01T12:00:00.005Z",
    }


def test_find_mints_nothing(tmp_path: Path) -> None:
    """An unknown account is `None`, a known one a value."""
    known = open_map(tmp_path)
    assert known.find("x", "1") is None
    assert list(tmp_path.iterdir()) == []
    known.resolve("x", "1", display_label="Ana")
    found = known.find("X", 1)
    assert found is not None
    assert found.account == Account("x", "1")
    assert found.account.display_label == "Ana"
    assert known.accounts() == (found,)


class Text(str):
    """A text that compares as another one."""

    __slots__ = ()

    @override
    def __hash__(self) -> int:
        return hash("1")

    @override
    def __eq__(self, other: object) -> bool:
        return other == "1"


@pytest.mark.parametrize("verb", ["resolve", "find", "link", "unlink"])
@pytest.mark.parametrize(
    ("platform", "account_id", "error"),
    [
        ("", "1", InvalidAccountError),
        (" x", "1", InvalidAccountError),
        ("x ", "1", InvalidAccountError),
        ("x", "", InvalidAccountError),
        ("x", "1\n", InvalidAccountError),
        ("x", "\x00", InvalidAccountError),
        ("x", "\ud800", InvalidAccountError),
        ("x", "y" * 513, InvalidAccountError),
        ("ethos-memory.merged", ANA, InvalidAccountError),
        ("Ethos-Memory.Merged", ANA, InvalidAccountError),
        ("x", None, TypeError),
        ("x", True, TypeError),
        ("x", 1.0, TypeError),
        ("x", b"1", TypeError),
        (7, "1", TypeError),
    ],
)
def test_a_bad_name_is_refused_by_every_call(
    tmp_path: Path, verb: str, platform: Any, account_id: Any, error: type[Exception]
) -> None:
    """Before anything is made, and without the account id in the message."""
    known = open_map(tmp_path)
    more = (ANA,) if verb == "link" else ()
    call: Callable[..., object] = getattr(known, verb)
    with pytest.raises(error) as caught:
        call(platform, account_id, *more)
    assert list(tmp_path.iterdir()) == []
    assert ANA not in str(caught.value)


def test_a_text_that_lies_is_taken_by_its_characters(tmp_path: Path) -> None:
    """A subclass of `str` cannot be another account than it spells."""
    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    assert known.resolve("x", Text("2")) != ANA
    assert known.resolve(Text("y"), "1") != ANA


def test_a_number_is_its_text(tmp_path: Path) -> None:
    """Also a subclass of `int` that prints as something else."""

    class Loud(int):
        @override
        def __repr__(self) -> str:
            return "2"

    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    assert known.resolve("x", 1) == ANA
    assert known.resolve("x", Loud(1)) == ANA


def test_ids_in_use_are_drawn_again(tmp_path: Path) -> None:
    """In the map in any casing, merged away, or somebody's folder."""
    users = tmp_path / "users"
    for name in ("cccccccccccc", "DDDDDDDDDDDD"):
        (users / name).mkdir(parents=True)
    (users / "eeeeeeeeeeee").write_text("a file")
    write_map(tmp_path, map_bytes(entry("x", "1", "AAAAAAAAAAAA")))
    known = open_map(
        tmp_path,
        *("aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc", "dddddddddddd"),
        *("eeeeeeeeeeee", "ffffffffffff", "bbbbbbbbbbbb", "ffffffffffff", "1" * 12),
    )
    known.merge("AAAAAAAAAAAA", "bbbbbbbbbbbb")
    assert known.resolve("x", "2") == "ffffffffffff"
    assert known.unlink("x", "2") == "1" * 12


def test_a_generator_that_is_stuck_is_an_error(tmp_path: Path) -> None:
    """Not an endless loop under the lock."""
    known = IdentityMap(tmp_path, redact=str, new_id=lambda: ANA, durability="fast")
    assert known.resolve("x", "1") == ANA
    with pytest.raises(RuntimeError, match="all in use"):
        known.resolve("x", "2")


def test_a_generator_of_bad_ids_is_refused(tmp_path: Path) -> None:
    """An id that no scope can have is never recorded."""
    known = IdentityMap(tmp_path, redact=str, new_id=lambda: "../x")
    with pytest.raises(InvalidScopeError):
        known.resolve("x", "1")
    assert not map_path(tmp_path).exists()


def test_link_tells_whose_it_was(tmp_path: Path) -> None:
    """So that the caller can point to the profile that stays behind."""
    known = open_map(tmp_path)
    assert known.link("slack", "U1", ANA) is None
    assert known.link("slack", "U1", BO) == ANA
    assert known.link("slack", "U1", BO) == BO
    assert known.resolve("slack", "U1") == BO
    assert [line["userIds"] for line in audit_lines(tmp_path)] == [[ANA], [BO, ANA]]


@pytest.mark.parametrize("user_id", ["", "a b", "../x", "con", "é", "x\n", "a:b"])
def test_a_user_id_that_no_scope_can_have_is_refused(
    tmp_path: Path, user_id: str
) -> None:
    """By every call that takes one, before anything is made."""
    known = open_map(tmp_path)
    for call in (
        lambda: known.link("x", "1", user_id),
        lambda: known.forget(user_id),
        lambda: known.merge(user_id, ANA),
        lambda: known.merge(ANA, user_id),
        lambda: known.merged_ids(user_id),
    ):
        with pytest.raises(InvalidScopeError):
            call()
    assert list(tmp_path.iterdir()) == []


def test_unlink_gives_an_id_of_its_own(tmp_path: Path) -> None:
    """Each time a fresh one, also to an account not seen yet."""
    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    known.link("y", "2", ANA)
    fresh = known.unlink("y", "2")
    assert fresh != ANA
    assert known.resolve("y", "2") == fresh
    assert known.resolve("x", "1") == ANA
    assert known.unlink("y", "2") not in {fresh, ANA}
    new = known.unlink("z", "3")
    assert known.resolve("z", "3") == new
    assert audit_lines(tmp_path)[-1]["userIds"] == [new]


def test_forget_takes_one_person_and_nobody_else(tmp_path: Path) -> None:
    """Across all linked accounts, out of the map and its copy."""
    known = open_map(tmp_path)
    for platform, user_id in (("x", ANA), ("y", ANA), ("z", BO)):
        known.link(platform, "account", user_id)
    assert known.forget(ANA) == 2
    assert known.forget(ANA) == 0
    assert [one.user_id for one in known.accounts()] == [BO]
    for path in (tmp_path / "users").glob("identity-map*"):
        assert ANA not in path.read_text()
    assert known.resolve("x", "account") not in {ANA, BO}
    assert audit_lines(tmp_path)[-1]["platforms"] == ["x", "y"]


def test_merge_moves_every_account_in_one_replace(tmp_path: Path) -> None:
    """And tells which, so that `link` can undo it."""
    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    known.link("y", "2", BO)
    known.link("z", "3", BO)
    moved = known.merge(ANA, BO)
    assert moved == (Account("y", "2"), Account("z", "3"))
    assert {one.user_id for one in known.accounts()} == {ANA}
    assert len(known.accounts()) == 3
    assert known.merged_ids(ANA) == (BO,)
    assert open_map(tmp_path).merged_ids(ANA) == (BO,)
    assert known.merge(ANA, BO) == ()
    for account in moved:
        known.link(account.platform, account.account_id, BO)
    assert known.merged_ids(ANA) == ()
    assert {one.user_id for one in known.accounts()} == {ANA, BO}


def test_merging_a_user_with_themselves_changes_nothing(tmp_path: Path) -> None:
    """Nothing is made, either."""
    assert open_map(tmp_path).merge(ANA, ANA) == ()
    assert list(tmp_path.iterdir()) == []


def test_forget_takes_the_records_of_a_merge(tmp_path: Path) -> None:
    """After `Memory` has asked for them, nothing of the person is left."""
    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    known.link("y", "2", BO)
    known.merge(ANA, BO)
    assert known.forget(ANA) == 2
    assert rows_on_disk(tmp_path) == []
    assert known.merged_ids(ANA) == ()


def test_only_operators_deeds_are_audited(tmp_path: Path) -> None:
    """Four verbs; no account id and no label is in journal or log."""
    known = open_map(tmp_path)
    known.resolve("x", "secret-1", display_label="label-1")
    assert not (tmp_path / "users" / "identity-audit.jsonl").exists()
    known.link("x", "secret-1", ANA)
    known.link("y", "secret-2", BO)
    known.merge(ANA, BO)
    known.unlink("y", "secret-2")
    known.forget(ANA)
    lines = audit_lines(tmp_path)
    assert [line["verb"] for line in lines] == [
        *("link", "link", "merge", "unlink", "forget")
    ]
    assert {tuple(line) for line in lines} == {("at", "verb", "platforms", "userIds")}
    text = (tmp_path / "users" / "identity-audit.jsonl").read_text()
    assert "secret" not in text
    assert "label" not in text


def test_the_log_holds_no_account(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor a label; an operation that changed nothing is not told."""
    known = open_map(tmp_path)
    with caplog.at_level(logging.DEBUG, logger="ethos_memory"):
        known.resolve("x", "secret", display_label="label")
        known.link("x", "secret", ANA)
        known.link("x", "secret", ANA)
        known.forget(BO)
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(f"identity map: link on x: {ANA} <- ")
    assert "secret" not in caplog.text
    assert "label" not in caplog.text


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]"])
def test_a_damaged_map_changes_for_nobody(tmp_path: Path, data: bytes) -> None:
    """Every call raises but `resolve` and `find` of accounts already known."""
    known = open_map(tmp_path)
    known.link("x", "1", ANA)
    write_map(tmp_path, data)
    (before, *_) = [path.read_bytes() for path in (tmp_path / "users").glob("*.jsonl")]
    for call in (
        lambda: known.resolve("y", "2"),
        lambda: known.find("y", "2"),
        lambda: known.link("x", "1", BO),
        lambda: known.unlink("x", "1"),
        lambda: known.forget(ANA),
        lambda: known.merge(BO, ANA),
        lambda: known.merged_ids(ANA),
        known.accounts,
    ):
        with pytest.raises(CorruptFileError) as caught:
            call()
        assert caught.value.path == str(map_path(tmp_path))
    assert map_path(tmp_path).read_bytes() == data
    assert known.resolve("x", "1") == ANA
    found = known.find("x", "1")
    assert found is not None
    assert found.user_id == ANA
    (after, *_) = [path.read_bytes() for path in (tmp_path / "users").glob("*.jsonl")]
    assert before == after


def test_close_lets_go_of_its_own_root_only(tmp_path: Path) -> None:
    """A root that was given stays the giver's."""
    root = Root(tmp_path)
    shared = IdentityMap(root, redact=str)
    shared.link("x", "1", ANA)
    shared.close()
    assert IdentityMap(root, redact=str).resolve("x", "1") == ANA
    own = IdentityMap(tmp_path, redact=str)
    own.resolve("x", "1")
    own.close()
    own.close()
    with pytest.raises(ValueError, match="closed"):
        own.resolve("x", "1")


def test_labels_are_redacted_by_the_guard(tmp_path: Path) -> None:
    """By default, and only when a label is kept or shown."""
    known = IdentityMap(tmp_path, durability="fast")
    key = "ghp_" + "Ab1" * 12
    known.resolve("x", "1", display_label=f"Ana {key} here")
    assert key not in map_path(tmp_path).read_text()
    (account,) = known.accounts()
    assert account.account.display_label is not None
    assert account.account.display_label.startswith("Ana [")
    assert account.account.display_label.endswith("] here")


def test_importing_is_cheap() -> None:
    """Lock and credential rules come at first use."""
    code = (
        "import sys; import ethos_memory.identity_map as m; "
        "m.IdentityMap('/nonexistent').find('x', '1'); "
        "print([n for n in ('filelock', 'yaml', 'sqlite3', "
        "'ethos_memory.guard.credentials') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout == "[]\n"
