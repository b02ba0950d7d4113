"""360 recorded runs of Ethos's own markdown provider, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ethos_memory.entry import Add, Delete, Remove, Replace, Update, trim
from ethos_memory.providers.markdown import MarkdownProvider

_CASES = Path(__file__).with_name("markdown-sync.jsonl")


def _cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _CASES.read_text("utf-8").splitlines()]


def _update(case: dict[str, Any]) -> Update:
    key = case["key"]
    match case["action"]:
        case "add":
            return Add(key, case["content"])
        case "replace":
            return Replace(key, case["content"])
        case "remove":
            return Remove(key, case["substringMatch"])
        case "delete":
            return Delete(key)
        case other:
            raise ValueError(other)


@pytest.mark.parametrize("part", range(4))
def test_a_batch_leaves_the_bytes_that_ethos_leaves(tmp_path: Path, part: int) -> None:
    """And the prompt would see the same pages."""
    memory = MarkdownProvider(tmp_path, durability="fast")
    cases = _cases()[part::4]
    assert len(cases) == 90
    for case in cases:
        folder = tmp_path / "personalities" / case["id"]
        folder.mkdir(parents=True)
        page = folder / "MEMORY.md"
        if case["before"] is not None:
            page.write_bytes(case["before"].encode())
        scope = f"personality:{case['id']}"
        memory.sync(scope, [_update(update) for update in case["updates"]])
        after = page.read_bytes().decode() if page.exists() else None
        assert after == case["after"], case["id"]
        found = [entry.key for entry in memory.prefetch(scope).entries]
        assert found == (case["prefetched"] or []), case["id"]
        assert bool(found) is bool(after and trim(after))
