"""Disks that are full, read-only or broken, and limits that are reached: for real."""

from __future__ import annotations

import errno
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import pytest

from ethos_memory.entry import Add, Replace
from ethos_memory.errors import DurabilityUnknownError, NotWrittenError
from ethos_memory.providers.markdown import MarkdownProvider
from faults.aftermath import Expected, check_next_write
from faults.operations import KEY, OPERATIONS, SCOPE, copied, page_of, temporary_files
from faults.volumes import fill, image, mounted, needs_images, needs_mounts, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from faults.tracing import Outcome, Victim

#: For the default run; the long form takes all.
SHORT: Final = ("replace", "mint")

#: A page of a tmpfs.
_BLOCK: Final = 4096


def _each(
    tries: Iterable[int], attempt: Callable[[int], Outcome], *, refused: int
) -> None:
    """Make every attempt, and check that some were refused and the last was not."""
    outcomes = [attempt(one) for one in tries]
    assert len([one for one in outcomes if one.error]) >= refused
    assert not outcomes[-1].error


# A disk without room ----------------------------------------------------------------


@needs_mounts
def test_a_full_disk_of_32_kilobytes_keeps_the_old_text(tmp_path: Path) -> None:
    """Written to until it refuses; room is made, and writing goes on."""
    with mounted(tmp_path / "m", "-t", "tmpfs", "-o", "size=32k") as home:
        filler = home / "filler"
        filler.write_bytes(b"\0" * 2 * _BLOCK)
        _fill_and_go_on(home, filler)


@needs_mounts
def test_a_person_can_be_erased_from_a_full_disk(tmp_path: Path) -> None:
    """Erasing writes nothing, so it is the way out when there is no room at all."""
    with mounted(tmp_path / "m", "-t", "tmpfs", "-o", "size=64k") as home:
        _fill_and_erase(home)


# Each in a function of its own: while a provider is there, so is the volume.


def _fill_and_go_on(home: Path, filler: Path) -> None:
    memory = MarkdownProvider(home)
    written, refused = _write_until_refused(memory)
    assert refused == errno.ENOSPC
    assert written > 3
    assert (page_of(home) or "").count("x" * 500) == written
    assert not temporary_files(home)
    entry = memory.read(SCOPE, KEY)
    assert entry is not None
    assert len(memory.history(SCOPE, KEY)) == written
    filler.unlink()
    memory.sync(SCOPE, [Add(KEY, "there is room again")])


def _fill_and_erase(home: Path) -> None:
    memory = MarkdownProvider(home)
    memory.sync(SCOPE, [Add(KEY, "x" * 9000)])
    fill(home / "filler")
    assert memory.erase(SCOPE).files
    assert not (home / "users/u1").exists()


def _write_until_refused(memory: MarkdownProvider) -> tuple[int, int | None]:
    for number in range(1000):
        try:
            memory.sync(SCOPE, [Add(KEY, f"{number} " + "x" * 500)])
        except NotWrittenError as error:
            return number, error.errno
    raise AssertionError("it never refused")


