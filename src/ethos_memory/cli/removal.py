"""``remove``: one entry of a page goes, or nothing does (case B04)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.cli.command import FINE, Refused
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.home import opened
from ethos_memory.cli.pages import ORIGIN, print_change, report_json
from ethos_memory.page import Removal, remove_entry
from ethos_memory.providers.guarded_edit import Cut

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.entry import SyncReport
    from ethos_memory.providers.guarded_view import SeenPage

__all__ = ["remove"]


def remove(call: Call) -> int:
    """Take one entry out of a page, with what is nested in it, and print what went.

    A person sees all of a page, so that a line goes as well that the guard withholds
    from a model. Every line that stays keeps its bytes.

    Raises:
        Refused: When there is no such page or entry, or several entries match.
        EthosMemoryError: When the page cannot be read or written.
    """
    options = call.options
    found: list[Removal] = []

    def change(page: SeenPage) -> list[Cut]:
        removal = _removal(page.text, options.text, options.under)
        found[:] = [removal]
        return [Cut(start, end) for start, end in removal.spans]

    with opened(call) as memory:
        report = memory.provider.edit(options.scope, options.key, change, origin=ORIGIN)
    if report is None:
        raise Refused(f"{options.scope} has no page {options.key}")
    _print(call, report, found[0])
    return FINE


def _removal(text: str, needle: str, under: str | None) -> Removal:
    outcome = remove_entry(text, needle, under=under)
    if isinstance(outcome, Removal):
        return outcome
    listed = "".join(f"\n- {candidate}" for candidate in outcome.candidates)
    raise Refused(outcome.message + listed)


def _print(call: Call, report: SyncReport, removal: Removal) -> None:
    if call.is_json:
        told = report_json(call.options.scope, report, ())
        call.console.json({**told, "removed": removal.removed})
        return
    for text in removal.removed:
        for line in text.splitlines():
            call.console.line(paint("red", f"- {line}"))
    copies = len(removal.removed)
    call.console.line(
        f"removed: {'one entry' if copies == 1 else f'{copies} copies of one entry'} "
        f"({counted(removal.lines_removed, 'line')})"
    )
    for change in report.changes:
        print_change(call, change)
