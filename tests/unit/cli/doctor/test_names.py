"""What a home's names tell."""

from __future__ import annotations

import pytest

from ethos_memory.cli.doctor.names import (
    check_copies,
    check_leftovers,
    check_links,
    check_look_alikes,
    check_names,
    check_special_files,
)
from unit.cli.doctor.looks import FILE, FOLDER, LINK, PIPE, found, home, node


@pytest.mark.parametrize(
    ("path", "target", "detail"),
    [
        ("users/u1/USER.md", "/ext/real.md", "leads to /ext/real.md"),
        ("users/u3/USER.md", "../u1/USER.md", "leads to ../u1/USER.md, another scope"),
        ("users/u3/USER.md", "/home/users/u1/USER.md", "another scope"),
        ("users/u5/USER.md", "USER.md", "leads to USER.md"),
        ("users/u2", "u1", "another scope"),
        ("users", "/ext", "leads to /ext"),
        ("config.yaml", "/etc/ethos.yaml", "leads to /etc/ethos.yaml"),
    ],
)
def test_a_link_is_found_wherever_it_is(path: str, target: str, detail: str) -> None:
    """Case B23: it names where the link leads, and another scope is said to be one."""
    (problem,) = check_links(home([node(path, LINK, target=target)]))
    assert problem.path == path
    assert problem.detail.endswith(detail)


def test_a_trusted_link_and_a_folder_are_fine() -> None:
    """The caller named the folder that the link leads into."""
    seen = home(
        [
            node("users/u1/USER.md", LINK, target="/ext/real.md", is_trusted=True),
            node("users/u2", FOLDER),
        ]
    )
    assert not found(check_links, seen)


@pytest.mark.parametrize(
    ("path", "mode", "is_found"),
    [
        ("users/u1/USER.md", PIPE, True),
        ("users/u1/USER.md", FOLDER, True),
        ("users/u1/USER.md", FILE, False),
        ("users/u1/USER.md", LINK, False),
        ("users/u1/history-blobs", FOLDER, False),
        ("users", FILE, True),
        ("users", FOLDER, False),
        ("config.yaml", FILE, False),
    ],
)
def test_what_is_no_file_is_found_where_a_page_should_be(
    path: str, mode: int, *, is_found: bool
) -> None:
    """A pipe called MEMORY.md would hang a careless reader."""
    assert bool(found(check_special_files, home([node(path, mode)]))) is is_found


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (["users/Alice", "users/alice"], 1),
        (["users/ALICE", "users/Alice", "users/alice"], 2),
        (["users/alice", "users/ａlice"], 1),
        (["users/alice", "personalities/Alice"], 0),
        (["users/u/MEMORY.md", "users/u/memory.md"], 1),
        (["users/u/notes.txt", "users/u/NOTES.txt"], 0),
        (["users/u/a.md", "users/v/A.md"], 0),
    ],
)
def test_look_alikes_are_found_within_one_folder(names: list[str], count: int) -> None:
    """On a disk that ignores case they would be one person."""
    nodes = [node(name, FILE if "." in name else FOLDER) for name in names]
    assert len(found(check_look_alikes, home(nodes))) == count


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("users/аlice", "no-scope-name"),  # the first letter is Cyrillic
        ("personalities/my agent", "no-scope-name"),
        ("users/u/06 Nota de reunión 3.md", "no-page-name"),
        ("users/u/memory.MD", "no-page-name"),
        ("users/u/memory.md", "no-page-name"),
        ("users/u/MEMORY.md", None),
        ("users/u/SOUL.md", None),
        ("users/u/memory-archive.md", None),
        ("users/u/MEMORY (1).md", None),
        ("users/u/notes.txt", None),
        ("users/u1", None),
    ],
)
def test_a_name_that_nothing_can_have_is_found(path: str, kind: str | None) -> None:
    """What stands there is silently not memory, so it is said once."""
    is_folder = path.count("/") == 1
    seen = home([node(path, FOLDER if is_folder else FILE)])
    assert found(check_names, seen) == ([(kind, path)] if kind else [])


def test_a_file_among_the_scopes_is_nobodys_name() -> None:
    """The map lies beside the folders of users."""
    assert not found(check_names, home([node("users/identity-map.json")]))


@pytest.mark.parametrize(
    "path",
    [
        "users/u/MEMORY (conflicted copy 2026-04-01).md",
        "users/u/MEMORY.sync-conflict-20260401-101500-ABCDEFG.md",
        "users/u/MEMORY-DESKTOP-7QX.md",
        "users/u/MEMORY 2.md",
        "users/u/.MEMORY.md.icloud",
        "users/u/~$MEMORY.md",
        "users/u/MEMORY.md.bak",
        "users/identity-map (conflicted copy).json",
        "users/identity-map.sync-conflict-20260401-101500-ABCDEFG.json",
    ],
)
def test_a_sync_copy_is_reported(path: str) -> None:
    """Case B23: it may hold the only copy of something."""
    assert found(check_copies, home([node(path)])) == [("sync-copy", path)]


@pytest.mark.parametrize(
    "path",
    [
        "users/u/conflict-resolution.md",
        "users/u/project-API.md",
        "users/identity-map.json",
        "users/identity-map.json.bak",
        "users/identity-map.json.tmp.12.34",
        "users/identity-audit.jsonl",
    ],
)
def test_what_is_no_copy_is_left_alone(path: str) -> None:
    """Somebody's own note may have the word in its name."""
    assert not found(check_copies, home([node(path)]))


@pytest.mark.parametrize(
    ("path", "age", "is_found"),
    [
        ("users/u/.ethos-memory-0123456789abcdef.tmp", 61, True),
        ("users/u/.ethos-memory-0123456789abcdef.tmp", 59, False),
        ("users/.ethos-memory-0123456789abcdef.tmp", 61, True),
        ("users/identity-map.json.tmp.812.1764526339120", 61, True),
        ("users/u/MEMORY.md", 61, False),
        ("users/u/notes.tmp", 61, False),
    ],
)
def test_a_leftover_is_found_once_its_writer_must_be_gone(
    path: str, age: float, *, is_found: bool
) -> None:
    """A young one may be a write that is going on."""
    seen = home([node(path, mtime=1000.0 - age)], now=1000.0)
    assert bool(found(check_leftovers, seen)) is is_found


def test_a_team_has_names_as_any_scope_has() -> None:
    """Its folder, its topics and their look-alikes; not what else lies in its folder."""
    seen = home(
        [node("teams/my team", FOLDER), node("teams/t/other/my notes.md")],
        {
            "teams/t/memory/roof.md": b"",
            "teams/t/memory/ROOF.md": b"",
            "teams/t/memory/my notes.md": b"",
        },
    )
    assert found(check_names, seen) == [
        ("no-scope-name", "teams/my team"),
        ("no-page-name", "teams/t/memory/my notes.md"),
    ]
    assert found(check_look_alikes, seen) == [("look-alike", "teams/t/memory/roof.md")]
