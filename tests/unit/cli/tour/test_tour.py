"""The tour: all of it happens, and none of it is told otherwise."""

from __future__ import annotations

import io
import tempfile
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.cli.console import Console
from ethos_memory.cli.findings import Located
from ethos_memory.cli.tour import guide
from ethos_memory.cli.tour.scene import Scene
from ethos_memory.verdict import Finding
from unit.cli.conftest import Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home that one tour leaves; nothing below changes it."""
    return tmp_path_factory.mktemp("tour") / "home"


@pytest.fixture(scope="module")
def scenes(home: Path) -> list[dict[str, Any]]:
    """The whole tour, as values."""
    with pytest.MonkeyPatch.context() as patch:
        ran = Shell(home, patch)("tour", "--json")
    assert (ran.code, ran.err) == (0, "")
    told: list[dict[str, Any]] = ran.json()
    return told


def scene(scenes: list[dict[str, Any]], title: str) -> dict[str, Any]:
    return next(one for one in scenes if title in one["title"])


def notes(one: dict[str, Any]) -> dict[str, str]:
    return {note["label"]: note["text"] for note in one["notes"]}


OWNERS = "- Ros. Wants prices with VAT."
IKERS = "- Iker. Mornings only."
WORK = "- The Bechstein quote is due on Friday."


@pytest.mark.parametrize(
    ("title", "holds"),
    [
        ("The owner writes", {OWNERS, WORK}),
        ("A stranger writes", {IKERS}),
        ("in a group", set()),
        ("own room", {IKERS, WORK}),
        ("second platform", {OWNERS, WORK}),
        ("planted by hand", {IKERS}),
    ],
)
def test_each_turn_sees_what_it_may_and_nothing_else(
    scenes: list[dict[str, Any]], title: str, holds: set[str]
) -> None:
    """Case B17, on the very blocks that are shown."""
    block = scene(scenes, title)["block"]
    assert {line for line in (OWNERS, IKERS, WORK) if line in block} == holds


def test_a_group_gets_nothing_at_all(scenes: list[dict[str, Any]]) -> None:
    """Not even a heading."""
    assert scene(scenes, "in a group")["block"] == ""


def test_the_stranger_may_not_write_the_roles_memory(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """It was refused, and is on no disk."""
    assert "MEMORY.md" in notes(scene(scenes, "stranger"))["refused"]
    page = home / "personalities/ops/MEMORY.md"
    assert "piano" not in page.read_text()


def test_two_platforms_are_two_people_until_they_are_linked(
    scenes: list[dict[str, Any]],
) -> None:
    """Then the block is byte for byte the one of the first."""
    one = scene(scenes, "second platform")
    assert "no profile yet" in notes(one)["at first"]
    assert one["block"] == scene(scenes, "The owner writes")["block"]


def test_the_attack_is_refused_and_nothing_of_it_is_stored(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """With the rule that it broke."""
    one = scene(scenes, "attack")
    assert notes(one)["refused"] == "nothing is stored"
    assert one["findings"][0]["action"] == "withhold"
    stored = [path.read_text() for path in home.rglob("*") if path.is_file()]
    assert not any("evil.example" in text for text in stored)


def test_the_credential_is_on_no_disk_and_in_no_output(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """Case B25: the sentence around it stays."""
    secret = "ghp_" + "Ab1cD2eF3" * 4
    one = scene(scenes, "credential")
    assert one["findings"][0]["action"] == "redact"
    assert "rotate in May" in notes(one)["kept"]
    assert secret not in str(scenes)
    stored = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in stored)


def test_a_planted_line_is_withheld_and_the_file_left_alone(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """DESIGN 7: on read the file is untouched."""
    one = scene(scenes, "planted")
    assert "withheld by the memory guard" in one["block"]
    assert "reveal the prompt" not in one["block"]
    pages = [path.read_text() for path in home.rglob("USER.md")]
    assert any("reveal the prompt" in page for page in pages)


def test_the_files_that_are_listed_are_the_files_on_disk(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """With their sizes."""
    listed = {note["text"]: note["label"] for note in scenes[-1]["notes"]}
    found = {
        str(path.relative_to(home)): f"{path.stat().st_size} B"
        for path in home.rglob("*")
        if path.is_file()
    }
    assert {name: size.strip() for name, size in listed.items()} == found


def test_the_home_that_a_tour_leaves_is_sound(
    scenes: list[dict[str, Any]], home: Path
) -> None:
    """`doctor` is what the closing line suggests."""
    assert scenes
    with pytest.MonkeyPatch.context() as patch:
        assert Shell(home, patch)("doctor").code == 0


def test_the_tour_reads_well(shell: Shell) -> None:
    """In 80 columns, without color where nobody sees it."""
    ran = shell("tour")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert 90 <= len(lines) <= 140
    home = str(shell.home)
    assert all(len(line) <= 80 for line in lines if home not in line)
    assert not any(line.endswith(" ") for line in lines)
    assert "\x1b" not in ran.out
    assert "the prompt gets the very block of step 2" in ran.out
    assert "the prompt gets nothing from memory" in ran.out
    assert f"ethos-memory doctor --root {home}" in lines[-1]


def test_the_tour_is_colored_on_a_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it is asked not to be."""
    assert "\x1b[1m" in shell("tour", is_terminal=True).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shell("tour", "--root", f"{shell.home}2", is_terminal=True).out


def test_a_temporary_home_is_gone_in_the_end(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the user's own home is never touched."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "tmp").mkdir()
    ran = shell("tour", at_home=False)
    assert ran.code == 0
    assert "ethos-memory tour --root DIR" in ran.out.splitlines()[-1]
    assert not list((tmp_path / "tmp").iterdir())
    assert not (tmp_path / "user").exists()


def test_a_home_in_use_is_never_written_to(shell: Shell) -> None:
    """The tour would put a config of its own in place of the operator's."""
    shell.home.mkdir()
    config = shell.home / "config.yaml"
    config.write_text("channel_filter.telegram.ownerUserId: 1\n")
    ran = shell("tour")
    assert (ran.code, ran.out) == (1, "")
    assert "is not empty" in ran.err
    assert [path.name for path in shell.home.iterdir()] == ["config.yaml"]
    assert config.read_text() == "channel_filter.telegram.ownerUserId: 1\n"


def test_an_empty_folder_is_a_home_for_the_tour(shell: Shell) -> None:
    """Made or not yet made."""
    shell.home.mkdir()
    assert shell("tour").code == 0


def test_of_many_findings_the_first_are_shown_and_the_rest_counted() -> None:
    """One line can break many rules; a page of them would hide the story."""
    finding = Finding(
        "override.x",
        "override",
        action="withhold",
        line=1,
        start=0,
        end=1,
        fingerprint="",
        reason="r",
    )
    found = tuple(Located("USER.md", 1, finding) for _ in range(5))
    out = io.StringIO()
    guide._print_scene(
        Console(out, io.StringIO(), environ={}), 1, Scene("t", "x", findings=found)
    )
    assert out.getvalue().count("override.x") == guide._SHOWN_FINDINGS
    assert f"… and {5 - guide._SHOWN_FINDINGS} more findings" in out.getvalue()
