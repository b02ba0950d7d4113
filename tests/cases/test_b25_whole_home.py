"""B25: a credential is in no file of the home, in no prompt, log or error."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from ethos_memory import Account, Add, Memory, Origin, Replace, Turn

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = (
    "sk-" + "ant-" + "a1B2" * 10,
    "ghp_" + "Ab1" * 12,
    "AKIA" + "ABCDEFGH12345678",
    "xoxb-" + "1" * 12 + "-" + "a" * 24,
    "-----BEGIN " + "PRIVATE KEY-----\nMIIEq9\n-----END " + "PRIVATE KEY-----",
    "postgres://ana:" + "s3cr3tpw" + "@db.example/app",
    "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxIn0" + "." + "c2lnbmF0dXJl",
    "my password is " + "hunter2-Xk9!",
)

#: What must be nowhere: the value itself, where the sample is a whole sentence.
VALUES = (*SECRETS[:4], "MIIEq9", "s3cr3tpw", SECRETS[6], "hunter2-Xk9!")

KEEP = (
    "commit 3f2a9c0d1e4b5a6978877665544332211ffeeddc fixed it",
    "uuid 6f1e0c9a-4b7d-4c2e-9a51-0d3f2b1a7c88",
    "token budget is 4000",
    "API key lives in the vault, not here",
    "password hints: ask Ines",
    "path /srv/keys/README.md",
    "chat id 987654321012345678",
)


def holders(home: Path) -> list[str]:
    """Name the files that hold one of the values."""
    return [
        f"{path.relative_to(home)}: sample {number}"
        for path in home.rglob("*")
        if path.is_file()
        for number, value in enumerate(VALUES)
        if value.encode() in path.read_bytes()
    ]


@pytest.mark.parametrize("source", ["tool", "web-editor"])
def test_no_file_of_the_home_ever_holds_one(
    source: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Page, history, archive, observations, labels, titles and metadata."""
    home = tmp_path / "home"
    with caplog.at_level(logging.DEBUG), Memory.open(home) as memory:
        for number, secret in enumerate(SECRETS):
            account = Account("telegram", number, display_label=f"Ros {secret}")
            turn = Turn("ops", "direct", account=account)
            line = f"Uses the billing API; key is {secret}, rotate in May"
            report = memory.remember(turn, Add("USER.md", line), source=source)
            assert [finding.action for finding in report.findings] == ["redact"]
            block = memory.recall(turn).block
            assert "Uses the billing API" in block
            assert "rotate in May" in block
            one_line = " ".join(secret.split())
            memory.note(turn, f"- User shared {one_line} for the billing API")
            memory.observe(turn, f"I prefer short answers. {secret}")
            memory.sessions.for_owner("user:u1").create(
                f"k{number}", title=f"t {secret}", metadata={"note": secret}
            )
        assert holders(home) == []
    assert not [value for value in VALUES if value in caplog.text]


def test_what_overflows_and_what_was_replaced_holds_none(tmp_path: Path) -> None:
    """The archive and the history take what the guard let through, and no more."""
    home = tmp_path / "home"
    archive = home / "personalities/ops/memory-archive.md"
    # Few and long, for the guard looks at each line, and only the secrets matter.
    filler = "\n".join([f"the boiler was serviced {'x ' * 4_000}"] * 70)
    with Memory.open(home) as memory:
        for number, secret in enumerate(SECRETS):
            memory.provider.sync(
                "personality:ops",
                [Replace("MEMORY.md", f"key is {secret}, rotate\n{filler} {number}")],
                origin=Origin("cli"),
            )
            assert archive.read_text().count(", rotate\n") == number + 1
    assert holders(home) == []


def test_ordinary_text_is_stored_as_it_is(tmp_path: Path) -> None:
    """Hashes, ids, paths, and talk about keys."""
    turn = Turn("ops", "cli")
    with Memory.open(tmp_path / "home") as memory:
        for line in KEEP:
            assert memory.remember(turn, Add("MEMORY.md", line)).findings == ()
        page = memory.provider.unsafe_read("personality:ops", "MEMORY.md")
    assert page is not None
    assert page.content == "\n\n".join(KEEP) + "\n"


def test_a_key_that_a_person_put_in_by_hand_is_not_shown(tmp_path: Path) -> None:
    """People edit files; the way out is screened as well."""
    home = tmp_path / "home"
    page = home / "personalities/ops/MEMORY.md"
    page.parent.mkdir(parents=True)
    page.write_text("".join(f"- key is {secret}, rotate\n" for secret in SECRETS))
    with Memory.open(home) as memory:
        block = memory.recall(Turn("ops", "cli")).block
        hits = memory.provider.search("personality:ops", "rotate")
    shown = block + "".join(hit.content + hit.snippet for hit in hits)
    assert not [value for value in VALUES if value in shown]
    assert block.count("rotate") == len(SECRETS)
