"""A backend for deepagents: the host's file tools over the pages of one turn."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("deepagents")

from deepagents import create_deep_agent
from deepagents.backends import CompositeBackend, StateBackend
from deepagents.backends.protocol import BackendProtocol, SandboxBackendProtocol
from deepagents.middleware.memory import MemoryMiddleware
from langchain.agents.middleware import wrap_model_call
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from typing_extensions import override

from adapters.racing import lost, race
from ethos_memory.adapters.deepagents import MemoryBackend
from ethos_memory.entry import Add, Replace
from ethos_memory.errors import PageTooLargeError
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.turn import Turn
from tool_turns import ATTACK, CLI, DIRECT, OWNER, SECRET, STRANGER, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

    Call = Callable[..., Any]

SCOPE = "personality:ops"
SHARED = Turn("ops", "group", account=OWNER, user_id="u1", chat_id="-9")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


@pytest.fixture(params=["sync", "async"])
def do(request: pytest.FixtureRequest, memory: Memory) -> Call:
    """Call one method of one backend for the whole test, or its awaited twin."""
    backend = MemoryBackend(memory, CLI)

    def call(name: str, *given: Any, **more: Any) -> Any:
        if request.param == "sync":
            return getattr(backend, name)(*given, **more)
        return asyncio.run(getattr(backend, f"a{name}")(*given, **more))

    return call


def paths(found: Any) -> list[str]:
    """Return the paths of a list of files or matches."""
    return [one["path"] for one in found]


def kept(memory: Memory, key: str) -> str | None:
    """Return a page as it is."""
    entry = memory.provider.unsafe_read(SCOPE, key)
    return None if entry is None else entry.content


def test_it_is_a_backend_without_a_shell(memory: Memory) -> None:
    """With the host's own signatures."""
    backend = MemoryBackend(memory, CLI)
    assert isinstance(backend, BackendProtocol)
    assert not isinstance(backend, SandboxBackendProtocol)
    for name in ("ls", "read", "write", "edit", "delete", "grep", "glob"):
        wanted = inspect.signature(getattr(BackendProtocol, name)).parameters
        found = inspect.signature(getattr(MemoryBackend, name)).parameters
        assert [(one.name, one.default, one.kind) for one in found.values()] == [
            (one.name, one.default, one.kind) for one in wanted.values()
        ]


def test_files_are_written_listed_and_deleted(memory: Memory, do: Call) -> None:
    """As pages; a folder is what its files' names share."""
    assert do("ls", "/").entries == []
    assert do("write", "/a.md", "one").path == "/a.md"
    assert do("write", "/p/q/r.txt", "two").error is None
    assert do("write", "/p/s.md", "three").error is None
    assert kept(memory, "p--q--r.txt.md") == "two\n"
    root, inside = do("ls", "/"), do("ls", "/p/")
    assert paths(root.entries) == ["/a.md", "/p/"]
    assert [one["is_dir"] for one in root.entries] == [False, True]
    assert root.entries[0]["size"] == 4
    assert root.entries[0]["modified_at"].endswith("+00:00")
    assert paths(inside.entries) == ["/p/q/", "/p/s.md"]
    assert do("ls", "/p").entries == inside.entries
    assert do("ls", "/a.md").entries == []
    assert do("ls", "/none").entries == []
    assert do("delete", "/p").path == "/p"
    assert do("delete", "/a.md").error is None
    assert memory.provider.list(SCOPE) == ()


@pytest.mark.parametrize(
    ("offset", "limit", "text", "window"),
    [
        (0, 2000, "1\n2\n3\n", (3, 1, 3, None)),
        (0, 2, "1\n2\n", (3, 1, 2, 2)),
        (1, 1, "2\n", (3, 2, 2, 2)),
        (2, 9, "3\n", (3, 3, 3, None)),
        (-5, 1, "1\n", (3, 1, 1, 1)),
        (0, 0, "", (None, None, None, None)),
        (0, -1, "", (None, None, None, None)),
    ],
)
def test_a_window_of_a_file(
    do: Call,
    offset: int,
    limit: int,
    text: str,
    window: tuple[int | None, ...],
) -> None:
    """With the host's pagination, also when the model asks for nonsense."""
    do("write", "/a.md", "1\n2\n3")
    read = do("read", "/a.md", offset, limit)
    assert read.error is None
    assert read.file_data["content"] == text
    assert read.file_data["encoding"] == "utf-8"
    assert window == (
        read.total_lines,
        read.start_line,
        read.end_line,
        read.next_offset,
    )


