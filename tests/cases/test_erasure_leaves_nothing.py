"""Erasure (Ethos's W-32): after `forget`, no byte of the person is left below the home.

One person does everything that can leave a trace. A part of the library that keeps
text about people and has no holder in `ethos_memory.person` fails here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import pytest
from attrs import frozen

from ethos_memory.entry import Add, Delete, Origin, Remove, Replace
from ethos_memory.memory import Memory
from ethos_memory.providers.vault import VaultProvider
from ethos_memory.testing import HashEmbedder
from ethos_memory.turn import Account, Turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ethos_memory.identity_map import AccountMap
    from ethos_memory.provider import MemoryProvider

#: In every text about the person. Nothing else on earth holds it.
MARK: Final = "zq7xmarkerword"

TELEGRAM: Final = Account("telegram", "7001002003", display_label=f"Ms {MARK}")
SLACK: Final = Account("slack", "U0ZQ7XACCOUNT")
MATRIX: Final = Account("matrix", "@zq7x:example.org")

AUDIT: Final = "home/users/identity-audit.jsonl"

#: What `Memory` can do, and the test has the person do. A new verb belongs here as soon
#: as it is driven below.
DRIVEN: Final = frozenset(
    {
        "close",
        "export",
        "forget",
        "learner",
        "merge",
        "note",
        "observe",
        "open",
        "recall",
        "remember",
        "sessions",
        "synthesize",
        "teams",
        "view",
    }
)


@frozen
class Place:
    """Where a home is, and what keeps its pages.

    Attributes:
        base: Everything is below it; what is left there is scanned.
        users: The folder of people's pages; `None` when they are not in files.
        provider: Makes what keeps them; `None` is what a new home has.
    """

    base: Path
    users: Path | None
    provider: Callable[[], MemoryProvider] | None = None

    @property
    def home(self) -> Path:
        return self.base / "home"

    def open(self) -> Memory:
        provider = None if self.provider is None else self.provider()
        return Memory.open(self.home, provider=provider, durability="fast")


def markdown(base: Path) -> Place:
    return Place(base, base / "home/users")


def vault(base: Path) -> Place:
    (base / "vault").mkdir()
    return Place(
        base,
        base / "vault/Ethos/users",
        lambda: VaultProvider(base / "vault", search_vault=True, durability="fast"),
    )


def vector(base: Path) -> Place:
    pytest.importorskip("numpy")
    from ethos_memory.providers.vector import VectorProvider

    return Place(
        base,
        base / "home/users",
        lambda: VectorProvider(base / "home", HashEmbedder(), durability="fast"),
    )


@frozen
class Lived:
    """Who lived through everything.

    Attributes:
        user_id: Their id.
        user_ids: Every id they ever had.
    """

    user_id: str
    user_ids: tuple[str, ...]


def live_through_everything(memory: Memory, place: Place) -> Lived:
    """Let one person do everything that may leave a trace."""
    user_id, old_ids = appear_on_three_platforms(memory)
    turn = Turn("ops", "direct", account=TELEGRAM, session_id="s1")
    memory.remember(turn, Add("USER.md", f"- {MARK} likes tea"))
    learn(memory, turn)
    for id in (user_id, *old_ids):
        write_every_page(memory, f"user:{id}")
        if place.users is not None:
            leave_files_behind(place.users / id)
    # More than a page holds: the rest goes to the archive.
    overflowing = Replace("IDENTITY.md", f"- {MARK} {'tea ' * 250}\n" * 620)
    memory.provider.sync(f"user:{user_id}", [overflowing])
    converse(memory, f"user:{user_id}")
    converse(memory, f"user:{old_ids[0]}")
    memory.view(turn)
    memory.recall(turn, MARK)
    assert memory.provider.search(f"user:{user_id}", MARK)
    if place.users is not None:
        torn = place.home / "users/.ethos-memory-0123456789abcdef.tmp"
        torn.write_text(f"[{MARK}")
    return Lived(user_id, (user_id, *old_ids))


def appear_on_three_platforms(memory: Memory) -> tuple[str, tuple[str, ...]]:
    """Mint three ids; the second is merged into the third, and that into the first."""
    people = memory.identity_map
    first, second, third = (
        people.resolve(
            one.platform, one.account_id, display_label=one.display_label or MARK
        )
        for one in (TELEGRAM, SLACK, MATRIX)
    )
    memory.merge(third, second)
    memory.merge(first, third)
    people.link(MATRIX.platform, MATRIX.account_id, first)
    return first, (second, third)


def learn(memory: Any, turn: Turn) -> None:
    """Observe and synthesize, once the library can."""
    if hasattr(memory, "observe"):
        memory.observe(turn, f"Please always answer in {MARK}, I prefer that.")
        memory.note(turn, f"- User prefers {MARK}")
        memory.synthesize(
            f"user:{memory.identity_map.resolve('telegram', '7001002003')}"
        )


def write_every_page(memory: Memory, scope: str) -> None:
    """Short, long, changed, removed, deleted, restored, and too large for a page."""
    sync, origin = memory.provider.sync, Origin("tool", "s1", platform="telegram")
    for key in ("USER.md", "IDENTITY.md", "OBSERVATIONS.md", "notes.md", "MEMORY.md"):
        sync(scope, [Add(key, f"- {MARK} short")], origin=origin)
        sync(scope, [Add(key, f"- {MARK} long\n" * 200)], origin=origin)
        sync(scope, [Remove(key, "short")], origin=origin)
    revision = memory.provider.history(scope, "notes.md")[-1].revision
    sync(scope, [Delete("notes.md")], origin=origin)
    memory.provider.restore(scope, "notes.md", revision)


def leave_files_behind(folder: Path) -> None:
    """What Ethos, sync services, editors and killed processes leave beside a page."""
    for name in (
        "memory-history-2025-01.jsonl",
        "memory-history.jsonl.rotating",
        "memory-meta.json",
        "memory-pending.jsonl",
        "memory-tombstones.jsonl",
        "USER.sync-conflict-20260101-101010-ABCDEFG.md",
        "USER (1).md",
        "USER.md~",
        "user.md",
        "Nota 3.md",
        ".ethos-memory-0123456789abcdef.tmp",
    ):
        (folder / name).write_text(f'{{"key": "{MARK}"}}\n')


def converse(memory: Memory, owner: str) -> None:
    """Say, call tools, fork, rename, take back and search."""
    sessions = memory.sessions.for_owner(owner)
    session = sessions.create(
        f"dm:{MARK}", title=f"about {MARK}", metadata={"who": MARK}, working_dir=MARK
    )
    for text in ("hello", "again", "taken back"):
        sessions.append(session.id, "user", f"{text} {MARK} {text}words")
    sessions.append(
        session.id,
        "assistant",
        MARK,
        tool_calls=[{"id": "1", "name": MARK}],
        content_blocks=[{"text": MARK}],
        trace_id=MARK,
    )
    sessions.undo(session.id)
    fork = sessions.fork(session.id)
    sessions.update(fork.id, title=f"fork {MARK}")
    assert sessions.search(MARK)


def traces(base: Path, *wanted: str) -> list[str]:
    """Return where a text occurs below a folder: in names, and in bytes."""
    found = []
    for path in sorted(base.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        place = str(path.relative_to(base))
        found += [
            f"{text} in {place}"
            for text in wanted
            if text.encode() in data or text in place
        ]
    return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return where a home will be."""
    return markdown(tmp_path)


