"""`users merge`, `users forget` and `users export`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve

from ethos_memory.memory import Memory
from ethos_memory.person import Holding

if TYPE_CHECKING:
    from pathlib import Path

    from unit.cli.conftest import Shell

ANA, BO = "a1b2c3d4e5f6", "0f9e8d7c6b5a"


@pytest.fixture
def lived(shell: Shell) -> Shell:
    """A home with Ana on two platforms, who wrote, and Bo, who is Ana as well."""
    for platform, account, user in (
        ("telegram", "700", ANA),
        ("slack", "U1", ANA),
        ("matrix", "@ana:example.org", BO),
    ):
        shell("users", "link", platform, account, user)
    shell("write", f"user:{ANA}", "USER.md", stdin=b"- tea")
    shell("write", f"user:{BO}", "USER.md", stdin=b"- bees")
    with Memory.open(shell.home) as memory:
        sessions = memory.sessions.for_owner(f"user:{ANA}")
        for key in "ab":
            sessions.append(sessions.create(key).id, "user", "hello")
    return shell


def files(home: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    }


def test_a_merge_tells_both_profiles(lived: Shell) -> None:
    """Names, sizes and revisions, how to undo it, and no text."""
    ran = lived("users", "merge", ANA, f"user:{BO}")
    assert ran.code == 0
    assert ran.out.splitlines()[:2] == [
        f"merged: user:{BO} → user:{ANA}",
        "  matrix @ana:example.org",
    ]
    assert f"  user:{ANA}  USER.md  6 bytes  " in ran.out
    assert f"  user:{BO}  USER.md  7 bytes  " in ran.out
    assert "tea" not in ran.out
    assert f"users link PLATFORM ACCOUNT {BO}" in ran.err
    assert f"no turn reads user:{BO}" in ran.err
    undone = lived("users", "link", "matrix", "@ana:example.org", BO)
    assert f"before user:{ANA}" in undone.out


def test_a_dry_merge_changes_nothing(lived: Shell) -> None:
    """And says what it would do."""
    before = files(lived.home)
    ran = lived("users", "merge", ANA, BO, "--dry-run")
    assert ran.out.startswith(f"would merge: user:{BO} → user:{ANA}\n")
    assert "to undo it" not in ran.err
    told: dict[str, Any] = lived(
        "users", "merge", ANA, BO, "--dry-run", "--json"
    ).json()
    assert told["accounts"][0]["account_id"] == "@ana:example.org"
    assert told["is_dry_run"] is True
    assert files(lived.home) == before


def test_a_merge_of_nobody_is_said(lived: Shell) -> None:
    """Most likely a slip of the pen."""
    ran = lived("users", "merge", ANA, "nobody", "--dry-run")
    assert "user:nobody has no accounts" in ran.err


def test_a_page_that_cannot_be_read_is_shown_as_such(lived: Shell) -> None:
    """Its size is known all the same."""
    page = lived.home / "users" / BO / "BIG.md"
    page.write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    ran = lived("users", "merge", ANA, BO, "--dry-run")
    assert "BIG.md  2097153 bytes  unreadable" in ran.out


def test_an_id_is_not_merged_into_itself(lived: Shell) -> None:
    """The arguments do not go together."""
    assert lived("users", "merge", ANA, f"user:{ANA}").code == 2


def test_a_person_is_forgotten_and_what_went_is_told(lived: Shell) -> None:
    """Thing by thing; and what is not touched."""
    ran = lived("users", "forget", ANA)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"erased: user:{ANA}, pages: USER.md, 6 bytes",
        ran.out.splitlines()[1],
        f"erased: user:{ANA}, conversations: conversation × 2",
        f"erased: user:{ANA}, accounts: slack",
        f"erased: user:{ANA}, accounts: telegram",
    ]
    assert "memory-history.jsonl" in ran.out
    assert "not touched: what pages of a personality" in ran.err
    assert not (lived.home / "users" / ANA).exists()
    assert (lived.home / "users" / BO / "USER.md").exists()


def test_forgetting_again_is_fine_and_says_so(lived: Shell) -> None:
    """What was wanted is so."""
    lived("users", "forget", ANA)
    ran = lived("users", "forget", ANA)
    assert (ran.code, ran.out) == (0, "")
    assert f"nothing is held about user:{ANA}" in ran.err
    assert "not touched" not in ran.err


def test_a_dry_forget_changes_nothing(lived: Shell) -> None:
    """And tells the same things."""
    before = files(lived.home)
    ran = lived("users", "forget", ANA, "--dry-run")
    assert files(lived.home) == before
    would = ran.out.replace("would erase", "erased")
    assert lived("users", "forget", ANA).out == would


def test_what_is_not_memory_is_named(lived: Shell) -> None:
    """It stays in the person's folder; the operator has to decide."""
    (lived.home / "users" / ANA / "face.png").write_bytes(b"png")
    ran = lived("users", "forget", ANA)
    assert f"left alone: user:{ANA}, face.png" in ran.err


