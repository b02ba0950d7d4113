"""What every part of the provider contract stands on: the one fixture and the flags."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest

from ethos_memory.entry import Origin
from ethos_memory.errors import UnsupportedError
from ethos_memory.provider import SupportsErase, SupportsHistory
from ethos_memory.testing.capabilities import Capabilities
from ethos_memory.testing.contract.sealed import Sealed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.entry import SearchHit, SyncReport, Update
    from ethos_memory.provider import MemoryProvider, SearchMode

__all__ = ["ALIEN_SCOPE", "PERSON", "Subject", "keys_of", "raw"]

#: A valid scope of a kind that no provider has a place for.
ALIEN_SCOPE = "no-such-kind:a"

#: A guard stores what a person writes, whatever it thinks of it.
PERSON = Origin("web-editor")


def raw(provider: MemoryProvider, scope: str, key: str) -> str | None:
    """Return a page's text as it is kept, also where a guard stands in between."""
    read = getattr(provider, "unsafe_read", provider.read)
    entry = read(scope, key)
    return None if entry is None else entry.content


def keys_of(hits: Iterable[SearchHit]) -> list[str]:
    """Return which pages were found, the best first."""
    return [hit.key for hit in hits]


class Subject(Sealed):
    """The provider under test.

    Attributes:
        capabilities: What the provider declines.
    """

    capabilities: ClassVar[Capabilities] = Capabilities()

    @pytest.fixture
    def provider(self) -> MemoryProvider:
        """Return a fresh and empty provider. A subclass overrides this."""
        pytest.fail("override the fixture `provider` with your own")

    def reopen(self, provider: MemoryProvider) -> MemoryProvider:  # noqa: ARG002 - the hook's shape
        """Return another object over the same memory. A durable provider overrides it.

        The tests do not use the old object again.
        """
        pytest.fail("override `reopen`, or decline with Capabilities(durable=False)")

    def scope(self, id: str = "ana") -> str:
        """Return a scope that the provider has a place for."""
        return f"{self.capabilities.kinds[0]}:{id}"

    def find(
        self, provider: MemoryProvider, query: str, *, scope: str = "", limit: int = 10
    ) -> list[str]:
        """Return the keys that a search finds by words, where it can do that."""
        mode: SearchMode | None = (
            "keyword" if "keyword" in self.capabilities.modes else None
        )
        hits = provider.search(scope or self.scope(), query, limit=limit, mode=mode)
        return keys_of(hits)

    def write(self, provider: MemoryProvider, *updates: Update) -> SyncReport:
        """Apply updates in the usual scope."""
        return provider.sync(self.scope(), updates)

    def history_of(self, provider: MemoryProvider) -> SupportsHistory:
        """Return the provider as one with a history; skip where it is declined.

        What is declined must not be there.
        """
        if not self.capabilities.history:
            if isinstance(provider, SupportsHistory):
                with pytest.raises(UnsupportedError):
                    provider.history(self.scope())
                with pytest.raises(UnsupportedError):
                    provider.restore(self.scope(), "MEMORY.md", "")
            pytest.skip("history is declined")
        assert isinstance(provider, SupportsHistory)
        return provider

    def eraser_of(self, provider: MemoryProvider) -> SupportsErase:
        """Return the provider as one that erases; skip where it is declined."""
        if not self.capabilities.erase:
            if isinstance(provider, SupportsErase):
                with pytest.raises(UnsupportedError):
                    provider.erase(self.scope())
            pytest.skip("erase is declined")
        assert isinstance(provider, SupportsErase)
        return provider
