"""Private keys: whole, cut at either end, indented, on one line."""

from __future__ import annotations

from random import Random

import pytest

from credential_samples import DASHES, private_key
from ethos_memory.guard.credentials import find, redact

BEGIN = f"{DASHES}BEGIN PRIVATE KEY{DASHES}"
END = f"{DASHES}END PRIVATE KEY{DASHES}"
BLOCK = private_key(Random(1))
BODY = BLOCK.split("\n")[1:-1]


def test_a_block_goes_whole() -> None:
    """From its first dash to its last, and nothing else."""
    text = f"The key:\n{BLOCK}\nis for the relay."
    assert redact(text) == "The key:\n[redacted: private key]\nis for the relay."


def test_windows_line_ends_make_no_difference() -> None:
    """A block with carriage returns is one block."""
    text = f"a\r\n{BLOCK}\r\nb".replace("\n", "\r\n").replace("\r\r", "\r")
    assert redact(text) == "a\r\n[redacted: private key]\r\nb"


def test_a_block_in_one_line_of_json_goes_whole() -> None:
    r"""A service account's key stands on one line, with ``\n`` in it."""
    line = BLOCK.replace("\n", "\\n")
    text = f'{{"private_key": "{line}\\n", "id": 1}}'
    assert redact(text) == '{"private_key": "[redacted: private key]\\n", "id": 1}'


def test_a_block_without_its_end_goes_as_far_as_its_lines() -> None:
    """A page that cuts a block keeps the prose behind it."""
    text = "\n".join(["Key:", BEGIN, *BODY, "is for the relay, see 2024."])
    assert redact(text) == "Key:\n[redacted: private key]\nis for the relay, see 2024."


def test_headers_and_short_last_lines_belong_to_a_cut_block() -> None:
    """An encrypted key has header lines; its last line is short."""
    lines = [BEGIN, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,8A", "", *BODY]
    text = "\n".join([*lines, "aB3=", "", "See the wiki."])
    assert redact(text) == "[redacted: private key]\n\nSee the wiki."


def test_a_block_without_its_begin_goes_from_its_first_line() -> None:
    """The tail of a block that another page begins."""
    text = "\n".join(["the rest of the key follows", *BODY, END, "done"])
    expected = "the rest of the key follows\n[redacted: private key]\ndone"
    assert redact(text) == expected


def test_a_tail_behind_words_on_its_first_line_is_cut_there() -> None:
    """Words in front of the first line stay."""
    text = "\n".join([f"- key: {BODY[0]}", *BODY[1:], END])
    (hit,) = find(text)
    assert text[: hit.start] == "- key: "
    assert hit.end == len(text)


def test_a_tail_at_the_very_beginning_is_found() -> None:
    """A text that begins inside a block."""
    assert redact("\n".join([*BODY, END])) == "[redacted: private key]"


@pytest.mark.parametrize(
    "text",
    [
        BEGIN,
        END,
        f"A file that begins with {BEGIN} is a key.",
        f"ends with\n{END}",
        f"some words\nmore words\n{END}",
        f"{BEGIN}\n<your key here>\n{END}",
        f"{BEGIN}\n...\n{END}",
        f"The text between {BEGIN} and {END} is base64.",
        f"{BEGIN}\nshort\n",
        f"{BEGIN}\nName: value\nprose follows here\n",
        f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{BODY[0]}\n{DASHES}END PUBLIC KEY{DASHES}",
    ],
)
def test_a_mention_of_a_block_is_kept(text: str) -> None:
    """Header lines alone, templates and public keys are no secrets."""
    assert redact(text) == text


def test_a_block_inside_a_quote_is_found() -> None:
    """Marks of a quotation in front of every line."""
    text = "> " + BLOCK.replace("\n", "\n> ")
    assert redact(text) == "> [redacted: private key]"


def test_a_putty_key_goes_from_its_private_lines() -> None:
    """The public part stays."""
    lines = "\n".join(BODY)
    text = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 6\n{lines}\nPrivate-MAC: 1"
    shown = redact(text)
    assert shown.startswith("PuTTY-User-Key-File-3: ssh-rsa\n[redacted: private key]")
    assert shown.endswith("\nPrivate-MAC: 1")


def test_two_blocks_are_two() -> None:
    """The first block without an end does not take the second along."""
    text = "\n".join([BEGIN, *BODY, "", BLOCK])
    assert redact(text) == "[redacted: private key]\n\n[redacted: private key]"


def test_more_lines_than_any_key_are_left() -> None:
    """A cut block ends where the longest key ends."""
    body = [f"aB3{number:013d}" for number in range(400)]
    text = "\n".join([BEGIN, *body])
    assert "0000000000350" in redact(text)
    assert "0000000000250" not in redact(text)
    assert "0000000000050" in redact("\n".join([*body, END]))
