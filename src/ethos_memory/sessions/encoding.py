"""How texts, times and JSON are stored, whatever stores them (pure)."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ethos_memory.errors import InvalidNameError
from ethos_memory.scope import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DAMAGED",
    "clean",
    "clean_or_none",
    "dump",
    "exact",
    "instant",
    "load",
    "moment",
    "sequence",
]

_T = TypeVar("_T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

#: What a damaged value raises while it is read.
DAMAGED: Final = (ValueError, TypeError, OverflowError, RecursionError)


def clean(value: object, *, what: str) -> str:
    """Take a plain copy of a text in which a lone surrogate has become U+FFFD.

    Raises:
        TypeError: When `value` is no text.
    """
    text = plain_text(value, what=what)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean_or_none(value: object, *, what: str) -> str | None:
    """Do the same, and let `None` pass."""
    return None if value is None else clean(value, what=what)


def exact(value: object, *, what: str) -> str:
    """Take a name as it is, or refuse it: two that are altered alike would be one.

    Raises:
        InvalidNameError: When it is empty or holds a lone surrogate. It may be an
            account's, so it is in no message.
        TypeError: When `value` is no text.
    """
    text = plain_text(value, what=what)
    if text and clean(text, what=what) == text:
        return text
    error = InvalidNameError("", f"the {what} is empty or not valid text")
    error.name = text
    raise error


def instant(value: datetime | str) -> int:
    """Return a time as whole microseconds since 1970 in UTC.

    Args:
        value: Aware, or the same as ISO 8601 text.

    Raises:
        ValueError: When there is no offset, or the text is no time.
        TypeError: When it is something else.
    """
    if isinstance(value, str):
        value = datetime.fromisoformat(plain_text(value, what="time"))
    if not isinstance(value, datetime):
        msg = f"a time must be a datetime, not {type(value).__name__}"
        raise TypeError(msg)
    if value.utcoffset() is None:
        msg = "a time needs an offset, such as +00:00; it is never guessed"
        raise ValueError(msg)
    return (value - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """Return the aware UTC time that `instant` was given."""
    return _EPOCH + microseconds * _MICROSECOND


def dump(value: object, *, what: str) -> str:
    """Write a value as JSON text.

    Raises:
        ValueError: When JSON has nothing for it. The value is in no message.
    """
    text = None
    # Ours is raised below: the error here may hold the value.
    with suppress(*DAMAGED):
        text = json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    if text is None:
        msg = f"{what} must be JSON: dicts, lists, text, finite numbers, booleans, None"
        raise ValueError(msg)
    return clean(text, what=what)


def load(text: str, kind: type[_T]) -> _T:
    """Read JSON text that must be of one kind.

    Raises:
        ValueError: When it is damaged or of another kind.
    """
    value = json.loads(text)
    if not isinstance(value, kind):
        msg = "stored JSON of another kind"
        raise ValueError(msg)  # noqa: TRY004 - the row is damaged, not the caller
    return value


def sequence(value: Sequence[Any] | None, *, what: str) -> str | None:
    """Write a list as JSON text.

    Raises:
        TypeError: When it is text or no sequence.
        ValueError: When JSON has nothing for an item.
    """
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        msg = f"{what} must be a list or tuple, not {type(value).__name__}"
        raise TypeError(msg)
    return dump(value, what=what)
