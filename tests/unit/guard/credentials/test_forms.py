"""Secrets whose place gives them away: addresses, headers, commands."""

from __future__ import annotations

import base64

import pytest

from ethos_memory.guard.credentials import redact

BASIC = base64.b64encode(b"ana:s3cr3t-pw").decode()
TOKEN = "aB3dE6gH9" * 3


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        (f"Authorization: Basic {BASIC}", BASIC, "basic login"),
        (f'{{"auth": "{BASIC}"}}', BASIC, "basic login"),
        (f"Authorization: Bearer {TOKEN}", TOKEN, "bearer token"),
        (f"Authorization: Api-Token {TOKEN}", TOKEN, "access token"),
        (f"Authorization: {TOKEN}", TOKEN, "access token"),
        (f"Cookie: a=1; sessionid={TOKEN}; b=2", TOKEN, "session cookie"),
        ("https://ana:s3cr3tpw@x.example/a", "s3cr3tpw", "url password"),
        ("https://ana:swordfish@x.example/a", "swordfish", "url password"),
        (f"https://{TOKEN}@git.example/a.git", TOKEN, "url token"),
        (f"https://x.example/a?b=1&signature={TOKEN}", TOKEN, "url token"),
        ("curl -u ana:s3cr3tpw https://x.example", "s3cr3tpw", "password"),
        ("curl --user 'ana:s3cr3tpw' https://x.example", "s3cr3tpw", "password"),
        ("curl --user ana:'s3cr3tpw' https://x.example", "s3cr3tpw", "password"),
        ("mysql -u ana -pS3cr3t!pw shop", "S3cr3t!pw", "password"),
        ("sshpass -p S3cr3t!pw ssh x", "S3cr3t!pw", "password"),
        ("machine x.example login ana password s3cr3tpw", "s3cr3tpw", "password"),
        (
            "otpauth://totp/x:ana?secret=JBSWYDPEHPKXPJBS&issuer=x",
            "JBSWYDPEHPKXPJBS",
            "one-time password seed",
        ),
        (
            "Use A3" + "-ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB to open it",
            "A3" + "-ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB",
            "1password key",
        ),
    ],
)
def test_a_place_gives_a_secret_away(text: str, secret: str, kind: str) -> None:
    """Exactly the secret is replaced, and the marker names it."""
    assert redact(text) == text.replace(secret, f"[redacted: {kind}]")


@pytest.mark.parametrize(
    "text",
    [
        "Basic authentication is off",
        "Basic dGhpcyBpcyBub3QgYSBsb2dpbg==",
        f"Basic {base64.b64encode(bytes(range(200, 230))).decode()}",
        "Basic a",
        "Basic abcdefghi is not base64",
        "Authorization: Bearer your-token",
        "Authorization: Bearer ${TOKEN}",
        "https://user:password@x.example",
        "https://<user>:<password>@x.example",
        "https://x.example:8080/a@b",
        "https://x.example/a?signature=none",
        "curl -u user:password https://x.example",
        "docker run -p 8080:8080 mysql",
        "mysql -u ana -p shop",
        "Cookie: theme=dark; lang=en",
        "machine learning is fun since 2012",
    ],
)
def test_a_place_without_a_secret_is_kept(text: str) -> None:
    """Templates, ports, ordinary parameters."""
    assert redact(text) == text
