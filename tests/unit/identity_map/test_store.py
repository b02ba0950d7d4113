"""The file on disk: when it is read, and how it is written."""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory import disk
from ethos_memory.disk import Root, folder, opening
from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    NotWrittenError,
    PageTooLargeError,
    UnsafePathError,
)
from ethos_memory.identity_map import IdentityMap, splice, store
from ethos_memory.identity_map.store import BACKUP_NAME, MapStore
from unit.identity_map.samples import (
    ANA,
    BO,
    NOON,
    entry,
    map_bytes,
    map_path,
    open_map,
    rows_on_disk,
    write_map,
)

if TYPE_CHECKING:
    from ethos_memory.disk import Signature

GOOD = map_bytes(entry("x", "1", ANA))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home whose map was written long enough ago to be trusted."""
    write_map(tmp_path, GOOD)
    time.sleep(0.03)
    return tmp_path


def open_store(home: Path) -> MapStore:
    return MapStore(Root(home), durability="fast", now=lambda: NOON)


def test_a_map_that_was_read_is_not_read_again(home: Path) -> None:
    """One look shows that it is the same."""
    one = open_store(home)
    assert one.glance() is None
    document = one.current()
    assert one.glance() is document
    assert one.current() is document


def test_a_map_that_was_just_written_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another write in the same tick of the clock would not show."""
    write_map(tmp_path, GOOD)
    one = open_store(tmp_path)
    with monkeypatch.context() as patch:
        # A busy machine may sleep for longer than a file takes to be trusted.
        patch.setattr(opening, "SETTLED_NANOSECONDS", 10**12)
        document = one.current()
    assert one.glance() is None
    time.sleep(0.03)
    assert one.current() is document
    assert one.glance() is document


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count file times in ticks, as older kernels and some file systems do."""
    tick_ns = 10_000_000
    real = opening.signature_of

    def coarse(status: os.stat_result) -> Signature:
        exact = real(status)
        return exact._replace(
            mtime_ns=exact.mtime_ns // tick_ns * tick_ns,
            ctime_ns=exact.ctime_ns // tick_ns * tick_ns,
        )

    for module in (opening, folder, store):
        monkeypatch.setattr(module, "signature_of", coarse)


@pytest.mark.usefixtures("ticks")
def test_a_same_size_edit_within_a_tick_is_seen(tmp_path: Path) -> None:
    """The signature stays the same, so it is not trusted yet."""
    known = open_map(tmp_path)
    for number in range(40):
        for user_id in (ANA, BO):
            write_map(tmp_path, map_bytes(entry("x", "1", user_id)))
            assert known.resolve("x", "1") == user_id
        time.sleep(number / 2_000)


@pytest.mark.usefixtures("ticks")
def test_a_same_size_repair_within_a_tick_is_seen(tmp_path: Path) -> None:
    """Nor is it trusted that a file is still damaged."""
    known = open_map(tmp_path)
    for number in range(20):
        write_map(tmp_path, GOOD.replace(b"]", b"x"))
        with pytest.raises(CorruptFileError):
            known.accounts()
        write_map(tmp_path, GOOD)
        assert len(known.accounts()) == 1
        time.sleep(number / 1_000)


def test_a_first_map_that_comes_between_two_looks_is_no_lost_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copy comes after it: who sees the copy alone looked too early."""
    known, other = open_map(tmp_path), open_map(tmp_path)
    (tmp_path / "users").mkdir()
    real = folder.Folder.signature
    minted: list[str] = []

    def signature(self: folder.Folder, name: str) -> Signature | None:
        found = real(self, name)
        if not minted:
            minted.append("")
            minted[0] = other.resolve("x", "1")
        return found

    monkeypatch.setattr(folder.Folder, "signature", signature)
    account = known.find("x", "1")
    assert account is not None
    assert account.user_id == minted[0]


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_look_notices_another_folder_of_users(home: Path, *, is_gone: bool) -> None:
    """A restored backup takes the folder's name, not its place on the disk."""
    known = open_map(home)
    assert known.resolve("x", "1") == ANA
    (home / "users").rename(home / "users.old")
    if is_gone:
        assert known.find("x", "1") is None
        return
    write_map(home, map_bytes(entry("x", "1", BO)))
    assert known.resolve("x", "1") == BO


