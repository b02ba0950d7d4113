"""Anthropic's memory tool, sync and async, over one code path.

Pass one to ``client.beta.messages.run_tools(tools=[...])``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from ethos_memory.errors import MissingExtraError
from ethos_memory.tools import Files

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import (
        BetaAbstractMemoryTool,
        BetaAsyncAbstractMemoryTool,
    )
    from anyio.to_thread import run_sync
except ImportError:
    raise MissingExtraError("anthropic") from None

if TYPE_CHECKING:
    from ethos_memory.memory import Memory
    from ethos_memory.tools import ToolAnswer
    from ethos_memory.turn import Turn

__all__ = ["AsyncMemoryTool", "MemoryTool"]


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool for one turn; see `ethos_memory.tools.Files`.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
        cache_control: Anthropic's own.
    """

    def __init__(
        self, memory: Memory, turn: Turn, *, cache_control: Any = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._files = Files(memory, turn)

    @override
    def execute(self, command: Any) -> str:
        """Do a command.

        Raises:
            ToolError: When it was not done; the model reads why.
        """
        return _text(self._files.run(_given(command)))

    @override
    def clear_all_memory(self) -> str:
        """Delete every file of the turn, for the host."""
        return _text(self._files.clear())

    @override
    def view(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)

    @override
    def create(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)

    @override
    def str_replace(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)

    @override
    def insert(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)

    @override
    def delete(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)

    @override
    def rename(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return self.execute(command)


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for one turn, whose calls are awaited.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
        cache_control: Anthropic's own.
    """

    def __init__(
        self, memory: Memory, turn: Turn, *, cache_control: Any = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._files = Files(memory, turn)

    @override
    async def execute(self, command: Any) -> str:
        """Do a command in a thread.

        Raises:
            ToolError: When it was not done; the model reads why.
        """
        return _text(await run_sync(self._files.run, _given(command)))

    @override
    async def clear_all_memory(self) -> str:
        """Delete every file of the turn, for the host."""
        return _text(await run_sync(self._files.clear))

    @override
    async def view(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)

    @override
    async def create(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)

    @override
    async def str_replace(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)

    @override
    async def insert(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)

    @override
    async def delete(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)

    @override
    async def rename(self, command: Any) -> str:
        """Do this command; see `execute`."""
        return await self.execute(command)


def _given(command: Any) -> dict[str, object]:
    # The host builds commands unchecked, and `Files` checks them: no warning is due.
    given: dict[str, object] = command.model_dump(warnings=False)
    return given


def _text(answer: ToolAnswer) -> str:
    if answer.error is not None:
        raise ToolError(answer.text)
    return answer.text
