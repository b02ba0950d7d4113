"""Scope ids, keys and `resolve_scope`: the grammar of DESIGN section 4."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from typing_extensions import override

from ethos_memory.errors import (
    InvalidKeyError,
    InvalidNameError,
    InvalidScopeError,
    UnknownScopeError,
)
from ethos_memory.scope import (
    PAGES,
    ScopeId,
    is_sync_copy,
    parse_key,
    plain_text,
    resolve_scope,
)

#: `reference/reliability.md` 1.5, as ids. Every row is refused before any file is.
HOSTILE_IDS = (
    "",
    ".",
    "..",
    "a/../b",
    "../escape",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "a/",
    "~root",
    "C:x",
    "\\\\host\\share",
    "\\\\.\\COM1",
    "a\0b",
    "a\x1b[2J",
    "a\x85b",
    "a\nb",
    "a\r",
    "a\u2028b",
    "a\u2029",
    "%2e%2e%2f",
    "%252e",
    "alice\n",
    "\u017f",
    "\u212a",
    "\u0131",
    "\u0663",
    "\u0430lice",
    "\uff0e\uff0e",
    "a\uff0fb",
    "ﬁle",
    "COM¹",
    "\u00e9",
    "e\u0301",
    "a\u202eb",
    "a\u200bb",
    "\ufeffa",
    "a\udcff",
    "a.b",
    "ana.b",
    "x" * 65,
    "x" * 300,
    "😀" * 64,
    "CON",
    "nul",
    "aux",
    "Com1",
    "COM0",
    "lpt9",
    "CONIN$",
    "a:b",
    "alice:evil",
    " a",
    "a ",
    "MEMORY~1",
)

HOSTILE_KEYS = (
    "",
    ".md",
    "..md",
    "x..md",
    "../escape.md",
    "..\\escape.md",
    "a/../../b.md",
    "a/b.md",
    "/etc/passwd",
    "/etc/passwd.md",
    ".hidden.md",
    "-rf.md",
    "notes.MD",
    "noext",
    "MEMORY",
    "MEMORY.md ",
    "MEMORY.md.",
    "MEMORY.md\n",
    " MEMORY.md",
    "MEMORY.md.lock",
    "MEMORY.md:x",
    "MEMORY.md::$DATA",
    "MEMORY~1.md",
    "identity-map.json",
    "a\0b.md",
    "%2e%2e%2fx.md",
    "Nota de reunión.md",
    "徐放性.md",
    "ſ.md",
    "x\udcff.md",
    "CON.md",
    "nul.md",
    "COM1.tar.md",
    "LPT0.md",
    "memory.md",
    "Memory.md",
    "user.md",
    "USER.MD",
    "Identity.md",
    "observations.md",
    "SOUL.md",
    "soul.md",
    "Soul.md",
    "memory-archive.md",
    "MEMORY-ARCHIVE.md",
    "x" * 126 + ".md",
)

#: Case B23: what sync services leave beside `MEMORY.md`.
SYNC_COPIES = (
    "MEMORY (conflicted copy 2026-04-01).md",
    "MEMORY (Ana's conflicted copy 2026-04-01).md",
    "MEMORY.sync-conflict-20260401-101500-ABCDEFG.md",
    "notes.sync-conflict-20260401-101500-ABCDEFG.md",
    "MEMORY-DESKTOP-7QX.md",
    "MEMORY-DESKTOP-7QX-2.md",
    "memory-desktop-7qx.md",
    "notes-LAPTOP-A1B2C3.md",
    "MEMORY (1).md",
    "MEMORY (Conflict).md",
    "MEMORY 2.md",
    "user 3.md",
    "MEMORY_conflict-20260401.md",
    "notes-conflict-20260401-0915.md",
    ".MEMORY.md.icloud",
    "~$MEMORY.md",
    "MEMORY.md~",
    "MEMORY.md.bak",
)

INNOCENT_NAMES = (
    "conflict-resolution.md",
    "merge (draft).md",
    "project-API.md",
    "my-desktop-setup.md",
    "desktop-2.md",
    "06 Nota de reunión 3.md",
    "2026-02-16-topic.md",
    "sync-conflict.md",
    "memory-desk.md",
)


class Hijacked(str):
    """Passes `fullmatch` with one text and gives a path another."""

    __slots__ = ()

    @override
    def __str__(self) -> str:
        return "../../etc/passwd"

    @override
    def __format__(self, spec: str) -> str:
        return "../../etc/passwd"

    def __fspath__(self) -> str:
        return "../../etc/passwd"


@pytest.mark.parametrize("id", HOSTILE_IDS)
def test_hostile_ids_are_refused(id: str) -> None:
    """No row of the table becomes a scope, however it is built."""
    for build in (ScopeId.user, ScopeId.personality, ScopeId.team):
        with pytest.raises(InvalidScopeError):
            build(id)
    with pytest.raises(InvalidScopeError):
        ScopeId.parse(f"user:{id}")


@pytest.mark.parametrize(
    "scope",
    [
        "",
        "user",
        ":x",
        "User:a",
        " user:a",
        "user :a",
        "user：a",
        "user:personality:x",
        "1user:a",
        "u" * 33 + ":a",
        "user\n:a",
    ],
)
def test_text_outside_the_grammar_is_no_scope(scope: str) -> None:
    """The kind is exact, and the split is at the first colon."""
    with pytest.raises(InvalidScopeError):
        ScopeId.parse(scope)


@pytest.mark.parametrize("id", ["a", "A-b_9", "-", "_", "x" * 64, "a1b2c3d4e5f6"])
def test_an_accepted_scope_reads_back_as_it_was(id: str) -> None:
    """`str` and `parse` are inverse, and a value is parsed to itself."""
    scope = ScopeId.user(id)
    assert str(scope) == f"user:{id}"
    assert ScopeId.parse(str(scope)) == scope
    assert ScopeId.parse(scope) is scope


@pytest.mark.parametrize("value", [b"user:a", 7, None, Path("user:a"), ["user:a"]])
def test_what_is_no_text_is_a_type_error(value: object) -> None:
    """Bytes, numbers and paths are refused by their type."""
    with pytest.raises(TypeError):
        ScopeId.parse(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        parse_key(value)  # type: ignore[arg-type]


def test_a_hijacked_text_is_used_by_its_characters() -> None:
    """A `str` subclass cannot answer the check with one text and a path with another."""
    scope = ScopeId.parse(Hijacked("user:alice"))
    assert type(scope.id) is str
    assert resolve_scope(scope, "/root") == Path("/root/users/alice")
    assert type(parse_key(Hijacked("MEMORY.md"))) is str
    assert parse_key(Hijacked("MEMORY.md")) == "MEMORY.md"
    assert type(plain_text(Hijacked("x"), what="x")) is str


@pytest.mark.parametrize("key", HOSTILE_KEYS)
def test_hostile_keys_are_refused(key: str) -> None:
    """No row of the table names a page."""
    with pytest.raises(InvalidKeyError):
        parse_key(key)


@pytest.mark.parametrize(
    "key", [*PAGES, "a.md", "_x.md", "a.b-c_9.md", "x" * 125 + ".md", "2026-02-16.md"]
)
def test_a_page_name_is_accepted_as_it_is(key: str) -> None:
    """What is accepted is not altered."""
    assert parse_key(key) == key


@pytest.mark.parametrize("name", SYNC_COPIES)
def test_a_sync_copy_is_recognised_and_never_a_key(name: str) -> None:
    """Case B23: every copy on the list, by its name alone."""
    assert is_sync_copy(name)
    with pytest.raises(InvalidKeyError):
        parse_key(name)


@pytest.mark.parametrize("name", INNOCENT_NAMES)
def test_an_innocent_name_is_no_sync_copy(name: str) -> None:
    """Case B23: notes about conflicts and numbered notes are notes."""
    assert not is_sync_copy(name)


def test_a_refusal_never_echoes_raw_or_whole() -> None:
    """A hostile name can neither forge a log line nor fill one."""
    with pytest.raises(InvalidNameError) as caught:
        ScopeId.user("a\n2026 INFO all is well" + "x" * 500)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250
    assert caught.value.name.startswith("a\n")


def test_resolve_scope_shows_where_a_scope_lies(tmp_path: Path) -> None:
    """The two kinds of the layout, from text, value, path or path text."""
    assert resolve_scope("personality:ops", tmp_path) == tmp_path / "personalities/ops"
    assert resolve_scope(ScopeId.user("a"), str(tmp_path)) == tmp_path / "users/a"


def test_resolve_scope_touches_nothing(tmp_path: Path) -> None:
    """It is lexical: no folder appears, `~` stays, a missing root is fine."""
    assert resolve_scope("user:a", "~/home") == Path("~/home/users/a")
    resolve_scope("user:a", tmp_path / "absent")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("scope", ["team:x", "root:x", "global:x", "session:x"])
def test_resolve_scope_refuses_every_other_kind(scope: str, tmp_path: Path) -> None:
    """A valid scope of an unknown kind has no place here."""
    with pytest.raises(UnknownScopeError) as caught:
        resolve_scope(scope, tmp_path)
    assert isinstance(caught.value, LookupError)
    assert isinstance(caught.value, ValueError)


def test_resolve_scope_wants_a_text_path() -> None:
    """Bytes would join into bytes; a text's subclass could lie."""
    with pytest.raises(TypeError):
        resolve_scope("user:a", b"/root")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        resolve_scope("user:a", 7)  # type: ignore[arg-type]
    path = resolve_scope("user:a", PurePosixPath("/root"))
    assert os.fspath(path) == os.path.join("/root", "users", "a")  # noqa: PTH118 - the words of os
