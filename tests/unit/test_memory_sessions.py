"""`Memory.sessions`: where it is kept, and what its mark means for a turn."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.entry import Add
from ethos_memory.errors import (
    CorruptFileError,
    NotPermittedError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.memory import Memory
from ethos_memory.turn import Account, Turn
from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWNER = Account("telegram", 1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that is not there yet."""
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """A memory with one page of a personality, and a conversation."""
    with Memory.open(home) as memory:
        memory.remember(Turn("ops", "cli"), Add("MEMORY.md", "PERS-MEM"))
        yield memory


def begun(memory: Memory, **fields: Any) -> str:
    """Begin a conversation; return its id."""
    return memory.sessions.for_owner("user:u1").create("k", **fields).id


def test_conversations_are_kept_in_the_home(home: Path) -> None:
    """In a file of our own, made when the first one begins and not before."""
    with Memory.open(home) as memory:
        turn = Turn("ops", "cli", session_id="unknown")
        assert memory.recall(turn).errors == ()
        assert memory.sessions.unsafe_everyone().list().items == ()
        assert not home.exists()
        id = begun(memory)
        say(memory.sessions.for_owner("user:u1"), id, "user: hello")
        assert [path.name for path in home.glob("*.db")] == ["memory-sessions.db"]
    with Memory.open(home) as again:
        assert [s.id for s in again.sessions.unsafe_everyone().list("hello").items] == [
            id
        ]


def test_a_home_without_conversations_loads_no_sqlite(home: Path) -> None:
    """Opening, remembering and recalling do without it."""
    code = (
        "import sys\n"
        "from ethos_memory import Add, Memory, Turn\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    memory.remember(Turn('ops', 'cli'), Add('MEMORY.md', 'x'))\n"
        "    print(len(memory.recall(Turn('ops', 'cli')).sources))\n"
        "print('sqlite3' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code, str(home)]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    assert result.stdout.split() == ["1", "False"]


@pytest.mark.parametrize("surface", ["direct", "group", "web", "cli", "phone"])
def test_a_session_that_ran_shared_shows_nothing(memory: Memory, surface: str) -> None:
    """Its own mark counts, although the host does not say it any more."""
    id = begun(memory)
    turn = Turn("ops", surface, account=OWNER, user_id="u1", session_id=id)
    before = memory.recall(turn)
    assert ("PERS-MEM" in before.block) == (surface in {"direct", "web", "cli"})
    memory.sessions.unsafe_everyone().update(id, was_shared=True)
    recall = memory.recall(turn)
    assert (recall.block, recall.view.tools, recall.errors) == ("", "none", ())
    for key in ("USER.md", "MEMORY.md"):
        with pytest.raises(NotPermittedError):
            memory.remember(turn, Add(key, "- x"))


def test_the_mark_of_a_fork_counts_as_well(memory: Memory) -> None:
    """It holds what was said in the room."""
    fork = memory.sessions.unsafe_everyone().fork(begun(memory, was_shared=True))
    assert memory.recall(Turn("ops", "cli", session_id=fork.id)).block == ""


def test_what_the_host_says_is_never_taken_back(memory: Memory) -> None:
    """Or-ed: a session without the mark does not undo the turn's own."""
    turn = Turn("ops", "cli", session_id=begun(memory), was_shared=True)
    assert memory.recall(turn).block == ""


def test_a_session_that_is_not_in_the_store_is_the_hosts_to_judge(
    memory: Memory,
) -> None:
    """Many hosts keep conversations elsewhere."""
    begun(memory, was_shared=True)
    for session_id in ("", "elsewhere", "k", "\ud800"):
        recall = memory.recall(Turn("ops", "cli", session_id=session_id))
        assert "PERS-MEM" in recall.block
        assert recall.errors == ()


def test_a_store_that_cannot_be_read_counts_as_shared(
    memory: Memory, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The turn goes on without memory; the reason stands in `errors` and the log."""
    (home / "memory-sessions.db").write_bytes(b"not SQLite" * 100)
    turn = Turn("ops", "direct", account=OWNER, session_id="s1")
    with caplog.at_level(logging.WARNING, "ethos_memory"):
        recall = memory.recall(turn)
    assert (recall.block, recall.view.tools) == ("", "none")
    assert [type(error) for error in recall.errors] == [CorruptFileError]
    assert "CorruptFileError" in caplog.text
    with pytest.raises(NotPermittedError):
        memory.remember(turn, Add("MEMORY.md", "- x"))
    assert "PERS-MEM" in memory.recall(Turn("ops", "cli")).block


def test_a_damaged_row_counts_as_shared(memory: Memory) -> None:
    """Nobody knows what its mark was."""
    id = begun(memory)
    store: Any = memory.sessions
    damage = "UPDATE sessions SET metadata = 'x{' WHERE id = ?"
    store._database.write(lambda database: database.execute(damage, (id,)))
    recall = memory.recall(Turn("ops", "cli", session_id=id))
    assert (recall.block, recall.view.tools) == ("", "none")
    assert [type(error) for error in recall.errors] == [CorruptFileError]


class Broken:
    """A host's store that is not there."""

    def unsafe_everyone(self) -> Any:
        """Fail, as a database does that others keep busy."""
        raise StoreLockedError("x.db", waited_seconds=5)

    def close(self) -> None:
        """Nothing to close."""


def test_a_shared_turn_stays_shared_when_the_map_cannot_be_read_either(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second failure must not take the first one back."""
    store: Any = Broken()
    with Memory.open(home, sessions=store) as memory:
        memory.remember(Turn("ops", "cli"), Add("MEMORY.md", "PERS-MEM"))
        monkeypatch.setattr(memory.identity_map, "resolve", lambda *_, **__: 1 / 0)
        recall = memory.recall(Turn("ops", "direct", account=OWNER, session_id="s"))
    assert (recall.block, recall.view.tools) == ("", "none")
    assert [type(error) for error in recall.errors] == [StoreLockedError]


def test_another_store_can_be_given(home: Path, tmp_path: Path) -> None:
    """It is asked instead of the home's, and closed with the memory."""
    store = open_store(tmp_path)
    with Memory.open(home, sessions=store) as memory:
        assert memory.sessions is store
        memory.remember(Turn("ops", "cli"), Add("MEMORY.md", "PERS-MEM"))
        id = begun(memory, was_shared=True)
        assert memory.recall(Turn("ops", "cli", session_id=id)).block == ""
    assert not list(home.glob("*.db"))
    with pytest.raises(ValueError, match="closed"):
        store.unsafe_everyone().list()


def test_a_closed_home_opens_no_store(home: Path) -> None:
    """Whether one was opened before or not."""
    for is_used in (False, True):
        memory = Memory.open(home)
        if is_used:
            begun(memory)
        memory.close()
        memory.close()
        with pytest.raises(ValueError, match="closed"):
            memory.sessions.unsafe_everyone().list()


def test_parts_without_a_home_keep_no_conversations(memory: Memory) -> None:
    """Who builds a memory of parts alone brings a store, or does without."""
    bare = Memory(
        memory.provider,
        memory.identity_map,
        audience=memory.audience,
        config=memory.config,
    )
    assert "PERS-MEM" in bare.recall(Turn("ops", "cli", session_id="s")).block
    with pytest.raises(UnsupportedError):
        _ = bare.sessions
    bare.close()
