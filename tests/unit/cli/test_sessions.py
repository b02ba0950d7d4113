"""`sessions list`, `show`, `search` and `export`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.cli import sessions as commands
from ethos_memory.memory import Memory
from session_store import open_store, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.sessions import Sessions, SQLiteSessionStore
    from unit.cli.conftest import Shell


@pytest.fixture
def store(shell: Shell) -> Iterator[SQLiteSessionStore]:
    """The conversations of the home, told by a clock that is turned by hand."""
    shell.home.mkdir()
    with open_store(shell.home) as store:
        yield store


def begun(sessions: Sessions, key: str = "telegram:1", **fields: Any) -> str:
    """Begin a conversation of two turns; return its id."""
    id = sessions.create(key, **fields).id
    say(sessions, id, "user: is the boiler hot?")
    sessions.append(id, "assistant", "", tool_calls=[{"id": "c1", "name": "look"}])
    sessions.append(id, "tool_result", "61 °C", tool_call_id="c1", tool_name="look")
    say(sessions, id, "assistant: yes", "user: thanks")
    return id


def test_conversations_are_listed_with_whose_they_are(
    shell: Shell, store: SQLiteSessionStore
) -> None:
    """The pinned first, then the latest."""
    old = begun(store.for_owner("user:u1"), title="the boiler", pinned=True)
    new = store.for_owner("telegram:-100").create("k2", was_shared=True).id
    ran = shell("sessions", "list")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"{old}  the boiler  pinned",
        "  user:u1  telegram:1  5 messages, last 2026-05-04 10:00 UTC",
        f"{new}  (no title)  shared",
        "  telegram:-100  k2  0 messages, last 2026-05-04 10:00 UTC",
    ]
    assert ran.err == ""


def test_a_list_can_be_narrowed(shell: Shell, store: SQLiteSessionStore) -> None:
    """By what was said, by owner, by number; more is not kept quiet."""
    first = begun(store.for_owner("user:u1"))
    second = store.for_owner("user:u2").create("k2", title="garden").id
    for options, ids in (
        (["boiler"], [first]),
        (["--owner", "user:u2"], [second]),
        (["boiler", "--owner", "user:u2"], []),
        (["--limit", "1"], [second]),
        (["--limit", "0"], []),
    ):
        ran = shell("sessions", "list", *options, "--json")
        assert [session["id"] for session in ran.json()] == ids
        assert ("there are more" in ran.err) == (options == ["--limit", "1"])
    assert "no conversations" in shell("sessions", "list", "xyzzy").err


def test_a_conversation_is_shown_whole(shell: Shell, store: SQLiteSessionStore) -> None:
    """In the order it was said, with who said it."""
    id = begun(store.for_owner("user:u1"), title="the boiler")
    ran = shell("sessions", "show", id)
    assert ran.code == 0
    assert ran.out.splitlines()[2:] == [
        "── user 2026-05-04 10:00 UTC",
        "is the boiler hot?",
        "── assistant 2026-05-04 10:00 UTC  1 tool call",
        "── tool look 2026-05-04 10:00 UTC",
        "61 °C",
        "── assistant 2026-05-04 10:00 UTC",
        "yes",
        "── user 2026-05-04 10:00 UTC",
        "thanks",
    ]
    shown = shell("sessions", "show", id, "--json").json()
    assert shown["session"]["title"] == "the boiler"
    assert [message["role"] for message in shown["messages"]] == [
        "user",
        "assistant",
        "tool_result",
        "assistant",
        "user",
    ]
    assert shown["messages"][1]["tool_calls"] == [{"id": "c1", "name": "look"}]
    assert shown["messages"][0]["at"].endswith("+00:00")


@pytest.mark.parametrize(
    "words", [("show",), ("export",), ("search", "x", "--session")]
)
def test_a_conversation_that_is_not_there_is_an_answer(
    shell: Shell, store: SQLiteSessionStore, words: tuple[str, ...]
) -> None:
    """Exit code 1; another owner's is answered like an unknown one."""
    id = begun(store.for_owner("user:u1"))
    answers = set()
    for options in (["nothing"], [id, "--owner", "user:u2"]):
        ran = shell("sessions", *words, *options)
        assert (ran.code, ran.out) == (1, "")
        answers.add(ran.err.replace(id, "nothing"))
    assert answers == {"ethos-memory: there is no conversation nothing\n"}


def test_what_was_said_is_found(shell: Shell, store: SQLiteSessionStore) -> None:
    """Any text; the best first, within whatever was named."""
    first = begun(store.for_owner("user:u1"))
    second = begun(store.for_owner("user:u2"))
    ran = shell("sessions", "search", "boiler", "--owner", "user:u1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"── {first} 2026-05-04 10:00 UTC  1.00",
        "is the boiler hot?",
    ]
    for options, ids in (
        ([], {first, second}),
        (["--session", second], {second}),
        (["--owner", "user:u3"], set()),
        (["--limit", "0"], set()),
    ):
        found = shell("sessions", "search", "boiler", *options, "--json").json()
        assert {hit["session_id"] for hit in found} == ids
    none = shell("sessions", "search", "AND NOT (")
    assert (none.code, none.out) == (0, "")
    assert "nothing found" in none.err


