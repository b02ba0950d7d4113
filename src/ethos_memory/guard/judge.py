"""What one line comes to: its signals, weighed and added up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from ethos_memory.guard.decode import (
    CIPHER_WORDS,
    Reading,
    decoded,
    may_be_coded,
    respelled,
    shifted,
)
from ethos_memory.guard.fold import Folded, fold
from ethos_memory.guard.hidden import find_hidden, has_hidden
from ethos_memory.guard.letters import fold_characters, latinize
from ethos_memory.guard.speech import speech_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ethos_memory.guard.engine import Engine, Hit, Words

__all__ = ["Glance", "Signal", "glance", "judge", "judged", "total"]

_CERTAIN: Final = 100

#: What a second signal of the same family counts.
_SHARE: Final = 1 / 3
_MANY_SIGNS: Final = frozenset({"persona", "hidden"})

#: What is only seen after decoding was hidden on purpose.
_CODED: Final = 62
_CODED_PROSE: Final = 42
_FEWEST_PROSE_WORDS: Final = 3
_COMMENTED: Final = 30
_WORTH_A_BONUS: Final = 30

#: Readings of readings: base64 in base64.
_DEEPEST: Final = 2

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_APART: Final = 4

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
    """A first look at a line: whether there is anything to judge at all.

    Attributes:
        folded: The line as it is compared.
        words: Its words.
        is_plain: Nothing of what follows needs to look at it.
    """

    folded: str
    words: Words
    is_plain: bool


def glance(line: str, engine: Engine) -> Glance:
    """Look at a line or a whole text for anything that speaks against it.

    This is all that most text costs; it is never wrong about a line that is not plain.
    """
    folded = fold_characters(line)
    if not folded.isascii():
        folded = latinize(folded)
    words = engine.words_of(folded)
    found = engine.known.intersection(words)
    is_plain = (
        (not found or not (engine.likely(folded, words) or _is_cipher(found)))
        and not engine.has_cue(folded, words)
        and len(_LETTERS.intersection(words)) < _APART
        and (not words or len(max(words, key=len)) < _LONG)
        and not may_be_coded(line)
        and not has_hidden(line)
    )
    return Glance(folded, words, is_plain)


def _is_cipher(found: frozenset[str]) -> bool:
    return len(found & CIPHER_WORDS) > 1


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
    found = [
        Signal(hidden.rule, hidden.score, hidden.start, hidden.end, hidden.reason)
        for hidden in find_hidden(line)
    ]
    folded = Folded(seen.folded, line)
    found += _plain(folded, seen.words, engine)
    for reading in _readings(line, folded.text, seen.words, engine):
        found += _coded(reading, folded, engine, depth=1)
    for match in _DIRECTION.finditer(line):
        found += _coded(
            Reading(match.group(1)[::-1], *match.span()), folded, engine, depth=1
        )
    return tuple(sorted(_unique(found), key=lambda signal: (signal.start, signal.end)))


def _plain(folded: Folded, words: Words, engine: Engine) -> list[Signal]:
    hits = engine.hits(folded.text, engine.likely(folded.text, words))
    if engine.has_cue(folded.text, words):
        hits += engine.regex_hits(folded.text)
    if not hits:
        return []
    speech = speech_of(folded.text)
    signals = [_signal(hit, folded, speech.share(hit.start, hit.end)) for hit in hits]
    comments = [match.span() for match in _COMMENT.finditer(folded.text)]
    for hit in hits:
        if hit.rule.score >= _WORTH_A_BONUS and any(
            a <= hit.start < b for a, b in comments
        ):
            span = folded.span(hit.start, hit.end)
            reason = (
                "a comment that readers of the page do not see gives an instruction"
            )
            signals.append(Signal("hidden.comment", _COMMENTED, *span, reason))
            break
    return signals


def _signal(hit: Hit, folded: Folded, share: float) -> Signal:
    weight = hit.rule.score * (share if hit.rule.quotable else 1.0)
    return Signal(
        hit.rule.id, weight, *folded.span(hit.start, hit.end), hit.rule.reason
    )


def _readings(
    line: str, folded: str, words: Words, engine: Engine
) -> Iterator[Reading]:
    if (words and len(max(words, key=len)) >= _LONG) or may_be_coded(line):
        yield from decoded(line)
        apart = engine.unglued(folded)
        if apart is not None:
            yield Reading(apart, 0, len(folded), is_code=False, is_raw=False)
    if len(_LETTERS.intersection(words)) >= _APART:
        joined = respelled(folded)
        if joined is not None:
            text = engine.unglued(joined.text) or joined.text
            yield evolve(joined, text=text)
    if not CIPHER_WORDS.isdisjoint(words):
        yield from shifted(folded, words)


def _coded(
    reading: Reading, outer: Folded, engine: Engine, *, depth: int
) -> list[Signal]:
    folded = fold(reading.text)
    words = engine.words_of(folded.text)
    inner = _plain(folded, words, engine)
    if depth < _DEEPEST:
        for deeper in _readings(reading.text, folded.text, words, engine):
            inner += _coded(deeper, folded, engine, depth=depth + 1)
    start, end = (
        (reading.start, reading.end)
        if reading.is_raw
        else outer.span(reading.start, reading.end)
    )
    found = [evolve(signal, start=start, end=end) for signal in inner]
    if inner and max(signal.score for signal in inner) >= _WORTH_A_BONUS:
        reason = "an instruction stands there in a code or in a strange spelling"
        found.append(Signal("obfuscation.instruction", _CODED, start, end, reason))
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
