"""Every session store of ours runs the whole contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory.sessions import SQLiteSessionStore
from ethos_memory.testing import SessionStoreContract

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import SessionStore


class TestSQLite(SessionStoreContract):
    """Conversations in one SQLite file."""

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path) -> Iterator[None]:
        self.path = tmp_path / "memory-sessions.db"
        self.opened: list[SessionStore] = []
        yield
        for store in self.opened:
            store.close()

    def open(self) -> SessionStore:
        """Open the file."""
        self.opened.append(SQLiteSessionStore(self.path))
        return self.opened[-1]

    @pytest.fixture
    @override
    def store(self) -> SessionStore:
        """Return an empty one."""
        return self.open()

    @override
    def reopen(self, store: SessionStore) -> SessionStore:
        """Open the same file again."""
        store.close()
        return self.open()
