"""What must hold after a fault: old or new, nothing left behind, writing goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from ethos_memory.entry import Add
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.markdown import MarkdownProvider
from faults.operations import (
    KEY,
    OPERATIONS,
    SCOPE,
    Operation,
    State,
    copied,
    page_of,
    temporary_files,
)

if TYPE_CHECKING:
    from pathlib import Path

    from faults.tracing import Outcome

__all__ = ["Expected", "check_next_write"]


@frozen
class Expected:
    """The only two states that an operation may leave.

    Attributes:
        operation: Which.
        prepared: A home as it is before; copied for each try.
        old: What is seen before.
        new: What is seen after.
    """

    operation: Operation
    prepared: Path
    old: State
    new: State

    @classmethod
    def of(cls, name: str, folder: Path) -> Expected:
        """Prepare a home in `folder`, and find out what the operation leads to."""
        operation = OPERATIONS[name]
        prepared = operation.home(folder / "prepared")
        done = copied(prepared, folder / "done")
        operation.act(done)
        old, new = operation.look(prepared), operation.look(done)
        assert old != new
        return cls(operation, prepared, old, new)

    def check(self, outcome: Outcome, home: Path) -> None:
        """Old or new, as the outcome says, and a history that tells the same."""
        now = self.operation.look(home)
        if outcome.is_killed:
            assert now in (self.old, self.new)
        else:
            is_new = not outcome.error or outcome.is_committed
            assert now == (self.new if is_new else self.old)
            assert not temporary_files(home), "left behind"
        self._check_history(home)

    def _check_history(self, home: Path) -> None:
        inspected = MarkdownProvider(home).inspect_history(SCOPE, KEY)
        assert (inspected.damaged, inspected.lost) == (0, 0)
        if self.operation.look is not page_of:
            return
        contents = [change.content for change in inspected.changes]
        before, now = page_of(self.prepared), page_of(home)
        if now != before:
            # What came is there, and what was destroyed can be brought back.
            assert contents[0] == now
            assert before is None or before in contents
        else:
            assert not contents or contents[0] == now


def check_next_write(home: Path) -> None:
    """Write a page, the same page and an account; nothing is left behind then."""
    memory = MarkdownProvider(home, durability="fast")
    memory.sync(SCOPE, [Add("NEXT.md", "next"), Add(KEY, "next")])
    assert (page_of(home) or "").endswith("next\n")
    user_id = IdentityMap(home, redact=str, durability="fast").resolve("x", "next")
    assert IdentityMap(home, redact=str).resolve("x", "next") == user_id
    assert not temporary_files(home), "left behind after the next write"
