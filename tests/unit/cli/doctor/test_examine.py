"""`doctor` on real homes."""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.cli.doctor import examine as examination
from ethos_memory.cli.doctor.examine import CHECKS, examine
from ethos_memory.cli.doctor.view import look
from unit.cli.doctor.looks import home, node

if TYPE_CHECKING:
    from unit.cli.conftest import Shell

CASES = Path(__file__).parents[3] / "cases/files"


def tree(root: Path) -> dict[str, object]:
    """All that could change: names, modes, times, bytes."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*"), key=str):
        status = path.lstat()
        is_file = path.is_file() and not path.is_symlink()
        digest = sha256(path.read_bytes()).hexdigest() if is_file else ""
        found[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ino, digest)
    return found


def put(root: Path, name: str, data: bytes = b"- tea\n", mode: int = 0o600) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(data)
    path.chmod(mode)
    return path


def broken(root: Path) -> None:
    """One of everything."""
    put(root, "config.yaml", b"\xff")
    put(root, "users/identity-map.json", b"{}")
    put(root, "users/u1/MEMORY.md", b"\xff", mode=0o666)
    put(root, "users/u1/memory-history.jsonl", b'{"ts":')
    put(root, "users/u1/MEMORY (1).md")
    put(root, "users/u1/my notes.md")
    put(root, "users/u1/history-blobs/0.md")
    put(root, "teams/t/memory/roof.md", b"\0")
    put(root, "memory-sessions.db", b"tea" * 1000)
    put(root, "users/U1/USER.md")
    (root / "users/u1/USER.md").symlink_to("../U1/USER.md")
    os.mkfifo(root / "users/u1/IDENTITY.md")
    old = put(root, "users/u1/.ethos-memory-0123456789abcdef.tmp")
    os.utime(old, (1000, 1000))
    root.chmod(0o755)
    (root / "users").chmod(0o755)
    (root / "users/u1").chmod(0o755)


def test_a_home_of_our_own_is_clean(shell: Shell) -> None:
    """What the library writes, it finds nothing wrong with."""
    shell("write", "personality:ops", "MEMORY.md", stdin=b"- tea")
    ran = shell("doctor")
    assert ran.code == 0
    assert ran.out == f"{shell.home}: nothing is wrong (1 page in 1 scope)\n"


@pytest.mark.parametrize(
    ("config", "detail"),
    [
        (b"memory.provider: vault\n", "line 1: memory.provider: vault needs"),
        (b"memory.provider: nobody/has-it\n", "no installed package has"),
        (b"memory.provided: vault\n", "line 1: "),
    ],
)
def test_what_a_personality_names_is_opened(
    shell: Shell, config: bytes, detail: str
) -> None:
    """Its own calls would fail, and nobody else's."""
    put(shell.home, "personalities/ops/config.yaml", config)
    put(shell.home, "personalities/calm/config.yaml", b"name: Calm\n")
    before = tree(shell.home)
    (problem,) = shell("doctor", "--json").json()["problems"]
    assert problem["kind"] == "personality-config"
    assert problem["path"] == "personalities/ops/config.yaml"
    assert detail in problem["detail"]
    assert tree(shell.home) == before


def test_conversations_behind_a_link_are_not_looked_at(
    shell: Shell, tmp_path: Path
) -> None:
    """The store refuses the link; where it leads is not ours to read."""
    put(shell.home, "users/u1/MEMORY.md")
    put(tmp_path, "other.db", b"tea" * 1000)
    (shell.home / "memory-sessions.db").symlink_to(tmp_path / "other.db")
    problems = shell("doctor", "--json").json()["problems"]
    assert [one["kind"] for one in problems] == ["link"]


def test_no_home_is_no_problem(shell: Shell) -> None:
    """And none is made."""
    ran = shell("doctor")
    assert ran.code == 0
    assert "no home yet" in ran.out
    assert shell("doctor", "--json").json() == {
        "home": str(shell.home),
        "exists": False,
        "problems": [],
    }
    assert not shell.home.exists()


def test_everything_that_is_wrong_is_found_and_nothing_is_changed(
    shell: Shell,
) -> None:
    """Issue 4: it must work on a broken home."""
    broken(shell.home)
    before = tree(shell.home)
    ran = shell("doctor", "--json")
    assert ran.code == 1
    problems = ran.json()["problems"]
    assert {one["kind"] for one in problems} == {
        "config",
        "conversations",
        "corrupt-map",
        "damaged-history",
        "leftover",
        "link",
        "look-alike",
        "no-page-name",
        "nul-bytes",
        "special-file",
        "sync-copy",
        "torn-journal",
        "undecodable",
        "writable-by-others",
    }
    assert all(one["meaning"] and one["remedy"] for one in problems)
    assert tree(shell.home) == before


def test_a_person_reads_what_it_means_and_what_to_do(shell: Shell) -> None:
    """In lines that fit into 80 columns."""
    broken(shell.home)
    ran = shell("doctor")
    assert ran.code == 1
    assert "To do: " in ran.out
    assert "    users/u1/USER.md  leads to ../U1/USER.md, another scope" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines()[:-1])
    assert ran.out.splitlines()[-1].startswith(f"{shell.home}: 13 to look at")


