"""What a home's files hold."""

from __future__ import annotations

import json

import pytest

from ethos_memory.cli.doctor.contents import (
    check_map,
    check_map_ids,
    check_pages,
    check_unlisted,
)
from ethos_memory.errors import UnsafePathError
from ethos_memory.providers.cap import CAP_BYTES
from ethos_memory.providers.pages import PAGE_BYTES
from unit.cli.doctor.looks import FILE, FOLDER, LINK, found, home, node

MAP = "users/identity-map.json"
COPY = "users/identity-map.json.bak"
PAGE = "users/u/MEMORY.md"


def entry(user_id: str = "a1b2c3d4e5f6", account: str = "1") -> dict[str, str]:
    return {
        "platform": "telegram",
        "platformUserId": account,
        "userId": user_id,
        "displayLabel": "Ros",
        "firstSeenAt": "2026-02-01T09:14:02.118Z",
    }


def map_of(*user_ids: str) -> bytes:
    rows = [entry(user_id, str(number)) for number, user_id in enumerate(user_ids)]
    return json.dumps(rows).encode()


def test_a_folder_that_cannot_be_listed_is_named() -> None:
    """Its pages are missing from every prompt."""
    seen = home(unlisted=(("users/u", "Permission denied"),))
    assert found(check_unlisted, seen) == [("unreadable", "users/u")]


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (b"- likes tea\n", []),
        (b"", []),
        ("\ufeffé\r\n".encode(), []),
        (b"\xff\xfe", ["undecodable"]),
        (b"a\0b", ["nul-bytes"]),
        (b"\0\xff", ["nul-bytes"]),
        (b"x" * CAP_BYTES, []),
        (b"x" * (CAP_BYTES + 1), ["large"]),
        (b"x" * PAGE_BYTES, ["large"]),
        (b"x" * (PAGE_BYTES + 1), ["oversized"]),
    ],
)
def test_a_page_is_read_and_judged(data: bytes, kinds: list[str]) -> None:
    """Each limit at its edge."""
    problems = list(check_pages(home(files={PAGE: data})))
    assert [one.kind.id for one in problems] == kinds


def test_what_is_no_page_is_not_read() -> None:
    """Other programs keep files there too, and an archive has no limit."""
    files = {"users/u/memory-archive.md": b"\xff", "users/u/x.bin": b"\xff"}
    seen = home([node(PAGE, FOLDER), node("users/v/MEMORY.md", LINK)], files)
    assert not found(check_pages, seen)


@pytest.mark.parametrize(
    "error",
    [
        PermissionError(13, "Permission denied"),
        UnsafePathError(PAGE, "a link"),
        OSError("odd"),
    ],
)
def test_a_page_that_cannot_be_read_is_named(error: OSError) -> None:
    """Whatever the reason; the others are still looked at."""

    def read(parts: tuple[str, ...]) -> bytes:
        if parts[1] == "u":
            raise error
        return b"\xff"

    seen = home([node(PAGE, FILE), node("users/v/USER.md", FILE)])
    seen = type(seen)(seen.path, seen.nodes, read=read)
    assert found(check_pages, seen) == [
        ("unreadable", PAGE),
        ("undecodable", "users/v/USER.md"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   ",
        b"{}",
        b"null",
        b'"x"',
        b"\0" * 500,
        b"\xff",
        map_of("a1b2c3d4e5f6")[:40],
        map_of("a1b2c3d4e5f6") + b"x",
        b'[{"platform": "t", "platformUserId": "1"}]',
        json.dumps([entry(), entry("0f9e8d7c6b5a")]).encode(),
    ],
)
def test_a_damaged_map_is_found(data: bytes) -> None:
    """Case B20, each of its inputs; its copy is judged by the same measure."""
    assert found(check_map, home(files={MAP: data})) == [("corrupt-map", MAP)]
    files = {MAP: b"[]", COPY: data}
    assert found(check_map, home(files=files)) == [("corrupt-map-copy", COPY)]


def test_the_fault_of_a_map_names_the_place_and_not_the_account() -> None:
    """The output may end up in a public bug report."""
    data = json.dumps([entry(), {**entry("u"), "userId": 7}]).encode()
    (problem,) = check_map(home(files={MAP: data}))
    assert "entry 2" in problem.detail
    assert "Ros" not in problem.detail


@pytest.mark.parametrize("data", [b"[]", map_of("a1b2c3d4e5f6")])
def test_a_sound_map_is_fine(data: bytes) -> None:
    """With or without a copy."""
    assert not found(check_map, home(files={MAP: data, COPY: data}))
    assert not found(check_map, home(files={MAP: data}))
    assert not found(check_map, home())


def test_a_map_that_is_gone_while_its_copy_is_there_is_found() -> None:
    """Everybody would be given a fresh id."""
    assert found(check_map, home(files={COPY: b"[]"})) == [("missing-map", MAP)]
    assert not found(check_map, home([node(COPY, FOLDER)]))


def test_a_map_that_cannot_be_read_is_named_once() -> None:
    """Not as corrupt: nobody knows."""
    seen = home([node(MAP)])
    assert found(check_map, seen) == [("unreadable", MAP)]
    assert not found(check_map_ids, seen)


@pytest.mark.parametrize(
    ("data", "folder", "count"),
    [
        (map_of("Alice", "alice"), None, 1),
        (map_of("alice"), "users/Alice", 1),
        (map_of("alice"), "users/alice", 0),
        (map_of("alice", "alice", "bob"), "personalities/Alice", 0),
        (b"{}", "users/Alice", 0),
    ],
)
def test_user_ids_that_look_alike_are_found(
    data: bytes, folder: str | None, count: int
) -> None:
    """A person would end in a folder of another casing, or in nobody's."""
    nodes = [node(folder, FOLDER)] if folder else []
    assert len(found(check_map_ids, home(nodes, {MAP: data}))) == count


def test_no_map_and_a_linked_map_have_no_ids() -> None:
    """The link is told of by another check."""
    assert not found(check_map_ids, home([node("users/Alice", FOLDER)]))
    assert not found(check_map_ids, home([node(MAP, LINK)]))
