"""The MCP server, asked by the official SDK's own client."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, MCPError, StdioServerParameters, stdio_server

from adapters.racing import SOURCES, lost, race
from ethos_memory.adapters import mcp as adapter
from ethos_memory.entry import Add
from ethos_memory.errors import NotPermittedError
from ethos_memory.memory import Memory
from ethos_memory.turn import Turn
from tool_turns import ATTACK, CLI, DIRECT, SECRET, STRANGER, open_memory

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

SCOPE = "personality:ops"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


def asked(server: Any, use: Callable[[Client], Awaitable[Any]]) -> Any:
    """Connect a client, use it, and let it go."""

    async def run() -> Any:
        async with Client(server) as client:
            try:
                return await use(client)
            except MCPError as error:
                # Raised here, it would come out in a group of the client's tasks.
                return error

    answer = asyncio.run(run())
    if isinstance(answer, MCPError):
        raise answer
    return answer


def called(server: Any, name: str, **given: Any) -> tuple[str, bool]:
    """Call one tool; return what it said, and whether that is an error."""
    answer = asked(server, lambda client: client.call_tool(name, given))
    (content,) = answer.content
    return content.text, answer.is_error


def names(server: Any) -> list[str]:
    """Return the tools that a client is offered."""
    return [
        tool.name for tool in asked(server, lambda client: client.list_tools()).tools
    ]


def test_a_client_writes_reads_and_searches(memory: Memory) -> None:
    """And the note is on the page."""
    server = adapter.server_for(memory, CLI)
    given = {"store": "memory", "action": "add", "content": "- bees on the roof"}
    assert called(server, "memory_write", **given) == (
        "Appended to MEMORY.md: 0 -> 19 bytes.",
        False,
    )
    assert called(server, "memory_read") == ("## Memory\n\n- bees on the roof", False)
    assert called(server, "memory_search", query="bees")[0].startswith("### MEMORY.md")
    entry = memory.provider.read(SCOPE, "MEMORY.md")
    assert entry is not None
    assert entry.content == "- bees on the roof\n"


def test_what_is_refused_is_an_error_the_model_reads(memory: Memory) -> None:
    """A wrong argument, an attack, and a tool that is not there."""
    server = adapter.server_for(memory, CLI)
    attack = {"store": "memory", "action": "add", "content": f"- {ATTACK}"}
    text, is_error = called(server, "memory_write", **attack)
    assert is_error
    assert ATTACK not in text
    assert called(server, "memory_read", scope="user:u2")[1]
    with pytest.raises(MCPError):
        called(server, "no_such_tool")
    assert memory.provider.list(SCOPE) == ()


def test_tools_tell_whether_they_write(memory: Memory) -> None:
    """A client may ask a person before it calls one."""
    server = adapter.server_for(memory, CLI, team="crew")
    tools = asked(server, lambda client: client.list_tools()).tools
    assert {t.name for t in tools if not t.annotations.read_only_hint} == {
        "memory_write",
        "team_memory_write",
    }
    for tool in tools:
        assert tool.input_schema["type"] == "object"
        assert "scope" not in tool.input_schema["properties"]


def test_read_only_leaves_out_what_writes(memory: Memory) -> None:
    """And refuses a call that comes anyway."""
    server = adapter.server_for(memory, CLI, team="crew", read_only=True)
    assert names(server) == [
        "memory_read",
        "memory_search",
        "team_memory_read",
        "team_memory_search",
    ]
    with pytest.raises(MCPError):
        called(server, "memory_write", store="memory", action="add", content="x")
    assert memory.provider.list(SCOPE) == ()


def test_each_request_has_its_own_identity(memory: Memory) -> None:
    """The host says who is asking; what it raises is the answer."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    turns = [STRANGER, DIRECT]
    server = adapter.server_for(memory, lambda _: turns[0])
    assert names(server) == ["memory_read", "memory_write"]
    assert "NOTES" not in called(server, "memory_read")[0]
    turns.pop(0)
    assert "NOTES" in called(server, "memory_read")[0]

    def nobody(_: Any) -> Turn:
        raise NotPermittedError("who are you")

    for ask in ("list_tools", "list_resources"):
        with pytest.raises(MCPError):
            asked(
                adapter.server_for(memory, nobody),
                lambda client, ask=ask: getattr(client, ask)(),  # type: ignore[misc]
            )


