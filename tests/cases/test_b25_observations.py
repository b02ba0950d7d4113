"""B25: keys end up in long-term memory; the part of what is learned about a person."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ethos_memory.errors import GuardRefusedError
from ethos_memory.guard import InjectionGuard
from ethos_memory.learning import Learner
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.transient import TransientProvider

SCOPE = "user:u1"

#: Built here, so that no scanner trips on this file.
SECRETS = (
    "sk-" + "ant-" + "a1B2" * 10,
    "ghp_" + "Ab1" * 12,
    "AKIA" + "ABCDEFGH12345678",
    "xoxb-" + "1" * 12 + "-" + "a" * 24,
    "postgres://ana:" + "s3cr3tpw" + "@db.example/app",
    "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxIn0" + "." + "c2lnbmF0dXJl",
    "my password is " + "hunter2-Xk9!",
)

GOOD = """# User Identity

## User Preferences
- Prefers pathlib
- Uses the billing key {secret}

## Communication Adaptations

## Expertise Notes

## Relationship Context
"""


def memory() -> tuple[TransientProvider, Learner]:
    provider = TransientProvider()
    now = datetime(2126, 5, 4, 9, tzinfo=UTC)
    guarded = GuardedProvider(provider, InjectionGuard())
    return provider, Learner(guarded, clock=lambda: now)


def everything(provider: TransientProvider) -> str:
    return repr([(state.key, state.content) for state in provider.history(SCOPE)])


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_is_in_no_observation(secret: str) -> None:
    provider, learner = memory()
    learner.note(SCOPE, f"- User shared {secret}")
    learner.observe(SCOPE, f"Always use {secret} for the billing API.")
    learner.observe(
        SCOPE,
        "hello",
        extractor=lambda _: [f"- User likes {secret}", "- User likes tea"],
    )
    assert secret not in everything(provider)
    assert "User likes tea" in everything(provider)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_is_in_no_document(secret: str) -> None:
    provider, learner = memory()
    for number in range(5):
        learner.note(SCOPE, f"- User likes o{number}")
    told = ""
    try:
        learner.synthesize(SCOPE, lambda *_: GOOD.format(secret=secret))
    except GuardRefusedError as refused:
        told = repr(refused)
    assert secret not in told + everything(provider)
