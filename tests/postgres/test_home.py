"""A home whose config names PostgreSQL keeps everything there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory import Account, Add, Memory, Turn
from ethos_memory.errors import CorruptFileError, NotWrittenError, UnknownScopeError

if TYPE_CHECKING:
    from pathlib import Path

    from postgres.server import Server

ANA = Account("telegram", "1")


@pytest.fixture
def home(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home whose config names the server by a variable."""
    postgres.execute("drop schema if exists ethos_memory cascade")
    monkeypatch.setenv("ETHOS_DSN", postgres.dsn)
    config = "memory: postgres\nmemoryPostgres.dsn: ${ETHOS_DSN}\n"
    (tmp_path / "home").mkdir()
    (tmp_path / "home/config.yaml").write_text(config, "utf-8")
    return tmp_path / "home"


def test_pages_teams_and_accounts_are_in_the_database(home: Path) -> None:
    """Nothing of them is in the home's folder, and another object finds it all."""
    turn = Turn("ops", "direct", account=ANA)
    with Memory.open(home) as memory:
        memory.remember(turn, Add("USER.md", "- Likes tea."))
        memory.remember(turn, Add("MEMORY.md", "- The van is red."))
        memory.teams.sync("team:a", [Add("decisions.md", "- Blue van.")])
        with pytest.raises(UnknownScopeError):
            memory.teams.read("user:ana", "USER.md")
        with pytest.raises(UnknownScopeError):
            memory.provider.read("team:a", "decisions.md")
        user_id = memory.identity_map.resolve("telegram", 1)
        session = memory.sessions.for_owner(f"user:{user_id}").create("k")
    assert [path.name for path in home.iterdir()] == ["config.yaml"]
    with Memory.open(home) as memory:
        block = memory.recall(turn).block
        assert "Likes tea." in block
        assert "The van is red." in block
        assert memory.identity_map.resolve("telegram", 1) == user_id
        assert memory.teams.search("team:a", "van")[0].key == "decisions.md"
        sessions = memory.sessions.for_owner(f"user:{user_id}")
        assert sessions.get(session.id) == session


def test_a_person_is_exported_and_forgotten(home: Path, tmp_path: Path) -> None:
    """Pages, history and accounts: all of it, and then nothing of it."""
    turn = Turn("ops", "direct", account=ANA)
    with Memory.open(home) as memory:
        memory.remember(turn, Add("USER.md", "- Likes tea."))
        memory.remember(turn, Add("USER.md", "- Likes milk."))
        user_id = memory.identity_map.resolve("telegram", 1)
        memory.export(user_id, tmp_path / "export")
        pages = tmp_path / "export" / user_id / "pages"
        assert (pages / "USER.md").read_text("utf-8").endswith("- Likes milk.\n")
        history = (pages / "memory-history.jsonl").read_text("utf-8")
        assert len(history.splitlines()) == 2
        memory.sessions.for_owner(f"user:{user_id}").create("k")
        memory.forget(user_id)
        assert memory.sessions.count_owner(f"user:{user_id}") == 0
        assert memory.identity_map.find("telegram", 1) is None
        assert memory.provider.history(f"user:{user_id}") == ()


def test_without_a_connection_string_nothing_else_is_taken(tmp_path: Path) -> None:
    """The config says what is missing."""
    (tmp_path / "config.yaml").write_text("memory: postgres\n", "utf-8")
    with pytest.raises(CorruptFileError, match=r"memoryPostgres\.dsn"):
        Memory.open(tmp_path)


def test_a_server_that_is_not_there_raises_at_opening(tmp_path: Path) -> None:
    """Without the password that stands in the connection string."""
    config = f"memory: postgres\nmemoryPostgres.dsn: host={tmp_path} password=SECRET\n"
    (tmp_path / "config.yaml").write_text(config, "utf-8")
    with pytest.raises(NotWrittenError) as caught:
        Memory.open(tmp_path)
    assert "SECRET" not in repr(caught.value)
    assert caught.value.__context__ is None