def test_no_home_means_an_empty_map(tmp_path: Path) -> None:
    """And reading makes nothing."""
    known = open_map(tmp_path / "none")
    assert known.accounts() == ()
    assert known.find("x", "1") is None
    assert known.forget(ANA) == 0
    assert known.merged_ids(ANA) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_home_was_never_made_is_made_private(tmp_path: Path) -> None:
    """Nobody else on the machine reads who writes to the bot."""
    old = os.umask(0)
    try:
        open_map(tmp_path / "home").link("x", "1", ANA)
    finally:
        os.umask(old)
    users = tmp_path / "home" / "users"
    assert users.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in users.iterdir()} == {
        "identity-map.json": 0o600,
        "identity-map.json.bak": 0o600,
        "identity-audit.jsonl": 0o600,
    }


def test_the_last_good_copy_is_the_map(home: Path) -> None:
    """It is not one step behind: that step would be somebody's id."""
    known = open_map(home)
    for number in range(3):
        known.resolve("y", number)
        assert (home / "users" / BACKUP_NAME).read_bytes() == map_path(
            home
        ).read_bytes()


def test_a_map_that_is_gone_beside_its_copy_is_no_empty_one(home: Path) -> None:
    """A silent reset would cost everybody their profile."""
    known = open_map(home)
    minted = known.resolve("y", "2")
    data = map_path(home).read_bytes()
    map_path(home).unlink()
    for one in (known, open_map(home)):
        with pytest.raises(CorruptFileError, match=BACKUP_NAME):
            one.resolve("z", "3")
    assert not map_path(home).exists()
    assert known.resolve("x", "1") == ANA
    (home / "users" / BACKUP_NAME).rename(map_path(home))
    assert known.resolve("y", "2") == minted
    assert map_path(home).read_bytes() == data


def test_a_first_account_shows_no_copy_without_a_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader between two renames would take that for a map that was lost."""
    order = []
    real = disk.Staged.commit

    def commit(self: disk.Staged) -> None:
        real(self)
        order.append(sorted(path.name for path in (tmp_path / "users").glob("id*")))

    monkeypatch.setattr(disk.Staged, "commit", commit)
    known = open_map(tmp_path)
    known.resolve("x", "1")
    assert order == [
        ["identity-map.json"],
        ["identity-map.json", "identity-map.json.bak"],
    ]


def test_a_disk_that_refuses_leaves_the_map(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was minted, and the next call can try again."""
    known = open_map(home, "aaaaaaaaaaaa", "bbbbbbbbbbbb")

    def refuse(self: disk.Staged) -> None:
        raise NotWrittenError("x", cause=OSError(errno.ENOSPC, "full"))

    with monkeypatch.context() as patch:
        patch.setattr(disk.Staged, "commit", refuse)
        with pytest.raises(NotWrittenError):
            known.resolve("y", "2")
    assert map_path(home).read_bytes() == GOOD
    assert [path.name for path in (home / "users").iterdir()] == ["identity-map.json"]
    assert known.resolve("y", "2") == "bbbbbbbbbbbb"


def test_an_id_that_may_not_last_is_still_the_accounts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the rename the account has its id, whatever the disk says then."""
    known = open_map(home, "aaaaaaaaaaaa", "bbbbbbbbbbbb")
    real = disk.Staged.commit
    calls = []

    def commit(self: disk.Staged) -> None:
        real(self)
        calls.append(self)
        if len(calls) == 2:
            raise DurabilityUnknownError("x", cause=OSError(errno.EIO, "gone"))

    with monkeypatch.context() as patch:
        patch.setattr(disk.Staged, "commit", commit)
        with pytest.raises(DurabilityUnknownError):
            known.resolve("y", "2")
    assert known.resolve("y", "2") == "aaaaaaaaaaaa"


def test_a_folder_that_cannot_be_made_is_a_typed_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a bare OSError."""

    def refuse(self: Root, *names: str, create: bool = False) -> object:
        if create:
            raise OSError(errno.EROFS, "read-only")
        return disk.Absent()

    monkeypatch.setattr(Root, "folder", refuse)
    with pytest.raises(NotWrittenError) as caught:
        open_map(tmp_path).resolve("x", "1")
    assert caught.value.errno == errno.EROFS