def test_a_shared_room_has_nothing(memory: Memory) -> None:
    """Neither tools nor resources."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES")])
    server = adapter.server_for(memory, Turn("ops", "group", chat_id="5"))
    assert names(server) == []
    listed = asked(server, lambda client: client.list_resources())
    assert listed.resources == []
    with pytest.raises(MCPError):
        asked(
            server, lambda client: client.read_resource("memory:///memories/MEMORY.md")
        )


def test_pages_are_resources(memory: Memory) -> None:
    """As a model may read them; another address is no resource."""
    memory.provider.sync(SCOPE, [Add("a--b.md", "one")])
    memory.provider._inner.sync(SCOPE, [Add("key.md", f"k {SECRET}")])
    server = adapter.server_for(memory, CLI)
    listed = asked(server, lambda client: client.list_resources()).resources
    assert [(one.uri, one.name) for one in listed] == [
        ("memory:///memories/a/b.md", "b.md"),
        ("memory:///memories/key.md", "key.md"),
    ]
    assert listed[0].size == 4
    texts = [
        asked(server, lambda client, one=one: client.read_resource(one.uri))  # type: ignore[misc]
        .contents[0]
        .text
        for one in listed
    ]
    assert texts[0] == "one\n"
    assert SECRET not in texts[1]
    for uri in (
        "memory:///memories/none.md",
        "memory:///memories/../../x.md",
        "memory:///memories/%2e%2e/x.md",
        "file:///etc/passwd",
    ):
        with pytest.raises(MCPError):
            asked(server, lambda client, uri=uri: client.read_resource(uri))  # type: ignore[misc]


def test_a_home_that_cannot_be_read_is_no_empty_one(tmp_path: Path) -> None:
    """And the answer holds no path."""
    home = tmp_path / "home"
    (home / "users").mkdir(parents=True)
    (home / "users" / "identity-map.json").write_text("{")
    with open_memory(home) as memory:
        turn = Turn("ops", "direct", account=DIRECT.account)
        server = adapter.server_for(memory, turn)
        with pytest.raises(MCPError) as caught:
            names(server)
        assert "CorruptFileError" in str(caught.value)
        assert str(home) not in str(caught.value)


def command(home: Path, *options: str) -> list[str]:
    """Return the command line of a server."""
    module = ["-W", "ignore", "-m", "ethos_memory.adapters.mcp"]
    return [*module, "--root", str(home), "--personality", "ops", *options]


def test_it_serves_over_stdio(tmp_path: Path) -> None:
    """A process of its own, as a desktop client starts it."""
    server = StdioServerParameters(
        command=sys.executable,
        args=command(tmp_path / "home", "--user-id", "u1"),
        env={"PYTHONPATH": str(SOURCES)},
    )
    given = {"store": "user", "action": "add", "content": "- keeps bees"}
    assert called(server, "memory_write", **given)[1] is False
    with Memory.open(tmp_path / "home") as memory:
        entry = memory.provider.read("user:u1", "USER.md")
    assert entry is not None
    assert entry.content == "- keeps bees\n"


def test_it_serves_over_http(tmp_path: Path) -> None:
    """On this machine, and a page elsewhere cannot reach it through a name."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, *command(tmp_path / "home", "--http", str(port))],
        env={"PYTHONPATH": str(SOURCES)},
    )
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        for _ in range(200):
            time.sleep(0.05)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        given = {"store": "memory", "action": "add", "content": "- over http"}
        assert called(url, "memory_write", **given)[1] is False
        assert "over http" in called(url, "memory_read")[0]
        elsewhere = HTTPConnection("127.0.0.1", port)
        headers = {"Content-Type": "application/json", "Host": "evil.example"}
        elsewhere.request("POST", "/mcp", "{}", headers)
        status = elsewhere.getresponse().status
        elsewhere.close()
        assert status == 421
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Note what would be served, instead of serving it."""
    calls: list[Any] = []

    def serve(server: Any, port: int | None) -> None:
        # In a thread: an event loop below a traced frame ends its tracing.
        with ThreadPoolExecutor() as threads:
            calls.append((threads.submit(names, server).result(), port))

    monkeypatch.setattr(adapter, "_serve", serve)
    return calls


def test_the_command_line_says_who(tmp_path: Path, served: list[Any]) -> None:
    """Without a person the personality's copy; a phone has no tools."""
    root = ["--root", str(tmp_path), "--personality", "ops"]
    assert adapter.main([*root, "--http", "8123"]) == 0
    assert adapter.main([*root, "--user-id", "u1", "--read-only"]) == 0
    assert adapter.main([*root, "--surface", "phone"]) == 0
    basic = ["memory_read", "memory_write", "memory_search"]
    assert served == [
        (basic, 8123),
        (["memory_read", "memory_search", "session_list_by_date"], None),
        ([], None),
    ]


@pytest.mark.parametrize(
    "options", [["--personality", "../x"], ["--personality", "x", "--user-id", "a b"]]
)
def test_a_bad_name_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """With one line."""
    assert adapter.main(["--root", str(tmp_path), *options]) == 1
    assert capsys.readouterr().err.startswith("ethos-memory: ")


def test_both_ways_of_serving(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP on this machine alone."""
    import anyio
    import uvicorn

    hosts: list[Any] = []
    monkeypatch.setattr(uvicorn, "run", lambda _, **more: hosts.append(more["host"]))
    runs: list[Any] = []
    monkeypatch.setattr(anyio, "run", lambda *given: runs.append(given))
    server = adapter.server_for(memory, CLI)
    adapter._serve(server, 8123)
    adapter._serve(server, None)
    assert hosts == ["127.0.0.1"]
    assert runs == [(adapter._over_stdio, server)]


def test_stdio_ends_with_its_client(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The streams are those of the process."""
    import io

    import anyio

    stdin, stdout = anyio.wrap_file(io.StringIO("")), anyio.wrap_file(io.StringIO())
    served = partial(stdio_server, stdin, stdout)
    monkeypatch.setattr(adapter, "stdio_server", served)
    anyio.run(adapter._over_stdio, adapter.server_for(memory, CLI))


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred notes each, each writer with its own server and client."""
    body = """
import asyncio
from mcp import Client
from ethos_memory.adapters.mcp import server_for
from tool_turns import CLI, open_memory
server = server_for(open_memory(home), CLI)
def write(text):
    async def run():
        async with Client(server) as client:
            given = {{"store": "memory", "action": "add", "content": text}}
            answer = await client.call_tool("memory_write", given)
            assert not answer.is_error, answer
    asyncio.run(run())
""".replace("{{", "{").replace("}}", "}")
    race(tmp_path / "home", body)
    with open_memory(tmp_path / "home") as memory:
        entry = memory.provider.read(SCOPE, "MEMORY.md")
    assert entry is not None
    assert lost(entry.content) == []
    assert len(entry.content.split()) == 400
