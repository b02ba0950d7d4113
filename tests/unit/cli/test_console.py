"""What is printed, and what a terminal is never told."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from typing_extensions import override

from ethos_memory.cli.console import Console, paint, visible


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


def console(stream: io.StringIO, **environ: str) -> Console:
    return Console(stream, io.StringIO(), environ=environ)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\x07b\x00", r"a\x07b\x00"),
        ("\x9b31m", r"\x9b31m"),
        ("a\rb", r"a\x0db"),
        ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
        ("a\u2028b", r"a\u2028b"),
    ],
)
def test_nothing_acts_on_a_terminal(text: str, shown: str) -> None:
    """Escape sequences, bells and direction overrides show as their codes."""
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["a\tb\nc", "👩‍👩‍👧", "می‌خواهم", "❤️", "é"])
def test_text_stays_text(text: str) -> None:
    """Joiners and selectors belong to scripts and emoji."""
    assert visible(text) == text


def test_a_carriage_return_before_a_line_feed_is_a_line_end() -> None:
    """A page from Windows looks like any other."""
    assert visible("a\r\nb") == "a\nb"


def test_a_page_keeps_its_bytes_in_a_file_and_loses_its_teeth_on_a_terminal() -> None:
    """`show KEY > copy` is a copy; on a terminal the same page cannot act."""
    for stream, expected in (
        (io.StringIO(), "a\x1bb\r\nc"),
        (Terminal(), "a\\x1bb\nc\n"),
    ):
        console(stream).page("a\x1bb\r\nc")
        assert stream.getvalue() == expected


def test_an_empty_page_is_no_line() -> None:
    """Nothing stays nothing."""
    stream = Terminal()
    console(stream).page("")
    assert not stream.getvalue()


def test_a_line_is_always_escaped() -> None:
    """Labels and file names go into logs as well."""
    stream = io.StringIO()
    console(stream).line("a\x1b", paint("bold", "b\x9b"))
    assert stream.getvalue() == "a\\x1bb\\x9b\n"


@pytest.mark.parametrize(
    ("stream", "environ", "is_colored"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_color_is_for_terminals_that_want_it(
    stream: io.StringIO, environ: dict[str, str], is_colored: bool
) -> None:
    """https://no-color.org: any value but an empty one."""
    console(stream, **environ).line(paint("red", "x"))
    assert stream.getvalue() == ("\x1b[31mx\x1b[0m\n" if is_colored else "x\n")


@pytest.mark.parametrize("value", ["\x1b\x7f\x9b\u202e", "é👩‍👩‍👧", {"a": [1, None]}])
def test_json_is_safe_and_the_same_value(value: Any) -> None:
    """What could act is written as a code, and reads back as what it is."""
    stream = Terminal()
    console(stream).json(value)
    printed = stream.getvalue()
    assert json.loads(printed) == value
    assert visible(printed) == printed


def test_a_message_goes_to_the_other_stream() -> None:
    """Answers can be piped on without the remarks about them."""
    out, err = io.StringIO(), io.StringIO()
    Console(out, err, environ={}).note("a\x1b", paint("red", "b"))
    assert (out.getvalue(), err.getvalue()) == ("", "ethos-memory: a\\x1bb\n")


def test_everything_is_utf8_whatever_the_locale() -> None:
    """An ASCII stream must not raise, nor a lone surrogate."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    printed = Console(out, io.StringIO(), environ={})
    printed.line("é\ud800")
    printed.flush()
    assert raw.getvalue() == "é\\ud800\n".encode()
