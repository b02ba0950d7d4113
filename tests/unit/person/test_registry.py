"""The registry: what is held, who was forgotten, and who is one person."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve

from ethos_memory.entry import Add
from ethos_memory.errors import CorruptFileError, InvalidScopeError, UnsupportedError
from ethos_memory.identity_map import IdentityMap
from ethos_memory.memory import Memory
from ethos_memory.person import HOLDERS, Holding, Registry
from ethos_memory.person.accounts import AccountHolder
from ethos_memory.person.pages import PageHolder
from ethos_memory.providers.guarded import GuardedProvider, UnsafeNoGuard
from ethos_memory.providers.transient import TransientProvider
from unit.person.homes import contents, open_home, settle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.identity_map import AccountMap, KnownAccount


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_home(tmp_path / "home") as opened:
        yield opened


def audit(home: Path) -> list[dict[str, Any]]:
    """Return the lines of a home's audit journal."""
    path = home / "users/identity-audit.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


class PlainMap:
    """A host's own map: what the protocol asks for, and nothing more."""

    def __init__(self, inner: IdentityMap) -> None:
        self._inner = inner
        for name in ("resolve", "find", "accounts", "link", "unlink", "merge"):
            setattr(self, name, getattr(inner, name))

    def forget(self, user_id: str) -> int:
        return self._inner.forget(user_id)

    def merged_ids(self, user_id: str) -> tuple[str, ...]:
        return self._inner.merged_ids(user_id)


class FivePages:
    """A host's own provider, that has the five calls and cannot erase."""

    def __init__(self) -> None:
        inner = TransientProvider()
        for name in ("prefetch", "read", "search", "sync", "list"):
            setattr(self, name, getattr(inner, name))


def registry(
    provider: object, identity_map: object, *, home: Path | None = None
) -> Registry:
    guarded = GuardedProvider(provider, UnsafeNoGuard())  # type: ignore[arg-type]
    return Registry.of(guarded, identity_map, home=home)  # type: ignore[arg-type]


def test_forgetting_takes_everything_and_says_what(
    memory: Memory, tmp_path: Path
) -> None:
    """Under every id, from every holder."""
    ana = settle(memory, "ana")
    report = memory.forget(ana.user_id)
    assert report
    assert not report.remains
    assert not report.is_dry_run
    assert report.held.user_ids == (ana.user_id, ana.old_id)
    assert set(report.gone) == set(report.held.holdings)
    told = {(one.holder, one.user_id, one.name, one.count) for one in report.gone}
    assert told == {
        ("pages", ana.user_id, "USER.md", 1),
        ("pages", ana.user_id, "memory-history.jsonl", 1),
        ("pages", ana.old_id, "USER.md", 1),
        ("pages", ana.old_id, "memory-history.jsonl", 1),
        ("conversations", ana.user_id, "conversation", 1),
        ("accounts", ana.user_id, "slack", 1),
        ("accounts", ana.user_id, "telegram", 1),
        ("accounts", ana.old_id, "merged id", 1),
    }
    assert not (tmp_path / "home/users" / ana.user_id).exists()


def test_forgetting_again_finds_nothing_and_writes_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    """The second report is empty, and no journal grows."""
    ana = settle(memory, "ana")
    memory.forget(ana.user_id)
    before = contents(tmp_path / "home")
    report = memory.forget(ana.user_id)
    assert not report
    assert not report.held
    assert report.gone == report.remains == report.held.leftovers == ()
    assert contents(tmp_path / "home") == before


def test_an_unknown_person_is_an_empty_report(memory: Memory, tmp_path: Path) -> None:
    """And not even a home is made."""
    report = memory.forget("nobody")
    assert not report
    assert report.held.user_ids == ("nobody",)
    assert not (tmp_path / "home").exists()


def test_nobody_else_is_touched(memory: Memory, tmp_path: Path) -> None:
    """Every byte of the others stays, but for the map's file."""
    ana, bo = settle(memory, "ana"), settle(memory, "bo")
    memory.provider.sync("personality:ops", [Add("MEMORY.md", "- boiler")])
    before = contents(tmp_path / "home")
    memory.forget(ana.user_id)
    after = contents(tmp_path / "home")
    shared = {name for name in before if "identity-" in name or "sessions.db" in name}
    hers = {name for name in before if ana.user_id in name or ana.old_id in name}
    assert before.keys() - after.keys() == hers
    for name in before.keys() - shared - hers:
        assert after[name] == before[name]
    kept = memory.provider.unsafe_read(f"user:{bo.user_id}", "USER.md")
    assert kept is not None
    assert "bo now" in kept.content
    assert memory.identity_map.resolve("slack", "sl-bo") == bo.user_id
    (session,) = memory.sessions.for_owner(f"user:{bo.user_id}").list().items
    assert session.title == "bo"


