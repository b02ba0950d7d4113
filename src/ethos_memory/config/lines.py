"""The text of a config as settings with their lines, read the way Ethos reads it.

A line is ``key: value``, split at the first colon, and the value is text: ``@ana:hs``,
``!room:hs``, ``0123`` and ``+49…`` are ids. Indented blocks are nested keys. A line
that is no setting is refused, because it may be one that was mistyped, and an owner
that is overlooked would open the memory to everybody.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import Factory, define, field, frozen

from ethos_memory.errors import CorruptFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Setting", "Value", "read_settings", "refused", "scalar"]

#: Text, a list of texts, or `None` for what is neither: a block, a list of blocks.
Value: TypeAlias = str | tuple[str, ...] | None

_BLANKS: Final = " \t"
_COMMENT: Final = re.compile(r"[ \t]#")
_NOTHING_ELSE: Final = re.compile(r"[ \t]*(?:[ \t]#.*)?")

#: YAML's own signs. A key that begins with one would nest, merge or point elsewhere.
_NO_KEY: Final = re.compile(r"""[\[\]{},?&*!|>%@`"'#<-]|$""")


@frozen
class Setting:
    """One setting of a config.

    Attributes:
        path: Dotted, as ``channel_filter.telegram.ownerUserId``, however it is nested.
        value: See `Value`. Private: in no `repr`.
        line: Where it stands, counted from 1.
    """

    path: str
    value: Value = field(repr=False)
    line: int = field(kw_only=True)


@define
class _Entry:
    """A line that begins a setting, and the lines that hang on it."""

    line: int
    key: str
    rest: str
    block: list[str] = Factory(list)

    @property
    def has_block(self) -> bool:
        return any(self.block)


def refused(file: str, line: int, reason: str) -> CorruptFileError:
    """Return the error for one line; the reason never holds what stands there."""
    return CorruptFileError(file, f"line {line}: {reason}")


def scalar(raw: str) -> str | None:
    """Read a value: surrounding quotes and a comment come off, all else is text.

    Args:
        raw: What stands behind the colon.

    Returns:
        The text, ``""`` when there is none, `None` when quotes do not close.
    """
    text = raw.strip(_BLANKS)
    if text[:1] in {'"', "'"}:
        inner, quote, rest = text[1:].partition(text[0])
        return inner if quote and _NOTHING_ELSE.fullmatch(rest) else None
    # `#room:hs` is a name, `# a remark` is none.
    if re.match(r"#(?:[ \t#]|$)", text):
        return ""
    return _COMMENT.split(text, maxsplit=1)[0].rstrip(_BLANKS)


def _everything(_: str) -> bool:
    return True


def _entries(
    text: str, file: str, is_suspect: Callable[[str], bool]
) -> Iterator[_Entry]:
    entry: _Entry | None = None
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(lines.split("\n"), start=1):
        words = line.strip(_BLANKS)
        if not words or words.startswith("#"):
            if entry is not None:
                entry.block.append("")
        elif _is_indented(line) and entry is not None:
            entry.block.append(line)
        elif entry is not None or words != "---":
            if entry is not None:
                yield entry
            entry = _begun(number, line)
            if entry is None and is_suspect(line):
                raise refused(file, number, _no_setting(line))
    if entry is not None:
        yield entry


def _is_indented(line: str) -> bool:
    return line[0] in _BLANKS or line.strip(_BLANKS) == "-" or line.startswith("- ")


def _no_setting(line: str) -> str:
    if _is_indented(line):
        return "indented, and belongs to no key"
    return "this is no 'key: value'"


def _begun(number: int, line: str) -> _Entry | None:
    key, colon, rest = line.partition(":")
    name = scalar(key)
    is_key = colon and name and (name != key.strip(_BLANKS) or not _NO_KEY.match(name))
    if not is_key or name is None or _is_indented(line):
        return None
    return _Entry(number, name, rest)


def read_settings(
    text: str,
    *,
    file: str,
    is_ours: Callable[[str], bool],
    is_text: Callable[[str], bool],
    is_suspect: Callable[[str], bool] = _everything,
) -> tuple[Setting, ...]:
    """Read the settings that are ours; the others are not even looked at.

    Args:
        text: The whole config.
        file: Its name, for the errors.
        is_ours: Whether a key, or keys nested below it, may be a setting of ours.
        is_text: Whether a whole path is one that takes a value and not a block.
        is_suspect: Whether a line that is no setting may be one that was mistyped; the
            others are not looked at.

    Returns:
        The settings in order, nested keys joined by dots.

    Raises:
        CorruptFileError: When a line cannot be understood; names file and line.
    """
    settings: list[Setting] = []
    for entry in _entries(text, file, is_suspect):
        for number, line in enumerate(entry.block, start=entry.line + 1):
            # A setting that slipped to the right would else be another key's text.
            name = line.partition(":")[0].strip(_BLANKS)
            if "." in name and is_text(name):
                raise refused(file, number, "indented below another key")
        if is_ours(entry.key):
            settings += _settings(entry, file, is_text)
    return tuple(settings)


def _settings(
    entry: _Entry, file: str, is_text: Callable[[str], bool]
) -> Iterator[Setting]:
    value = scalar(entry.rest)
    if value is None:
        raise refused(file, entry.line, "the quotes are not closed")
    is_flow = value.startswith("{") and not is_text(entry.key)
    if value and entry.has_block:
        raise refused(file, entry.line, "the value goes on below")
    if not is_flow and not entry.has_block:
        yield Setting(entry.key, value, line=entry.line)
        return
    # PyYAML is needed for nested configs alone.
    from ethos_memory.config.blocks import read_block  # noqa: PLC0415

    lines = [entry.rest if is_flow else "", *entry.block]
    yield from read_block(lines, path=entry.key, line=entry.line, file=file)