def test_what_is_merely_worth_knowing_is_no_fault(shell: Shell) -> None:
    """Exit code 0, and it is said."""
    put(shell.home, "users/u1/my notes.md")
    ran = shell("doctor")
    assert ran.code == 0
    assert "no-page-name" in ran.out
    assert "nothing is wrong" in ran.out


def test_many_places_are_counted(shell: Shell) -> None:
    """The output of a large home stays readable; JSON has them all."""
    for number in range(13):
        put(shell.home, f"users/u{number}/MEMORY.md", b"\xff")
    ran = shell("doctor")
    assert "    … and 3 more" in ran.out
    assert len(shell("doctor", "--json").json()["problems"]) == 13


def test_nothing_a_page_says_is_printed(shell: Shell) -> None:
    """The output ends up in public reports of bugs."""
    put(shell.home, "users/u1/MEMORY.md", b"Ros likes tea\xff")
    put(shell.home, "users/identity-map.json", b'[{"platform": "Ros"')
    put(shell.home, "config.yaml", b"memory: Ros\n")
    for argv in (("doctor",), ("doctor", "--json")):
        ran = shell(*argv)
        assert ran.code == 1
        assert "Ros" not in ran.out + ran.err


def test_a_name_cannot_act_on_a_terminal(shell: Shell) -> None:
    """Nor can one that is no text."""
    put(shell.home, "users/u1/a\x1b[2J.md")
    Path(os.fsdecode(bytes(shell.home) + b"/users/u1/\xff.md")).touch()
    ran = shell("doctor", is_terminal=True)
    assert "\x1b[2J" not in ran.out
    assert "\\x1b[2J" in ran.out
    assert shell("doctor", "--json").code == 0


def test_a_root_that_is_no_folder_is_found(shell: Shell) -> None:
    """It must work on a broken home, however broken."""
    shell.home.touch()
    ran = shell("doctor", "--json")
    assert (ran.code, ran.err) == (1, "")
    (problem,) = ran.json()["problems"]
    assert (problem["kind"], problem["path"]) == ("unreadable", "")
    assert "not a folder" in problem["detail"]
    assert ran.json()["exists"] is True
    assert "1 to look at" in shell("doctor").out


@pytest.mark.parametrize(
    "error", [PermissionError(13, "Permission denied"), OSError("odd")]
)
def test_a_home_that_cannot_be_opened_is_examined_all_the_same(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    """What the system refuses is a finding, not the end."""

    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr(examination, "opened", fail)
    put(shell.home, "users/u1/MEMORY.md")
    ran = shell("doctor", "--json")
    assert [one["kind"] for one in ran.json()["problems"]] == ["config"]


@pytest.mark.parametrize(
    "config",
    [
        "memoryGuard.accepted: nonsense\n",
        "memoryGuard.withholdAt: -3\n",
        "channel_filter.telegram.ownerUserId: 1\nchannel_filter.Telegram.ownerUserId: 2\n",
        "memory: tarot\n",
        "just words\n",
    ],
)
def test_a_config_that_cannot_be_used_is_found(shell: Shell, config: str) -> None:
    """Whichever part of the library refuses it."""
    put(shell.home, "config.yaml", config.encode())
    ran = shell("doctor", "--json")
    assert [one["kind"] for one in ran.json()["problems"]] == ["config"]


def test_trusted_links_are_fine(shell: Shell, tmp_path: Path) -> None:
    """Case B23: with the setting, and not without."""
    put(tmp_path, "ext/real.md")
    (shell.home / "users/u1").mkdir(parents=True)
    shell.home.chmod(0o700)
    (shell.home / "users/u1/USER.md").symlink_to(tmp_path / "ext/real.md")
    assert shell("doctor").code == 1
    assert shell("doctor", "--trusted-links", str(tmp_path / "ext")).code == 0


def test_the_files_of_the_cases_are_no_problem(shell: Shell) -> None:
    """Ten shapes that people's files have."""
    for number, path in enumerate(sorted(CASES.glob("*.md"))):
        put(shell.home, f"users/u{number}/MEMORY.md", path.read_bytes())
    shutil.copy(CASES / "10-identity-map-hand-edited.json", shell.home / "users")
    ran = shell("doctor")
    assert ran.code == 0, ran.out


def test_every_check_works_on_nothing() -> None:
    """No check takes a part of a home for granted."""
    assert examine(home()) == ()
    assert all(not tuple(check(home())) for check in CHECKS)


def test_problems_come_before_notes_and_in_one_order() -> None:
    """The same home gives the same output."""
    seen = home(
        [node("users/my agent", 0o40700), node("users/u/MEMORY (1).md")],
        {"users/u/MEMORY.md": b"\xff"},
    )
    kinds = [one.kind.id for one in examine(seen)]
    assert kinds == ["sync-copy", "undecodable", "no-scope-name"]


def test_the_files_of_others_are_not_read(tmp_path: Path) -> None:
    """Only what memory is made of is opened."""
    put(tmp_path, "personalities/ops/skills.bin", b"\0" * 10)
    seen = look(str(tmp_path))
    assert examine(seen) == ()
