"""B04 on the command line: one entry goes, or nothing, and what went is printed."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ethos_memory.cli import main

FILES = Path(__file__).parent / "files"
SCOPE = "personality:ops"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with the case's two files as pages."""
    folder = tmp_path / "home/personalities/ops"
    folder.mkdir(parents=True)
    for number in ("01", "08"):
        (path,) = FILES.glob(f"{number}-*.md")
        (folder / f"f{number}.md").write_bytes(path.read_bytes())
    return tmp_path / "home"


def page(home: Path, number: str) -> str:
    """Return a page as it is on disk."""
    path = home / f"personalities/ops/f{number}.md"
    return path.read_bytes().decode()


def remove(home: Path, number: str, needle: str) -> int:
    """Remove an entry; return the exit code."""
    return main(["remove", "--root", str(home), "--", SCOPE, f"f{number}.md", needle])


@pytest.mark.parametrize(
    ("number", "needle", "told"),
    [
        ("01", "test", "one entry (1 line)"),
        ("01", "Prefers short status lines", "2 copies of one entry (2 lines)"),
        ("08", "I like tea", "one entry (1 line)"),
        ("08", "Coffee", "one entry (5 lines)"),
        ("08", "| tea | green |", "one entry (1 line)"),
    ],
)
def test_one_entry_goes_and_is_counted(
    home: Path, number: str, needle: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What went is printed, and every line that stays is the same, in order."""
    before = page(home, number)
    assert remove(home, number, needle) == 0
    out = capsys.readouterr().out
    assert f"removed: {told}" in out
    after = page(home, number)
    assert "§\n§" not in after
    printed = [line[2:] for line in out.splitlines() if line.startswith("- ")]
    assert any(needle in line for line in printed)
    left = iter(before.split("\n"))
    assert all(line in left for line in after.split("\n"))
    gone = Counter(before.split("\n")) - Counter(after.split("\n"))
    assert Counter(printed) == Counter({line: gone[line] for line in printed})
    assert set(gone) - set(printed) <= {"", "§"}


@pytest.mark.parametrize(
    ("number", "needle"),
    [
        ("01", "Release routine: tag -> CI"),
        ("01", "e"),
        *(("08", needle) for needle in ("", " ", "-", "#", "|", "§", "not there")),
    ],
)
def test_nothing_goes_and_never_reads_as_success(
    home: Path, number: str, needle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, nothing on standard output, the page byte for byte."""
    before = page(home, number)
    assert remove(home, number, needle) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert re.search(r"Nothing was removed|empty or only a marker", told.err)
    assert page(home, number) == before