def test_a_dry_run_tells_the_same_and_does_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    """Not a byte of the home changes."""
    ana = settle(memory, "ana")
    before = contents(tmp_path / "home")
    dry = memory.forget(ana.user_id, dry_run=True)
    assert dry.is_dry_run
    assert not dry
    assert dry.held
    assert contents(tmp_path / "home") == before
    assert memory.forget(ana.user_id).held == dry.held


def test_the_journal_tells_verbs_platforms_and_ids(
    memory: Memory, tmp_path: Path
) -> None:
    """A line before pages go, and one before the accounts go."""
    ana = settle(memory, "ana")
    memory.export(ana.user_id, tmp_path / "out")
    memory.forget(ana.user_id)
    lines = audit(tmp_path / "home")
    assert [line["verb"] for line in lines] == ["merge", "export", "erase", "forget"]
    for line in lines[1:]:
        assert line.keys() == {"at", "verb", "platforms", "userIds"}
        assert line["platforms"] == ["slack", "telegram"]
        assert line["userIds"] == [ana.user_id, ana.old_id]
    assert "ana" not in (tmp_path / "home/users/identity-audit.jsonl").read_text()


def test_a_person_without_accounts_leaves_a_line_too(
    memory: Memory, tmp_path: Path
) -> None:
    """A web host's users are in no map."""
    memory.provider.sync("user:web-7", [Add("USER.md", "- tea")])
    assert memory.forget("web-7")
    (line,) = audit(tmp_path / "home")
    assert (line["verb"], line["platforms"]) == ("erase", [])
    assert line["userIds"] == ["web-7"]


def test_an_old_id_is_not_the_whole_person_and_that_is_said(memory: Memory) -> None:
    """Its own pages go; whoever it was merged into stays, with all accounts."""
    ana = settle(memory, "ana")
    report = memory.forget(ana.old_id)
    assert {one.user_id for one in report.gone} == {ana.old_id}
    assert any(ana.user_id in words for words in report.held.stays)
    assert memory.identity_map.resolve("slack", "sl-ana") == ana.user_id
    assert not any(ana.old_id in words for words in memory.forget("x").held.stays)


def test_what_stays_is_said(memory: Memory) -> None:
    """A room's conversation is the room's."""
    ana = settle(memory, "ana")
    room = memory.sessions.for_owner("telegram:-100")
    session = room.create("room")
    room.append(session.id, "user", "hello from ana")
    stays = " ".join(memory.forget(ana.user_id).held.stays)
    assert "room" in stays
    assert "audit journal" in stays
    assert room.get(session.id).message_count == 1


def test_files_of_other_kinds_are_left_and_named(
    memory: Memory, tmp_path: Path
) -> None:
    """A picture that somebody put there is not ours to destroy."""
    ana = settle(memory, "ana")
    folder = tmp_path / "home/users" / ana.user_id
    (folder / "face.png").write_bytes(b"png")
    (folder / "attachments").mkdir()
    report = memory.forget(ana.user_id)
    assert {one.name for one in report.held.leftovers} == {"attachments", "face.png"}
    assert sorted(path.name for path in folder.iterdir()) == ["attachments", "face.png"]
    assert not report.remains


class Cut(BaseException):
    """The process ends here."""


class Interrupted:
    """A holder that never comes to an end."""

    name = "interrupted"
    stays = "nothing"

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        return ()

    leftovers = holdings

    def export(self, user_ids: tuple[str, ...], into: object) -> None:
        raise Cut

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        raise Cut


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_forget_that_was_cut_short_is_finished_by_the_next(
    memory: Memory, tmp_path: Path, at: int
) -> None:
    """Whichever holder it came to: the ids are found until the map goes."""
    ana = settle(memory, "ana")
    whole = memory._people()
    holders = list(whole._holders)
    holders.insert(at, Interrupted())
    cut = Registry(
        tuple(holders), provider=memory.provider, identity_map=memory.identity_map
    )
    with pytest.raises(Cut):
        cut.forget(ana.user_id)
    report = memory.forget(ana.user_id)
    assert report.held.user_ids == (ana.user_id, ana.old_id)
    assert not memory.forget(ana.user_id).held
    assert "forget" in [line["verb"] for line in audit(tmp_path / "home")]


