"""The journal's line, and the log's."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from ethos_memory.identity_map.audit import Operation
from unit.identity_map.samples import ANA, BO, NOON

if TYPE_CHECKING:
    import pytest


def test_a_line_is_one_json_object() -> None:
    """Verb, time, platforms and user ids, and nothing more."""
    line = Operation("merge", ("slack", "x\u2028y"), (ANA, BO)).line(NOON)
    assert b"\n" not in line
    assert json.loads(line) == {
        "at": "2026-09-01T12:00:00.005Z",
        "verb": "merge",
        "platforms": ["slack", "x\u2028y"],
        "userIds": [ANA, BO],
    }


def test_the_log_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """One line of the library's own logger."""
    with caplog.at_level(logging.INFO, logger="ethos_memory"):
        Operation("link", ("slack",), (ANA, BO)).log()
        Operation("merge", (), (ANA, BO)).log()
    assert caplog.messages == [
        f"identity map: link on slack: {ANA} <- {BO}",
        f"identity map: merge on no platform: {ANA} <- {BO}",
    ]
