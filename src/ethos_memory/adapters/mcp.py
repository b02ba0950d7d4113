"""An MCP server over one home: the tools of a turn, and its pages as resources.

``python -m ethos_memory.adapters.mcp --root ~/.ethos --personality ops`` serves one
person over stdin and stdout, or with ``--http PORT`` over streamable HTTP on this
machine. A gateway that serves several says who is asking: see `server_for`.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from ethos_memory.errors import EthosMemoryError, MissingExtraError
from ethos_memory.memory import Memory
from ethos_memory.tools import Files, tools_for
from ethos_memory.turn import SURFACES, Turn

try:
    import anyio
    import mcp_types as types
    from anyio.to_thread import run_sync
    from mcp import MCPError, stdio_server
    from mcp.server import Server, ServerRequestContext
except ImportError:
    raise MissingExtraError("mcp") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ethos_memory.tools import Tool

__all__ = ["main", "server_for"]

_NAME: Final = "ethos-memory"
_SCHEME: Final = "memory://"

#: Where HTTP is served: this machine alone, since nothing there asks who is calling.
_HOST: Final = "127.0.0.1"

_ABOUT: Final = (
    "What is remembered about the person and the work. Read before you answer; add what "
    "is worth keeping; search when a name is unknown."
)


class _Desk:
    """Answers the requests of a server."""

    def __init__(
        self,
        memory: Memory,
        identify: Callable[[ServerRequestContext], Turn],
        *,
        team: str | None,
        is_read_only: bool,
    ) -> None:
        self._memory = memory
        self._identify = identify
        self._team = team
        self._is_read_only = is_read_only

    async def list_tools(
        self,
        context: ServerRequestContext,
        params: types.PaginatedRequestParams | None,  # noqa: ARG002 - the host's shape
    ) -> types.ListToolsResult:
        tools = await self._tools(context)
        return types.ListToolsResult(tools=[_described(tool) for tool in tools])

    async def call_tool(
        self, context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tools = {tool.name: tool for tool in await self._tools(context)}
        if params.name not in tools:
            raise MCPError(types.INVALID_PARAMS, "there is no such tool here")
        run = tools[params.name].run
        answer = await run_sync(run, params.arguments or {})
        content = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(
            content=[content], is_error=answer.error is not None
        )

    async def list_resources(
        self,
        context: ServerRequestContext,
        params: types.PaginatedRequestParams | None,  # noqa: ARG002 - the host's shape
    ) -> types.ListResourcesResult:
        paths = await self._asked(lambda: self._files(context).paths())
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=_SCHEME + quote(path),
                    name=path.rpartition("/")[2],
                    mime_type="text/markdown",
                    size=size,
                )
                for path, size in paths
            ]
        )

    async def read_resource(
        self, context: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        path = unquote(params.uri.removeprefix(_SCHEME))
        answer = await self._asked(lambda: self._files(context).text(path))
        if answer.error is not None:
            raise MCPError(types.INVALID_PARAMS, "there is no such resource here")
        contents = types.TextResourceContents(
            uri=params.uri, text=answer.text, mime_type="text/markdown"
        )
        return types.ReadResourceResult(contents=[contents])

    def _files(self, context: ServerRequestContext) -> Files:
        return Files(self._memory, self._identify(context))

    async def _tools(self, context: ServerRequestContext) -> tuple[Tool, ...]:
        def call() -> tuple[Tool, ...]:
            turn = self._identify(context)
            return tools_for(self._memory, turn, team=self._team)

        tools = await self._asked(call)
        return tuple(t for t in tools if not (t.writes and self._is_read_only))

    async def _asked(self, call: Callable[[], Any]) -> Any:
        try:
            return await run_sync(call)
        except EthosMemoryError as error:
            kind = type(error).__name__
        # Outside the block above: a message can hold a path of the host.
        raise MCPError(types.INTERNAL_ERROR, f"memory cannot be read ({kind})")


def server_for(
    memory: Memory,
    turn: Turn | Callable[[ServerRequestContext], Turn],
    *,
    team: str | None = None,
    read_only: bool = False,
) -> Server[dict[str, Any]]:
    """Return an MCP server over a home.

    Args:
        memory: An open home; it stays open.
        turn: Whose memory it is: one turn for every request, or a function that says
            it of each request, by what the transport knows of the caller. What it
            raises is the answer to that request.
        team: See `ethos_memory.tools.tools_for`.
        read_only: Whether the tools that write are left out.

    Returns:
        The SDK's low-level server: ``run`` it over streams, or mount its
        ``streamable_http_app()`` with the authentication of your choice.
    """
    identify = (lambda _: turn) if isinstance(turn, Turn) else turn
    desk = _Desk(memory, identify, team=team, is_read_only=read_only)
    return Server(
        _NAME,
        instructions=_ABOUT,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_read_resource=desk.read_resource,
    )


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=not tool.writes,
        destructive_hint=tool.writes,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        annotations=hints,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve one person's memory until the client goes.

    Args:
        arguments: Of the command line; those of the process when left out.

    Returns:
        0 in the end, 1 when the home cannot be read.
    """
    options = _parser().parse_args(arguments)
    surface = options.surface or ("cli" if options.user_id is None else "web")
    try:
        turn = Turn(options.personality, surface, user_id=options.user_id)
        with Memory.open(options.root) as memory:
            server = server_for(
                memory, turn, team=options.team, read_only=options.read_only
            )
            _serve(server, options.http)
            return 0
    except EthosMemoryError as error:
        print(f"{_NAME}: {error}", file=sys.stderr)  # noqa: T201 - a command line
    return 1


def _serve(server: Server[dict[str, Any]], port: int | None) -> None:
    if port is None:
        anyio.run(_over_stdio, server)
        return
    # At first use: a server over stdio needs no HTTP.
    import uvicorn  # noqa: PLC0415

    app = server.streamable_http_app(host=_HOST)
    uvicorn.run(app, host=_HOST, port=port, log_level="warning")


async def _over_stdio(server: Server[dict[str, Any]]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ethos_memory.adapters.mcp",
        description="Serve one person's memory to an MCP client.",
    )
    add = parser.add_argument
    add("--root", default=os.environ.get("ETHOS_HOME", "~/.ethos"), help="the home")
    add("--personality", required=True, help="whose memory")
    add("--user-id", help="the person; without one the personality's own copy")
    add("--surface", choices=SURFACES, help="cli, or web with --user-id")
    add("--team", help="adds the tools about this team")
    add("--read-only", action="store_true", help="leaves out the tools that write")
    add("--http", type=int, metavar="PORT", help=f"over HTTP on {_HOST}, not stdio")
    return parser


if __name__ == "__main__":  # pragma: no cover - tests run it as a process
    sys.exit(main())
