"""`users list`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unit.cli.conftest import Shell


def known(shell: Shell, *rows: dict[str, object]) -> Path:
    path = shell.home / "users/identity-map.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows))
    return path


CASES = Path(__file__).parents[2] / "cases/files"

ROS: dict[str, object] = {
    "platform": "telegram",
    "platformUserId": 700100200,
    "userId": "a1b2c3d4e5f6",
    "displayLabel": "Ros",
    "firstSeenAt": "2026-02-01T09:14:02.118Z",
}
IKER: dict[str, object] = {
    "platform": "matrix",
    "platformUserId": "@iker:example.org",
    "userId": "0f9e8d7c6b5a",
}


def test_each_user_is_shown_with_every_account(shell: Shell) -> None:
    """Whoever has the same id is the same person."""
    linked = {**ROS, "platform": "Discord", "platformUserId": "9"}
    known(shell, ROS, IKER, linked)
    ran = shell("users", "list")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "user:a1b2c3d4e5f6",
        "  telegram 700100200  Ros  since 2026-02-01",
        "  discord 9  Ros  since 2026-02-01",
        "user:0f9e8d7c6b5a",
        "  matrix @iker:example.org  matrix:0f9e8d7c6b5a",
    ]


def test_users_in_json(shell: Shell) -> None:
    """What is not known is null."""
    known(shell, ROS, IKER)
    assert shell("users", "list", "--json").json() == [
        {
            "user": "a1b2c3d4e5f6",
            "accounts": [
                {
                    "platform": "telegram",
                    "account": "700100200",
                    "label": "Ros",
                    "first_seen": "2026-02-01T09:14:02.118000+00:00",
                }
            ],
        },
        {
            "user": "0f9e8d7c6b5a",
            "accounts": [
                {
                    "platform": "matrix",
                    "account": "@iker:example.org",
                    "label": "matrix:0f9e8d7c6b5a",
                    "first_seen": None,
                }
            ],
        },
    ]


def test_a_label_cannot_act_on_a_terminal(shell: Shell) -> None:
    """Anybody can choose their own name on a platform."""
    known(shell, {**ROS, "displayLabel": "R\x1b[2J\u202eos"})
    for is_terminal in (True, False):
        ran = shell("users", "list", is_terminal=is_terminal)
        assert "\x1b[2J" not in ran.out
        assert "\u202e" not in ran.out


def test_nobody_is_known_at_first(shell: Shell) -> None:
    """Looking creates nothing."""
    ran = shell("users", "list")
    assert (ran.code, ran.out) == (0, "")
    assert "nobody is known" in ran.err
    assert not shell.home.exists()


def test_a_damaged_map_is_named_and_left_alone(shell: Shell) -> None:
    """Case B20: an error, not an empty list."""
    path = known(shell, ROS)
    path.write_text(path.read_text()[:40])
    before = path.read_bytes()
    ran = shell("users", "list")
    assert (ran.code, ran.out) == (3, "")
    assert "identity-map.json" in ran.err
    assert "700100200" not in ran.err
    assert path.read_bytes() == before


def test_the_hand_edited_map_of_the_cases_is_listed(shell: Shell) -> None:
    """Numbers, capitals, `@` and `:`, as people write them."""
    shutil.copy(CASES / "10-identity-map-hand-edited.json", known(shell))
    listed = shell("users", "list", "--json").json()
    assert [len(user["accounts"]) for user in listed] == [2, 2, 1]
