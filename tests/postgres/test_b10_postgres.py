"""Case B10 for conversations in PostgreSQL: the same table, the same tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cases import test_b10_sessions_cjk as case
from ethos_memory.sessions.postgres import PostgresSessionStore
from session_store import Clock

if TYPE_CHECKING:
    from ethos_memory.sessions import Sessions
    from postgres.server import Server

for _name in dir(case):
    if _name.startswith("test_"):
        globals()[_name] = getattr(case, _name)


@pytest.fixture
def sessions(postgres: Server) -> Sessions:
    """Return sessions that hold the messages of the case."""
    store = PostgresSessionStore(postgres.emptied(), clock=Clock())
    mine = store.for_owner("user:ana")
    for name, text in case.DOCS.items():
        mine.append(mine.create(name).id, "user", text)
    return mine