class Late:
    """A turn that was under way, and writes after it was erased."""

    name = "late"
    stays = "nothing"

    def __init__(self, memory: Memory, times: int) -> None:
        self._memory = memory
        self._times = times

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        return ()

    leftovers = holdings

    def export(self, user_ids: tuple[str, ...], into: object) -> None: ...

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        if self._times:
            self._times -= 1
            scope = f"user:{user_ids[0]}"
            self._memory.provider.sync(scope, [Add("USER.md", "- late")])
        return ()


@pytest.mark.parametrize(("times", "remains"), [(1, ()), (2, ("USER.md",))])
def test_what_is_written_meanwhile_is_erased_once_more_or_told(
    memory: Memory, times: int, remains: tuple[str, ...]
) -> None:
    """One turn may be under way; that something keeps writing must be known."""
    ana = settle(memory, "ana")
    whole = memory._people()
    late = Registry(
        (*whole._holders, Late(memory, times)),
        provider=memory.provider,
        identity_map=memory.identity_map,
    )
    report = late.forget(ana.user_id)
    names = [one.name for one in report.remains if "history" not in one.name]
    assert tuple(names) == remains


def test_a_map_that_cannot_be_read_forgets_nobody(
    memory: Memory, tmp_path: Path
) -> None:
    """Which ids are the person's cannot be known."""
    ana = settle(memory, "ana")
    path = tmp_path / "home/users/identity-map.json"
    path.write_bytes(path.read_bytes()[:-20])
    before = contents(tmp_path / "home")
    for call in (
        lambda: memory.forget(ana.user_id),
        lambda: memory.export(ana.user_id, tmp_path / "out"),
        lambda: memory.merge("x", ana.user_id),
    ):
        with pytest.raises(CorruptFileError):
            call()
    assert contents(tmp_path / "home") == before


@pytest.mark.parametrize("bad", ["", "../x", "user:x", "a b", "con"])
def test_a_bad_id_is_refused_before_anything(memory: Memory, bad: str) -> None:
    """A folder's name would be made of it."""
    for call in (
        lambda: memory.forget(bad),
        lambda: memory.export(bad, "/nowhere/out"),
        lambda: memory.merge(bad, "x"),
        lambda: memory.merge("x", bad),
    ):
        with pytest.raises(InvalidScopeError):
            call()


def test_merging_moves_accounts_and_no_text(memory: Memory, tmp_path: Path) -> None:
    """Both profiles are told, without a word of them."""
    people = memory.identity_map
    keep, drop = people.resolve("telegram", 1), people.resolve("slack", "U1")
    memory.provider.sync(f"user:{keep}", [Add("USER.md", "- tea")])
    memory.provider.sync(f"user:{drop}", [Add("USER.md", "- bees"), Add("A.md", "a")])
    before = contents(tmp_path / "home/users" / drop)
    report = memory.merge(keep, drop)
    assert (report.keep, report.drop, report.is_dry_run) == (keep, drop, False)
    assert [one.platform for one in report.accounts] == ["slack"]
    assert [(page.key, page.size) for page in report.kept_pages] == [("USER.md", 6)]
    dropped = [(page.key, page.size) for page in report.dropped_pages]
    assert dropped == [("A.md", 2), ("USER.md", 7)]
    entry = memory.provider.unsafe_read(f"user:{drop}", "USER.md")
    assert entry is not None
    assert report.dropped_pages[1].revision == entry.revision
    assert "bees" not in repr(report)
    assert "U1" not in repr(report)
    assert contents(tmp_path / "home/users" / drop) == before
    assert people.resolve("slack", "U1") == keep


def test_a_merge_is_undone_by_linking_what_it_reported(memory: Memory) -> None:
    """And then the two are two again, for `forget` as well."""
    people = memory.identity_map
    keep, drop = people.resolve("telegram", 1), people.resolve("slack", "U1")
    report = memory.merge(keep, drop)
    for account in report.accounts:
        people.link(account.platform, account.account_id, report.drop)
    assert people.resolve("slack", "U1") == drop
    assert memory.forget(keep).held.user_ids == (keep,)
    assert people.resolve("slack", "U1") == drop


