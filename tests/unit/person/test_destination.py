"""The folder of an export: private, whole or not there, and never through a link."""

from __future__ import annotations

import errno
import json
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.errors import (
    DurabilityUnknownError,
    NotWrittenError,
    UnsafePathError,
)
from ethos_memory.person.destination import MANIFEST, ExportFolder

if TYPE_CHECKING:
    from collections.abc import Callable


def put(folder: ExportFolder, path: str = "a/page.md", data: bytes = b"tea\n") -> None:
    folder.put(path, data, what="a page", source="here")


def export(destination: Path, **options: Any) -> ExportFolder:
    with ExportFolder(destination, **options) as folder:
        put(folder)
        folder.finish({"format": 1})
    return folder


def manifest(destination: Path) -> Any:
    return json.loads((destination / MANIFEST).read_bytes())


@pytest.mark.parametrize("is_there", [False, True])
def test_an_export_is_put_in_its_place(tmp_path: Path, is_there: bool) -> None:
    """Where nothing was, or an empty folder."""
    out = tmp_path / "out"
    if is_there:
        out.mkdir(mode=0o755)
    folder = export(out)
    assert folder.path == out
    assert (out / "a/page.md").read_bytes() == b"tea\n"
    assert list(tmp_path.iterdir()) == [out]
    assert manifest(out) == {
        "format": 1,
        "files": [
            {
                "path": "a/page.md",
                "size": 4,
                "sha256": sha256(b"tea\n").hexdigest(),
                "what": "a page",
                "from": "here",
            }
        ],
    }


@pytest.mark.parametrize("umask", [0o000, 0o777])
def test_nobody_else_can_read_it(tmp_path: Path, umask: int) -> None:
    """Whatever the umask."""
    before = os.umask(umask)
    try:
        export(tmp_path / "out")
    finally:
        os.umask(before)
    for path in (tmp_path / "out", *(tmp_path / "out").rglob("*")):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.lstat().st_mode) == wanted


def a_file(out: Path) -> None:
    out.write_text("mine")


def a_full_folder(out: Path) -> None:
    out.mkdir()
    (out / "mine").write_text("mine")


def a_link_to_a_folder(out: Path) -> None:
    (out.parent / "elsewhere").mkdir()
    out.symlink_to(out.parent / "elsewhere")


def a_link_to_nothing(out: Path) -> None:
    out.symlink_to(out.parent / "nothing")


@pytest.mark.parametrize(
    "stand", [a_file, a_full_folder, a_link_to_a_folder, a_link_to_nothing]
)
def test_what_is_there_is_never_written_to(
    tmp_path: Path, stand: Callable[[Path], None]
) -> None:
    """It is refused before anything is made."""
    out = tmp_path / "out"
    stand(out)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UnsafePathError), ExportFolder(out):
        pass
    assert sorted(tmp_path.rglob("*")) == before


def test_an_export_does_not_stand_in_the_home(tmp_path: Path) -> None:
    """Else it would outlive the person's next `forget`."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "way").symlink_to(home)
    for out in (home, home / "out", tmp_path / "way/out", home / "../home/out"):
        with pytest.raises(UnsafePathError):
            ExportFolder(out, outside=home)
    assert export(tmp_path / "homework", outside=home).path.name == "homework"


@pytest.mark.parametrize("name", [".", "..", "/", "a/.."])
def test_an_export_has_a_name(name: str) -> None:
    """It becomes a folder of its own."""
    with pytest.raises(ValueError, match="name"):
        ExportFolder(name)


def test_what_it_stands_in_must_be_there(tmp_path: Path) -> None:
    """A slip of the pen makes no folders."""
    with pytest.raises(NotWrittenError), ExportFolder(tmp_path / "no/out"):
        pass
    assert not list(tmp_path.iterdir())


def test_the_way_to_it_may_lead_through_links(tmp_path: Path) -> None:
    """`/tmp` is one on many systems. It is resolved once."""
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to("real")
    assert export(tmp_path / "way/out").path == tmp_path / "real/out"


def test_who_only_looks_leaves_no_trace(tmp_path: Path) -> None:
    """A dry run checks the destination."""
    with ExportFolder(tmp_path / "out"):
        pass
    assert not list(tmp_path.iterdir())


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Neither at its place nor beside it."""
    with ExportFolder(tmp_path / "out") as folder:
        put(folder)
        with pytest.raises(TypeError):
            folder.put_json("b.json", object(), what="", source="")
    assert not list(tmp_path.iterdir())


