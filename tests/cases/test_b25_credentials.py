"""B25, as far as pure text goes: keys never end up in long-term memory."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials import find, redact

DASHES = "-" * 5
SECRETS = (
    "sk-" + "ant-" + "a1B2" * 10,
    "gh" + "p_" + "Ab1" * 12,
    "AK" + "IA" + "ABCDEFGH12345678",
    "xo" + "xb-" + "1" * 12 + "-" + "a" * 24,
    f"{DASHES}BEGIN PRIVATE KEY{DASHES}\nMIIE…\n{DASHES}END PRIVATE KEY{DASHES}",
    "postgres://ana:" + "s3cr3tpw" + "@db.example/app",
    "ey" + "JhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxIn0" + "." + "c2lnbmF0dXJl",
    "my password is " + "hunter2-Xk9!",
)
VALUES = (*SECRETS[:5], "s3cr3tpw", SECRETS[6], "hunter2-Xk9!")
KEEP = (
    "commit 3f2a9c0d1e4b5a6978877665544332211ffeeddc fixed it",
    "uuid 6f1e0c9a-4b7d-4c2e-9a51-0d3f2b1a7c88",
    "token budget is 4000",
    "API key lives in the vault, not here",
    "password hints: ask Ines",
    "path /srv/keys/README.md",
    "chat id 987654321012345678",
)


@pytest.mark.parametrize(("secret", "value"), [*zip(SECRETS, VALUES, strict=True)])
def test_a_secret_goes_and_its_sentence_stays(secret: str, value: str) -> None:
    """The value is replaced by a marker, every other character is kept."""
    text = f"Uses the billing API; key is {secret}, rotate in May"
    (hit,) = find(text)
    assert text[hit.start : hit.end] == value
    expected = text.replace(value, f"[redacted: {hit.kind}]")
    assert redact(text) == expected
    assert "Uses the billing API" in expected
    assert "rotate in May" in expected


@pytest.mark.parametrize("secret", SECRETS)
def test_an_observation_loses_its_secret(secret: str) -> None:
    """The short sentence of an observation is enough."""
    assert secret not in redact(f"User shared {secret}")


@pytest.mark.parametrize("line", KEEP)
def test_a_line_without_a_secret_is_kept(line: str) -> None:
    """Text that mentions keys, or looks random, is left alone."""
    assert redact(line) == line


def test_a_page_of_secrets_loses_them_all() -> None:
    """Many secrets on one page, among lines that stay."""
    lines = [f"- {secret}" for secret in SECRETS] + list(KEEP)
    shown = redact("\n".join(lines))
    assert not any(value in shown for value in VALUES)
    assert all(line in shown.splitlines() for line in KEEP)
