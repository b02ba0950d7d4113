"""A command as a value: its words, its arguments, and the one function that runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import field, frozen

from ethos_memory.errors import EthosMemoryError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ethos_memory.cli.console import Console

__all__ = [
    "CANNOT",
    "FINE",
    "FOUND",
    "USAGE",
    "Argument",
    "Call",
    "Command",
    "Misused",
    "Refused",
    "Run",
    "argument",
    "message",
]

#: Exit code: done, and there is nothing to tell.
FINE: Final = 0

#: Exit code: something was found, was refused, or is not there.
FOUND: Final = 1

#: Exit code: the command, a scope or a key was written wrong. It is argparse's own.
USAGE: Final = 2

#: Exit code: it cannot be done; the message says why.
CANNOT: Final = 3


class Misused(Exception):  # noqa: N818 - no fault of the program
    """The arguments do not go together; exit code `USAGE`."""


class Refused(Exception):  # noqa: N818 - no fault: an answer
    """The command line will not do this unless it is told to; exit code `FOUND`."""


@frozen
class Call:
    """One run of a command.

    Attributes:
        console: Where to print.
        home: The home to work on.
        is_json: Whether to answer in JSON.
        trusted_links: Folders that links below the home may lead into.
        options: What the command's own arguments were given.
    """

    console: Console = field(repr=False)
    home: str = field(kw_only=True)
    is_json: bool = field(kw_only=True)
    trusted_links: tuple[str, ...] = field(default=(), kw_only=True)
    options: argparse.Namespace = field(kw_only=True, repr=False)


#: What runs a command; it answers with an exit code.
Run: TypeAlias = Callable[[Call], int]


@frozen
class Argument:
    """One argument of a command, as argparse takes it.

    Attributes:
        names: ``("--raw",)``, or ``("scope",)`` for a positional one.
        options: Further keywords of `argparse.ArgumentParser.add_argument`.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]


def argument(*names: str, **options: Any) -> Argument:
    """Describe an argument of a command."""
    return Argument(names, options)


@frozen
class Command:
    """One command.

    Attributes:
        words: What is typed: ``"show"`` or ``"users list"``.
        run: What runs it.
        summary: One line for ``--help``.
        arguments: Its own arguments, beside those that each has.
    """

    words: str
    run: Run
    summary: str
    arguments: tuple[Argument, ...] = ()


def message(error: Exception) -> str:
    """Say what went wrong; `OSError` holds a whole sentence in parts only."""
    if isinstance(error, OSError) and not isinstance(error, EthosMemoryError):
        reason = error.strerror or type(error).__name__
        return reason if error.filename is None else f"{error.filename}: {reason}"
    return str(error)