def test_before_the_end_nothing_looks_like_an_export(tmp_path: Path) -> None:
    """Whatever stands there when the power goes has no manifest, and a dot."""
    with ExportFolder(tmp_path / "out") as folder:
        for number in range(3):
            put(folder, f"{number}.md")
            assert not (tmp_path / "out").exists()
            (draft,) = tmp_path.iterdir()
            assert draft.name.startswith(".")
            assert not (draft / MANIFEST).exists()


def test_two_names_that_differ_in_case_are_two_files(tmp_path: Path) -> None:
    """`user.md` beside `USER.md` is a copy; both are the person's."""
    with ExportFolder(tmp_path / "out") as folder:
        put(folder, "a/USER.md", b"1")
        put(folder, "a/user.md", b"2")
        put(folder, "a/User.md", b"3")
        put(folder, "Manifest.json", b"4")
        folder.finish({})
    paths = [file["path"] for file in manifest(tmp_path / "out")["files"]]
    assert paths == ["a/USER.md", "a/2-user.md", "a/3-User.md", "2-Manifest.json"]
    texts = [(tmp_path / "out" / path).read_bytes() for path in paths]
    assert texts == [b"1", b"2", b"3", b"4"]


def test_json_holds_half_a_character_as_its_code(tmp_path: Path) -> None:
    """What a host passed must not stop an export."""
    with ExportFolder(tmp_path / "out") as folder:
        folder.put_json("a.json", {"é": "\ud83d"}, what="", source="")
        folder.finish({})
    assert (tmp_path / "out/a.json").read_text() == '{\n  "é": "\\ud83d"\n}\n'


def test_something_takes_its_place_meanwhile(tmp_path: Path) -> None:
    """It is not written to, and nothing is left beside it."""
    out = tmp_path / "out"
    with ExportFolder(out) as folder:
        put(folder)
        a_full_folder(out)
        with pytest.raises(NotWrittenError):
            folder.finish({})
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "mine"]


def test_a_file_that_goes_meanwhile_is_missed(tmp_path: Path) -> None:
    """A manifest must not name what is not there."""
    with ExportFolder(tmp_path / "out") as folder:
        put(folder)
        next(tmp_path.rglob("page.md")).unlink()
        with pytest.raises(NotWrittenError):
            folder.finish({})
    assert not list(tmp_path.iterdir())


def test_a_disk_that_refuses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The export's folder, and the system's number."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.write", refuse)
    with pytest.raises(NotWrittenError) as caught:
        export(tmp_path / "out")
    assert caught.value.errno == errno.ENOSPC
    assert not list(tmp_path.iterdir())


def test_everything_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut, an export with a manifest must be whole."""
    flushed: list[str] = []
    renamed: list[int] = []
    rename = os.rename

    def note(fd: int) -> None:
        flushed.append(Path(f"/proc/self/fd/{fd}").readlink().name)

    def move(old: str, new: str, **where: Any) -> None:
        if new == "out":
            renamed.append(len(flushed))
        rename(old, new, **where)

    monkeypatch.setattr("ethos_memory.person.destination.flush", note)
    monkeypatch.setattr("os.rename", move)
    export(tmp_path / "out")
    assert {"page.md", "a", MANIFEST} <= set(flushed[: renamed[0]])
    assert flushed.index("page.md") < flushed.index(MANIFEST)


def test_an_export_whose_name_is_not_confirmed_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and not taken away."""

    def refuse(folder: Any, name: str) -> None:
        raise DurabilityUnknownError(name, cause=OSError(errno.EIO, "I/O error"))

    monkeypatch.setattr("ethos_memory.person.destination.flush_folder", refuse)
    with pytest.raises(DurabilityUnknownError):
        export(tmp_path / "out")
    assert manifest(tmp_path / "out")["format"] == 1


def test_the_folder_it_stands_in_goes_meanwhile(tmp_path: Path) -> None:
    """Then there is nothing to tidy up."""
    above = tmp_path / "above"
    above.mkdir()
    with ExportFolder(above / "out"):
        above.rmdir()
    assert not list(tmp_path.iterdir())
