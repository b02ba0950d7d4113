"""Homes with people in them, for the tests of this folder and of erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from ethos_memory.entry import Add, Replace
from ethos_memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Person", "contents", "open_home", "settle"]


@frozen
class Person:
    """Somebody with two accounts, of whom everything is marked.

    Attributes:
        mark: In every text that is kept of them, and in every account id.
        user_id: Their id.
        old_id: An id that was merged into it.
    """

    mark: str
    user_id: str
    old_id: str

    @property
    def traces(self) -> tuple[bytes, ...]:
        """Whatever may be found of them on a disk."""
        return self.mark.encode(), self.user_id.encode(), self.old_id.encode()


def open_home(home: Path) -> Memory:
    """Open a home that does not wait for the disk."""
    return Memory.open(home, durability="fast")


def settle(memory: Memory, mark: str) -> Person:
    """Let somebody write from two platforms, and merge the two."""
    people = memory.identity_map
    user_id = people.resolve("telegram", f"tg-{mark}", display_label=f"Ms {mark}")
    old_id = people.resolve("slack", f"sl-{mark}")
    for id in (user_id, old_id):
        for text in ("tea", "bees"):
            memory.provider.sync(f"user:{id}", [Add("USER.md", f"- {mark} {text}")])
        memory.provider.sync(f"user:{id}", [Replace("USER.md", f"- {mark} now")])
    memory.merge(user_id, old_id)
    sessions = memory.sessions.for_owner(f"user:{user_id}")
    session = sessions.create(f"chat {mark}", title=mark)
    sessions.append(session.id, "user", f"my name is {mark}")
    return Person(mark, user_id, old_id)


def contents(home: Path) -> dict[str, bytes]:
    """Return every file below a home, by its path.

    Without SQLite's shared memory, which is an index of what others read just now.
    """
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }
