"""The examination: one look at the home, one function for each thing to check."""

from __future__ import annotations

import os
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING, Final

from attrs import evolve

from ethos_memory.cli.command import FINE, FOUND, message
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.doctor.contents import (
    check_map,
    check_map_ids,
    check_pages,
    check_unlisted,
)
from ethos_memory.cli.doctor.names import (
    check_copies,
    check_leftovers,
    check_links,
    check_look_alikes,
    check_names,
    check_special_files,
    is_page,
)
from ethos_memory.cli.doctor.records import (
    check_audit,
    check_journals,
    check_kept_pages,
    check_sessions,
)
from ethos_memory.cli.doctor.surroundings import (
    check_config,
    check_disk,
    check_modes,
    check_owners,
    check_personalities,
    personality_configs,
)
from ethos_memory.cli.doctor.view import Home, look
from ethos_memory.cli.home import opened
from ethos_memory.errors import EthosMemoryError
from ethos_memory.home import SESSIONS_FILE
from ethos_memory.sessions.soundness import find_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ethos_memory.cli.command import Call
    from ethos_memory.cli.console import Console
    from ethos_memory.cli.doctor.problem import Problem
    from ethos_memory.memory import Memory

__all__ = ["CHECKS", "doctor", "examine"]

#: A further check is one pure function from a look to problems, and one line here.
CHECKS: Final = (
    check_config,
    check_personalities,
    check_disk,
    check_unlisted,
    check_map,
    check_map_ids,
    check_links,
    check_special_files,
    check_pages,
    check_look_alikes,
    check_copies,
    check_journals,
    check_audit,
    check_kept_pages,
    check_sessions,
    check_leftovers,
    check_modes,
    check_owners,
    check_names,
)

#: Places of one kind that are printed; ``--json`` has them all.
_SHOWN_PLACES: Final = 10

_WIDTH: Final = 80
_DEEPER: Final = " " * 6


def doctor(call: Call) -> int:
    """Print what is wrong with a home, what it means, and what to do.

    Returns:
        `FOUND` when something is wrong; what is merely worth knowing does not count.
    """
    path = os.path.expanduser(call.home)  # noqa: PTH111 - a leading ~ only
    seen = look(path, trusted_links=call.trusted_links)
    fault, personality_faults = _faults(call, seen)
    home = evolve(
        seen,
        fault=fault,
        personality_faults=personality_faults,
        sessions_fault=_sessions_fault(seen),
    )
    problems = examine(home)
    if call.is_json:
        call.console.json(_json(home, problems))
    else:
        _print(call, home, problems)
    return FOUND if any(not one.kind.is_note for one in problems) else FINE


def examine(home: Home) -> tuple[Problem, ...]:
    """Make every check on what a look has seen; the result is sorted by kind."""
    found = [problem for check in CHECKS for problem in check(home)]
    return tuple(sorted(found, key=lambda one: (one.kind.is_note, one.kind.id)))


def _faults(call: Call, home: Home) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Open the home, and what its personalities name; nothing is changed."""
    try:
        with opened(call) as memory:
            return "", tuple(_personality_faults(memory, home))
    except (EthosMemoryError, OSError) as error:
        return message(error), ()


def _personality_faults(memory: Memory, home: Home) -> Iterator[tuple[str, str]]:
    for node in personality_configs(home):
        try:
            # Asking is what opens it.
            memory.provider.list(f"personality:{node.parts[1]}", limit=1)
        except (EthosMemoryError, OSError) as error:
            yield node.path, getattr(error, "reason", "") or message(error)


def _sessions_fault(home: Home) -> str:
    # A link is told of already, and is not followed here either.
    node = home.named(SESSIONS_FILE)
    if node is None or node.is_link:
        return ""
    return find_fault(os.path.join(home.path, SESSIONS_FILE))  # noqa: PTH118 - text


def _print(call: Call, home: Home, problems: Sequence[Problem]) -> None:
    for kind, places in groupby(problems, key=lambda one: one.kind):
        call.console.line(paint("yellow" if kind.is_note else "red", kind.id))
        for text in (kind.meaning, f"To do: {kind.remedy}"):
            for line in textwrap.wrap(text, _WIDTH - 2):
                call.console.line(f"  {line}")
        named = list(places)
        for one in named[:_SHOWN_PLACES]:
            _print_place(call.console, one)
        if len(named) > _SHOWN_PLACES:
            call.console.line(f"    … and {len(named) - _SHOWN_PLACES} more")
        call.console.line()
    call.console.line(paint("bold", home.path), f": {_summary(home, problems)}")


def _print_place(console: Console, problem: Problem) -> None:
    path = f"    {problem.path or '.'}"
    detail = f"  {problem.detail}"
    if len(path) + len(detail) <= _WIDTH:
        console.line(paint("bold", path), detail.rstrip())
        return
    console.line(paint("bold", path))
    for line in textwrap.wrap(problem.detail, _WIDTH - len(_DEEPER)):
        console.line(_DEEPER, line)


def _summary(home: Home, problems: Sequence[Problem]) -> str:
    if not home.exists:
        return "no home yet; the first write makes it"
    wrong = sum(not one.kind.is_note for one in problems)
    pages = sum(is_page(node) and node.is_file for node in home.nodes)
    found = f"{wrong} to look at" if wrong else "nothing is wrong"
    scopes = counted(len(_scopes(home)), "scope")
    return f"{found} ({counted(pages, 'page')} in {scopes})"


def _scopes(home: Home) -> set[tuple[str, ...]]:
    return {node.parts[:-1] for node in home.nodes if is_page(node)}


def _json(home: Home, problems: Sequence[Problem]) -> dict[str, object]:
    return {
        "home": home.path,
        "exists": home.exists,
        "problems": [
            {
                "kind": one.kind.id,
                "path": one.path,
                "detail": one.detail,
                "meaning": one.kind.meaning,
                "remedy": one.kind.remedy,
                "is_note": one.kind.is_note,
            }
            for one in problems
        ],
    }
