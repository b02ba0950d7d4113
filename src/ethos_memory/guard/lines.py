"""A text as lines, and what speaks against each of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.guard.fold import Folded
from ethos_memory.guard.judge import Glance, Signal, glance, judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ethos_memory.guard.engine import Engine

__all__ = ["Line", "Suspicion", "lines_of", "suspicions"]

#: Whatever a model or an editor takes for the end of a line.
_LINE: Final = re.compile("[^\n\r\x0b\x0c\x85\u2028\u2029]+")

#: A line that begins a block of its own does not go on with the sentence before it.
_BLOCK: Final = re.compile(r"\s{0,80}(?:[-*+\u2022]\s|\d{1,3}[.)]\s|#{1,6}\s|[|>`~]|$)")
_LINE_END: Final = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


@frozen
class Line:
    """One line of a text.

    Attributes:
        number: Its place among the lines that are not empty, from 0.
        text: As it is, without its end.
        start: Where it begins in the whole text.
        seen: The first look at it.
    """

    number: int
    text: str
    start: int
    seen: Glance

    @property
    def end(self) -> int:
        """One past its last code point in the whole text."""
        return self.start + len(self.text)


@frozen
class Suspicion:
    """A signal, placed in the whole text.

    Attributes:
        signal: With the span in the whole text.
        first: Number of the line it begins on.
        last: Number of the line it ends on.
    """

    signal: Signal
    first: int
    last: int


def lines_of(text: str, engine: Engine) -> list[Line]:
    """Split a text and take a first look at each line."""
    return [
        Line(number, match.group(), match.start(), glance(match.group(), engine))
        for number, match in enumerate(_LINE.finditer(text))
    ]


def suspicions(text: str, lines: list[Line], engine: Engine) -> list[Suspicion]:
    """Collect everything that speaks against the lines of a text.

    Args:
        text: The whole text.
        lines: Its lines.
        engine: The compiled rules.

    Returns:
        Suspicions in the order of the text.
    """
    found = [
        Suspicion(_moved(signal, line.start), line.number, line.number)
        for line in lines
        for signal in judged(line.text, line.seen, engine)
    ]
    for run in _runs(text, lines):
        found += _across(run, engine)
    return sorted(found, key=lambda each: (each.signal.start, each.signal.end))


def _moved(signal: Signal, offset: int) -> Signal:
    return Signal(
        signal.rule,
        signal.score,
        signal.start + offset,
        signal.end + offset,
        signal.reason,
    )


def _runs(text: str, lines: list[Line]) -> Iterator[list[Line]]:
    group = 0
    marks = []
    for line in lines:
        before = lines[line.number - 1] if line.number else None
        goes_on = (
            before is not None
            and _LINE_END.fullmatch(text, before.end, line.start) is not None
            and _BLOCK.match(line.text) is None
        )
        group += not goes_on
        marks.append(group)
    for _, run in groupby(lines, key=lambda line: marks[line.number]):
        found = list(run)
        if len(found) > 1:
            yield found


def _across(run: list[Line], engine: Engine) -> Iterable[Suspicion]:
    candidates = engine.candidates([word for line in run for word in line.seen.words])
    if not candidates:
        return
    starts: list[int] = []
    length = 0
    for line in run:
        starts.append(length)
        length += len(line.seen.folded) + 1
    joined = " ".join(line.seen.folded for line in run)
    for hit in engine.hits(joined, candidates):
        first = _line_at(starts, hit.start)
        last = _line_at(starts, hit.end - 1)
        if first == last:
            continue
        begins, ends = run[first], run[last]
        start, _ = Folded(begins.seen.folded, begins.text).span(
            hit.start - starts[first], hit.start - starts[first] + 1
        )
        _, end = Folded(ends.seen.folded, ends.text).span(0, hit.end - starts[last])
        rule = hit.rule
        signal = Signal(
            rule.id, rule.score, begins.start + start, ends.start + end, rule.reason
        )
        yield Suspicion(signal, begins.number, ends.number)


def _line_at(starts: list[int], place: int) -> int:
    return bisect_right(starts, place) - 1
