"""`Memory` for asyncio: each call in a worker thread, one code path for both."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from ethos_memory.entry import SyncReport, Update
    from ethos_memory.memory import Recall
    from ethos_memory.turn import Turn

__all__ = ["AsyncMemory"]


class AsyncMemory:
    """A `Memory` whose calls can be awaited; an async context manager.

    No lock is ever held across an ``await``: each call is one synchronous section in
    a thread of its own.

    Args:
        memory: What does the work. `close` closes it.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @classmethod
    async def open(cls, *args: Any, **options: Any) -> Self:
        """Open a home; the arguments, and what is raised, are `Memory.open`'s."""
        return cls(await asyncio.to_thread(partial(Memory.open, *args, **options)))

    async def recall(self, turn: Turn, query: str = "") -> Recall:
        """Assemble the block for a turn's prompt; see `Memory.recall`."""
        return await asyncio.to_thread(self.memory.recall, turn, query)

    async def remember(
        self, turn: Turn, update: Update, *, source: str = "tool"
    ) -> SyncReport:
        """Write what was learned on a turn; see `Memory.remember`."""
        return await asyncio.to_thread(
            self.memory.remember, turn, update, source=source
        )

    async def close(self) -> None:
        """Close what was opened; closing twice is fine."""
        await asyncio.to_thread(self.memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
