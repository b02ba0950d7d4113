"""`profile show`, `observations`, `synthesize` and `forget`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ethos_memory import Memory
from ethos_memory.learning import Learner

if TYPE_CHECKING:
    from unit.cli.conftest import Shell

SCOPE = "user:a1b2c3d4e5f6"
LINES = ("tabs", "types", "tests first", "small commits", "plain words")


def observed(shell: Shell, *lines: str) -> None:
    with Memory.open(shell.home) as memory:
        learner = Learner(memory.provider)
        for line in lines:
            learner.note(SCOPE, f"- User prefers {line} in Python")


def test_nothing_learned_is_said(shell: Shell) -> None:
    """No document, no observation, nothing to merge, nothing to delete."""
    assert shell("profile", "show", SCOPE).code == 1
    ran = shell("profile", "observations", SCOPE)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "ethos-memory: 0 observations; no synthesis is due yet\n"
    assert shell("profile", "synthesize", SCOPE).code == 1
    ran = shell("profile", "forget", SCOPE)
    assert (ran.code, ran.out, ran.err) == (0, "nothing to delete\n", "")


def test_observations_become_a_document(shell: Shell) -> None:
    """Listed oldest first, merged when due, shown, and then no longer waiting."""
    observed(shell, *LINES)
    ran = shell("profile", "observations", SCOPE)
    assert [line.split(" in ")[0] for line in ran.out.splitlines()] == [
        f"- User prefers {line}" for line in LINES
    ]
    assert "5 observations; a synthesis is due" in ran.err
    rows = json.loads(shell("profile", "observations", SCOPE, "--json").out)
    assert [row["text"] for row in rows] == [
        f"User prefers {line} in Python" for line in LINES
    ]
    merged = shell("profile", "synthesize", SCOPE)
    assert merged.out.startswith("# User Identity\n")
    assert "tests first" in merged.out
    shown = shell("profile", "show", SCOPE)
    assert shown.out == merged.out
    as_json = json.loads(shell("profile", "show", SCOPE, "--json").out)
    assert as_json["document"] == merged.out
    assert "0 observations" in shell("profile", "observations", SCOPE).err


def test_a_synthesis_can_be_json(shell: Shell) -> None:
    """For a program that reads along."""
    observed(shell, *LINES)
    ran = shell("profile", "synthesize", SCOPE, "--json")
    assert json.loads(ran.out)["document"].startswith("# User Identity\n")


def test_forgetting_deletes_both_pages(shell: Shell) -> None:
    """And says where earlier states still are."""
    observed(shell, *LINES)
    shell("profile", "synthesize", SCOPE)
    observed(shell, "late lines")
    ran = shell("profile", "forget", SCOPE)
    assert ran.out == "deleted IDENTITY.md, OBSERVATIONS.md\n"
    assert "history" in ran.err
    assert shell("profile", "show", SCOPE).code == 1
    ran = shell("profile", "forget", SCOPE, "--json")
    assert json.loads(ran.out) == {"deleted": []}
