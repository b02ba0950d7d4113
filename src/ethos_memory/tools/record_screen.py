"""The guard inside a record: its texts are judged one by one, so that JSON stays JSON.

A page is screened by its lines. A marker in place of a line would break the JSON it
stands in, and an escaped line end hides what follows it: here each text is judged as a
model reads it, alone and next to its name.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ethos_memory.errors import GuardRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from ethos_memory.tools.record_page import Record
    from ethos_memory.verdict import Verdict

    Screen: TypeAlias = Callable[[str], Verdict]

__all__ = ["check_whole", "shown", "storable", "texts"]


def storable(record: Record, screen: Screen) -> Record:
    """Return a record as it may be stored: credentials in texts are replaced.

    Raises:
        GuardRefusedError: When a text is refused, or a name would be altered: under
            another name nobody would find it.
    """
    for name in _names(record):
        verdict = screen(name)
        if verdict.refused or verdict.stored != name:
            raise GuardRefusedError(verdict.findings)

    # Lists repeat their texts.
    @cache
    def judge(text: str) -> str:
        verdict = screen(text)
        if verdict.refused:
            raise GuardRefusedError(verdict.findings)
        return verdict.stored

    return evolve(record, value=_judged(record.value, "", judge))


def shown(record: Record, screen: Screen) -> Record | None:
    """Return a record as a model may read it; `None` when a name may not be shown.

    What is withheld in a text is replaced by the guard's marker, in that text alone.
    """
    if any(screen(name).shown != name for name in _names(record)):
        return None
    judge = cache(lambda text: screen(text).shown)
    return evolve(record, value=_judged(record.value, "", judge))


def check_whole(record: Record, screen: Screen) -> None:
    """Check a record as a model reads it: one text after another.

    An order may be spread over several of them, the record's names and those of its
    fields included; on the page other words and marks stand between.

    Raises:
        GuardRefusedError: When something in them would be withheld.
    """
    told = (*record.namespace, record.key, *_said(record.value))
    for read in (told, texts(record.value)):
        verdict = screen(" ".join(read))
        withheld = tuple(one for one in verdict.findings if one.action == "withhold")
        if withheld:
            raise GuardRefusedError(withheld)


def texts(value: Any) -> Iterator[str]:
    """Yield the words of a value, names of fields included, for a search."""
    match value:
        case dict():
            for name, item in value.items():
                yield name
                yield from texts(item)
        case list():
            for item in value:
                yield from texts(item)
        case str():
            yield value
        case None | bool():
            return
        case _:
            yield json.dumps(value)


def _said(value: Any) -> Iterator[str]:
    match value:
        case dict():
            for item in value.values():
                yield from _said(item)
        case list():
            for item in value:
                yield from _said(item)
        case str():
            yield value
        case _:
            return


def _names(record: Record) -> Iterator[str]:
    yield from record.namespace
    yield record.key
    yield from _fields(record.value)


def _fields(value: Any) -> Iterator[str]:
    items = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for item in items:
            yield from _fields(item)


def _judged(value: Any, name: str, judge: Callable[[str], str]) -> Any:
    match value:
        case dict():
            return {key: _judged(item, key, judge) for key, item in value.items()}
        case list():
            return [_judged(item, name, judge) for item in value]
        case None | bool():
            return value
        case str():
            # What is left of a text may be a credential by its name still.
            return _beside(name, judge(value), judge)
        case _:
            text = json.dumps(value)
            told = _beside(name, text, judge)
            return value if told == text else told


def _beside(name: str, text: str, judge: Callable[[str], str]) -> str:
    """Judge a text next to its name: ``password: …`` is one, whatever it looks like."""
    told = judge(f"{name}: {text}")
    return told.removeprefix(f"{name}: ")
