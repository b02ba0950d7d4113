"""`Files`: the six commands over the pages of a turn."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha512
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.entry import Add, Replace
from ethos_memory.providers import guarded
from ethos_memory.tools import Files, files
from ethos_memory.turn import Turn
from tool_turns import (
    ATTACK,
    CLI,
    DIRECT,
    IN_ROOM,
    OWNER,
    SECRET,
    STRANGER,
    open_memory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer

SCOPE = "personality:ops"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


def run(memory: Memory, command: str, *, turn: Turn = CLI, **given: Any) -> ToolAnswer:
    """Do one command."""
    return Files(memory, turn).run({"command": command, **given})


def created(memory: Memory, path: str, text: str, *, turn: Turn = CLI) -> ToolAnswer:
    """Create a file."""
    return run(memory, "create", turn=turn, path=path, file_text=text)


def viewed(memory: Memory, path: str = "/memories", *, turn: Turn = CLI) -> str:
    """View a file or folder."""
    return run(memory, "view", turn=turn, path=path).text


def by_hand(memory: Memory, key: str, text: str) -> None:
    """Put a page there as an editor outside does: nothing screens it."""
    memory.provider._inner.sync(SCOPE, [Replace(key, text, exact=True)])


def content(memory: Memory, key: str, scope: str = SCOPE) -> str | None:
    """Return a page as it is."""
    entry = memory.provider.unsafe_read(scope, key)
    return None if entry is None else entry.content


def test_a_file_is_created_once(memory: Memory) -> None:
    """A second time it is there already, and stays as it is."""
    told = created(memory, "/memories/a/b.txt", "one\ntwo")
    assert told.text == "File created successfully at: /memories/a/b.txt"
    again = created(memory, "/memories/a/b.txt", "other")
    assert (again.error, again.text) == (
        "input_invalid",
        "File /memories/a/b.txt already exists",
    )
    assert content(memory, "a--b.txt.md") == "one\ntwo\n"
    assert viewed(memory, "/memories/a/b.txt") == (
        "Here's the content of /memories/a/b.txt with line numbers:\n"
        "     1\tone\n     2\ttwo"
    )
    part = run(memory, "view", path="/memories/a/b.txt", view_range=[2, -1])
    assert part.text.endswith(":\n     2\ttwo")


def test_folders_are_viewed(memory: Memory) -> None:
    """The empty root as well; what is not there is not."""
    assert viewed(memory).endswith("\n0B\t/memories")
    created(memory, "/memories/a/b.txt", "x")
    memory.remember(CLI, Add("MEMORY.md", "- note"))
    by_hand(memory, "IDENTITY.md", "# hidden\n")
    by_hand(memory, "a---b.md", "no file\n")
    lines = viewed(memory).split("\n")[2:]
    assert [line.split("\t")[1] for line in lines] == [
        "/memories/MEMORY.md",
        "/memories/a/",
        "/memories/a/b.txt",
    ]
    assert viewed(memory, "/memories/a").endswith("2B\t/memories/a/b.txt")
    missing = run(memory, "view", path="/memories/none")
    assert missing.error == "input_invalid"
    assert missing.text.endswith("does not exist. Please provide a valid path.")


def test_a_host_lists_and_reads_the_files(memory: Memory) -> None:
    """With their sizes, as a model may read them, and none without a grant."""
    created(memory, "/memories/b.md", "x")
    created(memory, "/memories/a/c.txt", "two\nlines")
    by_hand(memory, "k.md", f"key {SECRET}\n")
    own = Files(memory, CLI)
    assert [path for path, _ in own.paths()] == [
        "/memories/a/c.txt",
        "/memories/b.md",
        "/memories/k.md",
    ]
    assert own.paths()[1] == ("/memories/b.md", 2)
    assert own.text("/memories/a/c.txt").text == "two\nlines\n"
    assert SECRET not in own.text("/memories/k.md").text
    assert own.text("/memories/none.md").error == "input_invalid"
    phone = Files(memory, Turn("ops", "phone"))
    assert phone.paths() == ()
    assert phone.text("/memories/b.md").error == "not_available"


def test_a_text_is_replaced_where_it_is_alone(memory: Memory) -> None:
    """The lines around it are shown, and leaving new_str out deletes it."""
    created(memory, "/memories/a.md", "one\nOLD\nthree OLD2")
    given: dict[str, Any] = {
        "path": "/memories/a.md",
        "old_str": "one",
        "new_str": "ONE",
    }
    told = run(memory, "str_replace", **given)
    assert told.text.endswith("     1\tONE\n     2\tOLD\n     3\tthree OLD2")
    assert run(memory, "str_replace", **given).error == "input_invalid"
    several = run(memory, "str_replace", path="/memories/a.md", old_str="OLD")
    assert "in lines: 2, 3" in several.text
    run(memory, "str_replace", path="/memories/a.md", old_str="\nthree OLD2")
    assert content(memory, "a.md") == "ONE\nOLD\n"
    missing = run(memory, "str_replace", path="/memories/no.md", old_str="x")
    assert missing.text.startswith("The path /memories/no.md does not exist.")


def test_lines_are_inserted(memory: Memory) -> None:
    """At the start, in the middle, at the end and nowhere else."""
    created(memory, "/memories/a.md", "b\nd")
    for at, text in ((0, "a"), (2, "c\n"), (4, "e")):
        given: dict[str, Any] = {
            "path": "/memories/a.md",
            "insert_line": at,
            "insert_text": text,
        }
        told = run(memory, "insert", **given)
        assert told.text == "The file /memories/a.md has been edited."
    assert content(memory, "a.md") == "a\nb\nc\nd\ne\n"
    wrong: dict[str, Any] = {
        "path": "/memories/a.md",
        "insert_line": 6,
        "insert_text": "x",
    }
    assert run(memory, "insert", **wrong).text == (
        "Invalid `insert_line` parameter: 6. It should be within the range [0, 5]."
    )
    below: dict[str, Any] = {
        "path": "/memories/a.md",
        "insert_line": -1,
        "insert_text": "x",
    }
    assert run(memory, "insert", **below).error == "input_invalid"


def test_files_and_folders_are_deleted(memory: Memory) -> None:
    """The root never; the history keeps the text."""
    for path in ("/memories/a/b.md", "/memories/a/c.md", "/memories/ab.md"):
        created(memory, path, "kept")
    told = run(memory, "delete", path="/memories/a")
    assert told.text == "Successfully deleted /memories/a"
    assert viewed(memory).count("\n") == 2
    assert run(memory, "delete", path="/memories/ab.md").error is None
    gone = run(memory, "delete", path="/memories/a")
    assert gone.text == "The path /memories/a does not exist"
    root = run(memory, "delete", path="/memories/")
    assert root.text == "Cannot delete the /memories directory itself"
    history = memory.provider.history(SCOPE, "a--b.md")
    assert [change.content for change in history] == [None, "kept\n"]


def test_files_and_folders_are_renamed(memory: Memory) -> None:
    """With all that is in them, and over nothing that is there."""
    created(memory, "/memories/a/b.md", "one")
    created(memory, "/memories/a/c.txt", "two")
    created(memory, "/memories/d.md", "three")
    given: dict[str, Any] = {"old_path": "/memories/a", "new_path": "/memories/x/y"}
    told = run(memory, "rename", **given)
    assert told.text == "Successfully renamed /memories/a to /memories/x/y"
    assert content(memory, "x--y--b.md") == "one\n"
    assert content(memory, "x--y--c.txt.md") == "two\n"
    assert content(memory, "a--b.md") is None
    for old, new, said in (
        ("/memories/d.md", "/memories/x/y/b.md", "destination /memories/x/y/b.md al"),
        ("/memories/d.md", "/memories/x", "destination /memories/x already exists"),
        ("/memories/d.md", "/memories", "destination /memories already exists"),
        ("/memories/no.md", "/memories/e.md", "path /memories/no.md does not exist"),
        ("/memories", "/memories/e", "Cannot rename the /memories directory"),
        ("/memories/d.md", "/memories/IDENTITY.md", "is not available here"),
        ("/memories/d.md", "/memories/d", "needs an ending"),
    ):
        refused = run(memory, "rename", old_path=old, new_path=new)
        assert refused.error is not None
        assert said in refused.text
    assert content(memory, "d.md") == "three\n"


def test_each_turn_has_its_own_files(memory: Memory) -> None:
    """A stranger has their profile alone, a guest of a room never the owner's copy."""
    sync = memory.provider.sync
    sync(SCOPE, [Add("USER.md", "COPY")])
    sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    sync("user:u2", [Add("USER.md", "BEES")])
    sync("user:u2", [Add("other.md", "NOT A FILE")])
    seen = {
        turn.surface + str(turn.user_id): viewed(memory, turn=turn).split("\n")[2:]
        for turn in (CLI, DIRECT, IN_ROOM, STRANGER)
    }
    assert seen == {
        "cliNone": ["6B\t/memories/MEMORY.md", "5B\t/memories/USER.md"],
        "directu1": ["6B\t/memories/MEMORY.md"],
        "groupu2": ["6B\t/memories/MEMORY.md", "5B\t/memories/USER.md"],
        "directu2": ["5B\t/memories/USER.md"],
    }
    for turn in (IN_ROOM, STRANGER):
        assert "BEES" in viewed(memory, "/memories/USER.md", turn=turn)
    assert created(memory, "/memories/USER.md", "mine", turn=DIRECT).error is None
    assert content(memory, "USER.md", "user:u1") == "mine\n"
    for path in ("/memories/MEMORY.md", "/memories/x.md", "/memories/IDENTITY.md"):
        refused = created(memory, path, "x", turn=STRANGER)
        assert refused.error == "not_available"


