"""A command line in this process, with streams of its own."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen
from typing_extensions import override

from ethos_memory.cli import main

if TYPE_CHECKING:
    from pathlib import Path


class Stream(io.TextIOWrapper):
    """A text stream in a foreign locale that may be a terminal."""

    def __init__(self, *, is_terminal: bool, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="ascii")
        self._is_terminal = is_terminal

    @override
    def isatty(self) -> bool:
        return self._is_terminal

    def text(self) -> str:
        self.flush()
        raw = self.buffer
        assert isinstance(raw, io.BytesIO)
        return raw.getvalue().decode()


@frozen
class Ran:
    """How a run ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@frozen
class Shell:
    """Runs commands on one home."""

    home: Path
    patch: pytest.MonkeyPatch

    def __call__(
        self,
        *argv: str,
        stdin: bytes | None = b"",
        is_terminal: bool = False,
        at_home: bool = True,
    ) -> Ran:
        out, err = (Stream(is_terminal=is_terminal) for _ in range(2))
        self.patch.setattr(sys, "stdout", out)
        self.patch.setattr(sys, "stderr", err)
        fed = None if stdin is None else Stream(is_terminal=is_terminal, data=stdin)
        self.patch.setattr(sys, "stdin", fed)
        root = ("--root", str(self.home)) if at_home else ()
        code = main([*argv, *root])
        return Ran(code, out.text(), err.text())


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Commands on a home that is not there yet."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Shell(tmp_path / "home", monkeypatch)