def test_forgetting_in_json(lived: Shell) -> None:
    """All that the report holds."""
    told: dict[str, Any] = lived("users", "forget", ANA, "--json").json()
    assert told["held"]["user_ids"] == [ANA]
    assert told["gone"] == told["held"]["holdings"]
    assert told["remains"] == []
    assert told["gone"][0]["name"] == "USER.md"


def test_what_was_written_meanwhile_is_an_exit_code(
    lived: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script must notice."""
    forget = Memory.forget

    def late(self: Memory, user_id: str, *, dry_run: bool) -> Any:
        again = Holding("pages", user_id, name="USER.md", size=1)
        return evolve(forget(self, user_id, dry_run=dry_run), remains=(again,))

    monkeypatch.setattr(Memory, "forget", late)
    ran = lived("users", "forget", ANA)
    assert ran.code == 1
    assert f"written meanwhile: user:{ANA}, pages: USER.md, 1 byte;" in ran.err
    assert lived("users", "forget", ANA, "--json").code == 1


def test_a_person_is_exported(lived: Shell, tmp_path: Path) -> None:
    """Where to, what, and what is not included."""
    ran = lived("users", "export", ANA, str(tmp_path / "out"))
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert f"  {ANA}/pages/USER.md  6 bytes  a page" in lines
    assert lines[-1] == f"exported: 6 files → {tmp_path / 'out'}"
    assert "not touched" in ran.err
    manifest = json.loads((tmp_path / "out/manifest.json").read_bytes())
    assert len(manifest["files"]) == 6
    assert (tmp_path / "out" / ANA / "pages/USER.md").read_text() == "- tea\n"


def test_an_export_in_json(lived: Shell, tmp_path: Path) -> None:
    """With the folder as text."""
    out = str(tmp_path / "out")
    told: dict[str, Any] = lived("users", "export", ANA, out, "--json").json()
    assert told["destination"] == out
    assert len(told["files"]) == 6


def test_a_dry_export_writes_nothing(lived: Shell, tmp_path: Path) -> None:
    """Neither files nor a line in the journal."""
    before = files(tmp_path)
    ran = lived("users", "export", ANA, str(tmp_path / "out"), "--dry-run")
    assert ran.code == 0
    assert f"would export: user:{ANA}, pages: USER.md, 6 bytes" in ran.out
    assert "exported" not in ran.out
    assert files(tmp_path) == before


def test_nothing_held_is_an_answer(lived: Shell, tmp_path: Path) -> None:
    """Exit code 1, and no empty folder."""
    ran = lived("users", "export", "nobody", str(tmp_path / "out"))
    assert (ran.code, ran.out) == (1, "")
    assert "nothing is held" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_in_it_is_refused(lived: Shell, tmp_path: Path) -> None:
    """So is one in the home."""
    for out in (tmp_path, lived.home / "out"):
        ran = lived("users", "export", ANA, str(out))
        assert (ran.code, ran.out) == (3, "")


def test_control_characters_in_names_do_not_act(lived: Shell) -> None:
    """Anybody who can write files there chooses their names."""
    (lived.home / "users" / ANA / "x\x1b[2J.png").write_bytes(b"")
    (lived.home / "users" / ANA / "USER (1\x1b[2J).md").write_bytes(b"")
    ran = lived("users", "forget", ANA, "--dry-run", is_terminal=True)
    assert "\x1b[2J" not in ran.out + ran.err