def test_a_profile_stays_with_its_person(memory: Memory) -> None:
    """Moving it would show it to everybody the personality speaks to."""
    created(memory, "/memories/USER.md", "PRIVATE", turn=DIRECT)
    created(memory, "/memories/a.md", "NOTES", turn=DIRECT)
    for old, new in (("USER.md", "u.md"),):
        refused = run(
            memory,
            "rename",
            turn=DIRECT,
            old_path=f"/memories/{old}",
            new_path=f"/memories/{new}",
        )
        assert "stays where it is" in refused.text
    assert content(memory, "USER.md", "user:u1") == "PRIVATE\n"
    assert content(memory, "u.md") is None


@pytest.mark.parametrize(
    "turn",
    [
        Turn("ops", "group", account=OWNER, user_id="u1", chat_id="-5"),
        Turn("ops", "phone"),
        Turn("ops", "direct"),
    ],
)
def test_a_turn_without_tools_has_no_files(memory: Memory, turn: Turn) -> None:
    """Every command is refused, and so is clearing."""
    created(memory, "/memories/a.md", "x")
    commands: tuple[dict[str, Any], ...] = (
        {"command": "view", "path": "/memories"},
        {"command": "create", "path": "/memories/b.md", "file_text": "x"},
        {"command": "delete", "path": "/memories/a.md"},
    )
    for command in commands:
        assert Files(memory, turn).run(command).error == "not_available"
    assert Files(memory, turn).clear().error == "not_available"
    assert content(memory, "a.md") == "x\n"