@pytest.mark.parametrize("kind", [markdown, vault, vector])
def test_no_byte_is_left_of_who_was_forgotten(
    kind: Callable[[Path], Place], tmp_path: Path
) -> None:
    """Neither text nor ids, but user ids in the journal; with each provider of files."""
    place = kind(tmp_path)
    with place.open() as memory:
        lived = live_through_everything(memory, place)
        secrets = (MARK, TELEGRAM.account_id, SLACK.account_id, MATRIX.account_id)
        assert len(traces(place.base, *secrets)) > 40
        report = memory.forget(lived.user_id)
        assert set(report.held.user_ids) == set(lived.user_ids)
        assert not report.remains
        assert traces(place.base, *secrets) == []
        assert traces(place.base, *lived.user_ids) == [
            f"{id} in {AUDIT}" for id in lived.user_ids
        ]
        assert not memory.provider.search(f"user:{lived.user_id}", MARK)
        assert not memory.sessions.unsafe_everyone().search(MARK)
        assert not memory.forget(lived.user_id)
    assert traces(place.base, *secrets) == []


def test_the_person_begins_anew(place: Place) -> None:
    """The same account is given a fresh id, and an empty profile."""
    with place.open() as memory:
        lived = live_through_everything(memory, place)
        memory.forget(lived.user_id)
        turn = Turn("ops", "direct", account=TELEGRAM)
        assert MARK not in memory.recall(turn, MARK).block
        fresh = memory.identity_map.resolve(TELEGRAM.platform, TELEGRAM.account_id)
        assert fresh not in lived.user_ids
        assert memory.provider.list(f"user:{fresh}") == ()


