"""``show``, ``write`` and ``search``: the pages of one scope."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import asdict

from ethos_memory.cli.command import CANNOT, FINE, Misused, Refused, message
from ethos_memory.cli.console import paint, read_input
from ethos_memory.cli.findings import Located, located, note_findings
from ethos_memory.cli.home import opened
from ethos_memory.entry import Add, Origin, Replace, trim
from ethos_memory.errors import CorruptFileError, EthosMemoryError
from ethos_memory.page import find_placeholder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from ethos_memory.cli.command import Call
    from ethos_memory.entry import KeyChange, MemoryEntry, SearchHit, SyncReport, Update
    from ethos_memory.providers.guarded import GuardedProvider

    _Read: TypeAlias = Callable[[str, str], MemoryEntry | None]

__all__ = ["ORIGIN", "print_change", "report_json", "search", "show", "write"]

#: Whoever sits at the command line is a person: stored and reported, never refused.
ORIGIN: Final = Origin("cli")

_INPUT: Final = "standard input"


def show(call: Call) -> int:
    """Print one page, or every page of a scope, as a model would read it.

    With ``--raw`` it is the page as it is. What the guard found goes to standard error.

    Returns:
        `CANNOT` when a page of the scope cannot be read; the others are printed.

    Raises:
        Refused: When the page that was named is not there.
        EthosMemoryError: When it cannot be read.
    """
    with opened(call) as memory:
        provider = memory.provider
        read = provider.unsafe_read if call.options.raw else provider.read
        return (
            _show_all(call, provider, read)
            if call.options.key is None
            else (_show_one(call, read))
        )


def _show_one(call: Call, read: _Read) -> int:
    scope, key = call.options.scope, call.options.key
    entry = read(scope, key)
    if entry is None:
        raise Refused(f"{scope} has no page {key}")
    if call.is_json:
        call.console.json(_entry_json(entry))
        return FINE
    _print_page(call, entry)
    return FINE


def _show_all(call: Call, provider: GuardedProvider, read: _Read) -> int:
    scope = call.options.scope
    keys = [ref.key for ref in provider.list(scope)]
    attempts = [_attempt(call, read, key) for key in keys]
    entries = [entry for entry in attempts if entry is not None]
    if call.is_json:
        call.console.json([_entry_json(entry) for entry in entries])
    else:
        for entry in entries:
            about = f"{entry.updated_at:%Y-%m-%d %H:%M} UTC"
            _print_heading(call, entry.key, about)
            _print_page(call, entry, is_last=False)
    if not keys:
        call.console.note(f"{scope} has no pages")
    return FINE if None not in attempts else CANNOT


def _attempt(call: Call, read: _Read, key: str) -> MemoryEntry | None:
    """Read a page; say why when it cannot be read. The others are still shown."""
    try:
        entry = read(call.options.scope, key)
    except (EthosMemoryError, OSError) as error:
        call.console.note(message(error))
        return None
    if entry is None:
        call.console.note(f"{key}: gone meanwhile")
    return entry


def search(call: Call) -> int:
    """Print the pages of a scope that answer a query, best first."""
    scope, query = call.options.scope, call.options.query
    with opened(call) as memory:
        hits = memory.provider.search(scope, query, limit=call.options.limit)
    if call.is_json:
        call.console.json([_hit_json(hit) for hit in hits])
        return FINE
    for hit in hits:
        _print_heading(call, hit.key, f"{hit.score:.2f}")
        call.console.line(hit.snippet)
    if not hits:
        call.console.note(f"nothing found in {scope}")
    return FINE


def write(call: Call) -> int:
    """Write a page from standard input: add to it, or put the text in its place.

    A person writes here: what the guard finds is stored and reported. Credentials are
    replaced by a marker all the same.

    Raises:
        Misused: When the options do not go together.
        Refused: When a replacement looks cut or empty, and ``--force`` is not given.
    """
    scope, text = call.options.scope, _input(call)
    update = _update(call.options, text)
    with opened(call) as memory:
        report = memory.provider.sync(scope, [update], origin=ORIGIN)
    findings = located(_INPUT, report.findings, text=text)
    if call.is_json:
        call.console.json(report_json(scope, report, findings))
        return FINE
    for change in report.changes:
        print_change(call, change)
    note_findings(call.console, findings)
    if any(one.finding.action == "withhold" for one in findings):
        call.console.note("stored as it is, since a person writes; no prompt shows it")
    return FINE


def _input(call: Call) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        call.console.note("type the text, and Ctrl-D on a line of its own to end it")
    data = read_input()
    try:
        return data.decode()
    except UnicodeDecodeError:
        # Outside this block: the error holds the bytes.
        pass
    raise CorruptFileError(_INPUT, "not UTF-8; nothing was written")


def _update(options: argparse.Namespace, text: str) -> Update:
    if options.add and options.replace:
        raise Misused("--add and --replace exclude each other")
    if not options.replace and options.if_revision is not None:
        raise Misused("--if-revision needs --replace")
    if not options.replace:
        return Add(options.key, text)
    if not options.force:
        _refuse_cut(text)
    return Replace(options.key, text, if_revision=options.if_revision)


def _refuse_cut(text: str) -> None:
    """Refuse what would wipe a page by mistake (case B03)."""
    if not trim(text):
        raise Refused("the text is empty; --force replaces the page all the same")
    if find_placeholder(text) is not None:
        raise Refused(
            "the text promises the rest of a page instead of holding it; "
            "--force stores it all the same"
        )


def _print_page(call: Call, entry: MemoryEntry, *, is_last: bool = True) -> None:
    call.console.page(entry.content, is_last=is_last)
    note_findings(call.console, located(entry.key, entry.findings))


def _print_heading(call: Call, key: str, about: str) -> None:
    call.console.line(paint("bold", f"── {key} "), paint("dim", about))


def print_change(call: Call, change: KeyChange) -> None:
    """Print what became of a page."""
    verb = "written" if change.is_change else "unchanged"
    call.console.line(
        f"{verb}: {call.options.scope} {change.key}, "
        f"{change.size_before} → {change.size_after} bytes"
    )
    if change.is_large_shrink:
        lost = 100 * (change.size_before - change.size_after) // change.size_before
        call.console.note(
            f"{change.key} lost {lost} % of its bytes; its history keeps the text "
            f"before, as revision {change.revision_before[:12]}"
        )


def _entry_json(entry: MemoryEntry) -> dict[str, object]:
    return {
        "key": entry.key,
        "content": entry.content,
        "revision": entry.revision,
        "updated_at": entry.updated_at.isoformat(),
        "findings": [one.json() for one in located(entry.key, entry.findings)],
    }


def _hit_json(hit: SearchHit) -> dict[str, object]:
    return {
        "key": hit.key,
        "snippet": hit.snippet,
        "score": hit.score,
        "findings": [one.json() for one in located(hit.key, hit.findings)],
    }


def report_json(
    scope: str, report: SyncReport, findings: tuple[Located, ...]
) -> dict[str, object]:
    """Return what a write did, for JSON."""
    return {
        "scope": scope,
        "changes": [
            {**asdict(change), "is_large_shrink": change.is_large_shrink}
            for change in report.changes
        ],
        "findings": [one.json() for one in findings],
    }