@needs_mounts
@pytest.mark.parametrize("name", SHORT)
def test_a_disk_that_is_nearly_full_keeps_the_old_text(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """The room ends at another place of the write each time."""
    _nearly_full(victim, tmp_path, name, range(0, 14, 3))


@pytest.mark.long
@needs_mounts
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_disk_that_is_nearly_full_keeps_the_old_text_at_each_block(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """Until there is room for the largest write."""
    room = 400 if name == "overflow" else 90 if name == "rotate" else 16
    _nearly_full(victim, tmp_path, name, range(0, room, max(1, room // 40)))


def _nearly_full(
    victim: Victim, tmp_path: Path, name: str, blocks: Iterable[int]
) -> None:
    expected = Expected.of(name, tmp_path)

    def attempt(count: int) -> Outcome:
        with mounted(tmp_path / "m", "-t", "tmpfs", "-o", "size=8m") as volume:
            home = copied(expected.prepared, volume / "home")
            fill(volume / "filler", leave=count * _BLOCK)
            outcome = victim.run(name, home)
            expected.check(outcome, home)
            (volume / "filler").unlink()
            check_next_write(home)
            return outcome

    _each(blocks, attempt, refused=1)


@needs_mounts
@pytest.mark.parametrize("name", SHORT)
def test_a_disk_without_inodes_keeps_the_old_text(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """No name can be made, or only some."""
    _without_inodes(victim, tmp_path, name)


@pytest.mark.long
@needs_mounts
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - set(SHORT)))
def test_a_disk_without_inodes_keeps_the_old_text_whatever_is_done(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """The other operations."""
    _without_inodes(victim, tmp_path, name)


def _without_inodes(victim: Victim, tmp_path: Path, name: str) -> None:
    expected = Expected.of(name, tmp_path)

    def attempt(count: int) -> Outcome:
        options = ("-t", "tmpfs", "-o", "size=4m,nr_inodes=64")
        with mounted(tmp_path / "m", *options) as volume:
            home = copied(expected.prepared, volume / "home")
            fillers = _take_inodes(volume / "fillers", leave=count)
            outcome = victim.run(name, home)
            expected.check(outcome, home)
            shutil.rmtree(fillers)
            check_next_write(home)
            return outcome

    _each(range(9), attempt, refused=1)


def _take_inodes(folder: Path, *, leave: int) -> Path:
    folder.mkdir()
    with suppress(OSError):
        for number in range(64):
            (folder / str(number)).touch()
    made = list(folder.iterdir())
    assert len(made) < 64
    for path in made[:leave]:
        path.unlink()
    return folder


# Limits -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
def test_a_limit_on_file_sizes_keeps_the_old_text(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """RLIMIT_FSIZE: a write is cut short, and the next is refused."""
    sizes = (0, 300, 6000, 1_000_000)
    _limited(victim, tmp_path, name, "RLIMIT_FSIZE", sizes)


@pytest.mark.parametrize("name", SHORT)
def test_a_limit_on_descriptors_keeps_the_old_text(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """RLIMIT_NOFILE: anything that is opened may be one too many."""
    _limited(victim, tmp_path, name, "RLIMIT_NOFILE", range(0, 14, 2))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["RLIMIT_FSIZE", "RLIMIT_NOFILE"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_limit_keeps_the_old_text_whatever_is_done(
    victim: Victim, tmp_path: Path, name: str, kind: str
) -> None:
    """At more limits."""
    sizes = (0, 1, 100, 300, 3000, 50_000, 135_000, 400_000, 1_000_000)
    _limited(victim, tmp_path, name, kind, sizes if "FSIZE" in kind else range(14))


def _limited(
    victim: Victim, tmp_path: Path, name: str, kind: str, limits: Iterable[int]
) -> None:
    expected = Expected.of(name, tmp_path)

    def attempt(limit: int) -> Outcome:
        home = copied(expected.prepared, tmp_path / str(limit))
        outcome = victim.run(name, home, limits={kind: limit})
        expected.check(outcome, home)
        check_next_write(home)
        return outcome

    _each(limits, attempt, refused=2)


# What may not be changed ------------------------------------------------------------


@needs_mounts
@pytest.mark.parametrize("name", SHORT)
def test_a_read_only_volume_is_read_and_left_alone(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """The error says so; once it can be written again, it is."""
    _read_only(victim, tmp_path, name)


@pytest.mark.long
@needs_mounts
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - set(SHORT)))
def test_a_read_only_volume_is_left_alone_whatever_is_done(
    victim: Victim, tmp_path: Path, name: str
) -> None:
    """The other operations."""
    _read_only(victim, tmp_path, name)


def _read_only(victim: Victim, tmp_path: Path, name: str) -> None:
    expected = Expected.of(name, tmp_path)
    home = copied(expected.prepared, tmp_path / "home")
    with mounted(tmp_path / "home", "--bind", source=home):
        run("mount", "-o", "remount,bind,ro", home)
        outcome = victim.run(name, home)
        assert outcome.error == "NotWrittenError"
        expected.check(outcome, home)
        entry = MarkdownProvider(home).read(SCOPE, KEY)
        assert (entry.content if entry else None) == page_of(home)
        run("mount", "-o", "remount,bind,rw", home)
        assert not victim.run(name, home).error
        check_next_write(home)


@contextmanager
def _immutable(path: Path) -> Iterator[None]:
    try:
        run("chattr", "+i", path)
    except OSError as error:
        pytest.skip(f"chattr +i: {error}")
    try:
        yield
    finally:
        run("chattr", "-i", path)


@pytest.mark.parametrize(
    ("name", "victim_file"),
    [
        ("replace", "users/u1/A.md"),
        ("delete", "users/u1/A.md"),
        ("append", "users/u1"),
        ("append", "users/u1/A.md"),
        ("append", "users/u1/memory-history.jsonl"),
        ("mint", "users"),
        ("mint", "users/identity-map.json"),
        ("mint", "users/identity-map.json.bak"),
        ("link", "users/identity-map.json"),
        ("forget", "users/identity-map.json"),
    ],
)
def test_what_is_immutable_is_left_alone(
    victim: Victim, tmp_path: Path, name: str, victim_file: str
) -> None:
    """`chattr +i`: on the file itself, its folder, or what is written beside it."""
    expected = Expected.of(name, tmp_path)
    home = copied(expected.prepared, tmp_path / "home")
    with _immutable(home / victim_file):
        outcome = victim.run(name, home)
        assert outcome.error == "NotWrittenError"
        expected.check(outcome, home)
    assert not victim.run(name, home).error
    check_next_write(home)


# A disk that breaks -----------------------------------------------------------------


@needs_mounts
def test_a_sync_that_really_fails_is_told(tmp_path: Path) -> None:
    """An ext4 image in a tmpfs that is too small for it: the disk lies until `fsync`.

    What was acknowledged is there, and what was refused is told in the right words.
    """
    needs_images("ext4")
    options = ("-t", "tmpfs", "-o", "size=6m")
    with mounted(tmp_path / "small", *options) as small:
        disk = image(small / "image", "ext4", 64, "-O", "^has_journal")
        with mounted(tmp_path / "m", "-o", "loop", source=disk) as volume:
            refused = _write_until_it_breaks(volume)
    assert refused in (errno.EIO, errno.ENOSPC, errno.EROFS)


def _write_until_it_breaks(volume: Path) -> int | None:
    memory = MarkdownProvider(volume)
    texts: dict[str, str] = {}
    for number in range(200):
        key, text = f"P{number}.md", f"{number} " + "x" * 200_000
        refusal = _refusal(memory, Replace(key, text))
        if refusal is not None:
            break
        texts[key] = text
    else:
        raise AssertionError("it never broke")
    assert len(texts) > 3
    for name, written in texts.items():
        page = volume / "users/u1" / name
        assert page.read_text() == f"{written}\n"
    refused, is_committed = refusal
    assert (volume / "users/u1" / key).exists() == is_committed
    return refused


def _refusal(
    memory: MarkdownProvider, update: Replace
) -> tuple[int | None, bool] | None:
    """Return the refusal's number and whether the change was made; `None`: it went well.

    Never the error: its traceback would hold the provider, and that the volume.
    """
    try:
        memory.sync(SCOPE, [update])
    except (NotWrittenError, DurabilityUnknownError) as error:
        return error.errno, isinstance(getattr(error, "committed", None), bool)
    return None
