"""Checks on what is kept of the past: histories, the map's audit, conversations."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ethos_memory.cli.doctor.contents import read_node
from ethos_memory.cli.doctor.problem import Kind, Problem
from ethos_memory.disk.journal import BLOBS, Line, is_journal, parse
from ethos_memory.home import SESSIONS_FILE
from ethos_memory.identity_map.audit import AUDIT_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.cli.doctor.view import Home, Node

__all__ = ["check_audit", "check_journals", "check_kept_pages", "check_sessions"]

JOURNAL: Final = Kind(
    "torn-journal",
    "Lines of a journal are damaged, as a crash leaves them. They are left out; no "
    "page is touched by it.",
    "Nothing: the next change begins a line of its own.",
)
KEPT_PAGE: Final = Kind(
    "damaged-history",
    "An earlier page is not what its name says. That state can be neither shown nor "
    "restored; the page of today is not touched by it.",
    "Bring the file back from a backup, or leave it.",
)
LOST_STATE: Final = Kind(
    "lost-state",
    "The history tells of earlier pages whose text is gone. Those states can be "
    "neither shown nor restored.",
    "Bring the folder history-blobs back from a backup, or leave it.",
)
SESSIONS: Final = Kind(
    "conversations",
    "The conversations cannot be used: none is found, and none can be continued. "
    "While nobody can tell whether one ever ran shared, it counts as shared, and a "
    "turn in it sees nothing private.",
    "Put right what stands beside it, or move the file away and bring it back from a "
    "backup.",
)

_KEPT_SUFFIX: Final = ".md"


def check_audit(home: Home) -> Iterator[Problem]:
    """Find damaged lines in the map's audit."""
    node = home.named("users", AUDIT_NAME)
    if node is not None and node.is_file:
        data = yield from read_node(home, node)
        lines = _lines(data)
        yield from _torn(node, sum(not _is_object(line) for line in lines), len(lines))


def check_journals(home: Home) -> Iterator[Problem]:
    """Find damaged lines in the histories, and lines whose page is gone."""
    there = {node.parts for node in home.in_scopes(2)}
    for node in home.in_scopes(1):
        if not node.is_file or not is_journal(node.name):
            continue
        data = yield from read_node(home, node)
        lines = [parse(line) for line in _lines(data)]
        yield from _torn(node, lines.count(None), len(lines))
        lost = sum(_is_lost(node, line, there) for line in lines if line is not None)
        if lost:
            yield Problem(LOST_STATE, node.path, f"{lost} of {len(lines)} lines")


def check_kept_pages(home: Home) -> Iterator[Problem]:
    """Find earlier pages whose text does not have the hash in their name."""
    for node in home.in_scopes(2):
        if node.is_file and node.name.endswith(_KEPT_SUFFIX):
            data = yield from read_node(home, node)
            name = node.name.removesuffix(_KEPT_SUFFIX)
            if data is not None and sha256(data).hexdigest() != name:
                yield Problem(KEPT_PAGE, node.path, f"{len(data)} bytes")


def check_sessions(home: Home) -> Iterator[Problem]:
    """Say why the conversations cannot be used, if they cannot."""
    if home.sessions_fault:
        yield Problem(SESSIONS, SESSIONS_FILE, home.sessions_fault)


def _lines(data: bytes | None) -> list[bytes]:
    return [line for line in (data or b"").split(b"\n") if line.strip()]


def _torn(node: Node, damaged: int, lines: int) -> Iterator[Problem]:
    if damaged:
        yield Problem(JOURNAL, node.path, f"{damaged} of {lines} lines")


def _is_lost(journal: Node, line: Line, there: set[tuple[str, ...]]) -> bool:
    kept = (*journal.parts[:-1], BLOBS, line.blob + _KEPT_SUFFIX)
    return bool(line.blob) and kept not in there


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
