"""A personality may keep its memory in a database, in a home of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory import Account, Add, Memory, Turn
from ethos_memory.errors import NotWrittenError

if TYPE_CHECKING:
    from pathlib import Path

    from postgres.server import Server

OWN = "memory.provider: postgres\nmemory.options.dsn: "


def configure(home: Path, id: str, dsn: str) -> None:
    """Give a personality a database."""
    folder = home / "personalities" / id
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(f"{OWN}{dsn}\n", "utf-8")


def test_two_personalities_share_one_database(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its connections; the person and the map stay in the home's files."""
    postgres.execute("drop schema if exists ethos_memory cascade")
    monkeypatch.setenv("ETHOS_DSN", postgres.dsn)
    opened = []
    with Memory.open(tmp_path) as memory:
        for id in ("ops", "chef"):
            configure(tmp_path, id, "${ETHOS_DSN}")
            turn = Turn(id, "direct", account=Account("telegram", 1))
            memory.remember(turn, Add("MEMORY.md", f"- of {id}"))
            memory.remember(turn, Add("USER.md", "- tea"))
            assert f"of {id}" in memory.recall(turn).block
            opened.append(memory.provider._inner._of(f"personality:{id}"))  # type: ignore[attr-defined]
        assert opened[0] is opened[1]
        user_id = memory.identity_map.resolve("telegram", 1)
    assert (tmp_path / "users" / user_id / "USER.md").exists()
    assert not list((tmp_path / "personalities").rglob("*.md"))
    with pytest.raises(ValueError, match="closed"):
        opened[0].read("personality:ops", "MEMORY.md")


def test_a_server_that_is_not_there_costs_its_personality_alone(tmp_path: Path) -> None:
    """The recall notes it; nothing is written elsewhere, no password is told."""
    configure(tmp_path, "ops", f"host={tmp_path} password=SECRET")
    turn = Turn("ops", "direct", account=Account("telegram", 1))
    with Memory.open(tmp_path) as memory:
        memory.remember(turn, Add("USER.md", "- tea"))
        recall = memory.recall(turn)
        assert "tea" in recall.block
        [error] = recall.errors
        assert isinstance(error, NotWrittenError)
        assert "SECRET" not in repr(error)
        with pytest.raises(NotWrittenError) as caught:
            memory.remember(turn, Add("MEMORY.md", "x"))
        assert "SECRET" not in repr(caught.value)
        assert caught.value.__context__ is None
        memory.remember(Turn("chef", "cli"), Add("MEMORY.md", "x"))
    assert not (tmp_path / "personalities/ops/MEMORY.md").exists()
