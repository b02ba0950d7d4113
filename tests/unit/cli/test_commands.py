"""The table of commands."""

from __future__ import annotations

from ethos_memory.cli.commands import COMMANDS


def test_no_two_commands_share_their_words() -> None:
    """Nor does one of them hide a group of others."""
    words = [command.words for command in COMMANDS]
    assert len(set(words)) == len(words)
    assert not {group.rpartition(" ")[0] for group in words} & set(words)


def test_the_commands_are_the_readmes() -> None:
    """A newcomer types what the README names."""
    words = [command.words for command in COMMANDS]
    wanted = {"tour", "show", "write", "search", "users list", "scan", "doctor"}
    assert wanted <= set(words)
