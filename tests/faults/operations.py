"""The writes that faults are put into: what was there, what is done, what is seen.

Both the tests and `victim.py`, the process that the faults hit, read this table.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ethos_memory.disk.rotation import LIVE_BYTES
from ethos_memory.entry import Add, Delete, Replace, Update
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = [
    "KEY",
    "OPERATIONS",
    "SCOPE",
    "Operation",
    "State",
    "accounts_of",
    "copied",
    "page_of",
    "temporary_files",
]

SCOPE: Final = "user:u1"
KEY: Final = "A.md"

#: What one look at the home shows: a page and its archive, or the map's accounts.
State: TypeAlias = object

_OLD: Final = "old\n" + "o" * 5000 + "\n"


@frozen
class Operation:
    """One write.

    Attributes:
        prepare: Makes the home that it finds.
        act: Does it.
        look: Shows what it changes, without the library.
    """

    prepare: Callable[[Path], None]
    act: Callable[[Path], object]
    look: Callable[[Path], State]

    def home(self, folder: Path) -> Path:
        """Make a fresh home in a folder that is not there yet."""
        folder.mkdir(parents=True)
        self.prepare(folder)
        return folder


def page_of(home: Path) -> str | None:
    """Read the page as a person would."""
    try:
        return (home / "users/u1" / KEY).read_text()
    except FileNotFoundError:
        return None


def accounts_of(home: Path) -> dict[str, str]:
    """Read the map as a person would: account to user id. A copy must be whole too."""
    path = home / "users/identity-map.json"
    for one in (path, path.with_name(path.name + ".bak")):
        if one.exists():
            json.loads(one.read_bytes())
    rows = json.loads(path.read_bytes()) if path.exists() else []
    return {row["platformUserId"]: row["userId"] for row in rows}


def temporary_files(home: Path) -> list[Path]:
    """Return what a write has left behind."""
    return [path for path in home.rglob("*") if path.name.startswith(".ethos-memory")]


def _empty(home: Path) -> None:
    """Leave a home in which nothing was written yet."""


def _gone(home: Path) -> None:
    """Leave no home at all."""
    home.rmdir()


def _with_page(text: str) -> Callable[[Path], None]:
    def prepare(home: Path) -> None:
        page = home / "users/u1" / KEY
        page.parent.mkdir(parents=True)
        page.write_text(text)

    return prepare


def _with_history(home: Path) -> None:
    memory = MarkdownProvider(home, durability="fast")
    memory.sync(SCOPE, [Add(KEY, "first")])
    memory.sync(SCOPE, [Add(KEY, "second")])


def _with_full_journal(home: Path) -> None:
    _with_history(home)
    memory = MarkdownProvider(home, durability="fast")
    journal = home / "users/u1/memory-history.jsonl"
    number = 0
    while journal.stat().st_size < LIVE_BYTES:
        number += 1
        memory.sync(SCOPE, [Replace("B.md", f"{number} " + "x" * 1800)])


def _with_map(home: Path) -> None:
    known = IdentityMap(home, redact=str, durability="fast", new_id=lambda: "b" * 12)
    known.resolve("telegram", "known")


def _sync(*updates: Update) -> Callable[[Path], object]:
    return lambda home: MarkdownProvider(home).sync(SCOPE, updates)


def _map(home: Path) -> IdentityMap:
    return IdentityMap(home, redact=str, new_id=lambda: "a" * 12)


OPERATIONS: Final[dict[str, Operation]] = {
    "first home": Operation(_gone, _sync(Add(KEY, "new")), page_of),
    "create": Operation(_empty, _sync(Add(KEY, "new")), page_of),
    "replace": Operation(_with_page(_OLD), _sync(Replace(KEY, "n" * 9000)), page_of),
    "append": Operation(_with_history, _sync(Add(KEY, "new")), page_of),
    "delete": Operation(_with_page(_OLD), _sync(Delete(KEY)), page_of),
    "overflow": Operation(
        _with_page("short\n"),
        _sync(Replace(KEY, "\n".join(["x" * 99] * 6000))),
        page_of,
    ),
    "rotate": Operation(_with_full_journal, _sync(Add(KEY, "new")), page_of),
    "mint first": Operation(
        _empty, lambda home: _map(home).resolve("telegram", "new"), accounts_of
    ),
    "mint": Operation(
        _with_map, lambda home: _map(home).resolve("telegram", "new"), accounts_of
    ),
    "link": Operation(
        _with_map, lambda home: _map(home).link("telegram", "known", "u1"), accounts_of
    ),
    "forget": Operation(
        _with_map, lambda home: _map(home).forget("b" * 12), accounts_of
    ),
}


def copied(prepared: Path, folder: Path) -> Path:
    """Copy a prepared home, if there is one."""
    if prepared.exists():
        shutil.copytree(prepared, folder)
    return folder
