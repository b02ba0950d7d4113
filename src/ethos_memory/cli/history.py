"""``history``, ``diff`` and ``undo``: what pages used to be, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import asdict, frozen

from ethos_memory.cli.command import FINE, Refused
from ethos_memory.cli.console import paint
from ethos_memory.cli.findings import located, note_findings
from ethos_memory.cli.home import opened
from ethos_memory.providers.undoing import difference, undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ethos_memory.cli.command import Call
    from ethos_memory.entry import Change, SyncReport
    from ethos_memory.providers.guarded import GuardedProvider

__all__ = ["show_difference", "show_history", "undo_change"]

#: Hex digits of a revision that are shown; as many name one for good.
_SHOWN: Final = 12

#: What stands for "no page", where a revision is typed or shown.
_NO_PAGE: Final = "none"


def show_history(call: Call) -> int:
    """Print what a page, or every page of a scope, used to be, newest first.

    Returns:
        `FINE`; damaged lines are counted on standard error.
    """
    options = call.options
    with opened(call) as memory:
        provider = memory.provider
        history = provider.inspect_history(
            options.scope, options.key, limit=options.limit
        )
    changes = history.changes
    if call.is_json:
        call.console.json([_change_json(change) for change in changes])
    for change in () if call.is_json else changes:
        call.console.line(
            paint("dim", f"{change.at:%Y-%m-%d %H:%M:%S} UTC"),
            "  ",
            paint("yellow", _shown(change.revision)),
            f"  {change.key}  {_actions(change)} by {change.source}",
            f"  {_size(change)} bytes" if change.content is not None else "",
        )
    if not changes:
        call.console.note(f"{options.scope} has no history to show")
    if history.damaged:
        call.console.note(f"{history.damaged} damaged lines were skipped")
    if history.lost:
        call.console.note(f"{history.lost} states are lost, and left out")
    return FINE


def show_difference(call: Call) -> int:
    """Print what changed between two states of a page, as a unified diff.

    Without a revision it is the newest change, and with one what that change did.

    Raises:
        Refused: When there is no such state.
    """
    options = call.options
    with opened(call) as memory:
        changes = memory.provider.history(options.scope, options.key)
    pair = _pair(call, changes)
    diff = difference(pair.before, pair.after, key=options.key)
    if call.is_json:
        before, after = _revision(pair.before), _revision(pair.after)
        call.console.json({"from": before, "to": after, "diff": diff})
        return FINE
    call.console.page(diff)
    if not diff:
        call.console.note("the two are the same")
    return FINE


@frozen
class _Pair:
    before: Change | None
    after: Change | None


def _pair(call: Call, changes: Sequence[Change]) -> _Pair:
    old, new = call.options.old, call.options.new
    if old is not None and new is not None:
        return _Pair(_state(call, changes, old), _state(call, changes, new))
    place = 0 if old is None else _place(call, changes, old)
    if not changes:
        raise Refused(f"{call.options.scope} {call.options.key} has no history")
    before = next(iter(changes[place + 1 :]), None)
    return _Pair(before, changes[place])


def _state(call: Call, changes: Sequence[Change], revision: str) -> Change | None:
    return None if revision == _NO_PAGE else changes[_place(call, changes, revision)]


def _place(call: Call, changes: Sequence[Change], revision: str) -> int:
    """Find the newest state whose revision begins as it was typed."""
    wanted = "" if revision == _NO_PAGE else revision
    found = {
        change.revision: place
        for place, change in reversed([*enumerate(changes)])
        if (change.revision.startswith(wanted) if wanted else not change.revision)
    }
    if len(found) == 1:
        return next(iter(found.values()))
    where = f"{call.options.scope} {call.options.key}"
    how_many = "no state" if not found else "more than one state"
    raise Refused(f"the history of {where} has {how_many} {revision}")


def undo_change(call: Call) -> int:
    """Take back the newest change of a page, or go back to a state of it.

    It is a change itself, which can be undone as well.

    Raises:
        Refused: When there is nothing to undo, or no such state.
    """
    options = call.options
    with opened(call) as memory:
        report = _undone(call, memory.provider)
    findings = located(options.key, report.findings)
    if call.is_json:
        call.console.json(
            {
                "scope": options.scope,
                "changes": [asdict(change) for change in report.changes],
                "findings": [one.json() for one in findings],
            }
        )
        return FINE
    for change in report.changes:
        call.console.line(
            f"{'restored' if change.is_change else 'unchanged'}: "
            f"{options.scope} {change.key}, revision {_shown(change.revision_after)}, "
            f"{change.size_before} → {change.size_after} bytes"
        )
    note_findings(call.console, findings)
    return FINE


def _undone(call: Call, provider: GuardedProvider) -> SyncReport:
    options = call.options
    failure = ""
    try:
        if options.to is None:
            return undo(provider, options.scope, options.key)
        changes = provider.history(options.scope, options.key)
        state = changes[_place(call, changes, options.to)]
        return provider.restore(options.scope, options.key, state.revision)
    except LookupError as error:
        if type(error) is not LookupError:
            raise
        failure = str(error)
    raise Refused(failure)


def _revision(state: Change | None) -> str:
    return "" if state is None else state.revision


def _shown(revision: str) -> str:
    return revision[:_SHOWN] or _NO_PAGE


def _actions(change: Change) -> str:
    return ", ".join(change.actions) or "found so"


def _size(change: Change) -> int:
    return len((change.content or "").encode(errors="replace"))


def _change_json(change: Change) -> dict[str, object]:
    return {
        "key": change.key,
        "revision": change.revision,
        "at": change.at.isoformat(),
        "source": change.source,
        "actions": change.actions,
        "size": None if change.content is None else _size(change),
    }
