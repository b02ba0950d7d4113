"""A promise in place of text: "… the rest of the file stays as it was …" (case B03).

A model that replaces a whole page sometimes writes such a line for what it leaves out,
and the page would lose everything the line stands for. What is looked for is a line or
a bracketed remark that is nothing but such a promise; a note that uses the same words
in a sentence is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.page import promises
from ethos_memory.page.outline import fences

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_placeholder"]

#: Longest promise in characters; a longer remark says more than that.
MAX_PROMISE: Final = 120

#: Brackets, comment signs and emphasis around a promise, one in the other.
_MAX_WRAPPERS: Final = 6

#: A remark without brackets or dots begins with what is left out: at most an article
#: stands before.
_NEAR_START: Final = 6

#: What a remark is put into, and how a comment begins.
_DOTS: Final = r"(?:\.{3,}|…+|⋯+|。{3,}|・{3,})"
_COMMENT: Final = re.compile(rf"<!--(.{{1,{MAX_PROMISE}}}?)-->", re.DOTALL)
_BRACKETS: Final = re.compile(
    rf"[\[({{<（【［〈「]([^\[\](){{}}<>（）【】［］〈〉「」\r\n]{{3,{MAX_PROMISE}}})"
    r"[\])}>）】］〉」]"
)
_LINE: Final = re.compile(r"[^\r\n]+")

#: Around a line: list and quote marks, emphasis, the signs of a comment in code.
_EDGE: Final = re.compile(
    r"^(?:[-*+>_~`\s]|\d{1,3}[.)]\s)+|[-*_~`\s,;:!，；]+$|(?<![.。])[.。]$"
)
_SIGNS: Final = re.compile(r"^(?:#+|//+|--+|;+|%+|/\*+|\*)\s*|\s*(?:\*+/|%+|#+)$")
_PAIRS: Final = ("[]", "()", "{}", "<>", "（）", "【】", "［］", "〈〉", "「」")


#: Most words of a promise; a longer remark says more than that.
_MAX_WORDS: Final = 12

#: Where an ellipsis stands: the more ends, the surer that something was left out.
_LEADING: Final = re.compile(rf"^{_DOTS}[\s,;:]*")
_TRAILING: Final = re.compile(rf"[\s,;:]*{_DOTS}$")


@frozen
class _Remark:
    """A piece of text that might be a promise and nothing else.

    Attributes:
        words: What it says, folded.
        is_wrapped: Whether it stands in brackets or a comment.
        is_line: Whether it is a whole line, or a comment.
        dots: How many of its ends have an ellipsis.
    """

    words: str
    is_wrapped: bool
    is_line: bool
    dots: int


@frozen
class _Wordings:
    """The lists of `promises`, compiled."""

    rest: re.Pattern[str]
    other: re.Pattern[str]
    kept: re.Pattern[str]
    whole: re.Pattern[str]
    gap: re.Pattern[str]


def _compiled(lines: str, unspaced: str = "") -> re.Pattern[str]:
    words = "|".join(lines.split("\n")[1:-1])
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" + (unspaced and f"|{unspaced}"))


@lru_cache(maxsize=1)
def _wordings() -> _Wordings:
    """Compile the lists at first use; most runs never replace a whole page."""
    return _Wordings(
        _compiled(promises.REST, promises.REST_UNSPACED),
        _compiled(promises.OTHER, promises.OTHER_UNSPACED),
        _compiled(promises.KEPT, promises.KEPT_UNSPACED),
        _compiled(promises.WHOLE, promises.WHOLE_UNSPACED),
        _compiled(promises.GAP),
    )


def _unwrapped(text: str) -> tuple[str, bool]:
    """Take brackets, comment signs, list marks and emphasis off."""
    words, is_wrapped = text.strip(), False
    for _ in range(_MAX_WRAPPERS):
        before = words
        words = _EDGE.sub("", words)
        bare = _SIGNS.sub("", words)
        if words[:1] + words[-1:] in _PAIRS:
            bare, is_wrapped = words[1:-1].strip(), True
        words = bare
        if words == before:
            break
    return words, is_wrapped


def _remark(text: str, *, is_wrapped: bool, is_line: bool) -> _Remark:
    words, wrapped = _unwrapped(text)
    without = _LEADING.sub("", words)
    dots = int(without != words)
    words, inner = _unwrapped(without)
    without = _TRAILING.sub("", words)
    dots += int(without != words)
    words, innermost = _unwrapped(without)
    folded = unicodedata.normalize("NFKC", words).casefold()
    is_in_brackets = is_wrapped or wrapped or inner or innermost
    return _Remark(" ".join(folded.split()), is_in_brackets, is_line, dots)


def _is_gap(remark: _Remark, said: _Wordings) -> bool:
    """Tell whether brackets or dots say that something was left out there."""
    words = remark.words
    left_out = said.rest.search(words) or said.other.search(words)
    is_only_gap = said.gap.fullmatch(said.whole.sub("", words).strip())
    if is_only_gap or (left_out and said.kept.search(words)):
        return remark.is_line or remark.dots > 0
    is_sure = remark.dots > 1 or (remark.dots > 0 and remark.is_wrapped)
    return bool(is_sure and left_out and said.whole.search(words))


def _is_promise(remark: _Remark) -> bool:
    words, said = remark.words, _wordings()
    if not words or len(words.split()) > _MAX_WORDS:
        return False
    is_marked = remark.is_wrapped or remark.dots > 0
    if is_marked and _is_gap(remark, said):
        return True
    if not (said.whole.search(words) and said.kept.search(words)):
        return False
    rest = said.rest.search(words)
    if rest and rest.start() <= _NEAR_START:
        return True
    is_aside = is_marked and said.other.match(words)
    return bool(is_aside and said.gap.search(words))


def _remarks(content: str) -> Iterator[tuple[int, int, _Remark]]:
    for match in _COMMENT.finditer(content):
        yield *match.span(), _remark(match[1], is_wrapped=True, is_line=True)
    for match in _BRACKETS.finditer(content):
        yield *match.span(), _remark(match[1], is_wrapped=True, is_line=False)
    for match in _LINE.finditer(content):
        line = match[0].strip()
        if len(line) <= MAX_PROMISE:
            yield *match.span(), _remark(line, is_wrapped=False, is_line=True)


def _is_code(content: str, start: int, end: int) -> bool:
    """Tell whether a remark is quoted as code within a line."""
    return content[start - 1 : start] == "`" == content[end : end + 1]


def find_placeholder(content: str) -> tuple[int, int] | None:
    """Find a promise that something left out stays as it was.

    In English, some thirty other languages, and the ways code writes it. Quoted as
    code, or inside a closed fence, it is taken for code, unless the fence is all.

    Args:
        content: What is to replace a page.

    Returns:
        The first code point of the promise and one past its last; `None` when there
        is none. Linear in the text.
    """
    fenced = [(fence.start, fence.end) for fence in fences(content) if fence.is_closed]
    first, last = len(content) - len(content.lstrip()), len(content.rstrip())
    if fenced == [(first, last)]:
        fenced = []
    found = (
        (start, end)
        for start, end, remark in _remarks(content)
        if _is_promise(remark)
        and not _is_code(content, start, end)
        and not any(opening <= start < closing for opening, closing in fenced)
    )
    return min(found, default=None)
