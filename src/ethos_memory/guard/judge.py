"""What one line comes to: its signals, weighed and added up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from ethos_memory.guard.decode import (
    Reading,
    decoded,
    may_be_coded,
    respelled,
    shifted,
)
from ethos_memory.guard.fold import Folded
from ethos_memory.guard.hidden import find_hidden, has_hidden
from ethos_memory.guard.letters import fold_characters, latinize
from ethos_memory.guard.speech import speech_of
from ethos_memory.guard.structure import BUILT, is_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ethos_memory.guard.engine import Engine, Hit
    from ethos_memory.guard.sieve import Words
    from ethos_memory.guard.speech import Speech

__all__ = ["Glance", "Signal", "glance", "judge", "judged", "total"]

_CERTAIN: Final = 100

#: Only what these rules look for, a verb and its object, makes names of settings.
_NAMED: Final = frozenset({"override", "persistence", "persona"})

#: What a second signal of the same family counts.
_SHARE: Final = 1 / 3
_MANY_SIGNS: Final = frozenset({"persona", "hidden"})

#: What is only seen after decoding was hidden on purpose.
_CODED: Final = 62
_RESPELLED: Final = 34
_CODED_PROSE: Final = 42
_FEWEST_PROSE_WORDS: Final = 3
_COMMENTED: Final = 30
_WORTH_A_BONUS: Final = 30

#: Characters of other readings that are looked at for one line. The longest line of 139
#: real pages has 968; only a line a hundred times as long is read less closely.
_MOST_READ: Final = 64_000

#: Readings of readings: base64 in base64.
_DEEPEST: Final = 2


#: A run of so many letters and digits may be a code.
_LONG: Final = 16
_COMMENT: Final = re.compile(
    r"<!--.{0,4000}?(?:-->|$)|\[//\]: ?#.{0,4000}|\[comment\]: ?.{0,4000}"
)
_DIRECTION: Final = re.compile("[\u202d\u202e]([^\u202c\n]{2,4000})")


@frozen
class Signal:
    """Something that speaks against a line.

    Attributes:
        rule: Its rule's id.
        score: What it counts here, from 0 to 100.
        start: First code point, in the line as it is.
        end: One past the last.
        reason: One sentence for a person.
    """

    rule: str
    score: float
    start: int
    end: int
    reason: str


def total(signals: Iterable[Signal]) -> int:
    """Add signals up: families as independent chances, so that 40 and 40 make 64.

    Rules of one family often see the same words, so that only its strongest signal
    counts in full and the others a third; personas are told by many small signs.
    """
    families: dict[str, list[float]] = {}
    for signal in signals:
        family = signal.rule.partition(".")[0]
        families.setdefault(family, []).append(min(signal.score, _CERTAIN))
    left = 1.0
    for family, scores in families.items():
        strongest, *others = sorted(scores, reverse=True)
        left *= 1 - strongest / _CERTAIN
        for score in others:
            left *= 1 - score * (1.0 if family in _MANY_SIGNS else _SHARE) / _CERTAIN
    return round(_CERTAIN * (1 - left))


@frozen
class Glance:
    """A first look at a line or a text: whether there is anything to judge at all.

    Attributes:
        folded: The line as it is compared.
        words: Its words.
        sifted: What the sieve says of the words.
        likely: The patterns that are worth a try.
        is_coded: Whether something may be encoded in it.
        has_cue: Whether a regular expression is worth a try.
        has_hidden: Whether it holds a character that can hide text.
        is_plain: Nothing of what follows needs to look at it.
    """

    folded: str
    words: Words
    sifted: int
    likely: list[int]
    is_coded: bool
    has_cue: bool
    has_hidden: bool
    is_plain: bool


def glance(line: str, engine: Engine) -> Glance:
    """Look at a line or a whole text for anything that speaks against it.

    This is all that most text costs. What it takes for plain is plain.
    """
    folded = fold_characters(line)
    if not folded.isascii():
        folded = latinize(folded)
    sieve = engine.sieve
    words = sieve.words_of(folded)
    sifted = sieve.sift(words)
    likely = engine.likely(folded, words, sifted)
    is_coded = max(map(len, words), default=0) >= _LONG or may_be_coded(line)
    has_cue = sieve.has_cue(folded, sifted)
    is_hiding = has_hidden(line)
    plain = not (
        likely
        or is_coded
        or has_cue
        or is_hiding
        or sieve.is_spaced_out(sifted)
        or sieve.has_cipher(sifted, words)
    )
    return Glance(folded, words, sifted, likely, is_coded, has_cue, is_hiding, plain)


def judge(line: str, engine: Engine) -> tuple[Signal, ...]:
    """Collect everything that speaks against a line, in the order of the line.

    Args:
        line: The line as it is, without its end.
        engine: The compiled rules.

    Returns:
        The signals.
    """
    return judged(line, glance(line, engine), engine)


def judged(line: str, seen: Glance, engine: Engine) -> tuple[Signal, ...]:
    """Do what `judge` does for a line that was glanced at."""
    if seen.is_plain:
        return ()
    folded = Folded(seen.folded, line)
    found = _plain(folded, seen, engine)
    readings = list(_readings(line, seen, engine))
    if seen.has_hidden:
        found += [
            Signal(hidden.rule, hidden.score, hidden.start, hidden.end, hidden.reason)
            for hidden in find_hidden(line)
        ]
        readings += _turned(line)
    plain = frozenset(signal.rule for signal in found)
    left = _MOST_READ
    for reading in readings:
        left -= len(reading.text)
        if left < 0:
            break
        found += [
            signal
            for signal in _coded(reading, folded, engine, plain, depth=1)
            if signal.rule not in plain
        ]
    return tuple(sorted(_unique(found), key=lambda signal: (signal.start, signal.end)))


def _turned(line: str) -> Iterator[Reading]:
    for match in _DIRECTION.finditer(line):
        yield Reading(match.group(1)[::-1], *match.span())


def _plain(folded: Folded, seen: Glance, engine: Engine) -> list[Signal]:
    hits = engine.hits(folded.text, seen.likely)
    if seen.has_cue:
        hits += engine.regex_hits(folded.text)
    if not hits:
        return []
    speech = speech_of(folded.text)
    signals = [_signal(hit, folded, _share(hit, folded.text, speech)) for hit in hits]
    comments = [match.span() for match in _COMMENT.finditer(folded.text)]
    for hit in hits:
        if hit.rule.score >= _WORTH_A_BONUS and any(
            start <= hit.start < end for start, end in comments
        ):
            span = folded.span(hit.start, hit.end)
            reason = "a comment that readers of the page do not see gives an order"
            signals.append(Signal("hidden.comment", _COMMENTED, *span, reason))
            break
    return signals


def _share(hit: Hit, text: str, speech: Speech) -> float:
    share = speech.share(hit.start, hit.end)
    is_named = hit.rule.category in _NAMED
    if is_named and is_name(text, hit.start, hit.end):
        return min(share, BUILT)
    return share


def _signal(hit: Hit, folded: Folded, share: float) -> Signal:
    weight = hit.rule.score * (share if hit.rule.quotable else 1.0)
    return Signal(
        hit.rule.id, weight, *folded.span(hit.start, hit.end), hit.rule.reason
    )


def _readings(line: str, seen: Glance, engine: Engine) -> Iterator[Reading]:
    folded = seen.folded
    if seen.is_coded:
        yield from decoded(line)
        apart = engine.unglued(folded)
        if apart is not None:
            yield Reading(apart, 0, len(folded), is_code=False, is_raw=False)
    if engine.sieve.is_spaced_out(seen.sifted):
        joined = respelled(folded)
        if joined is not None:
            yield evolve(joined, text=engine.unglued(joined.text) or joined.text)
    if engine.sieve.has_cipher(seen.sifted, seen.words):
        yield from shifted(folded, seen.words)


def _coded(
    reading: Reading,
    outer: Folded,
    engine: Engine,
    plain: frozenset[str],
    *,
    depth: int,
) -> list[Signal]:
    seen = glance(reading.text, engine)
    inner = _plain(Folded(seen.folded, reading.text), seen, engine)
    if depth < _DEEPEST and reading.is_code:
        for deeper in _readings(reading.text, seen, engine):
            inner += _coded(deeper, outer, engine, plain, depth=depth + 1)
    start, end = reading.start, reading.end
    if not reading.is_raw:
        start, end = outer.span(start, end)
    found = [evolve(signal, start=start, end=end) for signal in inner]
    new = [signal.score for signal in inner if signal.rule not in plain]
    if new and max(new) >= _WORTH_A_BONUS:
        reason = "an instruction stands there in a code or in a strange spelling"
        score = _CODED if reading.is_code else _RESPELLED
        found.append(Signal("obfuscation.instruction", score, start, end, reason))
    elif reading.is_code and len(reading.text.split()) >= _FEWEST_PROSE_WORDS:
        reason = "a sentence stands there in a code"
        found.append(Signal("obfuscation.text", _CODED_PROSE, start, end, reason))
    return found


def _unique(signals: Iterable[Signal]) -> Iterable[Signal]:
    best: dict[str, Signal] = {}
    for signal in signals:
        known = best.get(signal.rule)
        if known is None or signal.score > known.score:
            best[signal.rule] = signal
    return best.values()
