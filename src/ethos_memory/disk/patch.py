"""Unified diffs of a page, as Ethos writes them, and the pages back out of them. Pure.

A diff here carries the whole page as context, so that both pages can be read out of
the one diff. Ethos's own carry four lines; with one of the pages they give the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["excerpt", "patch", "sides", "whole_diff"]

#: Lines around a change in an excerpt, as in Ethos's diffs.
_CONTEXT_LINES: Final = 4

_RULE: Final = "=" * 67
_NO_NEWLINE: Final = "\\ No newline at end of file"
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@.*")
_MARKS: Final = frozenset({" ", "-", "+"})
#: `Index:`, the rule, `---` and `+++`.
_HEADER_LINES: Final = 4


#: A line of a diff: `" "` in both pages, `"-"` in the old, `"+"` in the new, and the
#: text with its line end, which the last line of a page may lack.
_Line: TypeAlias = tuple[str, str]


@frozen
class _Hunk:
    old_start: int
    new_start: int
    lines: list[_Line] = field(factory=list, repr=False)


def whole_diff(key: str, before: str, after: str) -> str:
    """Write a diff out of which `sides` reads both pages.

    Args:
        key: The page's name.
        before: The old page, empty when there was none.
        after: The new page, empty when there is none.
    """
    added = after.removeprefix(before)
    if len(added) < len(after) and before[-1] == "\n" and added[-1:] == "\n":
        return _grown(key, before, added)
    return _format(key, _compare(before, after))


def _grown(key: str, before: str, added: str) -> str:
    """Write the diff of a page that grew by whole lines, as most changes let it."""
    old, more = before.count("\n"), added.count("\n")
    context = before[:-1].replace("\n", "\n ")
    fresh = added[:-1].replace("\n", "\n+")
    return f"{_head(key, (1, old), (1, old + more))} {context}\n+{fresh}\n"


def excerpt(key: str, before: str, after: str) -> str:
    """Write a diff for people: the changed lines and a few around them."""
    lines = _compare(before, after)
    changed = [at for at, line in enumerate(lines) if line[0] != " "]
    first = max(changed[0] - _CONTEXT_LINES, 0)
    last = changed[-1] + _CONTEXT_LINES + 1
    return _format(key, lines[first:last], skipped=first)


def sides(diff: str) -> tuple[str, str]:
    """Read the two pages out of a diff that carries the whole page.

    Returns:
        The old page and the new, without what the diff leaves out: compare the
        hashes.
    """
    lines = [line for hunk in _parse(diff) for line in hunk.lines]
    return _join(lines, "-"), _join(lines, "+")


def patch(text: str, diff: str, *, backwards: bool = False) -> str | None:
    """Apply a diff to a page.

    Args:
        text: The old page, or the new one when `backwards`.
        diff: Of any number of context lines.
        backwards: Whether to go from the new page to the old.

    Returns:
        The other page; `None` when the diff does not fit.
    """
    taken, given = "+-" if backwards else "-+"
    source = _split(text)
    result: list[str] = []
    at = 0
    for hunk in _parse(diff):
        old = [line[1] for line in hunk.lines if line[0] in (" ", taken)]
        start = hunk.new_start if backwards else hunk.old_start
        # An empty side counts from the line before it.
        begin = start - 1 if old else start
        if begin < at or source[begin : begin + len(old)] != old:
            return None
        result += source[at:begin]
        result += [line[1] for line in hunk.lines if line[0] in (" ", given)]
        at = begin + len(old)
    return "".join(result + source[at:])


def _split(text: str) -> list[str]:
    """Cut after every LF and nowhere else; U+2028 or CR end no line here."""
    *lines, last = text.split("\n")
    whole = [line + "\n" for line in lines]
    return [*whole, last] if last else whole


def _join(lines: Iterable[_Line], mark: str) -> str:
    return "".join(line[1] for line in lines if line[0] in (" ", mark))


def _compare(before: str, after: str) -> list[_Line]:
    """Compare line by line, in linear time.

    What both begin and end with is context. In between, a page that only lost lines
    shows which; anything else is shown as replaced whole.
    """
    old, new = _split(before), _split(after)
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = _between(old[head : len(old) - tail], new[head : len(new) - tail])
    above = [(" ", line) for line in old[:head]]
    below = [(" ", line) for line in old[len(old) - tail :]]
    return [*above, *middle, *below]


def _between(old: Sequence[str], new: Sequence[str]) -> list[_Line]:
    lines: list[_Line] = []
    left = iter(new)
    wanted = next(left, None)
    for line in old:
        is_kept = line == wanted
        lines.append((" " if is_kept else "-", line))
        if is_kept:
            wanted = next(left, None)
    if wanted is None:
        return lines
    return [*(("-", line) for line in old), *(("+", line) for line in new)]


def _format(key: str, lines: Sequence[_Line], *, skipped: int = 0) -> str:
    marks = [mark for mark, _ in lines]
    old = len(marks) - marks.count("+")
    new = len(marks) - marks.count("-")
    head = _head(key, (skipped + bool(old), old), (skipped + bool(new), new))
    body = "".join([mark + text for mark, text in lines])
    if body.count("\n") == len(lines):
        return head + body
    # The last line of a page has no line end; that is said in a line of its own.
    return head + "".join(
        mark + text if text[-1] == "\n" else f"{mark}{text}\n{_NO_NEWLINE}\n"
        for mark, text in lines
    )


def _head(key: str, old: tuple[int, int], new: tuple[int, int]) -> str:
    """Write what stands above a hunk, from each page's first line and their number."""
    return (
        f"Index: {key}\n{_RULE}\n--- {key}\n+++ {key}\n"
        f"@@ -{old[0]},{old[1]} +{new[0]},{new[1]} @@\n"
    )


def _parse(diff: str) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    for line in diff.split("\n")[_HEADER_LINES:]:
        head = _HUNK.fullmatch(line)
        if head is not None:
            hunks.append(_Hunk(int(head[1]), int(head[2])))
        elif hunks and line == _NO_NEWLINE and hunks[-1].lines:
            mark, text = hunks[-1].lines.pop()
            hunks[-1].lines.append((mark, text.removesuffix("\n")))
        elif hunks and line[:1] in _MARKS:
            hunks[-1].lines.append((line[0], f"{line[1:]}\n"))
    return hunks
