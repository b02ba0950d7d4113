"""A home in files in which everything has happened, and what is told of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ethos_memory.entry import Add, Delete, Origin, Remove, Replace
from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from postgres.server import Server

SCOPES: Final = ("personality:ops", "personality:aide", "team:blue", "user:cy")
ROOM: Final = "telegram:-100"


@frozen
class Move:
    """A home, and the database that its config names.

    Attributes:
        server: The database is there.
        home: In files.
        moved: A home whose memory is in the database.
    """

    server: Server
    home: Path
    moved: Path

    def open_home(self) -> Memory:
        return Memory.open(self.home, durability="fast")

    def open_moved(self) -> Memory:
        return Memory.open(self.moved)

    def execute(self, *statements: str) -> list[tuple[Any, ...]]:
        return self.server.execute("set search_path = ethos_memory", *statements)

    def files(self) -> dict[str, bytes]:
        """Return every file of the home, but what SQLite keeps of open databases."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in self.home.rglob("*")
            if path.is_file() and not path.name.endswith(("-shm", "-wal"))
        }


def make(server: Server, folder: Path) -> Move:
    """Return two homes that are empty, and a database without tables."""
    server.execute("drop schema if exists ethos_memory cascade")
    move = Move(server, folder / "home", folder / "moved")
    for home, first in ((move.home, ""), (move.moved, "memory: postgres\n")):
        home.mkdir()
        config = f"{first}memoryPostgres.dsn: {server.dsn}\n"
        (home / "config.yaml").write_text(config, "utf-8")
    return move


def live(move: Move) -> None:
    """Let everything happen that a home can tell of."""
    with move.open_home() as memory:
        _meet(memory)
        _write(memory)
        _talk(memory)
    # By hand: a page that the history does not know, and one that went.
    (move.home / "users/cy/byhand.md").write_bytes(b"\xef\xbb\xbf- by hand\r\n")
    (move.home / "users/cy/gone.md").unlink()
    (move.home / "users/cy/memory-archive.md").write_text("\n<!-- old -->\n- ä\n")
    (move.home / "users/cy/USER (1).md").write_text("a copy", "utf-8")


def _meet(memory: Memory) -> None:
    people = memory.identity_map
    ana = people.resolve("telegram", 1, display_label="Ana Ñ")
    slack = people.resolve("slack", "U1")
    bo = people.resolve("telegram", 2, display_label="Bo")
    memory.merge(ana, slack)
    people.link("matrix", "@cy:example.org", "cy")
    memory.merge(bo, "cy")
    people.unlink("slack", "U1")


def _write(memory: Memory) -> None:
    for scope in SCOPES:
        provider = memory.teams if scope.startswith("team") else memory.provider
        tool = Origin("tool", "s1", platform="telegram")
        provider.sync(scope, [Add("MEMORY.md", f"- in {scope}")], origin=tool)
        provider.sync(scope, [Add("MEMORY.md", "- tea 🫖\u2028"), Add("a.md", "x")])
        provider.sync(scope, [Remove("MEMORY.md", "tea"), Replace("a.md", "y" * 9_000)])
        revision = provider.history(scope, "a.md")[-1].revision
        provider.sync(scope, [Delete("a.md")], origin=Origin("cli"))
        provider.restore(scope, "a.md", revision)
    sync = memory.provider.sync
    sync("user:cy", [Add("gone.md", "soon"), Add("deleted.md", "too")])
    sync("user:cy", [Delete("deleted.md"), Add("OBSERVATIONS.md", "- User likes tea")])


def _talk(memory: Memory) -> None:
    ana = memory.sessions.for_owner("user:ana")
    room = memory.sessions.for_owner(ROOM)
    first = ana.create(
        "dm",
        title="Tea \0 🫖",
        platform="telegram",
        personality_id="ops",
        metadata={"n": [1, None, "\0"]},
        model="m",
        provider="p",
        working_dir="/w",
        pinned=True,
    )
    said = room.create("room", was_shared=True)
    for number in range(4):
        ana.append(first.id, "user", f"tea {number}\0", usage={"in": number})
        room.append(said.id, "user", f"boiler {number}")
    ana.append(first.id, "assistant", "", tool_calls=[{"id": "c"}], trace_id="t\0")
    ana.append(first.id, "tool_result", "4", tool_call_id="c", tool_name="count")
    ana.append(first.id, "assistant", "four", content_blocks=[{"type": "text"}])
    empty = ana.create("empty")
    fork = ana.fork(first.id)
    ana.append(fork.id, "user", "and milk?")
    ana.undo(first.id)
    ana.update(empty.id, title="Nothing yet")
    room.append(said.id, "user", "the last word")
    room.create("another")


def told(memory: Memory) -> dict[str, Any]:
    """Return everything that a memory tells, of all that `live` made."""
    everyone = memory.sessions.unsafe_everyone()
    return {
        "pages": {scope: _pages(memory, scope) for scope in SCOPES},
        "accounts": memory.identity_map.accounts(),
        "merged": [
            memory.identity_map.merged_ids(one.user_id)
            for one in memory.identity_map.accounts()
        ],
        "list": [one.id for one in everyone.list().items],
        "narrow": [one.id for one in everyone.list(key_prefix="dm", limit=1).items],
        "sessions": {
            owner: tuple(memory.sessions.export_owner(owner))
            for owner in ("user:ana", ROOM)
        },
        "found": sorted(hit.message_id for hit in everyone.search("boiler")),
    }


def _pages(memory: Memory, scope: str) -> dict[str, Any]:
    provider = memory.teams if scope.startswith("team") else memory.provider
    files: dict[str, bytes] = {}
    provider.unsafe_copy_files(scope, files.__setitem__)
    refs = provider.list(scope)
    return {
        "refs": refs,
        "entries": [provider.unsafe_read(scope, ref.key) for ref in refs],
        "archive": files.get("memory-archive.md"),
        "prefetch": provider.prefetch(scope),
    }
