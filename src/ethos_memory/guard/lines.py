"""A text as lines and paragraphs, and what speaks against each line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, deque
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ethos_memory.guard.fold import Folded
from ethos_memory.guard.judge import Glance, Signal, glance, judged
from ethos_memory.guard.letters import fold_characters
from ethos_memory.guard.structure import is_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.guard.engine import Engine, Hit

__all__ = ["Place", "Suspicion", "places_of", "suspicions"]

#: Where a line begins and ends in the whole text, without its end.
Place: TypeAlias = tuple[int, int]

#: Whatever a model or an editor takes for the end of a line.
_ENDS: Final = "\n\r\x0b\x0c\x85\u2028\u2029"
_LINE: Final = re.compile(f"[^{_ENDS}]+")

#: Between paragraphs: an empty line, or a line that begins a block of its own and so
#: does not go on with the sentence before it.
_PARAGRAPH: Final = re.compile(
    rf"(?:\r\n|(?!\r\n)[{_ENDS}])(?=[ \t]{{0,80}}(?:[{_ENDS}]|[-*+\u2022][ \t]|\d{{1,3}}[.)][ \t]"
    r"|#{1,6}[ \t]|[|>`~]|\Z))"
)

#: The fast way out is for shorter paragraphs, until it was in vain so many times more
#: often than not: a hostile page shall not pay for both.
_PARAGRAPH_LENGTH: Final = 320
_IN_VAIN: Final = 8

#: So many lines of so few characters are looked at together first.
_TOGETHER: Final = 8
_SHORT_LINE: Final = 24

#: How far an order is followed into the next lines: lines, and characters.
_FEWEST_LINES: Final = 2
_MOST_LINES: Final = 5
_FAR: Final = 100

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


def suspicions(
    text: str, engine: Engine, is_harmless: Callable[[str], bool] | None = None
) -> list[Suspicion]:
    """Collect everything that speaks against the lines of a text.

    Args:
        text: The whole text.
        engine: The compiled rules.
        is_harmless: A fast way out for paragraphs in which nothing would be found. The
            whole text is not asked about again.

    Returns:
        Suspicions in the order of the text.
    """
    found: list[Suspicion] = []
    judge = _Judge(engine)
    in_vain = 0
    for start, end in _paragraphs(text):
        is_short = end - start <= min(_PARAGRAPH_LENGTH, len(text) - 1)
        if is_harmless is not None and is_short and in_vain < _IN_VAIN:
            if is_harmless(text[start:end]):
                in_vain -= 1
                continue
            in_vain += 1
        places = list(places_of(text, start, end))
        seen = list(_glances(text, places, engine))
        for place, look in zip(places, seen, strict=True):
            if look is not None and not look.is_plain:
                found += _in_line(text, place, look, judge)
        if len(places) > 1:
            found += _across(text, places, seen, judge)
    if found:
        found += [*_planted(text, found), *_spread(found)]
    return sorted(found, key=lambda each: (each.signal.start, each.signal.end))


def _paragraphs(text: str) -> Iterator[Place]:
    if len(text.splitlines(keepends=True)) == 1 and text[-1] not in _ENDS:
        yield 0, len(text)
        return
    done = 0
    for match in _PARAGRAPH.finditer(text):
        if match.start() > done:
            yield done, match.start()
        done = match.end()
    if done < len(text):
        yield done, len(text)


def _glances(text: str, places: list[Place], engine: Engine) -> Iterator[Glance | None]:
    """Glance at lines; short ones together first, for most are plain.

    `None` stands for a line in which nothing can be, nor begin or end.
    """
    for first in range(0, len(places), _TOGETHER):
        group = places[first : first + _TOGETHER]
        start, end = group[0][0], group[-1][1]
        if len(group) > 1 and end - start < _SHORT_LINE * len(group):
            together = glance(text[start:end], engine)
            if together.is_plain and not engine.sieve.candidates(together.sifted):
                yield from (None for _ in group)
                continue
        for place in group:
            yield glance(text[place[0] : place[1]], engine)


class _Judge:
    """Judges lines, and remembers them while a text is read: pages repeat lines."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, tuple[Signal, ...]] = {}
        self._crossing: dict[str, list[Hit]] = {}

    def __call__(self, line: str, seen: Glance) -> tuple[Signal, ...]:
        known = self._known.get(line)
        if known is None:
            known = self._known[line] = judged(line, seen, self._engine)
        return known

    def across(self, run: list[Glance]) -> list[Hit]:
        """Return what begins in the first of some lines and ends in another."""
        sifted = reduce(or_, (look.sifted for look in run))
        if not self._engine.sieve.candidates(sifted):
            return []
        joined = " ".join(look.folded for look in run)
        known = self._crossing.get(joined)
        if known is None:
            words = [word for look in run for word in look.words]
            alone = {number for look in run for number in look.likely}
            likely = self._engine.likely(joined, words, sifted)
            numbers = [number for number in likely if number not in alone]
            second = len(run[0].folded) + 1
            known = self._crossing[joined] = [
                hit
                for hit in self._engine.hits(joined, numbers)
                if hit.start < second < hit.end
            ]
        return known


def _in_line(
    text: str, place: Place, seen: Glance, judge: _Judge
) -> Iterator[Suspicion]:
    for signal in judge(text[place[0] : place[1]], seen):
        yield Suspicion(_moved(signal, place[0]), (place,))


def _moved(signal: Signal, offset: int) -> Signal:
    start, end = signal.start + offset, signal.end + offset
    return Signal(signal.rule, signal.score, start, end, signal.reason)


def _across(
    text: str, places: list[Place], seen: list[Glance | None], judge: _Judge
) -> Iterator[Suspicion]:
    """Read wrapped lines as one sentence; yield what crosses from line to line."""
    is_built: bool | None = None
    for first in range(len(places) - 1):
        run = _run(places, seen, first)
        if len(run) >= _FEWEST_LINES:
            here = places[first : first + len(run)]
            for hit in judge.across(run):
                if is_built is None:
                    is_built = _is_record(text, places)
                if is_built:
                    return
                yield _crossing(text, here, run, hit)


def _is_record(text: str, places: list[Place]) -> bool:
    return is_record([fold_characters(text[start:end]) for start, end in places])


def _run(places: list[Place], seen: list[Glance | None], first: int) -> list[Glance]:
    """Return a line and as many of the next as a sentence may go on in."""
    run: list[Glance] = []
    for number in range(first, min(first + _MOST_LINES, len(places))):
        look = seen[number]
        if look is None:
            break
        run.append(look)
        if len(run) > 1 and places[number][1] - places[first + 1][0] > _FAR:
            break
    return run


def _crossing(text: str, places: list[Place], run: list[Glance], hit: Hit) -> Suspicion:
    starts = _starts(run)
    last = bisect_right(starts, hit.end - 1) - 1
    begin, end = places[0], places[last]
    one = Folded(run[0].folded, text[begin[0] : begin[1]])
    other = Folded(run[last].folded, text[end[0] : end[1]])
    start = begin[0] + one.span(hit.start, hit.start + 1)[0]
    stop = end[0] + other.span(0, hit.end - starts[last])[1]
    signal = Signal(hit.rule.id, hit.rule.score, start, stop, hit.rule.reason)
    return Suspicion(signal, tuple(places[: last + 1]))


def _starts(run: list[Glance]) -> list[int]:
    return list(accumulate((len(look.folded) + 1 for look in run), initial=0))


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
