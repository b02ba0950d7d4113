"""Tokens by their prefix, among them those that a line break cuts."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials import find, redact

TOKEN = "gh" + "p_" + "Ab1" * 12
LONG = "sk-" + "ant-api03-" + "aB3dE6" * 15
WIDE = "The key that the billing job reads is the following one here: "


def test_a_token_cut_by_a_line_goes_whole() -> None:
    """A token shorter than its kind goes on in the next line."""
    text = f"key: {TOKEN[:20]}\n     {TOKEN[20:]}\nnext"
    assert redact(text) == "key: [redacted: github token]\nnext"


def test_a_wide_line_may_go_on() -> None:
    """Where a line reaches the margin, its token's rest is looked for below."""
    text = f"{WIDE}{LONG[:60]}\n  {LONG[60:]}, rotate in May"
    assert redact(text) == f"{WIDE}[redacted: anthropic key], rotate in May"


def test_a_whole_token_does_not_take_the_next_line() -> None:
    """A short line was not wrapped."""
    text = f"key: {TOKEN}\n20241130abc is the build"
    assert redact(text) == "key: [redacted: github token]\n20241130abc is the build"


def test_prose_below_a_wide_line_stays() -> None:
    """A next line that is words is no rest."""
    text = f"{WIDE}{LONG}\nrotate it in May"
    assert redact(text) == f"{WIDE}[redacted: anthropic key]\nrotate it in May"


def test_a_rest_that_is_too_long_is_another_thing() -> None:
    """Some kinds have one length; what would pass it is not theirs."""
    text = "AK" + "IA" + "ABCDEFGH\n  12345678ABCDEFGH12345678"
    assert redact(text) == text


def test_nobody_wraps_a_token_over_ten_lines() -> None:
    """Pieces that never make a whole token are left."""
    pieces = [f"aB{number}x9" for number in range(20)]
    text = "sl" + ".aB3dE6gH9jK2mN\n" + "\n".join(pieces)
    assert find(text) == ()


def test_a_full_stop_ends_the_sentence() -> None:
    """Kinds whose tokens hold dots do not take the sentence's."""
    token = "glp" + "at-" + "aB3dE6" * 4
    assert redact(f"It is {token}.") == "It is [redacted: gitlab token]."


@pytest.mark.parametrize("left", ["x", "9", "_", "[redacted: password]"])
def test_a_prefix_inside_a_word_is_none(left: str) -> None:
    """A prefix begins a word, and is not glued to a marker."""
    assert redact(left + TOKEN) == left + TOKEN


@pytest.mark.parametrize(
    "text",
    [
        "ghp_",
        "ghp_" + "x" * 36,
        "ghp_" + "X" * 36,
        "npm_your_token_goes_here_1234567890abcd",
        "sk-" + "-".join(["word"] * 9),
        "AKIA" + "IOSFODNN7EXAMPLE",
        "hf_requiredCharacteristicTypesForDisplayMetadata",
        "ey" + "JhbGciOiJIUzI1NiJ9" * 2,
        "xoxb-%s-%s-0",
    ],
)
def test_a_template_of_a_token_is_kept(text: str) -> None:
    """What stands in docs in place of a token."""
    assert redact(text) == text


def test_an_aws_secret_is_found_beside_its_access_key() -> None:
    """It has no prefix of its own; the access key gives it away."""
    access = "AK" + "IA" + "ABCDEFGH12345678"
    secret = "wJalr" + "XUt7FEMI/K7MDENG+bPxRfiCYzzzz9KEYab1"[:35]
    shown = redact(f"{access}\n{secret}")
    assert shown == "[redacted: aws access key]\n[redacted: aws secret key]"


def test_a_commit_beside_an_access_key_is_replaced_only_when_mixed() -> None:
    """Forty letters of one case are no secret key."""
    access = "AK" + "IA" + "ABCDEFGH12345678"
    word = "abcdefghij" * 4
    assert redact(f"{access} {word}") == f"[redacted: aws access key] {word}"


def test_a_token_of_letters_alone_is_found_by_its_cases() -> None:
    """One kind has no digits; random cases tell it from a name."""
    token = "h" + "f_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi"
    assert redact(f"it is {token}") == "it is [redacted: hugging face token]"
