"""The three operations, awaited."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ethos_memory.aio import AsyncMemory
from unit.person.homes import open_home, settle

if TYPE_CHECKING:
    from pathlib import Path


def test_people_are_exported_forgotten_and_merged_as_without_await(
    tmp_path: Path,
) -> None:
    """With their dry runs."""

    async def main() -> None:
        async with AsyncMemory(open_home(tmp_path / "home")) as memory:
            ana = settle(memory.memory, "ana")
            dry = await memory.export(ana.user_id, tmp_path / "out", dry_run=True)
            assert not dry
            exported = await memory.export(ana.user_id, tmp_path / "out")
            assert exported.held == dry.held
            assert not await memory.forget(ana.user_id, dry_run=True)
            assert await memory.forget(ana.user_id)
            assert (await memory.merge("a", "b", dry_run=True)).is_dry_run
            assert not (await memory.merge("a", "b")).is_dry_run

    asyncio.run(main())
    assert (tmp_path / "out/manifest.json").exists()