def test_a_dry_merge_tells_what_would_move(memory: Memory, tmp_path: Path) -> None:
    """And moves nothing."""
    people = memory.identity_map
    keep, drop = people.resolve("telegram", 1), people.resolve("slack", "U1")
    memory.provider.sync(f"user:{drop}", [Add("USER.md", "- bees")])
    before = contents(tmp_path / "home")
    dry = memory.merge(keep, drop, dry_run=True)
    assert contents(tmp_path / "home") == before
    assert evolve(dry, is_dry_run=False) == memory.merge(keep, drop)


def test_an_id_is_not_merged_into_itself(memory: Memory) -> None:
    """It would be a record of nothing."""
    with pytest.raises(ValueError, match="itself"):
        memory.merge("a", "a")


def test_a_page_that_cannot_be_read_is_told_without_a_revision(
    memory: Memory, tmp_path: Path
) -> None:
    """Merging moves no text, so it need not fail over one."""
    keep = memory.identity_map.resolve("telegram", 1)
    folder = tmp_path / "home/users" / keep
    folder.mkdir()
    (folder / "USER.md").write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    (page,) = memory.merge(keep, "other").kept_pages
    assert (page.size, page.revision) == (2 * 1024 * 1024 + 1, None)


def test_a_page_that_goes_while_it_is_told_has_no_revision(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was listed a moment ago."""
    memory.provider.sync("user:a", [Add("USER.md", "- tea")])
    monkeypatch.setattr(memory.provider, "unsafe_read", lambda *_: None)
    (page,) = memory.merge("a", "b", dry_run=True).kept_pages
    assert page.revision is None


def test_a_provider_that_cannot_erase_forgets_nobody(tmp_path: Path) -> None:
    """The accounts stay too: what cannot be done whole is not done half."""
    people = IdentityMap(tmp_path / "home", durability="fast")
    user_id = people.resolve("telegram", 1)
    provider = FivePages()
    provider.sync(f"user:{user_id}", [Add("USER.md", "- tea")])  # type: ignore[attr-defined]
    with pytest.raises(UnsupportedError):
        registry(provider, people).forget(user_id)
    assert people.resolve("telegram", 1) == user_id


def test_a_hosts_own_map_needs_the_protocol_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a journal of its own, the log is told."""
    people = IdentityMap(tmp_path / "home", durability="fast")
    provider = TransientProvider()
    user_id, other = people.resolve("telegram", 1), people.resolve("telegram", 2)
    provider.sync(f"user:{user_id}", [Add("USER.md", "- tea")])
    of = registry(provider, PlainMap(people))
    assert [one.account_id for one in of.merge("k", other, dry_run=True).accounts] == [
        "2"
    ]
    with caplog.at_level(logging.INFO, "ethos_memory"):
        report = of.forget(user_id)
    assert f"erase: {user_id}" in caplog.messages
    assert {one.holder for one in report.gone} == {"pages", "accounts"}
    assert people.find("telegram", 1) is None
    assert people.find("telegram", 2) is not None


def test_memory_without_a_home_has_people_too() -> None:
    """Its parts may all be a host's own."""

    class NoMap:
        def merged_ids(self, user_id: str) -> tuple[str, ...]:
            return ()

        def accounts(self) -> tuple[KnownAccount, ...]:
            return ()

        def forget(self, user_id: str) -> int:
            return 0

    provider = TransientProvider()
    provider.sync("user:a", [Add("USER.md", "- tea")])
    identity_map: AccountMap = NoMap()  # type: ignore[assignment]
    memory = Memory(
        GuardedProvider(provider, UnsafeNoGuard()),
        identity_map,
        audience=None,  # type: ignore[arg-type]
        config=None,  # type: ignore[arg-type]
    )
    assert [one.name for one in memory.forget("a").gone] == [
        "USER.md",
        "memory-history.jsonl",
    ]


def test_every_kind_of_holder_is_registered(memory: Memory) -> None:
    """In the order in which they erase, the map last."""
    holders = memory._people()._holders
    assert tuple(type(one) for one in holders) == HOLDERS
    assert isinstance(holders[0], PageHolder)
    assert isinstance(holders[-1], AccountHolder)