def test_a_map_that_the_disk_cannot_read_is_not_an_empty_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It raises, is told once, and accounts already known keep their ids."""
    known = open_map(home)
    known.resolve("x", "1")
    write_map(home, GOOD + b"\n")

    def refuse(self: disk.Folder, name: str, *, max_bytes: int) -> object:
        raise PermissionError(errno.EACCES, "no", name)

    monkeypatch.setattr(disk.Folder, "read", refuse)
    with caplog.at_level(logging.WARNING, logger="ethos_memory"):
        for _ in range(3):
            with pytest.raises(
                CorruptFileError, match=r"identity-map\.json: cannot be"
            ):
                known.resolve("y", "2")
            assert known.resolve("x", "1") == ANA
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_damaged_map_is_told_once(
    home: Path, caplog: pytest.LogCaptureFixture, *, is_settled: bool
) -> None:
    """And again when it was well in between."""
    known = open_map(home)
    with caplog.at_level(logging.WARNING, logger="ethos_memory"):
        for data in (GOOD[:60], GOOD, GOOD[:60]):
            write_map(home, data)
            time.sleep(0.03 * is_settled)
            for _ in range(3):
                if data is GOOD:
                    known.accounts()
                    continue
                with pytest.raises(CorruptFileError):
                    known.accounts()
    assert len(caplog.messages) == 2
    assert "entry 1" in caplog.messages[0]


def test_a_damaged_map_is_not_parsed_for_every_message(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known accounts keep resolving, and at a bearable price."""
    known = open_map(home)
    known.resolve("x", "1")
    write_map(home, GOOD[:60])
    time.sleep(0.03)
    assert known.resolve("x", "1") == ANA
    monkeypatch.setattr(store, "parse", None)
    for _ in range(3):
        assert known.resolve("x", "1") == ANA
        with pytest.raises(CorruptFileError, match="entry 1"):
            known.resolve("y", "2")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_refused(home: Path, kind: str) -> None:
    """Neither followed nor waited for; known accounts keep resolving."""
    known = open_map(home)
    known.resolve("x", "1")
    path = map_path(home)
    target = path.rename(home / "elsewhere.json")
    if kind == "link":
        path.symlink_to(target)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    for one in (known, open_map(home)):
        with pytest.raises(UnsafePathError):
            one.resolve("y", "2")
    assert known.resolve("x", "1") == ANA
    assert target.read_bytes() == GOOD


def test_a_trusted_link_is_written_through(tmp_path: Path) -> None:
    """The target changes, and the link stays (case B23)."""
    home, dotfiles = tmp_path / "home", tmp_path / "dotfiles"
    dotfiles.mkdir()
    target = write_map(home, GOOD).rename(dotfiles / "map.json")
    map_path(home).symlink_to(target)
    root = Root(home, trusted_links=[dotfiles])
    known = IdentityMap(root, redact=str, durability="fast")
    assert known.resolve("x", "1") == ANA
    minted = known.resolve("y", "2")
    assert map_path(home).is_symlink()
    assert json.loads(target.read_bytes())[1]["userId"] == minted
    time.sleep(0.03)
    assert [known.resolve("y", "2") for _ in range(2)] == [minted, minted]


def test_a_map_above_the_limit_is_not_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is a million accounts' file, and more."""
    monkeypatch.setattr(store, "MAX_MAP_BYTES", len(GOOD) - 1)
    with pytest.raises(PageTooLargeError):
        open_map(home).resolve("x", "1")


def test_an_edit_during_a_write_is_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors take no lock; the change is made again on what they wrote."""
    known = open_map(home)
    edits = iter([map_bytes(entry("x", "1", BO, note="by hand"))])
    real = splice.spliced

    def spliced(*args: object, **changes: object) -> bytes:
        data = real(*args, **changes)  # type: ignore[arg-type]
        for edit in edits:
            write_map(home, edit)
        return data

    monkeypatch.setattr(store, "spliced", spliced)
    minted = known.resolve("y", "2")
    first, second = rows_on_disk(home)
    assert (first["userId"], first["note"]) == (BO, "by hand")
    assert second["userId"] == minted
    assert (home / "users" / BACKUP_NAME).read_bytes() == map_path(home).read_bytes()


def test_a_first_map_by_hand_at_the_same_time_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when there was none a moment ago."""
    known = open_map(tmp_path)
    edits = iter([GOOD])
    real = splice.spliced

    def spliced(*args: object, **changes: object) -> bytes:
        for edit in edits:
            write_map(tmp_path, edit)
        return real(*args, **changes)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "spliced", spliced)
    known.resolve("y", "2")
    assert next(row["userId"] for row in rows_on_disk(tmp_path)) == ANA