def test_a_window_beyond_the_file_says_so(do: Call) -> None:
    """And an empty file has none."""
    do("write", "/a.md", "1")
    assert "exceeds" in do("read", "/a.md", 7).error
    do("write", "/b.md", "")
    assert do("read", "/b.md").file_data["content"] == "\n"


def test_a_write_replaces_what_the_model_knows(memory: Memory, do: Call) -> None:
    """And what it never saw, as the host has it; not what changed since."""
    memory.provider.sync(SCOPE, [Add("a.md", "old")])
    assert do("write", "/a.md", "new").error is None
    do("read", "/a.md")
    assert do("write", "/a.md", "newer").error is None
    assert do("edit", "/a.md", "newer", "newest").error is None
    assert do("write", "/a.md", "last").error is None
    memory.provider.sync(SCOPE, [Add("a.md", "by somebody else")])
    assert "changed meanwhile" in do("write", "/a.md", "lost").error
    assert "by somebody else" in (kept(memory, "a.md") or "")
    do("read", "/a.md")
    assert do("write", "/a.md", "mine").error is None
    assert kept(memory, "a.md") == "mine\n"


def test_a_search_shows_lines_and_no_whole_file(memory: Memory, do: Call) -> None:
    """What only a search saw since is not replaced."""
    memory.provider.sync(SCOPE, [Add("a.md", "one")])
    do("read", "/a.md")
    memory.provider.sync(SCOPE, [Add("a.md", "two")])
    assert do("grep", "one").matches
    assert do("write", "/a.md", "x").error is not None


def test_a_file_that_was_gone_when_read_is_not_replaced(
    memory: Memory, do: Call
) -> None:
    """Somebody made it since."""
    assert do("read", "/a.md").error == "File '/a.md' not found"
    memory.provider.sync(SCOPE, [Add("a.md", "theirs")])
    assert do("write", "/a.md", "x").error is not None
    assert kept(memory, "a.md") == "theirs\n"


def test_a_promise_is_no_content(memory: Memory, do: Call) -> None:
    """It would take the rest of a file; where there is none, it is text."""
    promise = "# Notes\n\n[... rest of the file unchanged ...]"
    assert do("write", "/a.md", promise).error is None
    assert "promises" in do("write", "/a.md", promise).error
    do("write", "/b.md", "whole")
    assert "promises" in do("write", "/b.md", promise).error
    assert kept(memory, "b.md") == "whole\n"


def test_an_edit_replaces_one_or_all(do: Call) -> None:
    """With the host's words for what is not one."""
    do("write", "/a.md", "tea\ncoffee\ntea")
    assert do("edit", "/a.md", "coffee", "milk").occurrences == 1
    many = do("edit", "/a.md", "tea", "water")
    assert many.occurrences is None
    assert "appears 2 times" in many.error
    assert do("edit", "/a.md", "tea", "water", replace_all=True).occurrences == 2
    assert do("read", "/a.md").file_data["content"] == "water\nmilk\nwater\n"
    assert "not found in file" in do("edit", "/a.md", "tea", "x").error
    assert "cannot be empty" in do("edit", "/a.md", "", "x").error
    assert do("edit", "/n.md", "a", "b").error == "Error: File '/n.md' not found"


def test_lines_may_end_as_on_windows(memory: Memory, do: Call) -> None:
    """A read shows the host's line ends, and an edit with them finds its place."""
    memory.provider.sync(SCOPE, [Replace("a.md", "one\r\ntwo\r\nthree")])
    shown = do("read", "/a.md").file_data["content"]
    assert shown == "one\ntwo\nthree\n"
    assert do("edit", "/a.md", "one\ntwo", "1\n2").occurrences == 1
    text = kept(memory, "a.md") or ""
    assert text.startswith("1\r\n2\r\nthree")


