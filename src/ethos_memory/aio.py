"""`Memory` for asyncio: each call in a worker thread, one code path for both."""

from __future__ import annotations

from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar

from ethos_memory.memory import Memory

if TYPE_CHECKING:
    import os
    from collections.abc import Awaitable, Callable
    from types import TracebackType
    from typing import Self

    from ethos_memory.entry import SyncReport, Update
    from ethos_memory.learning import SaidMessage
    from ethos_memory.person import ExportReport, ForgetReport, MergeReport
    from ethos_memory.policy import View
    from ethos_memory.profile import Extractor, Observation, Synthesizer
    from ethos_memory.reading import Recall
    from ethos_memory.scope import ScopeId
    from ethos_memory.turn import Turn

__all__ = ["AsyncMemory"]

_T = TypeVar("_T")


async def _in_thread(call: Callable[[], _T]) -> _T:
    # At first use: who does not await needs no event loop, which is slow to import.
    import asyncio  # noqa: PLC0415

    return await asyncio.to_thread(call)


async def _in_time(answer: Awaitable[_T]) -> _T:
    # At first use, as above.
    import asyncio  # noqa: PLC0415

    from ethos_memory.learning import ANSWER_SECONDS  # noqa: PLC0415

    return await asyncio.wait_for(answer, ANSWER_SECONDS)


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
        return cls(await _in_thread(partial(Memory.open, *args, **options)))

    async def recall(self, turn: Turn, query: str = "") -> Recall:
        """Assemble the block for a turn's prompt; see `Memory.recall`."""
        return await _in_thread(partial(self.memory.recall, turn, query))

    async def view(self, turn: Turn) -> View:
        """Say what a turn may see at this moment; see `Memory.view`."""
        return await _in_thread(partial(self.memory.view, turn))

    async def remember(
        self, turn: Turn, update: Update, *, source: str = "tool"
    ) -> SyncReport:
        """Write what was learned on a turn; see `Memory.remember`."""
        return await _in_thread(
            partial(self.memory.remember, turn, update, source=source)
        )

    async def export(
        self,
        user_id: str,
        destination: str | os.PathLike[str],
        *,
        dry_run: bool = False,
    ) -> ExportReport:
        """Write everything held about a person; see `Memory.export`."""
        return await _in_thread(
            partial(self.memory.export, user_id, destination, dry_run=dry_run)
        )

    async def forget(self, user_id: str, *, dry_run: bool = False) -> ForgetReport:
        """Erase one person for good; see `Memory.forget`."""
        return await _in_thread(partial(self.memory.forget, user_id, dry_run=dry_run))

    async def merge(
        self, keep: str, drop: str, *, dry_run: bool = False
    ) -> MergeReport:
        """Say that two ids are one person; see `Memory.merge`."""
        return await _in_thread(partial(self.memory.merge, keep, drop, dry_run=dry_run))

    async def observe(
        self,
        turn: Turn,
        message: str | SaidMessage,
        *,
        extractor: Extractor | None = None,
    ) -> tuple[Observation, ...]:
        """Learn from what the user of a turn said; see `Memory.observe`."""
        call = partial(self.memory.observe, turn, message, extractor=extractor)
        return await _in_thread(call)

    async def note(self, turn: Turn, observation: Observation | str) -> bool:
        """Keep a finished observation of a host's own agent; see `Memory.note`."""
        return await _in_thread(partial(self.memory.note, turn, observation))

    async def synthesize(
        self,
        scope: ScopeId | str,
        synthesizer: Synthesizer | None = None,
    ) -> str | None:
        """Merge what was observed into ``IDENTITY.md``; see `Memory.synthesize`.

        Args:
            scope: Whose document.
            synthesizer: A coroutine function is awaited between two short calls, no
                lock held; what arrives meanwhile stays for the next time.

        Raises:
            TimeoutError: When the model takes too long; nothing was changed.
        """
        if not iscoroutinefunction(synthesizer):
            return await _in_thread(partial(self.memory.synthesize, scope, synthesizer))
        learner = self.memory.learner
        draft = await _in_thread(partial(learner.begin, scope))
        if draft is None:
            return None
        answer = await _in_time(synthesizer(draft.document, draft.observations))
        return await _in_thread(partial(learner.finish, draft, answer))

    async def close(self) -> None:
        """Close what was opened; closing twice is fine."""
        await _in_thread(self.memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