def test_another_object_that_has_the_home_open_forgets_too(place: Place) -> None:
    """Nothing that it remembers of pages and accounts is served or written back."""
    with (
        place.open() as memory,
        place.open() as other,
    ):
        lived = live_through_everything(memory, place)
        scope = f"user:{lived.user_id}"
        assert other.provider.read(scope, "USER.md")
        assert other.provider.search(scope, MARK)
        assert other.identity_map.find("telegram", TELEGRAM.account_id)
        memory.forget(lived.user_id)
        assert other.provider.read(scope, "USER.md") is None
        assert other.provider.search(scope, MARK) == ()
        assert other.identity_map.find("telegram", TELEGRAM.account_id) is None
        other.identity_map.resolve("telegram", "somebody else")
        assert traces(place.base, MARK) == []


def test_a_neighbor_keeps_everything(place: Place) -> None:
    """Every file of theirs keeps its bytes and its inode: nothing was rewritten."""
    with place.open() as memory:
        lived = live_through_everything(memory, place)
        people: AccountMap = memory.identity_map
        bo = people.resolve("telegram", "7", display_label="Bo")
        memory.provider.sync(f"user:{bo}", [Add("USER.md", "- Bo likes bees")])
        memory.provider.sync("personality:ops", [Add("MEMORY.md", "- boiler")])
        sessions = memory.sessions.for_owner(f"user:{bo}")
        session = sessions.create("dm", title="bees")
        sessions.append(session.id, "user", "bees and boilers")
        room = memory.sessions.for_owner("telegram:-100")
        room.append(room.create("room").id, "user", "said in a room")
        before = states(place.base, lived)
        memory.forget(lived.user_id)
        assert states(place.base, lived) == before
        assert people.resolve("telegram", "7") == bo
        (known,) = people.accounts()
        assert known.account.display_label == "Bo"
        assert len(sessions.search("boilers")) == 1
        assert len(room.search("said")) == 1


def states(base: Path, lived: Lived) -> dict[str, tuple[int, int, bytes]]:
    """Return inode, time and bytes of all files but the forgotten's and the shared."""
    return {
        str(path): (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
        for path in base.rglob("*")
        if path.is_file()
        and not any(id in str(path) for id in lived.user_ids)
        and not path.name.startswith(("identity-", "memory-sessions.db", ".ethos"))
    }


def test_what_somebody_wrote_of_the_person_elsewhere_stays(place: Place) -> None:
    """A personality's pages are the personality's; the report says so."""
    with place.open() as memory:
        lived = live_through_everything(memory, place)
        memory.provider.sync("personality:ops", [Add("MEMORY.md", f"- met {MARK}")])
        report = memory.forget(lived.user_id)
        assert any("personality" in words for words in report.held.stays)
        assert all("personalities/ops" in trace for trace in traces(place.base, MARK))


def test_every_verb_of_memory_is_driven() -> None:
    """A new one may write about people: have the person do it above, then name it."""
    public = {name for name in vars(Memory) if not name.startswith("_")}
    assert public <= DRIVEN


def test_the_scan_sees_what_it_looks_for(tmp_path: Path) -> None:
    """In a name, in a file, and in bytes that are no text."""
    (tmp_path / f"a{MARK}").mkdir()
    (tmp_path / "b").write_bytes(b"\x00\xff" + MARK.encode() + b"\xff")
    assert len(traces(tmp_path, MARK)) == 2
    assert os.listdir(tmp_path)  # noqa: PTH208 - it is not empty for another reason