def test_text_is_found_literally(do: Call) -> None:
    """In all files, a folder, a file; no pattern is a regular expression."""
    do("write", "/a.md", "a.b\naxb")
    do("write", "/p/b.txt", "a.b")
    found = do("grep", "a.b")
    assert [(one["path"], one["line"], one["text"]) for one in found.matches] == [
        ("/a.md", 1, "a.b"),
        ("/p/b.txt", 1, "a.b"),
    ]
    assert paths(do("grep", "a.b", "/p").matches) == ["/p/b.txt"]
    assert paths(do("grep", "a.b", "/a.md").matches) == ["/a.md"]
    assert paths(do("grep", "a.b", glob="*.txt").matches) == ["/p/b.txt"]
    assert do("grep", "a.b", "/none").matches == []
    assert do("grep", "a.b", glob="../*").error
    capped = do("grep", "a.b", max_count=1)
    assert (len(capped.matches), capped.truncated) == (1, True)
    assert not do("grep", "a.b", max_count=2).truncated


@pytest.mark.parametrize(
    ("pattern", "path", "wanted"),
    [
        ("*.py", None, ["/a.py", "/sub/b.py", "/sub/nested/c.py"]),
        ("*.py", "/", ["/a.py", "/sub/b.py", "/sub/nested/c.py"]),
        ("/*.py", "/", ["/a.py"]),
        ("sub/*.py", "/", ["/sub/b.py"]),
        ("sub/**/*.py", "/", ["/sub/b.py", "/sub/nested/c.py"]),
        ("*.py", "/sub", ["/sub/b.py", "/sub/nested/c.py"]),
        ("*.py", "sub/", ["/sub/b.py", "/sub/nested/c.py"]),
        ("nested/*.py", "/sub", ["/sub/nested/c.py"]),
        ("*.{py,md}", "/", ["/a.py", "/r.md", "/sub/b.py", "/sub/nested/c.py"]),
        ("[!a].py", "/", ["/sub/b.py", "/sub/nested/c.py"]),
        ("b.py", "/sub/b.py", ["/sub/b.py"]),
        ("*.py", "/su", []),
        ("*.py", "/none", []),
        ("sub", "/", []),
    ],
)
def test_names_are_found_by_the_hosts_rules(
    do: Call, pattern: str, path: str | None, wanted: list[str]
) -> None:
    """Files only, with whole paths."""
    for file in ("/a.py", "/sub/b.py", "/sub/nested/c.py", "/r.md"):
        do("write", file, "x")
    found = do("glob", pattern, path)
    assert (found.error, paths(found.matches)) == (None, wanted)


@pytest.mark.parametrize("pattern", ["../*.py", "{a,b}" * 20])
def test_a_pattern_that_is_refused_is_an_error(do: Call, pattern: str) -> None:
    """And raises nothing."""
    found = do("glob", pattern)
    assert found.error
    assert found.matches is None


def test_files_go_up_and_down(memory: Memory, do: Call) -> None:
    """In order, each by itself, with the host's codes."""
    sent = [
        ("/a.md", b"one"),
        ("/no-ending", b"x"),
        ("/../b.md", b"x"),
        ("b.md", b"x"),
        ("/c.md", b"\xff"),
        ("/d.md", f"- {ATTACK}".encode()),
        ("/IDENTITY.md", b"x"),
        ("/e.md", "zwölf".encode()),
    ]
    up = do("upload_files", sent)
    assert [one.path for one in up] == [path for path, _ in sent]
    errors = [one.error for one in up]
    assert errors[:4] == [None, "invalid_path", "invalid_path", "invalid_path"]
    assert errors[4] == "Only text in UTF-8 can be remembered"
    assert "refused by the guard" in errors[5]
    assert ATTACK not in errors[5]
    assert errors[6:] == ["permission_denied", None]
    do("write", "/p/a.md", "x")
    wanted = ["/e.md", "/none.md", "/p", "a.md", "/../a.md", "/a.md"]
    down = do("download_files", wanted)
    assert [one.path for one in down] == wanted
    assert [one.content for one in down] == [
        "zwölf\n".encode(),
        *[None] * 4,
        b"one\n",
    ]
    assert [one.error for one in down] == [
        None,
        "file_not_found",
        "is_directory",
        "invalid_path",
        "invalid_path",
        None,
    ]


