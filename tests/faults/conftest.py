"""One process for the faults to hit serves all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from faults.tracing import Victim

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def victim() -> Iterator[Victim]:
    with Victim() as process:
        yield process
