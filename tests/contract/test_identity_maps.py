"""Every identity map of ours runs the whole contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory.identity_map import IdentityMap
from ethos_memory.testing import IdentityMapContract

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.identity_map import AccountMap


class TestFile(IdentityMapContract):
    """Accounts in one JSON file."""

    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path

    @pytest.fixture
    @override
    def identity_map(self) -> AccountMap:
        """Return an empty one."""
        return IdentityMap(self.home, durability="fast")

    @override
    def reopen(self, identity_map: AccountMap) -> AccountMap:
        """Open the same home again."""
        return IdentityMap(self.home, durability="fast")
