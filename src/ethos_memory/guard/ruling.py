"""From what speaks against lines to findings and to what is withheld."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.guard.judge import Signal, total
from ethos_memory.guard.lines import Place, Suspicion, places_of
from ethos_memory.guard.marker import fingerprint_of, marker
from ethos_memory.verdict import Action, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ethos_memory.guard.policy import Classifier, GuardPolicy

__all__ = ["LineNumbers", "Ruling", "classified", "rule_on"]

#: What an editor counts as the end of a line.
_LINE_END: Final = re.compile("\r\n|\n|\r")

_CERTAIN: Final = 100

#: Nobody reads more; beyond it each line is still reported, once.
_MOST_FINDINGS: Final = 1_000


@frozen
class Ruling:
    """What is to be said of a text's lines.

    Attributes:
        findings: In the order of the text.
        withheld: Start, end and marker of each line that no model may read.
    """

    findings: tuple[Finding, ...]
    withheld: tuple[tuple[int, int, str], ...]


class LineNumbers:
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
    text: str, found: Sequence[Suspicion], model: Classifier, withhold_at: int
) -> list[Suspicion]:
    """Ask a host's model about each line that no rule withholds.

    Raises:
        ValueError: When a score is outside 0.0 to 1.0: nothing passes on such an answer.
    """
    by_place = _by_place(found)
    reason = "the host's classifier takes the line for an attack"
    more: list[Suspicion] = []
    for place in places_of(text):
        line = text[place[0] : place[1]]
        signals = [each.signal for each in by_place.get(place, ())]
        if not line.strip() or total(signals) >= withhold_at:
            continue
        score = model.score(line)
        if not 0.0 <= score <= 1.0:
            msg = "a classifier's score must lie between 0.0 and 1.0"
            raise ValueError(msg)
        if score:
            signal = Signal("classifier.score", _CERTAIN * score, *place, reason)
            more.append(Suspicion(signal, (place,)))
    return more


def rule_on(
    text: str, found: Sequence[Suspicion], policy: GuardPolicy, *, is_user: bool
) -> Ruling:
    """Weigh what speaks against each line against the thresholds.

    Args:
        text: The whole text.
        found: What speaks against its lines, in order.
        policy: Thresholds and accepted lines.
        is_user: Whether the stricter thresholds hold.

    Returns:
        Findings, and the lines to withhold.
    """
    flag_at, withhold_at = policy.thresholds(is_user=is_user)
    if policy.accepted:
        # A finding carries its first line's fingerprint: accepted, it is out whole.
        found = [each for each in found if not _is_accepted(text, each, policy)]
    by_place = _by_place(found)
    scores = {
        place: total(each.signal for each in about) for place, about in by_place.items()
    }
    marks = {
        place: fingerprint_of(text[place[0] : place[1]])
        for place, score in scores.items()
        if score >= flag_at
    }
    for place, mark in marks.items():
        if mark in policy.accepted:
            scores[place] = 0
    number_of = LineNumbers(text)
    findings: list[Finding] = []
    for each in _reported(found):
        score = max(scores[place] for place in each.places)
        if score >= flag_at:
            place = each.places[0]
            known = marks.get(place) or fingerprint_of(text[place[0] : place[1]])
            action: Action = "withhold" if score >= withhold_at else "flag"
            findings.append(_finding(each.signal, action, number_of, known))
    withheld = [
        (*place, _marker(by_place[place]))
        for place, score in sorted(scores.items())
        if score >= withhold_at
    ]
    return Ruling(tuple(findings), tuple(withheld))


def _is_accepted(text: str, each: Suspicion, policy: GuardPolicy) -> bool:
    start, end = each.places[0]
    return fingerprint_of(text[start:end]) in policy.accepted


def _reported(found: Sequence[Suspicion]) -> Sequence[Suspicion]:
    """Of very many suspicions report the strongest of each line."""
    if len(found) <= _MOST_FINDINGS:
        return found
    strongest: dict[Place, Suspicion] = {}
    for each in found:
        known = strongest.get(each.places[0])
        if known is None or each.signal.score > known.signal.score:
            strongest[each.places[0]] = each
    return list(strongest.values())


def _finding(
    signal: Signal, action: Action, number_of: LineNumbers, fingerprint: str
) -> Finding:
    return Finding(
        signal.rule,
        signal.rule.partition(".")[0],
        action=action,
        line=number_of(signal.start),
        start=signal.start,
        end=signal.end,
        fingerprint=fingerprint,
        reason=signal.reason,
    )


def _marker(about: Iterable[Suspicion]) -> str:
    return marker(max(about, key=lambda each: each.signal.score).signal.rule)


def _by_place(found: Iterable[Suspicion]) -> dict[Place, list[Suspicion]]:
    by_place: dict[Place, list[Suspicion]] = {}
    for each in found:
        for place in each.places:
            by_place.setdefault(place, []).append(each)
    return by_place
