"""How files are shown to a model: numbered lines, folders with sizes, places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.providers.guarded_edit import Cut
from ethos_memory.tools.answer import Declined

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["folder", "inserting", "lines_of", "numbered", "replacing", "snippet"]

#: Width of a line's number; the host's own.
_WIDTH: Final = 6

#: Folders below the one that is viewed; the host's own.
_LEVELS: Final = 2

#: Lines before and after a change; the host's own.
_AROUND: Final = 2

_UNITS: Final = "BKMG"
_STEP: Final = 1024

#: A part of a file is two line numbers.
_RANGE: Final = 2


def lines_of(text: str) -> list[str]:
    """Return the lines of a page; the line end after the last one begins none."""
    return text.removesuffix("\n").split("\n")


def numbered(path: str, text: str, lines: object = None) -> str:
    """Return a file, or a part of it, as a model reads it.

    Args:
        path: As the model wrote it.
        text: The file.
        lines: The first and last line, -1 for the end; `None` for all.

    Raises:
        Declined: When `lines` is something else.
    """
    every = lines_of(text)
    first, last = _range(lines, len(every))
    head = f"Here's the content of {path} with line numbers:\n"
    return head + _with_numbers(every[first - 1 : last], first)


def _range(lines: object, count: int) -> tuple[int, int]:
    if lines is None:
        return 1, count
    if (
        isinstance(lines, list | tuple)
        and len(lines) == _RANGE
        and all(type(number) is int for number in lines)
    ):
        first, last = lines
        return max(1, first), count if last == -1 else max(0, last)
    raise Declined("view_range must be two line numbers, such as [1, 20]")


def _with_numbers(lines: list[str], first: int) -> str:
    return "\n".join(
        f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first)
    )


def snippet(text: str, line: int) -> str:
    """Return the lines around a change, counted from 0."""
    first = max(0, line - _AROUND)
    around = lines_of(text)[first : line + _AROUND + 1]
    return (
        "The memory file has been edited. Here is the snippet showing the change "
        "(with line numbers):\n"
    ) + _with_numbers(around, first + 1)


def _check_once(path: str, text: str, wanted: str) -> None:
    """Check that a text occurs once.

    Raises:
        Declined: When it is nowhere, or in several places; they are named.
    """
    count = text.count(wanted) if wanted else 0
    if count == 1:
        return
    if not count:
        raise Declined(
            f"No replacement was performed, old_str `{wanted}` did not appear verbatim "
            f"in {path}."
        )
    places, at = [], text.find(wanted)
    while at >= 0:
        places.append(str(text.count("\n", 0, at) + 1))
        at = text.find(wanted, at + len(wanted))
    raise Declined(
        f"No replacement was performed. Multiple occurrences of old_str `{wanted}` in "
        f"lines: {', '.join(places)}. Please ensure it is unique"
    )


def replacing(path: str, text: str, old: str, new: str) -> Cut:
    """Return the cut that puts one text in place of another.

    Line ends need not be typed as the page has them.

    Raises:
        Declined: When the old text is nowhere, or in several places.
    """
    if old not in text:
        old = _with_line_ends(old, text)
    _check_once(path, text, old)
    at = text.index(old)
    return Cut(at, at + len(old), _with_line_ends(new, text))


def inserting(text: str, at: int, new: str) -> Cut:
    """Return the cut that puts lines behind line `at` of a page; 0 is its start.

    Raises:
        Declined: When the page has no such line.
    """
    lines = lines_of(text)
    if at > len(lines):
        bad = f"Invalid `insert_line` parameter: {at}. It should be within the"
        raise Declined(f"{bad} range [0, {len(lines)}].")
    # What stands in front of the first line is still behind a byte-order mark.
    mark = 1 if not at and text.startswith("\ufeff") else 0
    place = mark + sum(len(line) + 1 for line in lines[:at])
    body = _with_line_ends(new.rstrip("\n"), text)
    end = _line_end(text)
    if place > len(text):
        return Cut(len(text), len(text), end + body)
    return Cut(place, place, body + end)


def _line_end(text: str) -> str:
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def _with_line_ends(text: str, page: str) -> str:
    """Give a text the line ends that most lines of a page have."""
    return text.replace("\r\n", "\n").replace("\n", _line_end(page))


def folder(path: str, sizes: Mapping[str, int]) -> str:
    """Return what is in a folder, two levels deep.

    Args:
        path: As the model wrote it.
        sizes: The files below it with their sizes in bytes.
    """
    shown: dict[str, int] = {}
    for file, size in sizes.items():
        parts = file.split("/")
        for depth in range(1, min(len(parts) - 1, _LEVELS) + 1):
            name = "/".join(parts[:depth]) + "/"
            shown[name] = shown.get(name, 0) + size
        if len(parts) <= _LEVELS:
            shown[file] = size
    root = path.rstrip("/")
    lines = [f"{_size(sum(sizes.values()))}\t{path}"]
    lines += [f"{_size(shown[name])}\t{root}/{name}" for name in sorted(shown)]
    return (
        f"Here're the files and directories up to 2 levels deep in {path}, "
        "excluding hidden items:\n"
    ) + "\n".join(lines)


def _size(count: int) -> str:
    size, unit = float(count), 0
    while size >= _STEP and unit < len(_UNITS) - 1:
        size, unit = size / _STEP, unit + 1
    number = f"{size:.0f}" if size == int(size) else f"{size:.1f}"
    return number + _UNITS[unit]
