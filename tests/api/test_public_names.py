"""What `ethos_memory` exports: the names, their homes, and what stays unloaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ethos_memory

#: DESIGN section 3: importable from `ethos_memory`, used from outside.
CONTRACT = [
    "ScopeId",
    "resolve_scope",
    "MemoryEntry",
    "MemoryEntryRef",
    "SearchHit",
    "MemorySnapshot",
    "Add",
    "Replace",
    "Remove",
    "Delete",
    "Update",
    "Origin",
    "SyncReport",
    "KeyChange",
    "apply_updates",
    "MemoryProvider",
    "SupportsHistory",
    "Change",
    "SupportsErase",
    "EraseReport",
    "MarkdownProvider",
    "TransientProvider",
    "GuardedProvider",
    "InjectionGuard",
    "Verdict",
    "Finding",
    "GuardPolicy",
    "Classifier",
    "IdentityMap",
    "KnownAccount",
    "Turn",
    "Account",
    "AudiencePolicy",
    "View",
    "Memory",
    "Recall",
    "AsyncMemory",
    "Observation",
    "Embedder",
    "Page",
    "MessageHit",
    "Message",
    "Session",
    "Sessions",
    "SQLiteSessionStore",
]


@pytest.mark.parametrize("name", ethos_memory.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    """Also those that are loaded when they are first named."""
    assert getattr(ethos_memory, name) is not None


def test_the_contract_is_exported() -> None:
    """Names that hosts rely on."""
    assert set(CONTRACT) <= set(ethos_memory.__all__)


def test_the_names_are_sorted_and_complete() -> None:
    """Tab completion shows them and nothing else."""
    assert ethos_memory.__all__ == sorted(ethos_memory.__all__)
    assert dir(ethos_memory) == ethos_memory.__all__


def test_another_name_is_an_attribute_error() -> None:
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ethos_memory.nothing


def test_importing_loads_nothing_that_comes_at_first_use() -> None:
    """Locks, YAML, SQLite, event loops and the guard's rules wait until they are used."""
    late = ("filelock", "yaml", "sqlite3", "asyncio", "ethos_memory.guard")
    code = f"import ethos_memory, sys; print([m for m in {late} if m in sys.modules])"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    assert result.stdout.strip() == "[]"
