"""From what speaks against lines to findings and to what is withheld."""

from __future__ import annotations

import re
from bisect import bisect_left
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.entry import trim
from ethos_memory.guard.judge import Signal, total
from ethos_memory.guard.lines import Suspicion
from ethos_memory.guard.marker import marker
from ethos_memory.verdict import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ethos_memory.guard.lines import Line
    from ethos_memory.guard.policy import Classifier, GuardPolicy

__all__ = ["Ruling", "classified", "fingerprint_of", "line_numbers", "rule_on"]

#: What an editor counts as the end of a line.
_LINE_END: Final = re.compile("\r\n|\n|\r")

_CERTAIN: Final = 100


@frozen
class Ruling:
    """What is to be said of a text's lines.

    Attributes:
        findings: In the order of the text.
        withheld: Start, end and marker of each line that no model may read.
    """

    findings: tuple[Finding, ...]
    withheld: tuple[tuple[int, int, str], ...]


def fingerprint_of(line: str) -> str:
    """Return the sha256 of the trimmed line in hex."""
    return sha256(trim(line).encode("utf-8", "surrogatepass")).hexdigest()


class line_numbers:  # noqa: N801, used as a function
    """Numbers of lines by position, counted once for many findings."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: list[int] | None = None

    def __call__(self, place: int) -> int:
        """Return the number of the line that `place` is on, from 1."""
        if self._ends is None:
            self._ends = [match.end() for match in _LINE_END.finditer(self._text)]
        return 1 + bisect_left(self._ends, place + 1)


def classified(
    lines: Iterable[Line],
    found: Sequence[Suspicion],
    model: Classifier,
    withhold_at: int,
) -> list[Suspicion]:
    """Ask a host's model about each line that no rule withholds.

    Raises:
        ValueError: When a score is outside 0.0 to 1.0: nothing passes on such an answer.
    """
    by_line = _by_line(found)
    more: list[Suspicion] = []
    for line in lines:
        signals = [each.signal for each in by_line.get(line.number, ())]
        if not line.text.strip() or total(signals) >= withhold_at:
            continue
        score = model.score(line.text)
        if not 0.0 <= score <= 1.0:
            msg = "a classifier's score must lie between 0.0 and 1.0"
            raise ValueError(msg)
        if score:
            reason = "the host's classifier takes the line for an attack"
            signal = Signal(
                "classifier.score", _CERTAIN * score, line.start, line.end, reason
            )
            more.append(Suspicion(signal, line.number, line.number))
    return more


def rule_on(
    text: str,
    lines: Sequence[Line],
    found: Sequence[Suspicion],
    policy: GuardPolicy,
    *,
    is_user: bool,
) -> Ruling:
    """Weigh what speaks against each line against the thresholds.

    Args:
        text: The whole text.
        lines: Its lines.
        found: What speaks against them.
        policy: Thresholds and accepted lines.
        is_user: Whether the stricter thresholds hold.

    Returns:
        Findings, and the lines to withhold.
    """
    flag_at, withhold_at = policy.thresholds(is_user=is_user)
    by_line = _by_line(found)
    scores = {
        number: total(each.signal for each in about)
        for number, about in by_line.items()
    }
    marks = {
        number: fingerprint_of(lines[number].text)
        for number, score in scores.items()
        if score >= flag_at
    }
    for number, mark in marks.items():
        if mark in policy.accepted:
            scores[number] = 0
    number_of = line_numbers(text)
    findings: list[Finding] = []
    for each in found:
        score = max(scores[number] for number in range(each.first, each.last + 1))
        if scores[each.first] and score >= flag_at:
            findings.append(
                Finding(
                    each.signal.rule,
                    each.signal.rule.partition(".")[0],
                    action="withhold" if score >= withhold_at else "flag",
                    line=number_of(each.signal.start),
                    start=each.signal.start,
                    end=each.signal.end,
                    fingerprint=marks.get(each.first)
                    or fingerprint_of(lines[each.first].text),
                    reason=each.signal.reason,
                )
            )
    withheld = [
        (lines[number].start, lines[number].end, _marker(by_line[number]))
        for number, score in sorted(scores.items())
        if score >= withhold_at
    ]
    return Ruling(tuple(findings), tuple(withheld))


def _marker(about: Iterable[Suspicion]) -> str:
    return marker(max(about, key=lambda each: each.signal.score).signal.rule)


def _by_line(found: Iterable[Suspicion]) -> dict[int, list[Suspicion]]:
    by_line: dict[int, list[Suspicion]] = {}
    for each in found:
        for number in range(each.first, each.last + 1):
            by_line.setdefault(number, []).append(each)
    return by_line
