"""What is written about a conversation: titles, labels, metadata, without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.sessions.encoding import clean, dump, load
from ethos_memory.words.terms import scan

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "MAX_TITLE_CHARACTERS",
    "default_redact",
    "label",
    "metadata",
    "search_terms",
    "title",
]

#: Ethos's limit.
MAX_TITLE_CHARACTERS: Final = 200


def default_redact(text: str) -> str:
    """Replace credentials by markers, with the guard's own rules."""
    # At first use: the rules take a while to compile.
    from ethos_memory.guard.credentials import redact  # noqa: PLC0415

    return redact(text)


def label(value: object, redact: Callable[[str], str], *, what: str) -> str:
    """Return a short text without credentials.

    Raises:
        TypeError: When `value` is no text.
    """
    text = clean(value, what=what)
    return redact(text) if text else text


def title(value: object, redact: Callable[[str], str]) -> str | None:
    """Return a title as one line without credentials; `None` and blanks are none.

    Raises:
        TypeError: When `value` is neither text nor `None`.
        ValueError: When it has more than 200 characters.
    """
    if value is None:
        return None
    line = " ".join(clean(value, what="title").split())
    if len(line) > MAX_TITLE_CHARACTERS:
        msg = f"a title has at most {MAX_TITLE_CHARACTERS} characters"
        raise ValueError(msg)
    return redact(line) if line else None


def metadata(value: Mapping[str, Any] | None, redact: Callable[[str], str]) -> str:
    """Return metadata as JSON text without credentials.

    Raises:
        ValueError: When it is no mapping or JSON has nothing for it.
    """
    if not isinstance(value, Mapping | None):
        msg = f"metadata must be a mapping, not {type(value).__name__}"
        raise TypeError(msg)
    written = dump(dict(value or {}), what="metadata")
    return dump(_redacted(load(written, dict), redact), what="metadata")


def search_terms(text: str | None) -> str:
    """Return a text as the search terms that are kept in a full-text table."""
    return " ".join(scan(text or "")[0])


def _redacted(value: object, redact: Callable[[str], str]) -> object:
    match value:
        case str():
            return redact(value) if value else value
        case list():
            return [_redacted(item, redact) for item in value]
        case dict():
            return {
                redact(name) if name else name: _entry(name, item, redact)
                for name, item in value.items()
            }
        case _:
            return value


def _entry(name: str, value: object, redact: Callable[[str], str]) -> object:
    """Redact one value with its name before it, which tells a password from a word."""
    plain = _redacted(value, redact)
    if isinstance(plain, bool) or not isinstance(plain, str | int) or plain == "":
        return plain
    prefix = f"{name}: "
    line = redact(f"{prefix}{plain}")
    if line == f"{prefix}{plain}":
        return plain
    return line.removeprefix(prefix)
