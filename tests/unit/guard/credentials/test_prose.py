"""What no rule for credentials need look at."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials.prose import is_prose


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I like walking in the hills.",
        "Tea: green, no sugar.",
        'He said "good morning" - twice.',
        "a senha girassol",
        "Café am Fluss, immer um acht",
        "Чай без сахара",
        "--",
    ],
)
def test_ordinary_words_are_prose(text: str) -> None:
    """With a colon, a quote or a dash, in any script."""
    assert is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "my password is swordfish",
        "I have 2 cats.",
        "Ich habe 2 Käfer.",
        "https://ana:swordfish@x.example",
        "WiFi密码是sunflower",
        "Café, password sunflower",
        "senha: girassol",
        "-----BEGIN PRIVATE KEY-----",
        "— -----BEGIN",
        "Basic YTpi",
    ],
)
def test_what_may_announce_a_secret_is_none(text: str) -> None:
    """A digit, a word that announces one, or the head of a key."""
    assert not is_prose(text)
