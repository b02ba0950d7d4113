"""B19: two people, one folder, and names that leave the folder."""

from __future__ import annotations

import logging
import unicodedata
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add
from ethos_memory.errors import InvalidKeyError, InvalidScopeError, UnsafePathError
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOPES = (
    *("user:ana_b", "user:ana.b", "user:ana/b", "user:Ana_b", "user:..", "user:."),
    *("user:", "user: x", "user:x\n", "user:a:b", "user:CON", "user:" + "a" * 300),
    *("user:\u00e9", "user:e\u0301", "team:x", "root:x", "personality:../users/u1"),
)
KEYS = (
    *("MEMORY.md", "memory.md", "../escape.md", "..\\escape.md", "a/../../b.md"),
    *("/etc/passwd", ".hidden.md", "x..md", "notes.MD", "nul.md", "a\0b.md"),
    *("%2e%2e%2fx.md", "Nota de reunión.md", "徐放性.md", "memories_backup/x.md"),
    *("MEMORY.md ", "MEMORY.md.lock", "identity-map.json"),
)


def _tree(path: Path) -> list[str]:
    return sorted(str(one.relative_to(path)) for one in path.rglob("*"))


def test_ids_are_accepted_as_they_are_or_refused(tmp_path: Path) -> None:
    """Nothing outside the home changes, and no two share a folder on any volume."""
    memory = MarkdownProvider(tmp_path / "home")
    accepted = []
    for scope in SCOPES:
        try:
            memory.sync(scope, [Add("MEMORY.md", scope)])
        except (InvalidScopeError, UnsafePathError):
            continue
        accepted.append(scope)
    assert accepted == ["user:ana_b"]
    assert _tree(tmp_path) == [
        *("home", "home/users", "home/users/ana_b", "home/users/ana_b/MEMORY.md"),
        "home/users/ana_b/memory-history.jsonl",
    ]
    folded = {
        unicodedata.normalize("NFC", path.name.casefold())
        for path in (tmp_path / "home/users").iterdir()
    }
    assert len(folded) == len(accepted)


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, key: memory.read("user:u1", key),
        lambda memory, key: memory.sync("user:u1", [Add(key, "x")]),
        lambda memory, key: memory.history("user:u1", key),
        lambda memory, key: memory.restore("user:u1", key, ""),
    ],
)
def test_what_is_refused_is_refused_by_every_call(
    tmp_path: Path, call: Callable[[MarkdownProvider, str], object]
) -> None:
    """Reading a refused key does not answer as if it were merely absent."""
    memory = MarkdownProvider(tmp_path / "home")
    for key in KEYS[1:]:
        with pytest.raises(InvalidKeyError):
            call(memory, key)
    assert _tree(tmp_path) == []


def test_of_two_casings_on_disk_one_is_used_and_the_other_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """On some volumes they are one file, on others two."""
    folder = tmp_path / "users/u1"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("upper")
    (folder / "memory.md").write_text("lower")
    memory = MarkdownProvider(tmp_path)
    with caplog.at_level(logging.WARNING):
        entries = memory.prefetch("user:u1").entries
    assert [entry.content for entry in entries] == ["upper"]
    assert "'memory.md'" in caplog.text
    assert [hit.content for hit in memory.search("user:u1", "lower upper")] == ["upper"]


def test_another_casing_of_a_page_or_person_is_not_made(tmp_path: Path) -> None:
    """The home may be copied to a volume that ignores case."""
    memory = MarkdownProvider(tmp_path)
    memory.sync("user:ana", [Add("notes.md", "x")])
    before = _tree(tmp_path)
    with pytest.raises(UnsafePathError, match="only in case"):
        memory.sync("user:ana", [Add("Notes.md", "x")])
    with pytest.raises(UnsafePathError, match="only in case"):
        memory.sync("user:Ana", [Add("notes.md", "x")])
    assert _tree(tmp_path) == before
