"""Permissions, owners, the disk, the config."""

from __future__ import annotations

import stat
from functools import partial

import pytest

from ethos_memory.cli.doctor.surroundings import (
    check_config,
    check_disk,
    check_modes,
    check_owners,
    check_personalities,
)
from unit.cli.doctor.looks import FILE, FOLDER, LINK, found, home, node

OPEN = stat.S_IFDIR | 0o755


def test_a_config_that_cannot_be_used_is_a_problem() -> None:
    """What is wrong stands beside it."""
    (problem,) = check_config(home([node("", FOLDER)], fault="line 3: no setting"))
    assert problem.detail == "line 3: no setting"
    assert not found(check_config, home([node("", FOLDER)]))
    assert not found(check_config, home(fault="a root that cannot be listed"))


def test_settings_of_a_personality_that_cannot_be_used_are_a_problem() -> None:
    """What is wrong stands beside them."""
    seen = home(personality_faults=(("personalities/ops/config.yaml", "no vault"),))
    (problem,) = check_personalities(seen)
    assert problem.kind.id == "personality-config"
    assert (problem.path, problem.detail) == seen.personality_faults[0]


def test_settings_of_a_personality_are_read_in_a_home_that_cannot_be_opened() -> None:
    """A person's folder has none, and a link is left to the check of links."""
    own = "personalities/ops/config.yaml"
    look = partial(home, fault="broken")
    files = {own: b"memory.provider: vault\n", "users/u/config.yaml": b"memory.x: 1\n"}
    assert not found(check_personalities, look(files=files))
    files[own] = b"name: Ops\nmemory.provided: vault\n"
    (problem,) = check_personalities(look(files=files))
    assert (problem.kind.id, problem.path) == ("personality-config", own)
    assert problem.detail.startswith("line 2: ")
    unread = [("unreadable", own)]
    assert found(check_personalities, look([node(own)])) == unread
    assert not found(check_personalities, look([node(own, LINK)]))
    assert not found(check_personalities, home([node(own)]))


def test_a_network_disk_is_a_problem_and_case_is_a_note() -> None:
    """Every Mac ignores case, and is no broken home."""
    problems = tuple(check_disk(home(network="nfs4", ignores_case=True)))
    assert [(one.kind.id, one.kind.is_note) for one in problems] == [
        ("network-disk", False),
        ("ignores-case", True),
    ]
    assert not found(check_disk, home())


def test_what_belongs_to_somebody_else_than_the_root_is_found() -> None:
    """A run with sudo leaves files that the program cannot write."""
    seen = home(
        [
            node("", FOLDER, uid=5),
            node("users", FOLDER, uid=5),
            node("users/u", FOLDER, uid=0),
            node("users/u/MEMORY.md", uid=0),
            node("users/u/foreign.bin", uid=0),
        ]
    )
    assert found(check_owners, seen) == [
        ("other-owner", "users/u"),
        ("other-owner", "users/u/MEMORY.md"),
    ]
    assert not found(check_owners, home())


@pytest.mark.parametrize(
    ("path", "mode", "kind"),
    [
        ("users/u/MEMORY.md", 0o644, "readable-by-others"),
        ("users/u/MEMORY.md", 0o640, "readable-by-others"),
        ("users/u/MEMORY.md", 0o666, "writable-by-others"),
        ("users/u/MEMORY.md", 0o600, None),
        ("users/u/memory-archive.md", 0o644, "readable-by-others"),
        ("users/u/memory-history.jsonl", 0o644, "readable-by-others"),
        ("users/u/foreign.bin", 0o666, None),
        ("users/identity-map.json", 0o644, "readable-by-others"),
        ("users/other.json", 0o644, None),
        ("config.yaml", 0o644, "readable-by-others"),
    ],
)
def test_files_that_others_can_reach_are_found(
    path: str, mode: int, kind: str | None
) -> None:
    """Only what this library keeps is its business."""
    above = [node("/".join(path.split("/")[:n]), OPEN) for n in range(path.count("/"))]
    above += [node("/".join(path.split("/")[:-1]), OPEN)]
    nodes = {one.parts: one for one in above} | {(): node("", OPEN)}
    seen = home([*nodes.values(), node(path, stat.S_IFREG | mode)])
    assert found(check_modes, seen) == ([(kind, path)] if kind else [])


def test_a_closed_folder_closes_all_that_is_in_it() -> None:
    """An Ethos home has 0644 everywhere; `chmod 700` on its root is enough."""
    page = node("users/u/MEMORY.md", stat.S_IFREG | 0o666)
    inner = [node("users", OPEN), node("users/u", OPEN), page]
    assert found(check_modes, home([node("", OPEN), *inner]))
    assert not found(check_modes, home([node("", FOLDER), *inner]))
    closed = [node("", OPEN), node("users", OPEN), node("users/u", FOLDER), page]
    assert not found(check_modes, home(closed))


def test_a_folder_is_wrong_when_others_can_write_in_it() -> None:
    """They could plant a page, or take one away."""
    root = node("", stat.S_IFDIR | 0o777)
    assert found(check_modes, home([root])) == [("writable-by-others", "")]
    assert not found(check_modes, home([node("", OPEN), node("users", LINK)]))
    assert not found(check_modes, home([node("", OPEN), node("config.yaml", FILE)]))
