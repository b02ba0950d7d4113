"""No name, whatever it is, reaches outside its scope or meets another's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from ethos_memory.entry import Add
from ethos_memory.errors import InvalidNameError, UnsafePathError
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.scope import resolve_scope
from ethos_memory.testing import hostile_ids, hostile_keys

if TYPE_CHECKING:
    from pathlib import Path


def _tree(root: Path) -> set[str]:
    return {
        f"{folder}/{name}"
        for folder, folders, files in os.walk(root)
        for name in (*folders, *files)
    }


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(hostile_ids(), hostile_keys())
def test_a_name_is_taken_as_it_is_or_refused(
    tmp_path: Path, id: str, name: str
) -> None:
    """What is written stands at exactly that name, and nothing else is touched."""
    home = tmp_path / "above" / "home"
    before = _tree(tmp_path)
    memory = MarkdownProvider(home, durability="fast")
    try:
        memory.sync(f"user:{id}", [Add(name, "text")])
    except InvalidNameError:
        assert _tree(tmp_path) == before
        return
    except UnsafePathError:
        # The name is fine, and differs only in case from one that is there.
        lower = {path.lower() for path in before}
        assert all(path.lower() in lower for path in _tree(tmp_path))
        return
    page = home / "users" / id / name
    assert page in {path for path in page.parent.iterdir() if path.is_file()}
    assert resolve_scope(f"user:{id}", home) == page.parent
    fresh = _tree(tmp_path) - before - {str(home), str(home.parent)}
    assert all(
        path == str(home / "users") or path.startswith(str(page.parent))
        for path in fresh
    )


@pytest.mark.parametrize("call", ["read", "list", "search", "history", "erase"])
def test_a_refused_scope_is_refused_by_every_call(tmp_path: Path, call: str) -> None:
    """None of them answers as if it were merely absent."""
    memory = MarkdownProvider(tmp_path)
    arguments = {"read": ("A.md",), "search": ("x",)}.get(call, ())
    for scope in (
        "user:..",
        "user:",
        "user:a/b",
        "user:é",
        "users",
        "root:x",
        "team:x",
    ):
        with pytest.raises(InvalidNameError):
            getattr(memory, call)(scope, *arguments)
    assert not any(tmp_path.iterdir())
