"""What is typed, and how a run ends."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory.cli import main, parser
from ethos_memory.cli.command import Call, Command
from ethos_memory.cli.commands import COMMANDS
from ethos_memory.errors import (
    CorruptFileError,
    GuardRefusedError,
    InvalidKeyError,
    NotPermittedError,
    ScopeLockedError,
)

if TYPE_CHECKING:
    from unit.cli.conftest import Shell

PRIVATE = "what Ros said in confidence"


def stand_in(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Put a command in the place of all others that ends in this error."""

    def fail(_: Call) -> int:
        raise error

    monkeypatch.setattr(parser, "COMMANDS", (Command("fail", fail, "fails"),))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.words)
def test_each_command_tells_about_itself(shell: Shell, command: Command) -> None:
    """With the exit codes, which are part of its meaning."""
    ran = shell(*command.words.split(), "--help", at_home=False)
    assert ran.code == 0
    assert command.summary in ran.out
    assert "exit codes:" in ran.out
    assert "--json" in ran.out


def test_the_help_names_every_command(shell: Shell) -> None:
    """A newcomer sees all there is."""
    ran = shell("--help", at_home=False)
    assert ran.code == 0
    for command in COMMANDS:
        assert command.words.split()[0] in ran.out


def test_the_version_is_the_packages(shell: Shell) -> None:
    """As the package's metadata has it."""
    ran = shell("--version", at_home=False)
    assert ran.code == 0
    assert ran.out.startswith("ethos-memory 0.")


@pytest.mark.parametrize(
    "argv", [[], ["nope"], ["users"], ["show"], ["scan"], ["search", "user:u"]]
)
def test_a_wrong_command_is_a_wrong_usage(shell: Shell, argv: list[str]) -> None:
    """Exit code 2, and the message is no answer."""
    ran = shell(*argv, at_home=False)
    assert ran.code == 2
    assert not ran.out
    assert "usage:" in ran.err


def test_the_home_and_json_can_stand_before_and_after(
    shell: Shell, tmp_path: Path
) -> None:
    """`ethos-memory --root X --json users list` is the same."""
    root = str(tmp_path / "h")
    for argv in (
        ["--root", root, "--json", "users", "list"],
        ["users", "list", "--root", root, "--json"],
    ):
        ran = shell(*argv, at_home=False)
        assert (ran.code, ran.json()) == (0, [])


def test_an_empty_root_is_never_the_default_home(shell: Shell) -> None:
    """`--root "$UNSET"` must not write into the real home."""
    ran = shell("users", "list", "--root", "", at_home=False)
    assert ran.code == 2
    assert "--root is empty" in ran.err