def test_an_edit_that_never_ends_is_an_error(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounded, typed, and nothing was written over it."""
    real = splice.spliced
    notes = iter(range(1_000))

    def spliced(*args: object, **changes: object) -> bytes:
        write_map(home, map_bytes(entry("x", "1", ANA, note=next(notes))))
        return real(*args, **changes)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "spliced", spliced)
    with pytest.raises(NotWrittenError, match="keeps writing"):
        open_map(home).resolve("y", "2")
    assert len(rows_on_disk(home)) == 1


def test_a_map_that_vanishes_while_it_is_read_is_judged_as_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the reading there is a moment."""
    monkeypatch.setattr(disk.Folder, "read", lambda *_, **__: None)
    assert open_map(home).accounts() == ()


def test_a_copy_that_knows_more_is_purged(home: Path) -> None:
    """Forgetting someone whom an operator removed by hand reaches the copy."""
    known = open_map(home)
    known.link("y", "2", BO)
    write_map(home, GOOD)
    assert known.forget(BO) == 0
    assert (home / "users" / BACKUP_NAME).read_bytes() == GOOD
    before = (home / "users" / BACKUP_NAME).stat().st_ino
    assert known.forget(BO) == 0
    assert (home / "users" / BACKUP_NAME).stat().st_ino == before


@pytest.mark.skipif(sys.platform != "linux", reason="names a descriptor by /proc")
def test_full_durability_waits_for_the_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both files and the journal's line; "fast" waits for none."""
    synced: list[str] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").readlink().name)
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    fast = IdentityMap(home, redact=str, durability="fast")
    fast.link("y", "1", ANA)
    assert synced == []
    full = IdentityMap(home, redact=str)
    full.link("y", "2", ANA)
    assert sum(name.endswith(".tmp") for name in synced) == 2
    assert "identity-audit.jsonl" in synced
    assert synced[-1] == "users"


def test_the_clock_is_utc(tmp_path: Path) -> None:
    """The time of a new account is now."""
    before = datetime.now(UTC)
    known = IdentityMap(tmp_path, redact=str, durability="fast")
    known.resolve("x", "1")
    (account,) = known.accounts()
    assert account.first_seen_at is not None
    assert abs(account.first_seen_at - before).total_seconds() < 5


class _CopyFails(disk.Staged):
    """The disk does not confirm that the copy is in place, or refuses to put it there."""

    is_refused = False

    @override
    def commit(self) -> None:
        if self._name == BACKUP_NAME and self.is_refused:
            raise NotWrittenError("x", cause=OSError(errno.EIO, "gone"))
        super().commit()
        if self._name == BACKUP_NAME:
            raise DurabilityUnknownError("x", cause=OSError(errno.EIO, "gone"))


def test_a_copy_that_is_not_confirmed_means_that_the_map_is_old(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made before the map is replaced, so the error may not say "changed"."""
    monkeypatch.setattr(store, "Staged", _CopyFails)
    with pytest.raises(NotWrittenError):
        open_map(home).resolve("x", "2")
    assert map_path(home).read_bytes() == GOOD


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_copy_of_a_first_map_that_fails_means_that_the_map_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_refused: bool
) -> None:
    """It is made after the map, so the error may not say "not written"."""
    monkeypatch.setattr(store, "Staged", _CopyFails)
    monkeypatch.setattr(_CopyFails, "is_refused", is_refused)
    known = open_map(tmp_path)
    with pytest.raises(DurabilityUnknownError):
        known.resolve("x", "2")
    [row] = rows_on_disk(tmp_path)
    assert known.resolve("x", "2") == row["userId"]
