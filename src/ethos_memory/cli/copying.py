"""``copy --to-postgres``: a home in files, copied into the database of its config."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import asdict

from ethos_memory.cli.command import FINE, FOUND, Refused
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.home import configured_guard, opened
from ethos_memory.disk import Root
from ethos_memory.home import SESSIONS_FILE, holds_sessions

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.cli.console import Style
    from ethos_memory.memory import Memory
    from ethos_memory.moving import CopyReport, HomeCopy, ScopeOutcome
    from ethos_memory.pg import Database

__all__ = ["copy_home"]

#: Providers whose pages lie in the home.
_IN_THE_HOME: Final = frozenset({"markdown", "vector"})

_STYLES: Final[dict[str, Style]] = {
    "copied": "green",
    "differs": "red",
    "failed": "red",
    "elsewhere": "yellow",
}


def copy_home(call: Call) -> int:
    """Copy pages, accounts and conversations into the database that the config names.

    Nothing is written over, and the home stays as it is.

    Returns:
        `FOUND` when something of the home is not in the database then.

    Raises:
        Refused: When the home's memory is not in its files, or its config names no
            database.
    """
    with opened(call) as memory, ExitStack() as stack:
        database = _database(_dsn(memory), is_dry_run=call.options.dry_run)
        if database is not None:
            stack.callback(database.close)
        copy = _copy(call, memory, database)
        stack.callback(copy.root.close)
        report = copy.preview() if call.options.dry_run else copy.run()
    if call.is_json:
        call.console.json(asdict(report))
    else:
        _print(call, report)
    return FINE if report.is_whole else FOUND


def _dsn(memory: Memory) -> str:
    name = memory.config.choice.name
    if name not in _IN_THE_HOME:
        raise Refused(f"memory: {name} is not kept in files of the home")
    dsn = memory.config.resolve_postgres_dsn()
    if dsn is None:
        raise Refused("the config names no database: set memoryPostgres.dsn")
    return dsn


def _database(dsn: str, *, is_dry_run: bool) -> Database | None:
    # At first use: no other command needs it.
    from ethos_memory.pg import DEFAULT_SCHEMA, Database  # noqa: PLC0415
    from ethos_memory.pg.peek import is_empty  # noqa: PLC0415

    if is_dry_run and is_empty(dsn, schema=DEFAULT_SCHEMA):
        return None
    return Database(dsn)


def _copy(call: Call, memory: Memory, database: Database | None) -> HomeCopy:
    # At first use: no other command needs it.
    from ethos_memory.moving import HomeCopy  # noqa: PLC0415

    # As the home is opened: a leading ~ only.
    path = Path(os.path.expanduser(call.home))  # noqa: PTH111
    root = Root(path, trusted_links=call.trusted_links)
    return HomeCopy(
        root,
        memory.provider,
        memory.teams,
        configured_guard(call),
        sessions=root.path / SESSIONS_FILE if holds_sessions(root) else None,
        database=database,
    )


def _print(call: Call, report: CopyReport) -> None:
    for scope in report.scopes:
        _print_scope(call, scope, is_dry_run=report.is_dry_run)
    done = "would copy" if report.is_dry_run else "copied"
    call.console.line(
        f"{done}: {counted(report.accounts, 'account')}, "
        f"{counted(report.merged, 'record')} of merged ids, "
        f"{counted(report.sessions, 'conversation')} with "
        f"{counted(report.messages, 'message')}"
    )
    if report.equal_sessions:
        there = counted(report.equal_sessions, "conversation")
        call.console.line(f"there already: {there}")
    _note(call, report)


def _print_scope(call: Call, scope: ScopeOutcome, *, is_dry_run: bool) -> None:
    is_future = is_dry_run and scope.outcome == "copied"
    outcome = "would be copied" if is_future else scope.outcome
    style = _STYLES.get(scope.outcome, "dim")
    call.console.line(
        paint("bold", scope.scope),
        paint(style, f"  {outcome}"),
        f"  {counted(scope.pages, 'page')}, {counted(scope.states, 'state')}",
        f"  ({scope.reason})" if scope.reason else "",
    )
    if scope.redacted:
        texts = counted(scope.redacted, "text")
        call.console.note(f"{scope.scope}: credentials in {texts} became markers")
    if scope.aside:
        call.console.note(f"{scope.scope}: {counted(scope.aside, 'file')} left aside")


def _note(call: Call, report: CopyReport) -> None:
    if report.account_conflicts:
        entries = counted(report.account_conflicts, "conflict")
        call.console.note(f"nothing is copied: {entries} with the accounts there")
    for id in report.forgotten_there:
        call.console.note(
            f"nothing is copied: {id} was forgotten in the database; forget {id} here"
        )
    for id in report.forgotten_here:
        call.console.note(
            f"{id} was forgotten here, and is in the database: forget {id} there"
        )
    for ids, what in (
        (report.differing_sessions, "is another one there"),
        (report.damaged_sessions, "is damaged"),
    ):
        for id in ids:
            call.console.note(f"conversation {id} {what}; left out")
    if report.lacking_sessions:
        grown = counted(report.lacking_sessions, "conversation")
        call.console.note(f"{grown} grew meanwhile; copy again")
    if report.is_whole and not report.is_dry_run:
        call.console.note(
            "all of it is there. The home still holds everything: a person who is "
            "forgotten in the database is not forgotten there"
        )
