"""A text as lines and paragraphs, and what speaks against each line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, deque
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ethos_memory.guard.fold import Folded
from ethos_memory.guard.judge import Glance, Signal, glance, judged
from ethos_memory.guard.letters import fold_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ethos_memory.guard.engine import Engine

__all__ = ["Place", "Suspicion", "places_of", "suspicions"]

#: Where a line begins and ends in the whole text, without its end.
Place: TypeAlias = tuple[int, int]

#: Whatever a model or an editor takes for the end of a line.
_ENDS: Final = "\n\r\x0b\x0c\x85\u2028\u2029"
_LINE: Final = re.compile(f"[^{_ENDS}]+")
_TO_BLANKS: Final = str.maketrans(dict.fromkeys(_ENDS, " "))

#: Between paragraphs: an empty line, or a line that begins a block of its own and so
#: does not go on with the sentence before it.
_PARAGRAPH: Final = re.compile(
    rf"(?:\r\n|(?!\r\n)[{_ENDS}])(?=[ \t]{{0,80}}(?:[{_ENDS}]|[-*+\u2022][ \t]|\d{{1,3}}[.)][ \t]"
    r"|#{1,6}[ \t]|[|>`~]|\Z))"
)

#: So many lines are looked at together first; most are plain.
_TOGETHER: Final = 8
#: In a shorter line of plain letters no pattern fits.
_SHORTEST: Final = 6

#: Code to be planted counts as much as this, beside the line that asks for it.
_DANGER: Final = "planting.dangerous-code"
_DANGER_SCORE: Final = 64
_LONGEST_CODE: Final = 80

#: A persona over several lines: how near its signs stand, and how many there must be.
_PERSONA: Final = "persona."
_NEAR: Final = 1_000
_FEWEST_KINDS: Final = 3
_SPREAD_SCORE: Final = 44


@frozen
class Suspicion:
    """A signal, placed in the whole text.

    Attributes:
        signal: With the span in the whole text.
        places: The lines it touches, in order; one for most.
    """

    signal: Signal
    places: tuple[Place, ...]


def places_of(text: str, start: int = 0, end: int | None = None) -> Iterator[Place]:
    """Yield where the lines of a text stand that are not empty."""
    stop = len(text) if end is None else end
    return (match.span() for match in _LINE.finditer(text, start, stop))


def suspicions(text: str, engine: Engine) -> list[Suspicion]:
    """Collect everything that speaks against the lines of a text.

    Args:
        text: The whole text.
        engine: The compiled rules.

    Returns:
        Suspicions in the order of the text.
    """
    found: list[Suspicion] = []
    judge = _Judge(engine)
    for start, end in _paragraphs(text):
        seen = glance(text[start:end], engine)
        if not seen.is_plain:
            found += _in_paragraph(text, start, end, seen, judge)
    if found:
        found += [*_planted(text, found), *_spread(found)]
    return sorted(found, key=lambda each: (each.signal.start, each.signal.end))


def _paragraphs(text: str) -> Iterator[Place]:
    done = 0
    for match in _PARAGRAPH.finditer(text):
        if match.start() > done:
            yield done, match.start()
        done = match.end()
    if done < len(text):
        yield done, len(text)


class _Judge:
    """Judges lines, and remembers them while a text is read: pages repeat lines."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: dict[str, tuple[Signal, ...]] = {}

    def __call__(self, line: str, seen: Glance | None) -> tuple[Signal, ...]:
        known = self._known.get(line)
        if known is None:
            known = judged(line, seen or glance(line, self.engine), self.engine)
            self._known[line] = known
        return known


def _in_paragraph(
    text: str, start: int, end: int, seen: Glance, judge: _Judge
) -> Iterator[Suspicion]:
    places = list(places_of(text, start, end))
    if len(places) == 1 and places[0] == (start, end):
        yield from _in_line(text, places[0], seen, judge)
        return
    for first in range(0, len(places), _TOGETHER):
        group = places[first : first + _TOGETHER]
        if not glance(text[group[0][0] : group[-1][1]], judge.engine).is_plain:
            for place in group:
                yield from _in_line(text, place, None, judge)
    if len(places) > 1:
        yield from _across(text, start, places, seen, judge.engine)


