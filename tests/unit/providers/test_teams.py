"""Team memory on disk: a place for teams, and for nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Root
from ethos_memory.entry import Add
from ethos_memory.errors import UnknownScopeError, UnsafePathError
from ethos_memory.providers.teams import markdown_teams

if TYPE_CHECKING:
    from pathlib import Path


def test_a_topic_is_a_page_of_its_team(tmp_path: Path) -> None:
    """In Ethos's folder for it."""
    teams = markdown_teams(tmp_path, durability="fast")
    teams.sync("team:blue", [Add("decisions.md", "- tea")])
    page = tmp_path / "teams/blue/memory/decisions.md"
    assert page.read_text() == "- tea\n"
    assert teams.read("team:red", "decisions.md") is None


@pytest.mark.parametrize("scope", ["user:blue", "personality:blue", "teams:blue"])
def test_nobody_else_has_a_place(tmp_path: Path, scope: str) -> None:
    """No setting mixes team memory with the others."""
    teams = markdown_teams(tmp_path)
    with pytest.raises(UnknownScopeError):
        teams.sync(scope, [Add("a.md", "x")])
    assert not any(tmp_path.iterdir())


def test_two_teams_never_share_a_folder(tmp_path: Path) -> None:
    """Neither by case nor by a link, trusted or not."""
    teams = markdown_teams(tmp_path / "home", trusted_links=[tmp_path])
    teams.sync("team:blue", [Add("a.md", "x")])
    with pytest.raises(UnsafePathError):
        teams.sync("team:Blue", [Add("a.md", "y")])
    (tmp_path / "home/teams/red").symlink_to("blue")
    with pytest.raises(UnsafePathError):
        teams.read("team:red", "a.md")


def test_an_open_root_is_shared(tmp_path: Path) -> None:
    """As the home's other providers do, and stays open."""
    root = Root(tmp_path)
    with markdown_teams(root) as teams:
        teams.sync("team:blue", [Add("a.md", "x")])
    assert markdown_teams(root).read("team:blue", "a.md") is not None