@pytest.mark.parametrize(
    "path",
    ["a.md", "", "/../a.md", "/p/../../a.md", "/", "//", "/a b.md", "/no-ending"],
)
def test_what_is_no_file_is_an_answer(memory: Memory, do: Call, path: str) -> None:
    """Never raised; nothing is made, and the folder of another tool is not named."""
    memory.provider.sync(SCOPE, [Add("a.md", "x")])
    answers = [
        do("read", path),
        do("write", path, "x"),
        do("edit", path, "x", "y"),
        do("delete", path),
    ]
    assert all(answer.error for answer in answers)
    assert not any("/memories" in answer.error for answer in answers)
    assert [ref.key for ref in memory.provider.list(SCOPE)] == ["a.md"]


def test_a_path_may_be_written_untidily(do: Call) -> None:
    """As on a disk."""
    assert do("write", "//p/./a.md", "x").error is None
    assert do("read", "/p/a.md").error is None
    assert do("edit", "/p//a.md", "x", "y").error is None
    assert do("delete", "/p/").error is None


def test_a_file_has_an_end(memory: Memory, do: Call) -> None:
    """What would go to the archive is refused, also by an edit."""
    most = 512 * 1024
    assert "smaller" in do("write", "/a.md", "x" * most).error
    assert do("write", "/a.md", "x\n" + "y" * (most - 10)).error is None
    assert "smaller" in do("edit", "/a.md", "x", "z" * 20).error
    assert (kept(memory, "a.md") or "").startswith("x\n")


def test_nothing_bad_comes_in_or_out(memory: Memory, do: Call) -> None:
    """An attack is refused, a credential replaced, a hidden line left alone."""
    refused = do("write", "/a.md", f"- {ATTACK}")
    assert "refused by the guard" in refused.error
    assert ATTACK not in refused.error
    do("write", "/b.md", f"key {SECRET}")
    assert SECRET not in (kept(memory, "b.md") or "")
    poisoned = f"- tea\n- {ATTACK}\n- key {SECRET}"
    memory.provider._inner.sync(SCOPE, [Replace("c.md", poisoned)])
    for shown in (
        do("read", "/c.md").file_data["content"],
        str(do("grep", "").matches),
        str(do("download_files", ["/c.md"])),
    ):
        assert ATTACK not in shown
        assert SECRET not in shown
    assert do("grep", SECRET).matches == []
    assert do("edit", "/c.md", ATTACK, "x").error
    assert do("edit", "/c.md", SECRET, "x").error
    assert do("edit", "/c.md", "- tea", f"- {ATTACK}").error
    assert ATTACK in (kept(memory, "c.md") or "")
    assert SECRET in (kept(memory, "c.md") or "")


