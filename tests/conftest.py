"""What tests of several folders share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.server import Server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Run a private PostgreSQL server, once for all tests that ask for one."""
    pytest.importorskip("psycopg")
    from postgres.server import FAST, Server

    server = Server(*FAST)
    yield server
    server.stop()
