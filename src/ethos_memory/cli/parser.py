"""What is typed, and how a run ends: exit codes, and messages without private text."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from ethos_memory.cli.command import (
    CANNOT,
    FINE,
    FOUND,
    USAGE,
    Call,
    Command,
    Misused,
    Refused,
    message,
)
from ethos_memory.cli.commands import COMMANDS
from ethos_memory.cli.console import Console
from ethos_memory.errors import (
    EthosMemoryError,
    GuardRefusedError,
    InvalidNameError,
    NotPermittedError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


_DEFAULT_HOME: Final = "~/.ethos"

_EXIT_CODES: Final = """\
exit codes:
  0  fine
  1  something was found, was refused, or is not there
  2  the command, a scope or a key is written wrong
  3  it cannot be done; the message says why
"""

#: Exit codes that shells give a process that ended by SIGINT, or by SIGPIPE.
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141

#: What an error means for the exit code; any other means `CANNOT`.
_CODES: Final = (
    (InvalidNameError | Misused, USAGE),
    (Refused | GuardRefusedError | NotPermittedError, FOUND),
    (BrokenPipeError, _PIPE_CLOSED),
)


_logger = logging.getLogger("ethos_memory")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: What was typed after the program's name; by default the process's own.

    Returns:
        The exit code; see ``ethos-memory --help``.
    """
    if sys.stdout is None or sys.stderr is None:
        # Closed by the caller. The answer would be lost without a word.
        return CANNOT
    console = Console(sys.stdout, sys.stderr, environ=os.environ)
    code = _run(argv, console)
    try:
        console.flush()
    except OSError as error:
        # What is still buffered would raise once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return _PIPE_CLOSED
        console.note(f"standard output: {error.strerror}")
        return CANNOT
    return code


def _run(argv: Sequence[str] | None, console: Console) -> int:
    try:
        options = _parser().parse_args(argv)
    except SystemExit as end:
        return int(end.code or FINE)
    if options.root == "":
        # Most likely an unset variable: never taken for the default home.
        console.note("--root is empty")
        return USAGE
    call = Call(
        console,
        home=_DEFAULT_HOME if options.root is None else options.root,
        is_json=options.json,
        trusted_links=tuple(options.trusted_links),
        options=options,
    )
    notes = _Notes(console)
    _logger.addHandler(notes)
    try:
        return int(options.run(call))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - a traceback could show private text
        if not isinstance(error, BrokenPipeError):
            console.note(_message(error))
        return _code(error)
    finally:
        _logger.removeHandler(notes)


def _code(error: Exception) -> int:
    return next((code for kinds, code in _CODES if isinstance(error, kinds)), CANNOT)


def _message(error: Exception) -> str:
    is_known = isinstance(error, EthosMemoryError | OSError | Misused | Refused)
    return message(error) if is_known else _place(error)


class _Notes(logging.Handler):
    """Prints the library's warnings as messages of this program."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.WARNING)
        self._console = console

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._console.note(record.getMessage())


def _place(error: Exception) -> str:
    """Name a fault of our own by class and place: its text could be private."""
    *_, last = traceback.walk_tb(error.__traceback__)
    file = Path(last[0].f_code.co_filename).name
    name = type(error).__name__
    return f"internal error: {name} at {file}:{last[1]}; please report it"


class _Version(argparse.Action):
    """Prints the version; it is looked up when it is asked for."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version  # noqa: PLC0415 - slow, rarely asked

        print(f"ethos-memory {version('ethos-memory')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ethos-memory",
        description="Memory for agents, kept in files that people can read.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version")
    _add_general(parser)
    parser.set_defaults(root=None, json=False, trusted_links=[])
    groups = {"": parser.add_subparsers(metavar="COMMAND", required=True)}
    for command in COMMANDS:
        _add_command(groups, command)
    return parser


def _add_command(groups: dict[str, Any], command: Command) -> None:
    group, _, word = command.words.rpartition(" ")
    if group not in groups:
        parent = groups[""].add_parser(group, help=f"more about {group}")
        groups[group] = parent.add_subparsers(metavar="COMMAND", required=True)
    sub = groups[group].add_parser(
        word,
        help=command.summary,
        description=command.summary,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for one in command.arguments:
        sub.add_argument(*one.names, **one.options)
    _add_general(sub)
    sub.set_defaults(run=command.run)


def _add_general(parser: argparse.ArgumentParser) -> None:
    # Before the command or after it: only the one that was typed may set the value.
    parser.add_argument(
        "--root",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help=f"the home ({_DEFAULT_HOME})",
    )
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="answer in JSON"
    )
    parser.add_argument(
        "--trusted-links",
        metavar="DIR",
        action="extend",
        nargs=1,
        default=argparse.SUPPRESS,
        help="a folder that links below the home may lead into; can be repeated",
    )
