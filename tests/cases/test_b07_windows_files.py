"""B07: files from Windows, with a byte-order mark, CRLF or another encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethos_memory.entry import Add, Delete, Remove, Replace, Update
from ethos_memory.errors import CorruptFileError
from ethos_memory.providers.markdown import MarkdownProvider

SCOPE = "user:u1"
RAW = (Path(__file__).with_name("files") / "04-windows-bom-crlf.md").read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "users/u1"
    folder.mkdir(parents=True)
    (folder / "USER.md").write_bytes(RAW)
    return folder


def test_mark_line_ends_and_untouched_lines_are_kept(
    tmp_path: Path, folder: Path
) -> None:
    """Every original line keeps its bytes, and the new one takes their line end."""
    memory = MarkdownProvider(tmp_path)
    assert memory.prefetch(SCOPE)
    [ref] = memory.list(SCOPE, summaries=True)
    assert ref.summary
    assert "\ufeff" not in ref.summary
    memory.sync(SCOPE, [Add("USER.md", "- neue Zeile")])
    memory.sync(SCOPE, [Remove("USER.md", "Größen in mm, nicht in Zoll")])
    data = (folder / "USER.md").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\xef\xbb\xbf") == 1
    assert data.endswith(b"\n\r\n- neue Zeile\r\n")
    removed = "Größen in mm, nicht in Zoll".encode()
    lines = [line for line in RAW.splitlines(keepends=True) if removed not in line]
    assert len(lines) == len(RAW.splitlines()) - 1
    assert data.startswith(b"".join(lines))


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("NOTES.md", "Grüße aus Köln\n".encode("cp1252")),
        ("W16.md", "hello".encode("utf-16")),
    ],
)
def test_another_encoding_is_read_and_never_destroyed(
    tmp_path: Path, folder: Path, key: str, data: bytes
) -> None:
    """With replacement characters; writing is refused."""
    (folder / key).write_bytes(data)
    memory = MarkdownProvider(tmp_path)
    assert key in [ref.key for ref in memory.list(SCOPE, summaries=True)]
    memory.search(SCOPE, "Köln")
    memory.prefetch(SCOPE)
    entry = memory.read(SCOPE, key)
    assert entry is not None
    assert "\ufffd" in entry.content
    updates: tuple[Update, ...] = (
        Add(key, "x"),
        Replace(key, "x"),
        Remove(key, "e"),
        Delete(key),
    )
    for update in updates:
        with pytest.raises(CorruptFileError, match=key):
            memory.sync(SCOPE, [update])
        assert (folder / key).read_bytes() == data
