"""Texts that follow their files."""

from __future__ import annotations

import os
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ethos_memory.disk import Root
from ethos_memory.providers.file_texts import FileTexts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.disk import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """Open a scope's folder with two pages and what is never searched."""
    for name in ("a.md", "b.md", "OBSERVATIONS.md", "notes.txt"):
        (tmp_path / name).write_text(name)
    with closing(Root(tmp_path)) as root, root.folder() as opened:
        assert opened is not None
        yield opened


def _settle(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: now() + 60 * 10**9)


def test_what_changed_is_told_and_nothing_else(folder: Folder, tmp_path: Path) -> None:
    """A page that is gone has no text any more."""
    texts = FileTexts()
    assert dict(texts.refresh(folder)) == {"a.md": "a.md", "b.md": "b.md"}
    assert dict(texts.refresh(folder)) == {}
    (tmp_path / "a.md").write_text("other")
    (tmp_path / "b.md").unlink()
    assert dict(texts.refresh(folder)) == {"a.md": "other", "b.md": None}
    assert texts["a.md"] == "other"


def test_a_page_that_is_none_any_more_hides_no_other(
    folder: Folder, tmp_path: Path
) -> None:
    """A link, or a page that is too large, is left out."""
    texts = FileTexts()
    assert len(dict(texts.refresh(folder))) == 2
    (tmp_path / "a.md").unlink()
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "c.md").write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    assert dict(texts.refresh(folder)) == {"a.md": None}
    assert dict(texts.refresh(folder)) == {}


def test_a_settled_file_is_not_read_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status tells that it is as it was."""
    _settle(monkeypatch)
    texts = FileTexts()
    signature = folder.signature("a.md")
    assert signature is not None
    assert not texts.is_as_read("a.md", signature)
    assert len(dict(texts.refresh(folder))) == 2
    assert texts.is_as_read("a.md", signature)
    monkeypatch.setattr(os, "pread", None)
    assert dict(texts.refresh(folder)) == {}


def test_an_error_in_between_hides_no_change(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was told once is not told again; the rest is, when it can be read."""
    texts, read = FileTexts(), type(folder).read

    def failing(self: Folder, name: str, *, max_bytes: int) -> object:
        if name == "b.md":
            raise PermissionError
        return read(self, name, max_bytes=max_bytes)

    told: list[tuple[str, str | None]] = []
    with monkeypatch.context() as patched:
        patched.setattr(type(folder), "read", failing)
        with pytest.raises(PermissionError):
            told.extend(texts.refresh(folder))
    told.extend(texts.refresh(folder))
    assert sorted(told) == [("a.md", "a.md"), ("b.md", "b.md")]


def test_what_may_not_be_readable_is_left_out(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its owner may say so."""

    def refuse(_: Folder, name: str, *, max_bytes: int) -> object:
        raise PermissionError(name, max_bytes)

    texts = FileTexts(unreadable=(PermissionError,))
    assert list(texts.read("vault:a.md", folder, "a.md")) == [("vault:a.md", "a.md")]
    monkeypatch.setattr(type(folder), "read", refuse)
    assert list(texts.read("vault:a.md", folder, "a.md")) == [("vault:a.md", None)]
    assert list(texts.read("vault:a.md", folder, "a.md")) == []
    with pytest.raises(PermissionError):
        list(FileTexts().read("a.md", folder, "a.md"))


def test_the_others_are_forgotten(folder: Folder) -> None:
    """Their files are not there any more."""
    texts = FileTexts()
    assert list(texts.drop_others(())) == []
    dict(texts.refresh(folder))
    assert list(texts.drop_others({"b.md"})) == [("a.md", None)]
    assert list(texts.drop_others({"b.md"})) == []
    assert texts["b.md"] == "b.md"


def test_what_was_not_taken_in_is_told_again(folder: Folder, tmp_path: Path) -> None:
    """An index that was interrupted must not stay behind its files."""
    texts = FileTexts()
    for expected in ("a.md", None):
        interrupted = texts.read("a.md", folder, "a.md")
        assert next(interrupted, None) == ("a.md", expected)
        del interrupted
        assert list(texts.read("a.md", folder, "a.md")) == [("a.md", expected)]
        (tmp_path / "a.md").unlink(missing_ok=True)
    assert list(texts.read("b.md", folder, "b.md")) == [("b.md", "b.md")]
    interrupted = texts.drop_others(())
    assert next(interrupted, None) == ("b.md", None)
    del interrupted
    assert list(texts.drop_others(())) == [("b.md", None)]