def test_two_people_and_a_group(memory: Memory) -> None:
    """Each has their own profile; the stranger nothing else, the group nothing."""
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "NOTES"), Add("IDENTITY.md", "x")])
    owner, guest = MemoryBackend(memory, DIRECT), MemoryBackend(memory, STRANGER)
    owner.write("/USER.md", "about the owner")
    guest.write("/USER.md", "about the guest")
    assert paths(owner.ls("/").entries) == ["/MEMORY.md", "/USER.md"]
    assert paths(guest.ls("/").entries) == ["/USER.md"]
    assert "owner" in str(owner.read("/USER.md"))
    assert "guest" in str(guest.read("/USER.md"))
    assert paths(guest.grep("about").matches) == ["/USER.md"]
    assert paths(guest.glob("*").matches) == ["/USER.md"]
    for path in ("/MEMORY.md", "/IDENTITY.md", "/new.md"):
        assert guest.read(path).error
        assert guest.write(path, "x").error
        assert guest.edit(path, "NOTES", "x").error
        assert guest.delete(path).error
    assert guest.download_files(["/MEMORY.md"])[0].error == "file_not_found"
    assert kept(memory, "MEMORY.md") == "NOTES\n"
    room = MemoryBackend(memory, SHARED)
    assert (room.ls("/").entries, room.glob("*").matches) == ([], [])
    assert room.grep("").matches == []
    for answer in (
        room.read("/USER.md"),
        room.write("/USER.md", "x"),
        room.edit("/USER.md", "about", "x"),
        room.delete("/USER.md"),
    ):
        assert "not available" in (answer.error or "")
    assert room.download_files(["/USER.md"])[0].error == "file_not_found"
    assert room.upload_files([("/USER.md", b"x")])[0].error == "permission_denied"


def test_a_telephone_has_no_files(memory: Memory) -> None:
    """Its turn shows a profile, and grants no tools."""
    memory.provider.sync(SCOPE, [Add("USER.md", "Likes tea.")])
    backend = MemoryBackend(memory, Turn("ops", "phone"))
    assert backend.ls("/").entries == []
    assert backend.grep("tea").matches == []
    assert backend.glob("*").matches == []
    assert backend.read("/USER.md").error
    assert backend.download_files(["/USER.md"])[0].error == "file_not_found"


class Failing(TransientProvider):
    """Cannot list, or cannot read one page."""

    is_listed = True

    @override
    def list(self, *given: Any, **more: Any) -> Any:
        if self.is_listed:
            return super().list(*given, **more)
        raise PageTooLargeError("list", size=2, limit=1)

    @override
    def read(self, scope: Any, key: str) -> Any:
        if key == "bad.md":
            raise PageTooLargeError(key, size=2, limit=1)
        return super().read(scope, key)


def test_what_cannot_be_read_is_an_answer(tmp_path: Path) -> None:
    """A search tells that something is missing from it."""
    provider = Failing()
    with open_memory(tmp_path, provider=provider) as memory:
        memory.provider.sync(SCOPE, [Add("bad.md", "tea"), Add("good.md", "tea")])
        backend = MemoryBackend(memory, CLI)
        found = backend.grep("tea")
        assert paths(found.matches) == ["/good.md"]
        assert found.truncated
        assert backend.read("/bad.md").error
        assert backend.download_files(["/bad.md"])[0].content is None
        provider.is_listed = False
        answers: list[Any] = [backend.ls("/"), backend.grep("tea"), backend.glob("*")]
        assert all("could not be read" in answer.error for answer in answers)
        assert answers[0].entries is answers[2].matches is None
        assert backend.download_files(["/good.md"])[0].error
        assert backend.delete("/good.md").error


class Vanishing(TransientProvider):
    """Loses a page between the list and the read."""

    @override
    def read(self, scope: Any, key: str) -> Any:
        return None


def test_a_file_that_goes_meanwhile_is_not_found(tmp_path: Path) -> None:
    """Somebody deleted it after it was listed."""
    with open_memory(tmp_path, provider=Vanishing()) as memory:
        memory.provider.sync(SCOPE, [Add("a.md", "tea")])
        backend = MemoryBackend(memory, CLI)
        assert (
            backend.edit("/a.md", "tea", "x").error == "Error: File '/a.md' not found"
        )
        assert backend.grep("tea").matches == []
        assert backend.download_files(["/a.md"])[0].content is None


def test_below_a_folder_of_the_hosts(memory: Memory) -> None:
    """The host takes its folder off and puts it on again."""
    backend = CompositeBackend(
        default=StateBackend(), routes={"/memories/": MemoryBackend(memory, CLI)}
    )
    assert backend.write("/memories/p/a.md", "tea").error is None
    assert kept(memory, "p--a.md") == "tea\n"
    assert paths(backend.ls("/memories/").entries) == ["/memories/p/"]
    assert paths(backend.glob("*.md", "/memories/").matches) == ["/memories/p/a.md"]
    assert paths(backend.grep("tea", "/memories/").matches) == ["/memories/p/a.md"]
    down = backend.download_files(["/memories/p/a.md"])[0]
    assert (down.path, down.content) == ("/memories/p/a.md", b"tea\n")


