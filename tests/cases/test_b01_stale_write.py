"""B01: the process writes back what it remembered, not what is on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ethos_memory.entry import Add, Remove
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SCOPE = "user:u1"


def test_a_page_tidied_in_an_editor_is_what_the_next_change_starts_from(
    tmp_path: Path,
) -> None:
    """With one object that lives on, and had the page in its hands before."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("USER.md", "- likes tea")])
    memory.prefetch(SCOPE)
    memory.read(SCOPE, "USER.md")
    page = tmp_path / "users/u1/USER.md"
    page.write_text(
        "# Ros\n\n- likes tea\n- allergic to nuts\n\n## Work\n- restores pianos\n"
    )
    memory.sync(SCOPE, [Add("USER.md", "- works from Lisbon")])
    memory.sync(SCOPE, [Remove("USER.md", "likes tea")])
    text = page.read_text()
    for kept in ("allergic to nuts", "## Work", "restores pianos", "works from Lisbon"):
        assert kept in text
    assert "likes tea" not in text


def test_an_edit_just_before_the_rename_is_never_silently_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor takes no lock; the last moment is inside the rename itself."""
    memory = MarkdownProvider(tmp_path)
    memory.sync(SCOPE, [Add("USER.md", "- likes tea")])
    page = tmp_path / "users/u1/USER.md"
    rename = os.rename
    edits = ["- from the editor\n"]

    def interrupted(source: str, target: str, **rest: int) -> None:
        if target == "USER.md" and edits:
            with page.open("a") as editor:
                editor.write(edits.pop())
        rename(source, target, **rest)

    monkeypatch.setattr(os, "rename", interrupted)
    memory.sync(SCOPE, [Add("USER.md", "- works from Lisbon")])
    assert page.read_text() == (
        "- likes tea\n- from the editor\n\n- works from Lisbon\n"
    )