def test_clearing_takes_the_files_of_the_turn(memory: Memory) -> None:
    """What is no file stays."""
    created(memory, "/memories/a.md", "x", turn=DIRECT)
    created(memory, "/memories/USER.md", "x", turn=DIRECT)
    by_hand(memory, "IDENTITY.md", "# kept\n")
    assert Files(memory, DIRECT).clear().text == "All memory cleared"
    assert content(memory, "a.md") is None
    assert content(memory, "USER.md", "user:u1") is None
    assert content(memory, "IDENTITY.md") == "# kept\n"


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"command": "format"},
        {"command": 5},
        {"command": "view"},
        {"command": "view", "path": 5},
        {"command": "view", "path": "/memories", "scope": "user:u2"},
        {"command": "create", "path": "/memories/a.md"},
        {"command": "create", "path": "/memories/", "file_text": "x"},
        {"command": "create", "path": "/memories/a", "file_text": "x"},
        {"command": "create", "path": "/memories/../a.md", "file_text": "x"},
        {"command": "create", "path": "/memories/a.md", "file_text": f"- {ATTACK}"},
        {"command": "create", "path": "/memories/a.md", "file_text": "x" * 600_000},
    ],
)
def test_what_is_no_command_does_nothing(
    memory: Memory, command: dict[str, Any]
) -> None:
    """And says what is wrong, never the text."""
    answer = Files(memory, CLI).run(command)
    assert answer.error == "input_invalid"
    assert ATTACK not in answer.text
    assert memory.provider.list(SCOPE) == ()


