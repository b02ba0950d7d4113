"""Every provider of ours runs the whole contract, and again behind the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory.guard import InjectionGuard
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.teams import markdown_teams
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.providers.vault import VaultProvider
from ethos_memory.providers.vector import VectorProvider
from ethos_memory.testing import Capabilities, HashEmbedder, ProviderContract

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.provider import MemoryProvider

GUARD = InjectionGuard()


class TestTransient(ProviderContract):
    """Memory in the object."""

    capabilities = Capabilities(durable=False)

    @pytest.fixture
    @override
    def provider(self) -> MemoryProvider:
        """Return an empty one."""
        return TransientProvider()


class TestGuardedTransient(TestTransient):
    """The same behind the guard."""

    @pytest.fixture
    @override
    def provider(self) -> MemoryProvider:
        """Return an empty one."""
        return GuardedProvider(TransientProvider(), GUARD)


class TestMarkdown(ProviderContract):
    """Memory in files."""

    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path

    def open(self) -> MemoryProvider:
        """Open the home."""
        return MarkdownProvider(self.home, durability="fast")

    @pytest.fixture
    @override
    def provider(self) -> MemoryProvider:
        """Return an empty one."""
        return self.open()

    @override
    def reopen(self, provider: MemoryProvider) -> MemoryProvider:
        """Open the same home again."""
        return self.open()


class TestGuardedMarkdown(TestMarkdown):
    """The same behind the guard."""

    @override
    def open(self) -> MemoryProvider:
        """Open the home behind the guard."""
        return GuardedProvider(super().open(), GUARD)


class TestTeams(TestMarkdown):
    """Team memory in files."""

    capabilities = Capabilities(kinds=("team",))

    @override
    def open(self) -> MemoryProvider:
        """Open the home's teams."""
        return markdown_teams(self.home, durability="fast")


class TestGuardedTeams(TestTeams):
    """The same behind the guard."""

    @override
    def open(self) -> MemoryProvider:
        """Open the home's teams behind the guard."""
        return GuardedProvider(super().open(), GUARD)


class TestVault(TestMarkdown):
    """Memory in a folder of a vault."""

    capabilities = Capabilities(front_matter=True)

    @override
    def open(self) -> MemoryProvider:
        """Open the vault."""
        return VaultProvider(self.home, durability="fast")


class TestGuardedVault(TestVault):
    """The same behind the guard, with the owner's notes searched as well."""

    @override
    def open(self) -> MemoryProvider:
        """Open a vault that has a note behind the guard."""
        (self.home / "Some note.md").write_text("nothing of all that\n", "utf-8")
        vault = VaultProvider(self.home, search_vault=True, durability="fast")
        return GuardedProvider(vault, GUARD)


class TestVector(TestMarkdown):
    """Memory in files, found by meaning as well."""

    capabilities = Capabilities(modes=("keyword", "semantic", "hybrid"), prefetch=False)

    @override
    def open(self) -> MemoryProvider:
        """Open the home with an embedder."""
        return VectorProvider(self.home, HashEmbedder(), durability="fast")


class TestGuardedVector(TestVector):
    """The same behind the guard."""

    @override
    def open(self) -> MemoryProvider:
        """Open the home behind the guard."""
        return GuardedProvider(super().open(), GUARD)
