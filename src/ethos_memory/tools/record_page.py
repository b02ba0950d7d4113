"""A record of a host's key-value store as a page that a person can read.

Names are free text, so a page is named by their hash and holds them in full. A record
has a page of its own: it is written, kept in history, damaged and mended by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.scope import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Record",
    "format_record",
    "page_of",
    "parse_record",
    "plain_json",
]

#: Half of a sha256 in hex: no two names will ever share it.
_HASH_CHARACTERS: Final = 32

#: Levels of a value. A parser's own limit is near 1,000, and depends on its caller.
_MOST_LEVELS: Final = 100

#: What a line of text cannot hold, or an editor may take for the end of one.
_ESCAPED: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")

#: People add blank lines, and space at the end of a line; nothing else may differ.
#: White space is matched in one way only: in two it takes quadratic time to refuse.
_PAGE: Final = re.compile(
    r'# Record (?P<key>"[^\n]*")[^\S\n]*\n\s*'
    r"- Namespace: (?P<namespace>\[[^\n]*\])[^\S\n]*\n\s*"
    r"- Created: (?P<created>[^\s]+)[^\S\n]*\n\s*"
    r"- Updated: (?P<updated>[^\s]+)[^\S\n]*\n\s*"
    r"```json[^\S\n]*\n(?P<value>.*)\n```",
    re.DOTALL,
)


@frozen(kw_only=True)
class Record:
    """One value of a store, with its names.

    Attributes:
        namespace: Labels, from the widest to the narrowest; free text.
        key: Its name in the namespace; free text.
        value: A JSON object.
        created_at: Aware, in UTC.
        updated_at: Aware, in UTC.
    """

    namespace: tuple[str, ...] = field(repr=False)
    key: str = field(repr=False)
    value: dict[str, Any] = field(repr=False)
    created_at: datetime
    updated_at: datetime


def page_of(namespace: Sequence[str], key: str) -> str:
    """Return the name of a record's page."""
    names = json.dumps([*namespace, key]).encode()
    return f"record-{sha256(names).hexdigest()[:_HASH_CHARACTERS]}.md"


def plain_json(value: object, *, levels: int = _MOST_LEVELS) -> Any:
    """Copy a value that JSON can hold exactly; a tuple becomes a list.

    Args:
        value: Mappings with text as keys, sequences, texts, numbers, `None`.
        levels: How deep it may be.

    Raises:
        TypeError: When a part of it is something else.
        ValueError: When a number is not finite, or it is deeper than `levels`.
    """
    match value:
        case None | bool():
            return value
        case str():
            return plain_text(value, what="a text")
        case int():
            return int(value)
        case float() if isfinite(value):
            return float(value)
        case float():
            raise ValueError("a number of a record is not finite: JSON has none such")
        case Mapping() | list() | tuple() if not levels:
            raise ValueError(f"a record is more than {_MOST_LEVELS} levels deep")
        case Mapping():
            return {
                plain_text(name, what="a name in a record"): plain_json(
                    item, levels=levels - 1
                )
                for name, item in value.items()
            }
        case list() | tuple():
            return [plain_json(item, levels=levels - 1) for item in value]
        case _:
            raise TypeError(f"JSON holds no {type(value).__name__}")


def format_record(record: Record) -> str:
    """Return a record as the text of its page.

    Raises:
        ValueError: When a number has more digits than Python reads back.
    """
    return (
        f"# Record {_json(record.key)}\n\n"
        f"- Namespace: {_json(list(record.namespace))}\n"
        f"- Created: {record.created_at.isoformat()}\n"
        f"- Updated: {record.updated_at.isoformat()}\n\n"
        f"```json\n{_json(record.value, indent=2)}\n```\n"
    )


def parse_record(text: str) -> Record | None:
    """Read the text of a page; `None` when it is no whole record.

    A person may have edited it: blank lines and other line ends do no harm.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n")
    found = _PAGE.fullmatch(lines.strip())
    if found is None:
        return None
    try:
        return _record(found)
    except (OverflowError, RecursionError, TypeError, ValueError):
        return None


def _record(found: re.Match[str]) -> Record:
    created, updated = (
        datetime.fromisoformat(found[name]) for name in ("created", "updated")
    )
    if created.tzinfo is None or updated.tzinfo is None:
        raise ValueError("a time without an offset")
    namespace, value = _parsed(found["namespace"]), _parsed(found["value"])
    if not isinstance(value, dict):
        raise TypeError("a value is an object")
    return Record(
        namespace=tuple(plain_text(label, what="a label") for label in namespace),
        key=_parsed(found["key"]),
        value=value,
        created_at=created.astimezone(UTC),
        updated_at=updated.astimezone(UTC),
    )


def _json(value: object, *, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _parsed(text: str) -> Any:
    # NaN and numbers that are too large for a float are refused like other damage.
    return plain_json(json.loads(text))
