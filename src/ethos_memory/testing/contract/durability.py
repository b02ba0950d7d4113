"""Memory that outlives the object that keeps it."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add, Delete, Remove
from ethos_memory.testing.contract.subject import Subject

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

__all__ = ["DurabilityContract"]


class DurabilityContract(Subject):
    """Another object over the same memory; skipped where that is declined."""

    def _reopened(self, provider: MemoryProvider) -> MemoryProvider:
        if not self.capabilities.durable:
            pytest.skip("durability is declined")
        again = self.reopen(provider)
        assert again is not provider
        return again

    def test_memory_outlives_its_object(self, provider: MemoryProvider) -> None:
        """Pages with revision and time, in the same order."""
        self.write(provider, Add("b.md", "ünï 🎉"), Add("MEMORY.md", "walrus"))
        listed = provider.list(self.scope(), summaries=True)
        page = provider.read(self.scope(), "b.md")
        again = self._reopened(provider)
        assert again.list(self.scope(), summaries=True) == listed
        assert again.read(self.scope(), "b.md") == page
        assert self.find(again, "walrus") == ["MEMORY.md"]

    def test_what_was_deleted_stays_deleted(self, provider: MemoryProvider) -> None:
        """It is neither listed nor found by another object (case B11)."""
        self.write(provider, Add("a.md", "- walrus\n- tea"), Add("b.md", "bees"))
        self.find(provider, "walrus bees")
        self.write(provider, Remove("a.md", "walrus"), Delete("b.md"))
        again = self._reopened(provider)
        assert [ref.key for ref in again.list(self.scope())] == ["a.md"]
        assert self.find(again, "walrus") == []
        assert self.find(again, "bees") == []

    def test_history_outlives_its_object(self, provider: MemoryProvider) -> None:
        """With its texts."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "one"))
        self.write(provider, Add("a.md", "two"))
        told = history.history(self.scope())
        again = self.history_of(self._reopened(provider))
        assert again.history(self.scope()) == told