def test_the_default_home_is_in_the_users_folder(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`~/.ethos`, as Ethos has it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    ran = shell("write", "user:u", "USER.md", stdin=b"- tea", at_home=False)
    assert ran.code == 0
    assert (tmp_path / ".ethos/users/u/USER.md").read_text() == "- tea\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidKeyError("x", "no key"), 2),
        (GuardRefusedError(()), 1),
        (NotPermittedError("no"), 1),
        (CorruptFileError("map", "cut short"), 3),
        (ScopeLockedError("f", waited_seconds=1), 3),
        (OSError(errno.EACCES, "Permission denied", "/x/config.yaml"), 3),
        (OSError(errno.EACCES, "Permission denied"), 3),
        (OSError(PRIVATE), 3),
        (ValueError(PRIVATE), 3),
        (UnicodeDecodeError("utf-8", PRIVATE.encode(), 0, 1, "bad"), 3),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 141),
    ],
)
def test_an_error_ends_with_its_code_and_without_private_text(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    """No traceback either: it shows what was on its way."""
    stand_in(monkeypatch, error)
    ran = shell("fail")
    assert ran.code == code
    assert PRIVATE not in ran.err
    assert "Traceback" not in ran.err
    assert not ran.out


def test_an_error_of_the_system_names_the_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was about, and what was wrong."""
    stand_in(monkeypatch, OSError(errno.EACCES, "Permission denied", "/x/y"))
    assert shell("fail").err == "ethos-memory: /x/y: Permission denied\n"


def test_a_fault_of_our_own_is_named_by_its_place(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Class, file and line are what a report needs."""
    stand_in(monkeypatch, ValueError(PRIVATE))
    assert "internal error: ValueError at test_parser.py:" in shell("fail").err


def test_a_name_in_a_message_cannot_act(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file can be called anything."""
    stand_in(monkeypatch, CorruptFileError("a\x1b[2Jb", "cut short"))
    assert "\x1b" not in shell("fail").err


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_a_closed_stream_is_no_success(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The answer would be lost without a word."""
    monkeypatch.setattr(sys, name, None)
    assert main(["--help"]) == 3


def test_the_librarys_warnings_are_messages_of_the_program(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once each, and the handler is gone with the run."""
    logger = logging.getLogger("ethos_memory")

    def warn(_: Call) -> int:
        logger.warning("on a %s volume", "net\x1bwork")
        logger.info("not worth a word")
        return 0

    monkeypatch.setattr(parser, "COMMANDS", (Command("warn", warn, "warns"),))
    before = tuple(logger.handlers)
    for _ in range(2):
        assert shell("warn").err == "ethos-memory: on a net\\x1bwork volume\n"
    assert tuple(logger.handlers) == before


def run(command: str, root: Path, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell line in a real process; `$E` is the program."""
    program = f"{sys.executable} -m ethos_memory.cli"
    source = str(Path(parser.__file__).parents[2])
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": source,
            "E": program,
            "ROOT": str(root),
            **environ,
        },
    )


def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    """`… | head -1` ends as other programs do, and silently."""
    page = tmp_path / "personalities/ops/MEMORY.md"
    page.parent.mkdir(parents=True)
    page.write_text("- a long line of text\n" * 20_000)
    ran = run('$E show personality:ops MEMORY.md --root "$ROOT" | head -1', tmp_path)
    assert (ran.returncode, ran.stderr) == (141, b"")
    assert ran.stdout == b"- a long line of text\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has /dev/full")
def test_an_answer_that_cannot_be_written_is_no_success(tmp_path: Path) -> None:
    """A full disk behind `>`: an error, and no traceback."""
    ran = run('$E users list --json --root "$ROOT" > /dev/full', tmp_path)
    assert ran.returncode == 3
    assert ran.stderr == b"ethos-memory: standard output: No space left on device\n"


def test_what_is_still_buffered_when_a_reader_leaves_is_dropped(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python would raise once more at its end."""
    assert shell("write", "user:u", "USER.md", stdin=b"- tea").code == 0
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["show", "user:u", "--root", str(shell.home)]) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has /dev/full")
def test_what_a_full_disk_does_not_take_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In this process, as in a real one."""
    with Path("/dev/full").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["users", "list", "--json", "--root", str(tmp_path)]) == 3


@pytest.mark.parametrize("name", ["__main__", "imported"])
def test_the_package_can_be_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """`python -m ethos_memory.cli`; to import it runs nothing."""
    monkeypatch.setattr(sys, "argv", ["ethos-memory", "nope"])
    if name == "__main__":
        with pytest.raises(SystemExit) as end:
            runpy.run_module("ethos_memory.cli", run_name=name)
        assert end.value.code == 2
    else:
        runpy.run_module("ethos_memory.cli.__main__", run_name=name)
    assert ("usage:" in capsys.readouterr().err) is (name == "__main__")


def test_a_foreign_locale_changes_nothing(tmp_path: Path) -> None:
    """Pages are UTF-8 on the way in and out, whatever the locale says."""
    foreign = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    line = (
        "printf -- '- Müller 🎹' | $E write user:u USER.md --root \"$ROOT\" > /dev/null "
        '&& $E show user:u USER.md --root "$ROOT"'
    )
    ran = run(line, tmp_path, **foreign)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode() == "- Müller 🎹\n"


def test_options_are_the_commands_own() -> None:
    """A call hides what was typed from every log."""
    call = Call(
        None,  # type: ignore[arg-type] # not printed to
        home="h",
        is_json=False,
        options=argparse.Namespace(query=PRIVATE),
    )
    assert PRIVATE not in repr(call)
