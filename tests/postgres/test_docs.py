"""The how-to's own statements, on a real server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ethos_memory.entry import Add
from ethos_memory.pg import Database
from ethos_memory.providers.postgres import PostgresProvider

if TYPE_CHECKING:
    import pytest

    from postgres.server import Server

PAGE = Path(__file__).parents[2] / "docs/how-to/use-postgresql.md"


def blocks(language: str) -> list[str]:
    """Return the blocks of the page in a language."""
    text = PAGE.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_parts_work_as_shown(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an empty database."""
    postgres.execute("drop schema if exists ethos_memory cascade")
    monkeypatch.setenv("ETHOS_DSN", postgres.dsn)
    (code,) = blocks("py")
    exec(compile(code, str(PAGE), "exec"), {})


def test_the_least_privilege_is_enough(postgres: Server) -> None:
    """The operator's statements, then the bot, then the ones to tidy up."""
    setup, vacuum, prune = blocks("sql")
    postgres.execute(
        "drop database if exists ethos",
        "drop role if exists ethos_bot",
        "create database ethos encoding 'UTF8' template template0",
        "create role ethos_bot login",
    )
    operator = postgres.dsn.replace("dbname=postgres", "dbname=ethos")
    postgres.execute(*setup.strip().rstrip(";").split(";"), dsn=operator)
    Database(operator).close()
    bot = operator.replace("user=postgres", "user=ethos_bot")
    with PostgresProvider(bot) as provider:
        provider.sync("user:ana", [Add("USER.md", "- Likes tea.")])
        provider.sync("user:ana", [Add("USER.md", "- Likes milk.")])
        postgres.execute(prune.replace("1 year", "0 s"), dsn=operator)
        assert len(provider.history("user:ana")) == 1
        assert provider.erase("user:ana").files == ("USER.md", "memory-history.jsonl")
        postgres.execute(vacuum, dsn=operator)
        assert provider.files("user:ana") == ()
    postgres.execute("drop database ethos", "drop role ethos_bot")