def run(memory: Memory, turn: Turn, *said: AIMessage) -> tuple[str, list[ToolMessage]]:
    """Run an agent through the host's own loop, with a model that says its lines.

    Returns:
        The system prompt, and what the tools answered.
    """
    model = GenericFakeChatModel(messages=iter([*said, AIMessage("done")]))
    object.__setattr__(model, "bind_tools", lambda *_, **__: model)
    asked: list[str] = []

    def note(request: Any, handler: Callable[[Any], Any]) -> Any:
        asked.append(str(request.system_message.content))
        return handler(request)

    mounted = MemoryBackend(memory, turn)
    backend = CompositeBackend(default=StateBackend(), routes={"/memories/": mounted})
    sources = ["/memories/USER.md", "/memories/MEMORY.md"]
    loads: Any = MemoryMiddleware(backend=backend, sources=sources)
    middleware = [loads, wrap_model_call(note)]
    agent: Any = create_deep_agent(model, backend=backend, middleware=middleware)
    messages = agent.invoke({"messages": [("user", "hello")]})["messages"]
    return asked[0], [one for one in messages if isinstance(one, ToolMessage)]


def use(tool: str, **given: Any) -> AIMessage:
    """Return a message that calls one tool."""
    call = {"name": tool, "args": given, "id": "c1", "type": "tool_call"}
    return AIMessage("", tool_calls=[call])


def test_an_agent_reads_and_writes_memory(memory: Memory) -> None:
    """Through the host's tools and its middleware, without a network."""
    memory.provider.sync("user:u1", [Add("USER.md", "- Likes tea.")])
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "- The roof leaks.")])
    file = "/memories/USER.md"
    prompt, answers = run(
        memory,
        DIRECT,
        use("edit_file", file_path=file, old_string="tea", new_string="milk"),
        use("write_file", file_path="/memories/plan.md", content="- tiles"),
        use("read_file", file_path="/memories/plan.md"),
        use("write_file", file_path="/memories/bad.md", content=f"- {ATTACK}"),
        use("grep", pattern="roof", path="/memories"),
    )
    assert "Likes tea." in prompt
    assert "The roof leaks." in prompt
    assert [answer.status for answer in answers] == [
        *["success"] * 3,
        "error",
        "success",
    ]
    assert "tiles" in str(answers[2].content)
    assert "/memories/MEMORY.md" in str(answers[4].content)
    profile = memory.provider.read("user:u1", "USER.md")
    assert profile is not None
    assert profile.content == "- Likes milk.\n"


@pytest.mark.parametrize("turn", [STRANGER, SHARED])
def test_an_agent_of_another_turn_starts_with_nothing(
    memory: Memory, turn: Turn
) -> None:
    """The host's middleware takes a page that is not there for none."""
    memory.provider.sync("user:u1", [Add("USER.md", "- Likes tea.")])
    memory.provider.sync(SCOPE, [Add("MEMORY.md", "- The roof leaks.")])
    prompt, (answer,) = run(
        memory, turn, use("read_file", file_path="/memories/MEMORY.md")
    )
    for text in (prompt, str(answer.content)):
        assert "tea" not in text.lower().split()
        assert "roof" not in text
    assert answer.status == "error"


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred lines each into one file."""
    body = """
from ethos_memory.adapters.deepagents import MemoryBackend
from tool_turns import CLI, open_memory
backend = MemoryBackend(open_memory(home), CLI)
def write(text):
    assert backend.edit("/a.md", "start", f"start\\n{text}").error is None
"""
    with open_memory(tmp_path / "home") as memory:
        MemoryBackend(memory, CLI).write("/a.md", "start")
        race(tmp_path / "home", body)
        text = kept(memory, "a.md") or ""
    assert lost(text) == []
    assert len(text.split()) == 401
