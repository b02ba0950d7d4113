"""A toolset for Pydantic AI: the tools of the turn that an agent's run is for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from ethos_memory.errors import MissingExtraError
from ethos_memory.tools import tools_for
from ethos_memory.turn import Turn

try:
    from anyio.to_thread import run_sync
    from pydantic_ai import RunContext, ToolDefinition, ToolFailed
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
    from pydantic_core import SchemaValidator, core_schema
except ImportError:
    raise MissingExtraError("pydantic-ai") from None

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.memory import Memory
    from ethos_memory.tools import Tool

__all__ = ["MemoryToolset"]

#: The tools check their own arguments; a JSON object is all that is asked for here.
_OBJECT: Final = SchemaValidator(
    core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema())
)

#: The tools answer what is wrong with a call; none of them asks for a retry.
_NO_RETRIES: Final = 0


class MemoryToolset(AbstractToolset[Any]):
    """The memory tools of one turn, or of the turn that each run is for.

    Args:
        memory: An open home; it stays open.
        turn: Whose memory it is. A function is given the run's context and says it,
            typically from ``ctx.deps``; a model never does.
        team: See `ethos_memory.tools.tools_for`.
        id: The toolset's id among an agent's toolsets.
    """

    def __init__(
        self,
        memory: Memory,
        turn: Turn | Callable[[RunContext[Any]], Turn],
        *,
        team: str | None = None,
        id: str | None = None,
    ) -> None:
        self._memory = memory
        self._turn = turn
        self._team = team
        self._id = id
        self._tools: dict[str, Tool] | None = None

    @property
    @override
    def id(self) -> str | None:
        """The id it was given."""
        return self._id

    @override
    async def for_run(self, ctx: RunContext[Any]) -> MemoryToolset:
        """Return a toolset for one run: its turn, and what its model has read."""
        turn = self._turn if isinstance(self._turn, Turn) else self._turn(ctx)
        return MemoryToolset(self._memory, turn, team=self._team, id=self._id)

    @override
    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """Return what the turn may be offered."""
        return {
            name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=name,
                    description=tool.description,
                    parameters_json_schema=dict(tool.parameters),
                    # Two writes of one answer keep their order.
                    sequential=tool.writes,
                ),
                max_retries=_NO_RETRIES,
                args_validator=_OBJECT,
            )
            for name, tool in (await self._offered(ctx)).items()
        }

    @override
    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Any],
        tool: ToolsetTool[Any],
    ) -> str:
        """Call a tool in a thread; the answer is text.

        Raises:
            ToolFailed: When it was not done; the model reads why, and the run goes on.
        """
        tools = await self._offered(ctx)
        if name not in tools:
            raise ToolFailed("This is not available here.")
        answer = await run_sync(tools[name].run, tool_args)
        if answer.error is not None:
            raise ToolFailed(answer.text)
        return answer.text

    async def _offered(self, ctx: RunContext[Any]) -> dict[str, Tool]:
        if self._tools is not None:
            return self._tools
        turn = self._turn if isinstance(self._turn, Turn) else self._turn(ctx)
        make = partial(tools_for, self._memory, turn, team=self._team)
        tools = {tool.name: tool for tool in await run_sync(make)}
        # A function may say another turn the next time.
        self._tools = tools if isinstance(self._turn, Turn) else None
        return tools
