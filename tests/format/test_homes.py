"""Homes that other releases wrote open as they stand, and stay readable for them."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from ethos_memory import Account, Add, Memory, ScopeId, Turn

HOMES = Path(__file__).parent / "homes"
ROS = Account("telegram", 700100200)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a copy of the home that an Ethos of summer 2026 left."""
    return Path(shutil.copytree(HOMES / "ethos-0.6", tmp_path / "home"))


def hashes(home: Path) -> dict[str, str]:
    """Return the hash of every file below a home."""
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file()
    }


def test_an_ethos_home_needs_no_migration(home: Path) -> None:
    """Owners, accounts, profiles and memory are understood; reading writes nothing."""
    before = hashes(home)
    with Memory.open(home) as memory:
        block = memory.recall(Turn("ops", "direct", account=ROS)).block
        assert "prices with VAT" in block
        assert "quote is due on Friday" in block
        on_matrix = Turn(
            "reviewer", "direct", account=Account("matrix", "@marta:example.org")
        )
        block = memory.recall(on_matrix).block
        assert "prices with VAT" in block
        assert "small pull requests" in block
        guest = memory.recall(Turn("ops", "direct", account=Account("telegram", "42")))
        assert "mornings only" in guest.block
        assert "VAT" not in guest.block
        room = Turn("ops", "group", account=ROS, chat_id=-100556)
        assert "quote is due" in memory.recall(room).block
    assert hashes(home) == before


def test_the_agent_and_the_archive_are_no_pages(home: Path) -> None:
    """`SOUL.md` shares the folder with memory, and is not memory."""
    with Memory.open(home) as memory:
        refs = memory.provider.list("personality:ops")
        assert [ref.key for ref in refs] == ["MEMORY.md", "USER.md"]
        assert memory.provider.search("personality:ops", "dispatcher old line") == ()


def test_the_history_that_ethos_wrote_can_be_read(home: Path) -> None:
    """Its diffs carry few lines; the state before it is found all the same."""
    with Memory.open(home) as memory:
        memory.provider.restore(
            "personality:ops",
            "MEMORY.md",
            hashlib.sha256(b"- The boiler is from 1998.\n").hexdigest(),
        )
        entry = memory.provider.read("personality:ops", "MEMORY.md")
    assert entry is not None
    assert entry.content == "- The boiler is from 1998.\n"


def test_a_write_leaves_everything_else_as_it_is(home: Path) -> None:
    """And every journal line stays one that Ethos accepts."""
    before = hashes(home)
    turn = Turn("ops", "direct", account=ROS)
    with Memory.open(home) as memory:
        memory.remember(turn, Add("MEMORY.md", "- The van is red."))
        memory.remember(turn, Add("USER.md", "- Keeps bees."))
        memory.identity_map.resolve("slack", "U1", display_label="new")
    after = hashes(home)
    changed = {name for name in before if before[name] != after.get(name)}
    ops, ros = "personalities/ops", "users/a1b2c3d4e5f6"
    assert changed == {
        f"{ops}/MEMORY.md",
        f"{ops}/memory-history.jsonl",
        f"{ros}/USER.md",
        "users/identity-map.json",
    }
    assert set(after) - set(before) == {
        f"{ops}/memory-history-2026-09.jsonl",
        f"{ros}/memory-history.jsonl",
        "users/identity-map.json.bak",
    }
    journals = sorted((home / ops).glob("memory-history*.jsonl"))
    lines = [one for file in journals for one in file.read_text("utf-8").splitlines()]
    assert len(lines) == 2
    for line in lines:
        record = json.loads(line)
        assert isinstance(record["ts"], int)
        assert ScopeId.parse(record["scopeId"]) == ScopeId.personality("ops")
        assert record["key"] == "MEMORY.md"
        assert record["source"] == "tool"
    entries = json.loads((home / "users/identity-map.json").read_text("utf-8"))
    fields = {"platform", "platformUserId", "userId", "displayLabel", "firstSeenAt"}
    assert [set(entry) for entry in entries] == [fields] * 4
