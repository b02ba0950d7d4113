"""What is routed runs the whole contract, and so does what is not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.routed import Route, RoutedProvider
from ethos_memory.testing import ProviderContract

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.provider import MemoryProvider


class TestRouted(ProviderContract):
    """Personalities in one folder, people in another."""

    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path

    def open(self) -> MemoryProvider:
        """Open both folders."""
        files = partial(MarkdownProvider, durability="fast")
        return RoutedProvider(
            files(self.home / "home"),
            choose=lambda _: Route("own"),
            open=lambda choice: files(self.home / choice),
            choice="home",
        )

    @pytest.fixture
    @override
    def provider(self) -> MemoryProvider:
        """Return an empty one."""
        return self.open()

    @override
    def reopen(self, provider: MemoryProvider) -> MemoryProvider:
        """Open the same folders again."""
        return self.open()
