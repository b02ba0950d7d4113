"""Other readings of a line: what a decoder, or a patient reader, would make of it.

Each reading is a text with the span of the line it was made of. A line that only shows
its instruction once decoded hides it on purpose, so what is found there weighs more.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from attrs import field, frozen

from ethos_memory.guard.letters import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "CIPHER_WORDS",
    "Reading",
    "decoded",
    "may_be_coded",
    "respelled",
    "shifted",
]

#: What is decoded of one blob: an instruction stands at its beginning or is none.
_LONGEST_TEXT: Final = 8_192

_LARGEST_BYTE: Final = 255

#: Blobs that are looked at in one line.
_MOST_BLOBS: Final = 64


@frozen
class Reading:
    """Another reading of a part of a line.

    Attributes:
        text: What it says, not folded yet.
        start: Where the part begins in the line.
        end: One past its end.
        is_code: Whether its being encoded is worth a word, whatever it says.
        is_raw: Whether the span is one of the line itself, not of the folded line.
    """

    text: str = field(repr=False)
    start: int
    end: int
    is_code: bool = True
    is_raw: bool = True


def _base64(blob: str) -> bytes:
    plain = blob.replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _base32(blob: str) -> bytes:
    plain = blob.rstrip("=")
    return base64.b32decode(plain + "=" * (-len(plain) % 8))


def _hex_run(blob: str) -> bytes:
    return _hex(blob)


def _hex(blob: str) -> bytes:
    digits = re.sub(r"\\x|0x|[\s:,]", "", blob)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _binary(blob: str) -> bytes:
    bits = blob.replace(" ", "")
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))


def _decimal(blob: str) -> bytes:
    numbers = (int(number) for number in re.findall(r"\d{1,4}", blob))
    return bytes(number for number in numbers if number <= _LARGEST_BYTE)


_MORSE: Final = {
    sign: letter
    for letter, sign in zip(
        "abcdefghijklmnopqrstuvwxyz0123456789",
        (
            *(".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---"),
            *("-.-", ".-..", "--", "-.", "---", ".--.", "--.-", ".-.", "...", "-"),
            *("..-", "...-", ".--", "-..-", "-.--", "--..", "-----", ".----"),
            *("..---", "...--", "....-", ".....", "-....", "--...", "---..", "----."),
        ),
        strict=True,
    )
}


def _morse(blob: str) -> bytes:
    words = (word.split() for word in re.split(r"[/|]", blob))
    text = " ".join("".join(_MORSE.get(sign, "") for sign in word) for word in words)
    return text.encode()


_BLOBS: Final[tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...]] = (
    (
        re.compile(r"(?<![0-9a-zA-Z])(?:0x)?[0-9a-fA-F]{20,8192}(?![0-9a-zA-Z])"),
        _hex_run,
    ),
    (
        re.compile(
            r"(?<![0-9a-zA-Z])(?:0x|\\x)?[0-9a-fA-F]{2}"
            r"(?:(?:[ :,]|, |\\x|[ ,]0x|, 0x)[0-9a-fA-F]{2}){9,4096}(?![0-9a-zA-Z])"
        ),
        _hex,
    ),
    (re.compile(r"[01][01 ]{40,8192}"), _binary),
    # The look back comes second: a search skips to its first character quickly.
    (re.compile(r"\d(?<!\d\d)[\d ,]{30,8192}"), _decimal),
    (re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/_-]{16,8192}={0,2}"), _base64),
    (re.compile(r"(?<![A-Z2-7])[A-Z2-7]{24,8192}={0,6}"), _base32),
    (re.compile(r"[.\-]{1,6}[ /|][.\- /|]{24,4096}"), _morse),
)

#: Some blobs are a run of letters and digits, of so many at least.
_SOLID: Final = (_hex_run, _base32)
_RUN: Final = re.compile(rb" [^ ]{20}")
_ALNUM: Final = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RUNS: Final = bytes(code if code in _ALNUM else 0x20 for code in range(256))

_ESCAPE: Final = re.compile(r"\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})")


def _percent(line: str) -> str:
    raw = unquote_to_bytes(line.encode("utf-8", "surrogatepass"))
    return raw.decode("utf-8", "replace")


def _escapes(line: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), line)


#: What pages and addresses write instead of plain characters. Each is undone in the
#: whole line, for some letters only may be written so.
_SPELLINGS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (re.compile(r"&(?:#x?[0-9a-fA-F]{2,6}|[a-z]{2,8});"), html.unescape),
    (re.compile(r"%[2-7][0-9a-fA-F]"), _percent),
    (_ESCAPE, _escapes),
)

#: What a blob of another kind than base64 begins with.
_CODED: Final = re.compile(
    r"[0-9a-fA-F]{2,3}[ :,][0-9a-fA-F]{2,3}[ :,][0-9a-fA-F]{2,3}[ :,][0-9a-fA-F]{2,3}[ :,]"
    r"|[01]{8} ?[01]{8}|\\[ux]\{?[0-9a-fA-F]|0x[0-9a-fA-F]{2}|&#|%[0-9a-fA-F]{2}"
    r"|[.\-]{1,5} [.\-]{1,5} [.\-]{1,5} [.\-]"
)
_WORD: Final = re.compile(r"[^\W\d_]{2,40}")
_FEWEST_LETTERS: Final = 0.7
_FEWEST_BYTES: Final = 0.6
_FEWEST_DIFFERENT: Final = 5


def _readable(data: bytes) -> str | None:
    data = data[:_LONGEST_TEXT]
    text = data.decode("utf-8", "ignore")
    letters = sum(character.isalpha() or character.isspace() for character in text)
    if len(text) < _FEWEST_BYTES * len(data) or letters < _FEWEST_LETTERS * len(text):
        return None
    if len(set(text)) < _FEWEST_DIFFERENT or _WORD.search(text) is None:
        return None
    return text


def may_be_coded(line: str) -> bool:
    """Tell cheaply whether `decoded` is worth a try beside long words.

    One of these hints is in every blob, and seldom in an ordinary line.
    """
    # Written out: this is asked of every line.
    is_hinted = (
        "65" in line
        or "101" in line
        or "\\" in line
        or "%" in line
        or "&#" in line
        or ".-" in line
        or "-." in line
        or ".. " in line
        or "- -" in line
        or " 01" in line
    )
    return is_hinted and _CODED.search(line) is not None


def decoded(line: str) -> Iterator[Reading]:
    """Decode what looks encoded: base64, base32, hex, binary, escapes, Morse.

    Args:
        line: The line as it is.

    Yields:
        Readings that make readable text.
    """
    yield from _blobs(line)
    for spelling, undo in _SPELLINGS:
        if spelling.search(line) is not None:
            text = undo(line)
            if text != line:
                yield Reading(text, 0, len(line), is_code=False)


def _blobs(line: str) -> Iterator[Reading]:
    seen = 0
    spaced = b" " + line.encode("ascii", "replace").translate(_RUNS)
    has_run = _RUN.search(spaced) is not None
    has_bits = "0" in line or "1" in line
    for pattern, decode in _BLOBS:
        if (decode in _SOLID and not has_run) or (decode is _binary and not has_bits):
            continue
        for match in pattern.finditer(line):
            seen += 1
            if seen > _MOST_BLOBS:
                return
            try:
                text = _readable(decode(match.group()))
            except (ValueError, binascii.Error):
                continue
            if text is not None:
                yield Reading(text, *match.span())


_SPACED: Final = re.compile(
    r"(?<![^\W_])[^\W_]([ ._*~|/+\-\u00b7\u2022])[^\W_](?:\1[^\W_]){1,400}(?![^\W_])"
)


def _joined(match: re.Match[str]) -> str:
    return match.group().replace(match.group(1), "")


def respelled(folded: str) -> Reading | None:
    """Join letters that stand apart: ``i g n o r e``, ``i.g.n.o.r.e``.

    Args:
        folded: The folded line.

    Returns:
        The joined line, `None` when there is nothing to join.
    """
    joined, count = _SPACED.subn(_joined, folded)
    if not count:
        return None
    return Reading(joined, 0, len(folded), is_code=False, is_raw=False)


#: Words that give a shifted or reversed text away.
_TELLTALES: Final = (
    *(
        "ignore",
        "instructions",
        "instruction",
        "previous",
        "prompt",
        "system",
        "forget",
    ),
    *("and", "the", "you", "your", "all", "everything", "before"),
)
_NEEDED: Final = 2
#: Of the shifts that the words speak for, the two with the most words are tried.
_MOST_SHIFTS: Final = 2
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


def _shift(count: int) -> dict[int, int]:
    return str.maketrans(_ALPHABET, _ALPHABET[count:] + _ALPHABET[:count])


def _ciphers() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for word in _TELLTALES:
        for count in range(1, len(_ALPHABET)):
            shifted_word = key_of(word.translate(_shift(count)))
            found.setdefault(shifted_word, set()).add(len(_ALPHABET) - count)
        found.setdefault(key_of(word[::-1]), set()).add(0)
    return {word: frozenset(counts) for word, counts in found.items()}


_CIPHERS: Final = _ciphers()
CIPHER_WORDS: Final = frozenset(_CIPHERS)


def shifted(folded: str, words: Iterable[str]) -> Iterator[Reading]:
    """Read a line backwards or with its letters shifted, when its words ask for it.

    Args:
        folded: The folded line.
        words: Its words as they are looked up.

    Yields:
        The readings; few lines have one.
    """
    votes: dict[int, int] = {}
    for word in CIPHER_WORDS.intersection(words):
        for count in _CIPHERS[word]:
            votes[count] = votes.get(count, 0) + 1
    ranked = sorted(votes.items(), key=lambda vote: vote[1], reverse=True)
    for count, number in ranked[:_MOST_SHIFTS]:
        if number >= _NEEDED:
            text = folded.translate(_shift(count)) if count else folded[::-1]
            yield Reading(text, 0, len(folded), is_code=False, is_raw=False)
