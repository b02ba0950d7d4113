"""`users link` and `users unlink`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.identity_map import IdentityMap

if TYPE_CHECKING:
    from unit.cli.conftest import Shell

ANA, BO = "a1b2c3d4e5f6", "0f9e8d7c6b5a"


def owner(shell: Shell, platform: str, account: str) -> str | None:
    known = IdentityMap(shell.home).find(platform, account)
    return None if known is None else known.user_id


def audit(shell: Shell) -> list[dict[str, Any]]:
    path = shell.home / "users/identity-audit.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("user", [ANA, f"user:{ANA}"])
def test_an_account_is_linked(shell: Shell, user: str) -> None:
    """To an id as `users list` prints it, or without the kind."""
    shell("users", "link", "matrix", "@ana:hs", ANA)
    ran = shell("users", "link", "Telegram", "700", user)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"linked: telegram 700 → user:{ANA}\n"
    assert owner(shell, "telegram", "700") == ANA


def test_an_id_that_is_new_is_told(shell: Shell) -> None:
    """A slip of the pen makes a new person; one with pages alone is none."""
    ran = shell("users", "link", "telegram", "700", ANA, "--dry-run")
    assert f"user:{ANA} is new" in ran.err
    shell("write", f"user:{BO}", "USER.md", stdin=b"- tea")
    ran = shell("users", "link", "telegram", "700", BO)
    assert (ran.code, ran.err) == (0, "")


def test_an_account_that_was_somebody_elses_is_told(shell: Shell) -> None:
    """The pages stay where they are, which is said."""
    shell("users", "link", "telegram", "700", BO)
    ran = shell("users", "link", "telegram", "700", ANA)
    assert ran.out == f"linked: telegram 700 → user:{ANA}  before user:{BO}\n"
    assert "no text was moved" in ran.err
    again = shell("users", "link", "telegram", "700", ANA)
    assert again.out == f"unchanged: telegram 700 → user:{ANA}\n"
    assert [line["verb"] for line in audit(shell)] == ["link", "link"]


def test_an_unlinked_account_has_a_fresh_id(shell: Shell) -> None:
    """Of its own; also one that was never seen."""
    shell("users", "link", "telegram", "700", ANA)
    told = shell("users", "unlink", "telegram", "700", "--json").json()
    fresh = owner(shell, "telegram", "700")
    assert fresh not in {ANA, None}
    assert told == {
        "platform": "telegram",
        "account": "700",
        "before": ANA,
        "after": fresh,
        "dry_run": False,
    }
    ran = shell("users", "unlink", "slack", "U1")
    assert ran.out == f"unlinked: slack U1 → user:{owner(shell, 'slack', 'U1')}\n"


def test_a_dry_run_changes_nothing(shell: Shell) -> None:
    """Not even a home is made."""
    ran = shell("users", "link", "telegram", "700", ANA, "--dry-run")
    assert ran.out == f"would link: telegram 700 → user:{ANA}\n"
    ran = shell("users", "unlink", "telegram", "700", "--dry-run")
    assert ran.out == "would unlink: telegram 700 → a fresh id\n"
    assert not shell.home.exists()
    shell("users", "link", "telegram", "700", ANA)
    ran = shell("users", "unlink", "telegram", "700", "--dry-run")
    assert ran.out == f"would unlink: telegram 700 → a fresh id  before user:{ANA}\n"
    told = shell("users", "link", "telegram", "700", BO, "--dry-run", "--json").json()
    assert (told["before"], told["after"], told["dry_run"]) == (ANA, BO, True)
    assert owner(shell, "telegram", "700") == ANA
    assert len(audit(shell)) == 1


@pytest.mark.parametrize(
    "argv",
    [
        ("link", " telegram", "7009009", ANA),
        ("link", "telegram", "7009009 ", ANA),
        ("link", "telegram", "7009009", "../x"),
        ("link", "telegram", "7009009", "personality:ops"),
        ("unlink", "", "7009009"),
    ],
)
def test_a_bad_name_is_a_wrong_usage(shell: Shell, argv: tuple[str, ...]) -> None:
    """Nothing is made, and no account id is in the message."""
    ran = shell("users", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert "7009009" not in ran.err
    assert not shell.home.exists()
