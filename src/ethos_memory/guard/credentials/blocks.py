"""Private keys over several lines: whole, cut at either end, or on one line."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ethos_memory.guard.credentials.secret import Hit
from ethos_memory.guard.credentials.values import is_generated

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_blocks"]

#: Longest key block in characters: an RSA key of 16,384 bits has 12,700.
MAX_BLOCK: Final = 16_384

#: A whole block without a run of base64 this long is an illustration.
MIN_RUN: Final = 4

#: A line of a block that is cut off must be this long to belong to it.
MIN_LINE: Final = 16

_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_END: Final = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PUTTY: Final = r"Private-Lines:[ \t]{0,4}\d{1,3}(?=\r?\n)"

#: What may stand before a line of a block: quotes, list marks, indentation.
_LEAD: Final = r"[ \t>|]{0,16}"
_NEXT_LINE: Final = rf"{_LEAD}(?:\r?\n|\\n){_LEAD}"
_HEADER: Final = (
    rf"{_NEXT_LINE}(?:[A-Z][A-Za-z-]{{2,24}}: ?[^\n\\]{{1,80}})?(?=\r?\n|\\n)"
)
_CHUNK: Final = rf"{_NEXT_LINE}([A-Za-z0-9+/=]{{1,{MAX_BLOCK}}})"
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

#: The longest line of a block that is cut off at its head, with its lead.
MAX_LINE: Final = 160

#: A key has no more lines than this.
MAX_LINES: Final = 300

_TEMPLATE: Final = r"(?i)your|key[ _-]?here|placehold|redacted|[<\ue000]"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _is_key(inner: str) -> bool:
    plain = inner.replace("\\n", " ").replace("\\r", " ")
    if _pattern(_TEMPLATE).search(plain):
        return False
    runs = _pattern(rf"[A-Za-z0-9+/=]{{{MIN_RUN},{MAX_BLOCK}}}").findall(plain)
    return any(run.startswith("MII") or is_generated(run) for run in runs)


def _lines_after(text: str, begin: int) -> int:
    """Return where the lines of base64 end that follow a header; `begin` for none."""
    at, end = begin, begin
    for _ in range(MAX_LINES):
        chunk = _pattern(_CHUNK).match(text, at)
        if chunk is not None and _is_line(chunk.group(1), is_first=end == begin):
            at = end = chunk.end()
            continue
        header = _pattern(_HEADER).match(text, at) if end == begin else None
        if header is None:
            break
        at = header.end()
    return end


def _is_line(chunk: str, *, is_first: bool) -> bool:
    if len(chunk) >= MIN_LINE:
        return is_generated(chunk)
    return not is_first and is_generated(chunk) and not chunk.isdigit()


def _lines_before(text: str, end: int) -> int:
    """Return where the lines of base64 begin that stand before a last line."""
    begin = end
    for _ in range(MAX_LINES):
        stop = text.rfind("\n", max(0, begin - MAX_LINE), begin)
        if stop < 0 or text[stop:begin].strip(" \t\r\n>|"):
            break
        line = text[max(0, text.rfind("\n", 0, stop) + 1, stop - MAX_LINE) : stop]
        body = line.rstrip(" \t\r")
        run = body[len(body.rstrip(_BASE64)) :]
        if not _is_line(run, is_first=begin == end or run != body.strip(" \t>|")):
            break
        begin = stop - len(line) + len(body) - len(run)
        if run != body.strip(" \t>|"):
            break
    return begin


def find_blocks(text: str) -> Iterator[Hit]:
    """Find private keys: PEM, OpenSSH, PGP and PuTTY."""
    done = 0
    for match in _pattern(f"(?P<begin>{_BEGIN}|{_PUTTY})|{_END}").finditer(text):
        if match.start() < done:
            continue
        if match["begin"] is None:
            begin, end = _lines_before(text, match.start()), match.end()
            if begin == match.start():
                continue
        else:
            begin, end = match.start(), _block_end(text, match.end())
            if end == match.end():
                continue
        done = end
        yield Hit("private key", begin, end=end)


def _block_end(text: str, begin: int) -> int:
    """Return where a block ends whose first line ends at `begin`."""
    limit = begin + MAX_BLOCK
    following = text.find("-----BEGIN", begin, limit)
    last = _pattern(_END).search(text, begin, limit if following < 0 else following)
    if last is None:
        return _lines_after(text, begin)
    return last.end() if _is_key(text[begin : last.start()]) else begin
