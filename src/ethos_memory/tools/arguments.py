"""JSON schemas for arguments, and the check that a model kept to them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.scope import plain_text
from ethos_memory.tools.answer import Declined

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["checked", "choice", "count", "moment", "schema", "text"]

#: A wrong name is echoed in part only, and never raw.
_ECHOED_CHARACTERS: Final = 40

#: Longest form of a day without a time: ``2026-05-04``.
_DAY_CHARACTERS: Final = 10


def text(description: str) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description}


def choice(names: Sequence[str], description: str) -> dict[str, Any]:
    """Return the schema of one of several names."""
    return {"type": "string", "enum": list(names), "description": description}


def count(most: int, description: str) -> dict[str, Any]:
    """Return the schema of a whole number from 1."""
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": most,
        "description": description,
    }


def schema(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """Return the schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def checked(arguments: object, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plain copy of arguments that keep to a schema.

    Args:
        arguments: What the model sent, parsed. `None` stands for "left out".
        wanted: What `schema` returned.

    Raises:
        Declined: With a sentence that says what to send instead.
    """
    if not isinstance(arguments, Mapping):
        raise Declined("The arguments must be a JSON object.")
    given = {key: value for key, value in arguments.items() if value is not None}
    properties = wanted["properties"]
    for name in given:
        if name not in properties:
            echo = ascii(name)[:_ECHOED_CHARACTERS]
            known = ", ".join(properties)
            raise Declined(f"There is no argument {echo}. Known: {known}.")
    for name in wanted["required"]:
        if name not in given:
            raise Declined(f"The argument {name} is missing.")
    return {name: _value(name, given[name], properties[name]) for name in given}


def _value(name: str, value: object, wanted: Mapping[str, Any]) -> str | int:
    if wanted["type"] == "integer":
        return _number(name, value, wanted)
    if not isinstance(value, str):
        raise Declined(f"{name} must be text.")
    plain = plain_text(value, what=name)
    if "enum" in wanted and plain not in wanted["enum"]:
        raise Declined(f"{name} must be one of: {', '.join(wanted['enum'])}.")
    return plain


def _number(name: str, value: object, wanted: Mapping[str, Any]) -> int:
    least, most = wanted["minimum"], wanted["maximum"]
    # JSON has one kind of number, so some models send 5.0.
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = int(value) if least <= value <= most else None
        if number is not None and number == value:
            return number
    raise Declined(f"{name} must be a whole number from {least} to {most}.")


def moment(name: str, value: str | None, *, is_end: bool = False) -> datetime | None:
    """Read a day or time; without an offset it is UTC.

    Args:
        name: The argument's name, for the refusal.
        value: ISO 8601, or `None`.
        is_end: Whether a day by itself means its last moment.

    Raises:
        Declined: When it is neither.
    """
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value.strip())
        aware = at if at.tzinfo else at.replace(tzinfo=UTC)
        is_day = len(value.strip()) <= _DAY_CHARACTERS
        if is_end and is_day:
            aware += timedelta(days=1, microseconds=-1)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"{name} must be a day or time such as 2026-05-04 or 2026-05-04T10:00"
        raise Declined(f"{message}.") from None