def test_what_is_shown_is_screened(memory: Memory) -> None:
    """By viewing and in the lines around a change; what is not shown is not found."""
    text = f"- key {SECRET}\n- first\n- last\n"
    by_hand(memory, "a.md", text)
    assert SECRET not in viewed(memory, "/memories/a.md")
    hidden = run(memory, "str_replace", path="/memories/a.md", old_str=SECRET[:12])
    assert "did not appear" in hidden.text
    told = run(
        memory, "str_replace", path="/memories/a.md", old_str="first", new_str="second"
    )
    assert told.error is None
    assert SECRET not in told.text


def test_a_withheld_line_stops_no_change_beside_it(memory: Memory) -> None:
    """Nor is it changed, by its marker or by what reaches into it."""
    text = f"- one  \r\n- {ATTACK}\n- two\n\n- three"
    by_hand(memory, "a.md", text)
    path = "/memories/a.md"
    assert run(memory, "str_replace", path=path, old_str="one", new_str="1").error is (
        None
    )
    assert run(memory, "insert", path=path, insert_line=2, insert_text="x\n").error is (
        None
    )
    changed = f"- 1  \r\n- {ATTACK}\nx\n- two\n\n- three"
    assert content(memory, "a.md") == changed
    marker = viewed(memory, path).split("\n")[2].split("\t")[1]
    refused = run(memory, "str_replace", path=path, old_str=marker)
    assert "not shown" in refused.text
    for old in (marker[3:], ATTACK):
        assert "not appear" in run(memory, "str_replace", path=path, old_str=old).text
    joined = run(memory, "str_replace", path=path, old_str="\nx\n- ")
    assert "not shown" in joined.text
    assert content(memory, "a.md") == changed


def test_a_line_with_a_credential_is_written_as_it_is_shown(memory: Memory) -> None:
    """The model could name the marker; other lines keep theirs."""
    by_hand(memory, "a.md", f"- key {SECRET}\n- other {SECRET}\n")
    path = "/memories/a.md"
    told = run(memory, "str_replace", path=path, old_str="- key", new_str="- old key")
    assert told.error is None
    first, second, _ = (content(memory, "a.md") or "").split("\n")
    assert first.startswith("- old key [redacted: ")
    assert second == f"- other {SECRET}"
    assert SECRET not in told.text


def test_the_lines_of_a_key_count_as_they_are_shown(memory: Memory) -> None:
    """A number means the line that the model saw."""
    body = "\n".join(b64encode(sha512(b"%d" % n).digest()).decode() for n in range(8))
    key = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"
    by_hand(memory, "a.md", f"top\n{key}\nend\n")
    assert viewed(memory, "/memories/a.md").count("\n") < 5
    given: dict[str, Any] = {
        "path": "/memories/a.md",
        "insert_line": 2,
        "insert_text": "x",
    }
    assert run(memory, "insert", **given).error is None
    assert content(memory, "a.md") == f"top\n{key}\nx\nend\n"


