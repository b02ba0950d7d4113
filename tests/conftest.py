"""What tests of several folders share."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from postgres.server import Server


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage among the collected tests not once: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Run a private PostgreSQL server, once for all tests that ask for one."""
    pytest.importorskip("psycopg")
    from postgres.server import FAST, Server

    server = Server(*FAST)
    yield server
    server.stop()
