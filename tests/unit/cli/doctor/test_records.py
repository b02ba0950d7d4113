"""What is kept of the past."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from ethos_memory.cli.doctor.records import (
    check_audit,
    check_journals,
    check_kept_pages,
    check_sessions,
)
from unit.cli.doctor.looks import FOLDER, LINK, found, home, node

AUDIT = "users/identity-audit.jsonl"
LINE = b'{"ts":1,"scopeId":"user:u","key":"MEMORY.md","source":"tool"}'

KEPT = b"- a page as it was\n"
HASH = sha256(KEPT).hexdigest()


@pytest.mark.parametrize(
    ("path", "data", "detail"),
    [
        ("users/u/memory-history.jsonl", LINE + b"\n" + LINE[:30], "1 of 2 lines"),
        ("users/u/memory-history-2026-10.jsonl", b"\0\0\n{}\n", "2 of 2 lines"),
        ("teams/t/memory/memory-history.jsonl", LINE[:9], "1 of 1 lines"),
    ],
)
def test_a_torn_journal_is_found(path: str, data: bytes, detail: str) -> None:
    """A crash leaves half a line; a power cut leaves NULs."""
    (problem,) = check_journals(home(files={path: data}))
    assert (problem.kind.id, problem.path) == ("torn-journal", path)
    assert problem.detail == detail


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("users/u/memory-history.jsonl", LINE + b"\n\n" + LINE + b"\n"),
        ("users/u/memory-history.jsonl", b""),
        ("users/u/other.jsonl", b"{"),
        ("teams/t/memory-history.jsonl", b"{"),
    ],
)
def test_a_sound_journal_is_fine(path: str, data: bytes) -> None:
    """Blank lines are no damage, and other files are not ours to judge."""
    assert not found(check_journals, home(files={path: data}))


def test_a_journal_that_cannot_be_read_is_named() -> None:
    """And a link is left to the check of links."""
    path = "users/u/memory-history.jsonl"
    assert found(check_journals, home([node(path)])) == [("unreadable", path)]
    assert not found(check_journals, home([node(path, LINK)]))


@pytest.mark.parametrize("scope", ["users/u", "teams/t/memory"])
def test_an_earlier_page_must_be_what_its_name_says(scope: str) -> None:
    """A disk that rots, or an editor that saved over it."""
    files = {
        f"{scope}/history-blobs/{HASH}.md": KEPT,
        f"{scope}/history-blobs/{HASH[::-1]}.md": KEPT,
        f"{scope}/history-blobs/notes.txt": b"others' own",
    }
    damaged = ("damaged-history", f"{scope}/history-blobs/{HASH[::-1]}.md")
    assert found(check_kept_pages, home(files=files)) == [damaged]


def test_an_earlier_page_that_cannot_be_read_is_named() -> None:
    """And what is no file is not read."""
    path = f"users/u/history-blobs/{HASH}.md"
    assert found(check_kept_pages, home([node(path)])) == [("unreadable", path)]
    assert not found(check_kept_pages, home([node(path, LINK)]))
    assert not found(check_kept_pages, home([node(path, FOLDER)]))


def test_a_line_whose_page_is_gone_is_counted() -> None:
    """The history cannot show that state any more."""
    line = json.dumps({**json.loads(LINE), "blob": HASH}).encode() + b"\n"
    journal = "users/u/memory-history.jsonl"
    files = {journal: line + line + LINE}
    (problem,) = check_journals(home(files=files))
    assert (problem.kind.id, problem.path) == ("lost-state", journal)
    assert problem.detail == "2 of 3 lines"
    files[f"users/u/history-blobs/{HASH}.md"] = KEPT
    assert not found(check_journals, home(files=files))


def test_a_damaged_audit_is_found() -> None:
    """It is a journal like the others."""
    seen = home(files={AUDIT: b'{"verb": "link"}\n[1]\n{"ve'})
    (problem,) = check_audit(seen)
    assert (problem.kind.id, problem.path) == ("torn-journal", AUDIT)
    assert problem.detail == "2 of 3 lines"
    assert not found(check_audit, home(files={AUDIT: b'{"verb": "link"}\n'}))
    assert found(check_audit, home([node(AUDIT)])) == [("unreadable", AUDIT)]
    assert not found(check_audit, home([node(AUDIT, LINK)]))


def test_conversations_that_cannot_be_used_are_a_problem() -> None:
    """Why stands beside it."""
    (problem,) = check_sessions(home(sessions_fault="SQLite finds it damaged"))
    assert problem.kind.id == "conversations"
    assert problem.path == "memory-sessions.db"
    assert problem.detail == "SQLite finds it damaged"