def exported(shell: Shell, *options: str) -> list[dict[str, Any]]:
    """Run the export; return its lines."""
    ran = shell("sessions", "export", *options)
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    number = "1 conversation" if len(lines) == 1 else f"{len(lines)} conversations"
    assert ran.err.endswith(f"{number} exported\n")
    return lines


def test_each_conversation_is_exported_as_one_line(
    shell: Shell, store: SQLiteSessionStore
) -> None:
    """One, an owner's, or everybody's, with every field."""
    one = begun(store.for_owner("user:u1"), metadata={"a": [1]}, working_dir="/srv")
    two = begun(store.for_owner("user:u2"))
    for options, ids in (
        ([one], [one]),
        ([one, "--owner", "user:u1"], [one]),
        (["--owner", "user:u2"], [two]),
        (["--owner", "user:u3"], []),
        ([], [two, one]),
    ):
        lines = exported(shell, *options)
        assert [line["session"]["id"] for line in lines] == ids
    (line,) = exported(shell, one)
    assert line["session"]["metadata"] == {"a": [1]}
    assert line["session"]["working_dir"] == "/srv"
    assert [message["content"] for message in line["messages"]] == [
        "is the boiler hot?",
        "",
        "61 °C",
        "yes",
        "thanks",
    ]


def test_everybody_is_exported_however_many_there_are(
    shell: Shell, store: SQLiteSessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, each owner once."""
    monkeypatch.setattr(commands, "_OWNERS_AT_ONCE", 2)
    ids = {
        store.for_owner(f"user:u{number % 3}").create(f"k{number}").id
        for number in range(7)
    }
    lines = exported(shell)
    assert len(lines) == 7
    assert {line["session"]["id"] for line in lines} == ids


def test_what_was_said_cannot_act_on_a_terminal(
    shell: Shell, store: SQLiteSessionStore
) -> None:
    """Anybody can say an escape sequence; a pipe gets the bytes, and JSON its own."""
    sessions = store.for_owner("user:u1")
    id = sessions.create("k\x1b[2J", title="t\u202e").id
    text = "a\x1b[2J\x7f\u202eb\r\nc"
    say(sessions, id, f"user: {text}")
    shown: tuple[tuple[str, ...], ...] = (("list",), ("show", id), ("search", "a"))
    for words in shown:
        ran = shell("sessions", *words, is_terminal=True)
        assert "\x1b[2J" not in ran.out
        assert "\u202e" not in ran.out
    assert text in shell("sessions", "show", id).out
    for words in (("export", id, "--json"), ("show", id, "--json")):
        ran = shell("sessions", *words, is_terminal=True)
        assert not {"\x1b", "\x7f", "\u202e"} & set(ran.out)
        assert json.loads(ran.out)["messages"][0]["content"] == text


def damage(store: SQLiteSessionStore, statement: str, id: str) -> None:
    """Change a row behind the store's back."""
    store._database.write(lambda database: database.execute(statement, (id,)))


def test_damaged_rows_are_counted_and_hide_no_others(
    shell: Shell, store: SQLiteSessionStore
) -> None:
    """What is left out is said on standard error."""
    sessions = store.for_owner("user:u1")
    id = begun(sessions)
    (first, *_) = sessions.messages(id).items
    lost = sessions.create("lost").id
    for table, bad in (("messages", first.id), ("sessions", lost)):
        column = "usage" if table == "messages" else "metadata"
        damage(store, f"UPDATE {table} SET {column} = '{{' WHERE id = ?", bad)
    listed = shell("sessions", "list")
    assert (id in listed.out, lost in listed.out) == (True, False)
    assert f"1 damaged row left out, {lost} among them" in listed.err
    shown = shell("sessions", "show", id)
    assert "thanks" in shown.out
    assert f"1 damaged row left out, {first.id} among them" in shown.err
    lines = shell("sessions", "export").out.splitlines()
    assert [json.loads(line)["unreadable"] for line in lines] == [[first.id], [lost]]
    assert shell("sessions", "show", lost).code == 3


def test_looking_creates_nothing(shell: Shell) -> None:
    """No home and no database."""
    assert "no conversations" in shell("sessions", "list").err
    assert "nothing found" in shell("sessions", "search", "x").err
    assert exported(shell) == []
    assert shell("sessions", "show", "x").code == 1
    assert not shell.home.exists()


def test_a_file_that_is_no_database_is_named(shell: Shell) -> None:
    """Never an empty list."""
    with Memory.open(shell.home) as memory:
        memory.sessions.for_owner("user:u1").create("k")
    path = shell.home / "memory-sessions.db"
    path.write_bytes(b"not SQLite" * 100)
    for words in (("list",), ("show", "x"), ("search", "x"), ("export",)):
        ran = shell("sessions", *words)
        assert (ran.code, ran.out) == (3, "")
        assert "memory-sessions.db" in ran.err


def test_a_home_that_runs_is_shown_as_well(shell: Shell) -> None:
    """The command line reads beside a bot that has the store open."""
    with Memory.open(shell.home) as memory:
        id = begun(memory.sessions.for_owner("user:u1"))
        assert id in shell("sessions", "list").out