def _in_line(
    text: str, place: Place, seen: Glance | None, judge: _Judge
) -> Iterator[Suspicion]:
    line = text[place[0] : place[1]]
    if len(line) < _SHORTEST and line.isascii():
        return
    for signal in judge(line, seen):
        yield Suspicion(_moved(signal, place[0]), (place,))


def _moved(signal: Signal, offset: int) -> Signal:
    start, end = signal.start + offset, signal.end + offset
    return Signal(signal.rule, signal.score, start, end, signal.reason)


def _across(
    text: str, start: int, places: list[Place], seen: Glance, engine: Engine
) -> Iterator[Suspicion]:
    """Read wrapped lines as one sentence; yield what crosses from line to line."""
    starts = [first for first, _ in places]
    folded = Folded(seen.folded, text[start : places[-1][1]])
    for hit in engine.hits(seen.folded.translate(_TO_BLANKS), seen.likely):
        first, last = (start + place for place in folded.span(hit.start, hit.end))
        touched = places[
            bisect_right(starts, first) - 1 : bisect_right(starts, last - 1)
        ]
        if len(touched) > 1:
            rule = hit.rule
            signal = Signal(rule.id, rule.score, first, last, rule.reason)
            yield Suspicion(signal, tuple(touched))


@lru_cache(maxsize=1)
def _code() -> tuple[str, re.Pattern[str]]:
    from ethos_memory.guard.rules import planting  # noqa: PLC0415, at first use

    return planting.PLANTED, re.compile(planting.DANGEROUS)


def _planted(text: str, found: Iterable[Suspicion]) -> list[Suspicion]:
    """Look at the code that a line wants planted, below that line."""
    rule, dangerous = _code()
    reason = "is code that sends, runs or destroys something, to be planted"
    more: list[Suspicion] = []
    done = 0
    for each in found:
        after = each.places[-1][1]
        if each.signal.rule != rule or after < done:
            continue
        dangers: list[Suspicion] = []
        for place in _code_below(text, after):
            done = place[1]
            match = dangerous.search(fold_characters(text[place[0] : place[1]]))
            if match is not None:
                signal = Signal(_DANGER, _DANGER_SCORE, *place, reason)
                dangers.append(Suspicion(signal, (place,)))
        if dangers:
            start, end = each.signal.start, each.signal.end
            signal = Signal(_DANGER, _DANGER_SCORE, start, end, reason)
            more += [Suspicion(signal, each.places), *dangers]
    return more


def _code_below(text: str, after: int) -> Iterator[Place]:
    is_fenced = False
    for number, (start, end) in enumerate(places_of(text, after)):
        is_fence = text[start:end].lstrip().startswith(("```", "~~~"))
        if number > _LONGEST_CODE or (is_fence if is_fenced else not is_fence):
            return
        is_fenced = True
        if not is_fence:
            yield start, end


def _spread(found: Iterable[Suspicion]) -> list[Suspicion]:
    """Add up a persona that is described over several lines."""
    more: list[Suspicion] = []
    near: deque[Suspicion] = deque()
    untold: list[Suspicion] = []
    kinds: Counter[str] = Counter()
    reason = "belongs to a role without rules that several lines describe"
    for each in found:
        if not each.signal.rule.startswith(_PERSONA):
            continue
        near.append(each)
        untold.append(each)
        kinds[each.signal.rule] += 1
        while each.signal.start - near[0].signal.start > _NEAR:
            kinds[near.popleft().signal.rule] -= 1
        if near[0].places == each.places:
            continue
        if sum(count > 0 for count in kinds.values()) < _FEWEST_KINDS:
            continue
        for other in untold:
            start, end = other.signal.start, other.signal.end
            if start >= near[0].signal.start:
                signal = Signal("persona.spread", _SPREAD_SCORE, start, end, reason)
                more.append(Suspicion(signal, other.places))
        untold.clear()
    return list({each.places: each for each in more}.values())
