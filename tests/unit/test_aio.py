"""`AsyncMemory` is `Memory`, awaited: one code path, no event loop held up."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import TYPE_CHECKING

from typing_extensions import override

from ethos_memory.aio import AsyncMemory
from ethos_memory.entry import Add
from ethos_memory.memory import Memory
from ethos_memory.turn import Turn

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.memory import Recall

TURN = Turn("ops", "cli")


def test_a_turn_can_be_awaited(tmp_path: Path) -> None:
    """Open, remember, recall, close."""

    async def main() -> Recall:
        async with await AsyncMemory.open(tmp_path / "home") as memory:
            report = await memory.remember(TURN, Add("MEMORY.md", "- x"), source="cli")
            assert report.changes[0].is_change
            return await memory.recall(TURN, "x")

    assert "- x" in asyncio.run(main()).block


def test_many_tasks_on_one_object_lose_nothing(tmp_path: Path) -> None:
    """Twenty adds at once, each of them there."""

    async def main() -> None:
        async with AsyncMemory(Memory.open(tmp_path / "home")) as memory:
            adds = (Add("MEMORY.md", f"- fact {n}.") for n in range(20))
            await asyncio.gather(*(memory.remember(TURN, add) for add in adds))

    asyncio.run(main())
    page = (tmp_path / "home/personalities/ops/MEMORY.md").read_text()
    assert all(f"- fact {n}." in page for n in range(20))


def test_the_event_loop_is_never_the_one_that_waits(tmp_path: Path) -> None:
    """Files and locks are waited for in another thread."""
    threads: list[int] = []

    class Noting(Memory):
        @override
        def recall(self, turn: Turn, query: str = "") -> Recall:
            threads.append(threading.get_ident())
            return super().recall(turn, query)

    async def main() -> None:
        async with AsyncMemory(Noting.open(tmp_path)) as memory:
            await memory.recall(TURN)

    asyncio.run(main())
    assert threads != [threading.get_ident()]


def test_every_call_of_memory_has_its_twin() -> None:
    """A new method of `Memory` must be awaitable as well."""

    def calls(cls: type) -> set[str]:
        return {
            name
            for name, _ in inspect.getmembers(cls, callable)
            if not name.startswith("_")
        }

    assert calls(Memory) == calls(AsyncMemory)
