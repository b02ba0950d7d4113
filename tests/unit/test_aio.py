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
from ethos_memory.profile import merge_observations
from ethos_memory.turn import Turn

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.reading import Recall

TURN = Turn("ops", "cli")


def test_a_turn_can_be_awaited(tmp_path: Path) -> None:
    """Open, remember, recall, close."""

    async def main() -> Recall:
        async with await AsyncMemory.open(tmp_path / "home") as memory:
            report = await memory.remember(TURN, Add("MEMORY.md", "- x"), source="cli")
            assert report.changes[0].is_change
            recall = await memory.recall(TURN, "x")
            assert await memory.view(TURN) == recall.view
            return recall

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


def test_a_model_is_awaited_between_two_short_calls(tmp_path: Path) -> None:
    """What arrives while it thinks stays for the next time."""
    given: list[int] = []

    async def main() -> str | None:
        async with await AsyncMemory.open(tmp_path / "home") as memory:
            for line in ("tabs", "types", "tests", "small commits", "plain words"):
                await memory.note(TURN, f"- User prefers {line} in Python")

            async def model(document: str, observations: tuple[object, ...]) -> str:
                given.append(len(observations))
                await memory.note(TURN, "- User prefers late lines in Python")
                return merge_observations(document, observations)  # type: ignore[arg-type]

            stored = await memory.synthesize("personality:ops", model)
            assert await memory.synthesize("personality:ops", model) is None
            assert await memory.synthesize("personality:ops") is None
            return stored

    document = asyncio.run(main())
    assert document is not None
    assert "late lines" not in document
    assert given == [5]
    page = tmp_path / "home/personalities/ops/OBSERVATIONS.md"
    assert "late lines" in page.read_text()
    assert "tabs" not in page.read_text()


def test_observing_can_be_awaited(tmp_path: Path) -> None:
    """The same answer as without a loop."""

    async def main() -> int:
        async with await AsyncMemory.open(tmp_path / "home") as memory:
            return len(await memory.observe(TURN, "I prefer bullet points."))

    assert asyncio.run(main()) == 1


def test_every_call_of_memory_has_its_twin() -> None:
    """A new method of `Memory` must be awaitable as well."""

    def calls(cls: type) -> set[str]:
        return {
            name
            for name, _ in inspect.getmembers(cls, callable)
            if not name.startswith("_")
        }

    assert calls(Memory) == calls(AsyncMemory)
