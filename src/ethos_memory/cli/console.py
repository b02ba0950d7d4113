"""What the command line prints, and what a terminal must not be told.

A page, a label or a file name can hold control characters: an escape sequence can
repaint a terminal, a direction override can show a line in another order. They are
escaped in every line that we compose, and in a page when a terminal shows it. A page
that goes into a file or a pipe keeps its bytes.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

__all__ = [
    "Console",
    "Painted",
    "Style",
    "counted",
    "paint",
    "read_input",
    "visible",
]

#: Control characters but tab and line feed, and what changes the reading direction.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)

Style: TypeAlias = Literal["bold", "dim", "red", "green", "yellow", "cyan"]

#: ECMA-48, "select graphic rendition".
_CODES: Final[Mapping[Style, int]] = {
    "bold": 1,
    "dim": 2,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "cyan": 36,
}


@frozen
class Painted:
    """A piece of a line with a style, which shows on a terminal only."""

    style: Style
    text: str


def paint(style: Style, text: str) -> Painted:
    """Give a piece of a line a style."""
    return Painted(style, text)


def counted(number: int, noun: str) -> str:
    """Return ``1 page`` or ``2 pages``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def visible(text: str) -> str:
    """Return a text in which nothing acts on a terminal: its code for an escape.

    Tabs, line feeds and the joiners of emoji and scripts stay; CRLF is a line end.
    """
    return _UNSAFE.sub(_escape, text.replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - two hex digits


def _json_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def read_input() -> bytes:
    """Read standard input to its end.

    Raises:
        OSError: When it is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
    return sys.stdin.buffer.read()


class Console:
    """Standard output for answers, standard error for everything said about them.

    Args:
        out: For answers.
        err: For messages.
        environ: The process's environment; `NO_COLOR` and `TERM` count.

    Attributes:
        is_terminal: Whether a person reads the answers as they come.
    """

    def __init__(self, out: TextIO, err: TextIO, *, environ: Mapping[str, str]) -> None:
        for stream in (out, err):
            # Whatever the locale: pages are UTF-8, and a lone surrogate must not raise.
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(encoding="utf-8", errors="backslashreplace")
        self._out = out
        self._err = err
        self.is_terminal: bool = out.isatty()
        has_color = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        self._is_colored = self.is_terminal and has_color

    def line(self, *parts: str | Painted) -> None:
        """Print a line of the answer; what could act on a terminal is escaped."""
        self._out.write("".join(self._rendered(part) for part in parts) + "\n")

    def page(self, text: str, *, is_last: bool = True) -> None:
        """Print a page: byte for byte, unless a terminal shows it.

        Args:
            text: The page.
            is_last: Whether nothing comes behind it, so that it needs no line end.
        """
        if self.is_terminal:
            text = visible(text)
        needs_end = self.is_terminal or not is_last
        self._out.write(text)
        if needs_end and text and not text.endswith("\n"):
            self._out.write("\n")

    def json(self, value: object) -> None:
        """Print a value as JSON, indented. It is safe on a terminal too."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        self._out.write(_UNSAFE.sub(_json_escape, text) + "\n")

    def json_line(self, value: object) -> None:
        """Print a value as JSON on one line, for a file of many."""
        text = json.dumps(value, ensure_ascii=False)
        self._out.write(_UNSAFE.sub(_json_escape, text) + "\n")

    def note(self, *parts: str | Painted) -> None:
        """Print a message about the answer to standard error."""
        text = "".join(_plain(part) for part in parts)
        self._err.write(f"ethos-memory: {visible(text)}\n")

    def flush(self) -> None:
        """Hand everything to the system.

        Raises:
            BrokenPipeError: When nobody reads it any more.
        """
        self._out.flush()
        self._err.flush()

    def _rendered(self, part: str | Painted) -> str:
        text = visible(_plain(part))
        if isinstance(part, str) or not self._is_colored:
            return text
        return f"\x1b[{_CODES[part.style]}m{text}\x1b[0m"


def _plain(part: str | Painted) -> str:
    return part if isinstance(part, str) else part.text
