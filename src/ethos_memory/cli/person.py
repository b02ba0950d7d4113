"""``users merge``, ``users forget`` and ``users export``: all that is held of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import asdict

from ethos_memory.cli.accounts import user_id
from ethos_memory.cli.command import FINE, FOUND, Misused, Refused
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.home import opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.cli.command import Call
    from ethos_memory.person import Held, Holding, MergeReport, PageState

__all__ = ["export_user", "forget_user", "merge_users"]


def merge_users(call: Call) -> int:
    """Say that two ids are one person, and print both profiles. No text is moved.

    Raises:
        Misused: When the two are the same.
    """
    keep, drop = user_id(call.options.keep), user_id(call.options.drop)
    if keep == drop:
        raise Misused("the two are one id already")
    with opened(call) as memory:
        report = memory.merge(keep, drop, dry_run=call.options.dry_run)
    if call.is_json:
        call.console.json(asdict(report))
        return FINE
    done = "would merge" if report.is_dry_run else "merged"
    call.console.line(f"{done}: user:{drop} → ", paint("bold", f"user:{keep}"))
    for account in report.accounts:
        call.console.line(f"  {account.platform} {account.account_id}")
    _print_pages(call, keep, report.kept_pages)
    _print_pages(call, drop, report.dropped_pages)
    _advise(call, report)
    return FINE


def _print_pages(call: Call, user: str, pages: Iterable[PageState]) -> None:
    for page in pages:
        revision = "unreadable" if page.revision is None else page.revision[:12]
        call.console.line(
            f"  user:{user}  {page.key}  {page.size} bytes  ", paint("dim", revision)
        )


def _advise(call: Call, report: MergeReport) -> None:
    if not report.accounts:
        call.console.note(f"user:{report.drop} has no accounts")
    if report.dropped_pages:
        call.console.note(
            f"no text was moved: no turn reads user:{report.drop} any more"
        )
    if report.accounts and not report.is_dry_run:
        call.console.note(
            f"to undo it: users link PLATFORM ACCOUNT {report.drop}, for each of these"
        )


def forget_user(call: Call) -> int:
    """Erase one person for good, across all accounts and merged ids.

    Returns:
        `FOUND` when something was written meanwhile and is there again.
    """
    user = user_id(call.options.user)
    with opened(call) as memory:
        report = memory.forget(user, dry_run=call.options.dry_run)
    if call.is_json:
        call.console.json(asdict(report))
        return FOUND if report.remains else FINE
    if report.is_dry_run:
        _print_holdings(call, "would erase", report.held.holdings)
    else:
        _print_holdings(call, "erased", report.gone)
    if not report.held and not report.gone:
        call.console.note(f"nothing is held about user:{user}")
    _note_rest(call, report.held)
    for one in report.remains:
        call.console.note(f"written meanwhile: {_described(one)}; forget once more")
    return FOUND if report.remains else FINE


def export_user(call: Call) -> int:
    """Write everything that is held about a person into a new folder.

    Raises:
        Refused: When nothing is held.
    """
    user, destination = user_id(call.options.user), call.options.destination
    with opened(call) as memory:
        report = memory.export(user, destination, dry_run=call.options.dry_run)
    if not report.held:
        raise Refused(f"nothing is held about user:{user}; nothing was written")
    if call.is_json:
        call.console.json({**asdict(report), "destination": str(report.destination)})
        return FINE
    if report.is_dry_run:
        _print_holdings(call, "would export", report.held.holdings)
    for file in report.files:
        call.console.line(
            f"  {file.path}  {file.size} bytes  ", paint("dim", file.what)
        )
    if not report.is_dry_run:
        files = counted(len(report.files), "file")
        call.console.line(
            f"exported: {files} → ", paint("bold", str(report.destination))
        )
    _note_rest(call, report.held)
    return FINE


def _print_holdings(call: Call, verb: str, holdings: Iterable[Holding]) -> None:
    for one in holdings:
        call.console.line(f"{verb}: {_described(one)}")


def _described(holding: Holding) -> str:
    size = "" if holding.size is None else f", {counted(holding.size, 'byte')}"
    count = "" if holding.count == 1 else f" × {holding.count}"
    return f"user:{holding.user_id}, {holding.holder}: {holding.name}{count}{size}"


def _note_rest(call: Call, held: Held) -> None:
    for one in held.leftovers:
        call.console.note(f"left alone: user:{one.user_id}, {one.name}: not memory")
    if held:
        for words in held.stays:
            call.console.note(f"not touched: {words}")
