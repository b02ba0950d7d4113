"""What a change did to a page, and how it is taken back. Each undo is a new change."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Final

from ethos_memory.disk.patch import excerpt
from ethos_memory.entry import Delete, Origin

if TYPE_CHECKING:
    from ethos_memory.entry import Change, SyncReport
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.scope import ScopeId

__all__ = ["difference", "undo"]

#: Up to this many lines, a change is shown line by line. The time for that grows with
#: the square; a longer page shows its changed middle as replaced whole.
_FINE_LINES: Final = 2_000

_RESTORE: Final = Origin("restore")


def difference(before: Change | None, after: Change | None, *, key: str) -> str:
    """Write the difference of two states of a page as a unified diff.

    Args:
        before: The older state; `None` when there was no page.
        after: The newer state; `None` when there is no page.
        key: The page's name, for the head.

    Returns:
        Whole lines; ``""`` when the texts are equal.
    """
    old, new = _text(before), _text(after)
    if old == new:
        return ""
    old_lines, new_lines = _lines(old), _lines(new)
    if max(len(old_lines), len(new_lines)) > _FINE_LINES:
        # Without the two lines that its format has and plain unified diffs have not.
        return excerpt(key, old, new).split("\n", 2)[2]
    diff = unified_diff(
        old_lines, new_lines, _name(key, before), _name(key, after), lineterm="\n"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in diff
    )


def undo(provider: GuardedProvider, scope: ScopeId | str, key: str) -> SyncReport:
    """Take back the newest change of a page. Undoing again brings it back.

    A page that was edited by hand since goes back to the newest state in the history:
    the edit is the newest change then, and its text stays in the history.

    Args:
        provider: What keeps the page, with its history.
        scope: Whose memory.
        key: The page.

    Returns:
        What changed: after a deletion the page is there again, and after a creation
        it is gone.

    Raises:
        LookupError: When there is no change, or the state before it is lost.
        UnsupportedError: When the provider keeps no history.
        EthosMemoryError: As `restore` does.
    """
    history = provider.inspect_history(scope, key)
    page = provider.unsafe_read(scope, key)
    revision = "" if page is None else page.revision
    states = iter(history.changes)
    state = next(states, None)
    if state is None:
        msg = f"{scope} {key}: there is no change to undo"
        raise LookupError(msg)
    if state.revision == revision:
        if history.lost:
            # The state before may be one of those.
            msg = f"{scope} {key}: the history is not whole; name a state to go back to"
            raise LookupError(msg)
        state = next(states, None)
    if state is None:
        gone = Delete(key, if_revision=revision)
        return provider.sync(scope, [gone], origin=_RESTORE)
    return provider.restore(scope, key, state.revision)


def _text(state: Change | None) -> str:
    return "" if state is None else state.content or ""


def _name(key: str, state: Change | None) -> str:
    is_page = state is not None and state.content is not None
    return key if is_page else "/dev/null"


def _lines(text: str) -> list[str]:
    """Cut after every LF and nowhere else."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
