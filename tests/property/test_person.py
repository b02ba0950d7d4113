"""Laws of people: whoever lived how, one is forgotten whole and nobody else is touched."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.entry import Add, Delete, Replace, Update
from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.person import ExportReport

ACCOUNTS = [("telegram", "1"), ("telegram", "2"), ("slack", "1"), ("matrix", "@a:b")]

#: What is done, by which account, and to which page or other account.
Life: TypeAlias = list[tuple[str, tuple[str, str], str | tuple[str, str]]]

accounts = st.sampled_from(ACCOUNTS)
keys = st.sampled_from(["USER.md", "notes.md"])

#: Steps of a life: what is done, and by which accounts.
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), accounts, keys),
        st.tuples(st.just("replace"), accounts, keys),
        st.tuples(st.just("delete"), accounts, keys),
        st.tuples(st.just("say"), accounts, keys),
        st.tuples(st.just("merge"), accounts, accounts),
        st.tuples(st.just("link"), accounts, accounts),
        st.tuples(st.just("unlink"), accounts, accounts),
    ),
    max_size=10,
)


def live(memory: Memory, life: Life) -> set[str]:
    """Do every step; return all user ids that there ever were."""
    people = memory.identity_map
    seen = {people.resolve(*one) for one in ACCOUNTS}
    for verb, account, other in life:
        user_id = people.resolve(*account)
        if isinstance(other, str):
            act(memory, verb, user_id, other)
            continue
        target = people.resolve(*other)
        if verb == "merge" and user_id != target:
            memory.merge(target, user_id)
        elif verb == "link":
            people.link(*account, target)
        elif verb == "unlink":
            seen.add(people.unlink(*account))
    return seen


def act(memory: Memory, verb: str, user_id: str, key: str) -> None:
    scope = f"user:{user_id}"
    if verb == "say":
        sessions = memory.sessions.for_owner(scope)
        sessions.append(sessions.create("dm").id, "user", f"said by {user_id}")
        return
    text = f"- written for {user_id}"
    updates: dict[str, Update] = {
        "write": Add(key, text),
        "replace": Replace(key, f"{text} anew"),
        "delete": Delete(key),
    }
    memory.provider.sync(scope, [updates[verb]])


def known(memory: Memory, user_id: str) -> object:
    """Return everything that can be seen of an id, but for its accounts."""
    scope = f"user:{user_id}"
    pages = [
        memory.provider.unsafe_read(scope, ref.key)
        for ref in memory.provider.list(scope)
    ]
    return (
        pages,
        memory.provider.history(scope),
        list(memory.sessions.export_owner(scope)),
    )


def covered(memory: Memory, user_id: str) -> set[str]:
    """Return the ids that forgetting an id would cover."""
    return set(memory.forget(user_id, dry_run=True).held.user_ids)


def whose(memory: Memory) -> dict[tuple[str, str], str]:
    return {
        (one.account.platform, one.account.account_id): one.user_id
        for one in memory.identity_map.accounts()
    }


def in_a_home(check: Callable[[Memory, Path], None]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "home", durability="fast") as memory,
    ):
        check(memory, Path(folder))


@given(life=steps, account=accounts)
@settings(max_examples=25, deadline=None)
def test_one_is_forgotten_whole_and_nobody_else(
    life: Life,
    account: tuple[str, str],
) -> None:
    """Whatever was merged, linked and unlinked before."""

    def check(memory: Memory, _: Path) -> None:
        seen = live(memory, life)
        user_id = memory.identity_map.resolve(*account)
        owners = whose(memory)
        before = {one: known(memory, one) for one in seen}
        dry = memory.forget(user_id, dry_run=True)
        report = memory.forget(user_id)
        ids = set(report.held.user_ids)
        assert report.held == dry.held
        assert set(report.gone) == set(report.held.holdings)
        assert whose(memory) == {
            one: owner for one, owner in owners.items() if owner not in ids
        }
        for one in seen:
            wanted = ([], (), []) if one in ids else before[one]
            assert known(memory, one) == wanted
        assert not memory.forget(user_id)

    in_a_home(check)


@given(life=steps, account=accounts)
@settings(max_examples=15, deadline=None)
def test_an_export_holds_what_a_forget_would_take(
    life: Life,
    account: tuple[str, str],
) -> None:
    """File by file; and not a word of anybody else."""

    def check(memory: Memory, folder: Path) -> None:
        seen = live(memory, life)
        user_id = memory.identity_map.resolve(*account)
        report: ExportReport = memory.export(user_id, folder / "out")
        texts = b"".join(
            (folder / "out" / file.path).read_bytes() for file in report.files
        )
        for one in seen - set(report.held.user_ids):
            assert f"for {one}".encode() not in texts
            assert f"by {one}".encode() not in texts
        pages = {
            tuple(file.source.removeprefix("user:").split(" "))
            for file in report.files
            if "/pages/" in file.path
        }
        gone = memory.forget(user_id).gone
        assert pages == {
            (one.user_id, one.name) for one in gone if one.holder == "pages"
        }

    in_a_home(check)


@given(life=steps, keep=accounts, drop=accounts)
@settings(max_examples=15, deadline=None)
def test_a_merge_is_undone_by_link(
    life: Life,
    keep: tuple[str, str],
    drop: tuple[str, str],
) -> None:
    """Of the accounts that its report names, to the id that it names."""

    def check(memory: Memory, _: Path) -> None:
        seen = live(memory, life)
        people = memory.identity_map
        kept, dropped = people.resolve(*keep), people.resolve(*drop)
        if kept == dropped:
            return
        owners = whose(memory)
        texts = {one: known(memory, one) for one in seen}
        ids = {one: covered(memory, one) for one in seen}
        report = memory.merge(kept, dropped)
        assert dropped not in whose(memory).values()
        for account in report.accounts:
            people.link(account.platform, account.account_id, report.drop)
        assert whose(memory) == owners
        assert {one: known(memory, one) for one in seen} == texts
        assert {one: covered(memory, one) for one in seen} == ids

    in_a_home(check)
