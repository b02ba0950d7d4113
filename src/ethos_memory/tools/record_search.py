"""Which records a host asked for: filters, patterns of namespaces, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.tools.record_screen import texts
from ethos_memory.words import Index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ethos_memory.tools.record_page import Record

__all__ = ["begins_with", "check_filter", "ends_with", "is_wanted", "ranked"]

_WILDCARD: Final = "*"

#: Levels of a filter; those of a value.
_MOST_LEVELS: Final = 100
_OPERATORS: Final = frozenset({"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"})


def begins_with(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Tell whether a namespace has a path in front; ``*`` is any one label."""
    return len(namespace) >= len(path) and all(
        wanted in (_WILDCARD, label)
        for label, wanted in zip(namespace, path, strict=False)
    )


def ends_with(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Tell whether a namespace has a path at its end; ``*`` is any one label."""
    return begins_with(namespace[::-1], path[::-1])


def check_filter(wanted: Mapping[str, Any], *, levels: int = _MOST_LEVELS) -> None:
    """Check that a filter can be answered.

    Args:
        wanted: As `is_wanted` takes it.
        levels: How deep it may be.

    Raises:
        ValueError: When it holds an operator that there is not, or is deeper than a
            value can be.
    """
    if not levels:
        raise ValueError(f"a filter is more than {_MOST_LEVELS} levels deep")
    for condition in wanted.values():
        if not isinstance(condition, dict):
            continue
        unknown = _operators(condition) - _OPERATORS
        if unknown:
            known = ", ".join(sorted(_OPERATORS))
            raise ValueError(f"a filter holds an unknown operator. Known: {known}")
        check_filter(condition, levels=levels - 1)


def is_wanted(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Tell whether a value keeps to a filter.

    Args:
        value: Of a record.
        wanted: Fields with what they must equal, or with operators. A name with dots
            leads into nested fields when no field has it. A missing field is `None`.
    """
    return all(_meets(_field(value, name), one) for name, one in wanted.items())


def ranked(records: Sequence[Record], query: str) -> list[tuple[Record, float]]:
    """Return the records that answer a query, best first, with their scores.

    Args:
        records: As a model may read them: what is withheld cannot be searched for.
        query: Any text; nothing in it is query syntax.
    """
    index = Index()
    for number, record in enumerate(records):
        index.put(str(number), "\n".join((record.key, *texts(record.value))))
    matches = index.search(query, len(records))
    return [(records[int(match.name)], match.score) for match in matches]


def _operators(condition: Mapping[str, Any]) -> set[str]:
    # One of them makes the whole condition an operator's, as the host has it.
    has_any = any(name.startswith("$") for name in condition)
    return set(condition) if has_any else set()


def _field(value: Mapping[str, Any], path: str) -> Any:
    name, dot, rest = path.partition(".")
    if path in value or not dot:
        return value.get(path)
    inner = value.get(name)
    return _field(inner, rest) if isinstance(inner, dict) else None


def _meets(value: Any, wanted: Any) -> bool:
    match wanted:
        case dict() if _operators(wanted):
            return all(_compares(value, name, one) for name, one in wanted.items())
        case dict():
            return isinstance(value, dict) and all(
                _meets(value.get(name), one) for name, one in wanted.items()
            )
        case list() | tuple():
            return (
                isinstance(value, list)
                and len(value) == len(wanted)
                and all(_meets(*pair) for pair in zip(value, wanted, strict=True))
            )
        case _:
            return _is_equal(value, wanted)


def _is_equal(value: Any, wanted: Any) -> bool:
    # JSON's true is no 1, though Python's is.
    same = isinstance(value, bool) == isinstance(wanted, bool)
    return same and bool(value == wanted)


def _compares(value: Any, operator: str, wanted: Any) -> bool:
    if operator in ("$eq", "$ne"):
        plain = list(wanted) if isinstance(wanted, tuple) else wanted
        return _is_equal(value, plain) == (operator == "$eq")
    numbers = _is_number(value) and _is_number(wanted)
    if not numbers and not (isinstance(value, str) and isinstance(wanted, str)):
        return False
    match operator:
        case "$gt":
            return bool(value > wanted)
        case "$gte":
            return bool(value >= wanted)
        case "$lt":
            return bool(value < wanted)
        case _:
            return bool(value <= wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
