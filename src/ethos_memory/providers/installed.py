"""What installed packages registered under a name: found, and loaded when it is one."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ethos_memory.errors import EthosMemoryError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

__all__ = ["attempt", "find_registered", "registered_names"]


def _registered(group: str) -> tuple[EntryPoint, ...]:
    try:
        return tuple(entry_points(group=group))
    # What is installed beside us may describe itself in any broken way.
    except Exception as error:  # noqa: BLE001
        kind = type(error).__name__
    msg = f"the installed packages cannot be listed ({kind})"
    raise UnsupportedError(msg)


def registered_names(group: str) -> tuple[str, ...]:
    """Return every name in a group, sorted.

    Raises:
        UnsupportedError: When the installed packages cannot be listed.
    """
    return tuple(sorted({entry.name for entry in _registered(group)}))


def find_registered(group: str, name: str) -> tuple[EntryPoint, ...]:
    """Return what was registered under a name: nothing, one, or what is in doubt.

    Args:
        group: Where packages register it.
        name: Exactly the name.

    Raises:
        UnsupportedError: When the installed packages cannot be listed.
    """
    found = {one.value: one for one in _registered(group) if one.name == name}
    return tuple(found.values())


def attempt(call: Callable[..., Any], *args: Any, what: str) -> Any:
    """Call another package's code and return what it returns.

    Args:
        call: What to call.
        *args: With what.
        what: What it is, for the error.

    Raises:
        EthosMemoryError: When it raised one, that one, without what led to it.
        UnsupportedError: When it raised anything else. The error says where, and never
            what: a message of another package may hold what it was given.
    """
    failure: Exception
    try:
        return call(*args)
    except EthosMemoryError as error:
        failure = error
    # Another package may raise anything.
    except Exception as error:  # noqa: BLE001
        failure = UnsupportedError(f"{what} failed: {_kind_and_place(error)}")
    failure.__cause__ = failure.__context__ = None
    raise failure


def _kind_and_place(error: Exception) -> str:
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:  # pragma: no cover - what was raised has a place
        return type(error).__name__
    file = Path(step.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} at {file}:{step.tb_lineno}"
