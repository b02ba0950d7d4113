"""What a descriptor is asked, and that letting go of one never fails."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import filelock
import pytest

from ethos_memory.disk import Root, release
from ethos_memory.entry import Add, Delete, Replace
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.entry import Update

FAULT = OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_descriptor_is_let_go_of_whatever_the_system_says() -> None:
    """A number that is not open is the nearest fault there is."""
    fd = os.open("/", os.O_RDONLY)
    release(fd)
    release(fd)


@pytest.mark.parametrize(
    "update", [Add("A.md", "x"), Replace("A.md", "x"), Delete("A.md")]
)
def test_a_fault_in_letting_go_takes_no_change_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: Update
) -> None:
    """Every close and the unlock fail once the page is replaced or gone."""
    memory = MarkdownProvider(tmp_path)
    memory.sync("user:u1", [Add("A.md", "old")])
    page = tmp_path / "users/u1/A.md"
    faults = 0

    def faulty(call: object) -> object:
        def act(fd: int) -> None:
            nonlocal faults
            call(fd)  # type: ignore[operator]
            if not page.exists() or "x" in page.read_text():
                faults += 1
                raise FAULT

        return act

    with monkeypatch.context() as patch:
        patch.setattr(filelock, "unlock_descriptor", faulty(filelock.unlock_descriptor))
        patch.setattr(os, "close", faulty(os.close))
        report = memory.sync("user:u1", [update])
    assert report.changes[0].is_change
    assert faults > 3


def test_a_root_that_cannot_be_let_go_of_goes_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is closed when nobody uses it any more, where nothing can be told."""
    root = Root(tmp_path)

    def close(fd: int) -> None:
        raise FAULT

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", close)
        assert root.folder().__enter__() is not None
    root.close()
