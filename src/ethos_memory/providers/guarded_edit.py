"""A change to a part of a page, judged by what it adds and not by what stood there.

A page may hold what no model could write: a person edited the file, or the rules became
stricter. A model must neither be stopped by such a line nor get at it. So whoever is no
person changes the page as it is shown to them, and afterwards it must look as they left
it: nothing else may have become visible, or hidden, or have gone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from ethos_memory.entry import Delete, Replace
from ethos_memory.errors import GuardRefusedError
from ethos_memory.guard.marker import holds_marker
from ethos_memory.providers.guarded_refusal import (
    CONTEXT_RULE,
    HIDDEN_RULE,
    check_findings,
    copied_markers,
    refusal,
)
from ethos_memory.providers.guarded_view import SeenPage, seen_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.entry import MemoryEntry, Update
    from ethos_memory.providers.guarded_view import SeenLine
    from ethos_memory.verdict import Finding, Verdict

__all__ = ["Cut", "edited", "moved"]

_LINE_END: Final = re.compile(r"(\r\n?|\n)")

#: Replacing a credential can complete another one, hardly ever twice.
_MOST_PASSES: Final = 4


@frozen
class Cut:
    """A piece of a page goes, and a text comes in its place.

    Attributes:
        start: First code point of the piece, in `SeenPage.text`.
        end: One past its last; the same as `start` where nothing goes.
        text: What comes there. Private: in no `repr`.
    """

    start: int
    end: int
    text: str = field(default="", repr=False)


@frozen
class _Line:
    """A line after a change: one that stood there, or one that is new as a whole."""

    text: str = field(repr=False)
    end: str
    origin: int | None = None
    touched: tuple[int, ...] = ()


@frozen
class _Piece:
    """A piece of a changed page; a whole one is the content of a line that stood."""

    text: str = field(repr=False)
    origin: int | None = None
    is_whole: bool = False


def edited(
    entry: MemoryEntry,
    change: Callable[[SeenPage], Iterable[Cut]],
    screen: Callable[[str], Verdict],
    *,
    is_human: bool,
) -> tuple[Replace, tuple[Finding, ...]]:
    """Let somebody change a page as they may see it.

    Args:
        entry: The page as it is.
        change: From the page as it may be seen to the cuts, in order and apart.
        screen: Judges a text.
        is_human: Whether a person makes the change.

    Returns:
        What is to be written, and the findings in what is new.

    Raises:
        GuardRefusedError: When what is new is withheld, or the page would look
            otherwise than a model that makes the change can know.
        ValueError: When the cuts are not in order and apart.
    """
    if is_human:
        page = SeenPage.of_person(entry)
    else:
        page = SeenPage.of_model(entry, screen(entry.content))
    cuts, secrets = [], []
    for cut in change(page):
        new = Replace(entry.key, cut.text)
        text, own = _cleaned(new, screen, is_human=is_human)
        cuts.append(evolve(cut, text=text))
        secrets += own
    places = [place for cut in cuts for place in (cut.start, cut.end)]
    if any(one > after for one, after in pairwise([0, *places])):
        msg = "the cuts must be in order and apart"
        raise ValueError(msg)
    revise = _revised_by_person if is_human else _revised
    after, found = revise(page, tuple(_lines(page, cuts)), screen)
    update = Replace(entry.key, after, if_revision=entry.revision, exact=True)
    return update, (*secrets, *found)


def moved(entry: MemoryEntry, key: str) -> tuple[Update, Update]:
    """Return the updates that give a page another name, byte for byte."""
    new = Replace(key, entry.content, if_revision="", exact=True)
    return new, Delete(entry.key, if_revision=entry.revision)


def _cleaned(
    new: Replace, screen: Callable[[str], Verdict], *, is_human: bool
) -> tuple[str, list[Finding]]:
    """Return a new text as it may be stored, and the credentials in it."""
    verdict = screen(new.content)
    copied = copied_markers(new.content)
    if not is_human and (verdict.refused or copied):
        raise GuardRefusedError((*verdict.findings, *copied))
    return verdict.stored, [one for one in verdict.findings if one.action == "redact"]


def _revised_by_person(
    page: SeenPage, lines: tuple[_Line, ...], screen: Callable[[str], Verdict]
) -> tuple[str, tuple[Finding, ...]]:
    """Write what a person made of a page.

    A credential in a new line has every credential of the page replaced, as when a
    person writes the whole page.
    """
    text = _text(page, lines)
    if all(line.origin is not None for line in lines):
        return text, ()
    verdict = screen(text)
    findings = tuple(_about_new(page, lines, verdict))
    has_secret = any(one.action == "redact" for one in findings)
    return verdict.stored if has_secret else text, findings


def _revised(
    page: SeenPage, lines: tuple[_Line, ...], screen: Callable[[str], Verdict]
) -> tuple[str, tuple[Finding, ...]]:
    """Write what a model made of a page, if that is all that would change for it.

    A line that an edit goes through is new as a whole: it is written as it was shown,
    with credentials replaced. All other lines keep their bytes.
    """
    _check_hidden(page, lines)
    findings: list[Finding] = [
        secret
        for line in lines
        for number in line.touched
        for secret in page.lines[number].secrets
    ]
    for _ in range(_MOST_PASSES):
        text = _text(page, lines)
        verdict = screen(text)
        check_findings(page.findings, verdict.findings)
        found = tuple(_about_new(page, lines, verdict))
        cleaned = _as_seen(page, lines, seen_lines(text, verdict, page.mask))
        if cleaned == lines:
            return text, (*findings, *found)
        findings += (one for one in found if one.action == "redact")
        lines = cleaned
    raise refusal(CONTEXT_RULE)


def _check_hidden(page: SeenPage, lines: tuple[_Line, ...]) -> None:
    kept = {line.origin for line in lines}
    for number, line in enumerate(page.lines):
        if line.is_hidden and number not in kept:
            raise refusal(HIDDEN_RULE, line=number + 1)
    for number, new in enumerate(lines):
        if new.origin is None and holds_marker(new.text):
            raise GuardRefusedError(
                tuple(evolve(one, line=number + 1) for one in copied_markers(new.text))
            )


def _as_seen(
    page: SeenPage, lines: tuple[_Line, ...], seen: tuple[SeenLine, ...] | None
) -> tuple[_Line, ...]:
    """Compare what a model would read now with what it made of what it read before.

    Returns:
        The lines, with the credentials of new ones replaced.
    """
    if seen is None or len(seen) != len(lines):
        raise refusal(CONTEXT_RULE)
    cleaned: list[_Line] = []
    for number, (line, now) in enumerate(zip(lines, seen, strict=True)):
        if line.origin is None:
            is_same = not now.is_hidden
            cleaned.append(evolve(line, text=now.text))
        else:
            was = page.lines[line.origin]
            is_same = (now.text, now.is_hidden) == (was.text, was.is_hidden)
            cleaned.append(line)
        if not is_same or now.end != line.end:
            raise refusal(CONTEXT_RULE, line=number + 1)
    return tuple(cleaned)


def _about_new(
    page: SeenPage, lines: tuple[_Line, ...], verdict: Verdict
) -> Iterator[Finding]:
    """Yield the findings that touch a new line."""
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for line in lines:
        size = len(_content(page, line))
        if line.origin is None:
            starts.append(at)
            ends.append(at + size)
        at += size + len(line.end)
    for one in verdict.findings:
        before = bisect_left(starts, one.end)
        if before and ends[before - 1] > one.start:
            yield one


def _text(page: SeenPage, lines: Iterable[_Line]) -> str:
    return "".join(_content(page, line) + line.end for line in lines)


def _content(page: SeenPage, line: _Line) -> str:
    return line.text if line.origin is None else page.lines[line.origin].raw


def _lines(page: SeenPage, cuts: Iterable[Cut]) -> Iterator[_Line]:
    """Make the lines of the changed page; one that nothing touched is itself still."""
    open_line: list[_Piece] = []
    for piece in _pieces(page, cuts):
        if piece.is_whole:
            open_line.append(piece)
            continue
        text, *more = _LINE_END.split(piece.text)
        open_line += [evolve(piece, text=text)] if text else []
        for end, text in zip(more[::2], more[1::2], strict=True):
            yield _line(open_line, end)
            open_line = [evolve(piece, text=text)] if text else []
    if any(piece.text for piece in open_line):
        yield _line(open_line, "")


def _line(pieces: list[_Piece], end: str) -> _Line:
    filled = [piece for piece in pieces if piece.text] or pieces[:1]
    if len(filled) == 1 and filled[0].is_whole:
        return _Line("", end, origin=filled[0].origin)
    text = "".join(piece.text for piece in filled)
    origins = (piece.origin for piece in filled if piece.origin is not None)
    return _Line(text, end, touched=tuple(dict.fromkeys(origins)))


def _pieces(page: SeenPage, cuts: Iterable[Cut]) -> Iterator[_Piece]:
    """Cut the page into lines, line ends and what is new, all in order."""
    waiting = deque(cuts)
    done = at = 0
    for number, line in enumerate(page.lines):
        for text, is_content in ((line.text, True), (line.end, False)):
            start, at = at, at + len(text)
            left = max(start, done)
            while waiting and waiting[0].start < at:
                cut = waiting.popleft()
                if cut.start > left:
                    kept = text[left - start : cut.start - start]
                    yield _Piece(kept, number if is_content else None)
                yield _Piece(cut.text)
                done = cut.end
                left = max(left, done)
            if left == start:
                yield _Piece(text, number if is_content else None, is_content)
            elif left < at:
                yield _Piece(text[left - start :], number if is_content else None)
    yield from (_Piece(cut.text) for cut in waiting)
