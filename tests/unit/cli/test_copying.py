"""`copy --to-postgres`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from postgres.server import Server
    from unit.cli.conftest import Shell


def configure(home: Path, text: str) -> None:
    """Write the home's config."""
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(text, "utf-8")


@pytest.fixture
def full(shell: Shell, postgres: Server) -> Shell:
    """A home with a page, an account and a conversation, and an empty database."""
    postgres.execute("drop schema if exists ethos_memory cascade")
    configure(shell.home, f"memoryPostgres.dsn: {postgres.dsn}\n")
    shell("users", "link", "telegram", "700", "ana")
    shell("write", "user:ana", "USER.md", stdin=b"- tea")
    with Memory.open(shell.home) as memory:
        sessions = memory.sessions.for_owner("user:ana")
        sessions.append(sessions.create("dm").id, "user", "hello")
    return shell


def test_a_copy_is_told_before_it_is_made(full: Shell, postgres: Server) -> None:
    """The same figures, and no table before."""
    dry = full("copy", "--to-postgres", "--dry-run")
    assert dry.code == 0
    assert dry.out == (
        "user:ana  would be copied  1 page, 1 state\n"
        "would copy: 1 account, 0 records of merged ids, 1 conversation with 1 message\n"
    )
    assert dry.err == ""
    assert not postgres.execute(
        "select 1 from pg_namespace where nspname = 'ethos_memory'"
    )
    ran = full("copy", "--to-postgres")
    assert ran.code == 0
    assert ran.out == (
        "user:ana  copied  1 page, 1 state\n"
        "copied: 1 account, 0 records of merged ids, 1 conversation with 1 message\n"
    )
    assert "not forgotten there" in ran.err
    again = full("copy", "--to-postgres", "--dry-run")
    assert again.out.splitlines()[0] == "user:ana  equal  1 page, 1 state"
    assert again.out.splitlines()[-1] == "there already: 1 conversation"
    configure(full.home, f"memory: postgres\nmemoryPostgres.dsn: {postgres.dsn}\n")
    assert full("show", "user:ana", "USER.md", "--raw").out == "- tea\n"


def test_a_copy_is_told_in_json(full: Shell) -> None:
    """Every figure, and no text."""
    ran = full("copy", "--to-postgres", "--json")
    told = ran.json()
    assert told["accounts"] == 1
    assert told["scopes"][0]["scope"] == "user:ana"
    assert "tea" not in ran.out


def test_what_is_not_copied_is_an_answer(full: Shell, postgres: Server) -> None:
    """Each with what it means, and exit code 1."""
    full("copy", "--to-postgres")
    postgres.execute(
        "set search_path = ethos_memory",
        "update states set source = 'other'",
        "update messages set id = 'another'",
    )
    (full.home / "users/ana/USER (1).md").write_text("a copy", "utf-8")
    (full.home / "users/ana/MEMORY.md").write_text(f"ghp_{'a1B2c3D4e5F6' * 3}", "utf-8")
    ran = full("copy", "--to-postgres")
    assert ran.code == 1
    assert "user:ana  differs  2 pages, 2 states  (something else is there)" in ran.out
    assert "user:ana: credentials in 1 text became markers" in ran.err
    assert "user:ana: 1 file left aside" in ran.err
    assert "is another one there; left out" in ran.err
    postgres.execute("update ethos_memory.accounts set user_id = 'bo'")
    ran = full("copy", "--to-postgres")
    assert ran.code == 1
    assert "nothing is copied: 1 conflict with the accounts there" in ran.err


def test_conversations_that_grew_are_told(
    full: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to do."""
    monkeypatch.setattr(
        "ethos_memory.moving.copying.write_sessions",
        lambda database, source: database.snapshot(
            lambda connection: compare_sessions(source, connection)
        ),
    )
    from ethos_memory.sessions.postgres_import import compare_sessions

    ran = full("copy", "--to-postgres")
    assert ran.code == 1
    assert "1 conversation grew meanwhile; copy again" in ran.err


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("memory: markdown\n", "names no database"),
        ("memory: vault\nmemoryVault.path: {home}\n", "vault is not kept in files"),
    ],
)
def test_a_home_that_cannot_be_copied_says_so(
    config: str, told: str, shell: Shell
) -> None:
    """There must be files, and a database."""
    configure(shell.home, config.format(home=shell.home))
    ran = shell("copy", "--to-postgres")
    assert ran.code == 1
    assert told in ran.err


def test_the_database_is_always_named(shell: Shell) -> None:
    """A bare `copy` is a mistake in the command."""
    assert shell("copy").code == 2


def test_who_was_forgotten_on_one_side_is_named(full: Shell, postgres: Server) -> None:
    """With where to forget them, too; and the exit code is 1."""
    full("copy", "--to-postgres")
    full("users", "forget", "ana")
    here = full("copy", "--to-postgres")
    assert here.code == 1
    assert (
        "ana was forgotten here, and is in the database: forget ana there" in here.err
    )
    address = f"memoryPostgres.dsn: {postgres.dsn}\n"
    configure(full.home, f"memory: postgres\n{address}")
    full("users", "forget", "ana")
    configure(full.home, address)
    assert full("copy", "--to-postgres").code == 0
    full("write", "user:ana", "USER.md", stdin=b"- tea")
    there = full("copy", "--to-postgres")
    assert there.code == 1
    assert "ana was forgotten in the database; forget ana here" in there.err
