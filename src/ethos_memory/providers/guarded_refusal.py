"""Why a write is refused: for what it holds, or for where it is made."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import GuardRefusedError
from ethos_memory.guard.marker import fingerprint_of, holds_marker
from ethos_memory.verdict import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "CONTEXT_RULE",
    "HIDDEN_RULE",
    "check_findings",
    "copied_markers",
    "refusal",
]

_MARKER_RULE: Final = "marker.copied"

#: An edit reaches into a line that its author cannot see.
HIDDEN_RULE: Final = "edit.hidden"

#: An edit would change how something beside it is judged.
CONTEXT_RULE: Final = "edit.context"

_REASONS: Final = {
    HIDDEN_RULE: "the change reaches into a line that is withheld",
    CONTEXT_RULE: "the change would alter what is shown of the lines beside it",
}


def copied_markers(content: str) -> tuple[Finding, ...]:
    """Return a finding for each line that holds the marker of a withheld line."""
    start = 0
    found = []
    for number, line in enumerate(content.split("\n"), 1):
        if holds_marker(line):
            found.append(
                Finding(
                    _MARKER_RULE,
                    "marker",
                    action="withhold",
                    line=number,
                    start=start,
                    end=start + len(line),
                    fingerprint=fingerprint_of(line),
                    reason="the marker of a withheld line would replace the line",
                )
            )
        start += len(line) + 1
    return tuple(found)


def refusal(rule: str, *, line: int = 1) -> GuardRefusedError:
    """Return the error for an edit that is refused for where it is made."""
    finding = Finding(
        rule,
        rule.partition(".")[0],
        action="withhold",
        line=line,
        start=0,
        end=0,
        fingerprint="",
        reason=_REASONS[rule],
    )
    return GuardRefusedError((finding,))


def check_findings(before: Iterable[Finding], after: Iterable[Finding]) -> None:
    """Refuse what speaks against a page now and did not before: rule, line and count.

    Raises:
        GuardRefusedError: With those findings.
    """
    found = tuple(after)
    more = Counter(_withholding(found)) - Counter(_withholding(before))
    if more:
        raise GuardRefusedError(
            tuple(
                one
                for one in found
                if one.action == "withhold" and (one.rule, one.fingerprint) in more
            )
        )


def _withholding(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    return ((one.rule, one.fingerprint) for one in findings if one.action == "withhold")