def test_line_ends_are_those_of_the_page(memory: Memory) -> None:
    """A model types line feeds."""
    by_hand(memory, "a.md", "one\r\ntwo\r\nthree\r\n")
    given: dict[str, Any] = {"old_str": "one\ntwo", "new_str": "1\n2"}
    assert run(memory, "str_replace", path="/memories/a.md", **given).error is None
    given = {"insert_line": 3, "insert_text": "4\n5\n"}
    assert run(memory, "insert", path="/memories/a.md", **given).error is None
    assert content(memory, "a.md") == "1\r\n2\r\nthree\r\n4\r\n5\r\n"


def test_a_page_is_renamed_as_it_is(memory: Memory) -> None:
    """With what is withheld on it: nothing is read, and nothing is judged again."""
    text = f"- a  \r\n{ATTACK}\n- key {SECRET}\n"
    by_hand(memory, "a.md", text)
    moved = run(memory, "rename", old_path="/memories/a.md", new_path="/memories/b.md")
    assert moved.error is None
    assert content(memory, "b.md") == text
    assert content(memory, "a.md") is None


def racing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, change: Callable[[int], object]
) -> None:
    """Let somebody else change something before each write of ours, three times."""
    inner, left = memory.provider._inner, [3]
    sync = inner.sync

    def raced(*args: Any, **more: Any) -> Any:
        if left[0]:
            left[0] -= 1
            with monkeypatch.context() as patch:
                patch.setattr(inner, "sync", sync)
                change(left[0])
        return sync(*args, **more)

    monkeypatch.setattr(inner, "sync", raced)


def test_a_change_loses_nobody_elses(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks again, as often as it takes; renaming too."""
    by_hand(memory, "a.md", "start\n")
    inner = memory.provider._inner
    racing(
        memory,
        monkeypatch,
        lambda n: inner.sync(SCOPE, [Add("a.md", f"o{n}")]),
    )
    given: dict[str, Any] = {
        "path": "/memories/a.md",
        "insert_line": 0,
        "insert_text": "mine",
    }
    assert run(memory, "insert", **given).error is None
    assert (content(memory, "a.md") or "").split() == [
        "mine",
        "start",
        "o2",
        "o1",
        "o0",
    ]
    racing(
        memory,
        monkeypatch,
        lambda n: inner.sync(SCOPE, [Add("a.md", f"p{n}")]),
    )
    moved = run(memory, "rename", old_path="/memories/a.md", new_path="/memories/b.md")
    assert moved.error is None
    assert (content(memory, "b.md") or "").split()[-3:] == ["p2", "p1", "p0"]


def test_a_change_ends(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """When others never stop."""
    monkeypatch.setattr(files, "_MOST_ROUNDS", 2)
    monkeypatch.setattr(guarded, "_MOST_ROUNDS", 2)
    by_hand(memory, "a.md", "start\n")
    inner = memory.provider._inner
    racing(
        memory,
        monkeypatch,
        lambda n: inner.sync(SCOPE, [Add("a.md", f"o{n}")]),
    )
    given: dict[str, Any] = {
        "path": "/memories/a.md",
        "insert_line": 0,
        "insert_text": "mine",
    }
    assert run(memory, "insert", **given).error == "STALE_WRITE"
    racing(
        memory,
        monkeypatch,
        lambda n: inner.sync(SCOPE, [Add("a.md", f"p{n}")]),
    )
    moved = run(memory, "rename", old_path="/memories/a.md", new_path="/memories/b.md")
    assert moved.text.startswith("Others keep changing")
    assert content(memory, "b.md") is None


def test_a_file_that_goes_while_it_is_moved_is_left_out(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the folder is moved."""
    created(memory, "/memories/a/b.md", "one")
    created(memory, "/memories/a/c.md", "two")
    inner = memory.provider._inner
    read = inner.read

    def gone(scope: Any, key: str) -> Any:
        return None if key == "a--b.md" else read(scope, key)

    monkeypatch.setattr(inner, "read", gone)
    moved = run(memory, "rename", old_path="/memories/a", new_path="/memories/d")
    assert moved.error is None
    assert content(memory, "d--c.md") == "two\n"
