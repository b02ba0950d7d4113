"""Journal, rotation and recovery: what a page used to be can be shown and restored."""

# ruff: noqa: PTH208
# `os` is what the code under test calls.

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.disk import (
    Folder,
    History,
    Journal,
    LineFile,
    Recording,
    Root,
    is_journal,
    journal,
    locked,
    maintain,
    read_history,
    replace,
    rotation,
)
from ethos_memory.disk.patch import excerpt, whole_diff
from ethos_memory.entry import Origin
from ethos_memory.errors import NotWrittenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: 30 November 2026, noon.
NOW_MS = 1_796_040_000_000
DAY_MS = 86_400_000
LIMIT = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with Root(tmp_path).folder(create=True) as opened, locked(opened):
        yield opened


def _journal(folder: Folder) -> Journal:
    return Journal(
        folder, "user:u1", Origin("tool", "s1", platform="web"), prepare=_moves_nothing
    )


def _moves_nothing(_folder: Folder, _live: LineFile, _at_ms: int) -> bool:
    return False


def _change(
    before: str,
    after: str,
    *,
    key: str = "M.md",
    at_ms: int = NOW_MS,
    synced: bool = False,
) -> Recording:
    return Recording(
        key,
        before=before.encode(),
        after=after.encode(),
        hashes=(
            sha256(before.encode()).hexdigest(),
            sha256(after.encode()).hexdigest(),
        ),
        actions=("add",),
        at_ms=at_ms,
        synced=synced,
    )


def _record(folder: Folder, before: str, after: str, *, synced: bool = False) -> None:
    """Write a change down, and let nothing come of it."""
    with _journal(folder) as journal:
        journal.record(_change(before, after, synced=synced))


def _maintain(folder: Folder, at_ms: int) -> None:
    with LineFile(folder, journal.LIVE) as live:
        maintain(folder, live, at_ms)


def _write(folder: Folder, *pages: str, key: str = "M.md", at_ms: int = NOW_MS) -> None:
    """Write page after page, each recorded; an empty one is a deletion."""
    before = _page(folder, key)
    with _journal(folder) as journal:
        for number, page in enumerate(pages):
            journal.record(_change(before, page, key=key, at_ms=at_ms + number))
            if page:
                replace(folder, key, page.encode(), durability="fast")
            else:
                os.unlink(key, dir_fd=folder.fd)
            journal.confirm()
            before = page


def _page(folder: Folder, key: str) -> str:
    stored = folder.read(key, max_bytes=LIMIT)
    return stored.data.decode() if stored else ""


def _history(folder: Folder, key: str | None = "M.md") -> History:
    return read_history(folder, key, max_bytes=LIMIT)


def _contents(folder: Folder, key: str | None = "M.md") -> list[str | None]:
    return [change.content for change in _history(folder, key).changes]


def _lines(tmp_path: Path, name: str = journal.LIVE) -> list[dict[str, Any]]:
    text = (tmp_path / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def test_a_line_has_the_fields_of_ethos_in_its_order(
    folder: Folder, tmp_path: Path
) -> None:
    """Ethos reads the history that we write."""
    _record(folder, "a\n", "a\n\nb é\n")
    [line] = _lines(tmp_path)
    assert list(line) == [
        *("ts", "scopeId", "key", "actions", "source", "sessionId", "sessionKey"),
        *("beforeHash", "afterHash", "diff", "sizeBefore", "sizeAfter"),
    ]
    assert line["ts"] == NOW_MS
    assert line["sessionKey"] == "web:s1"
    assert line["actions"] == ["add"]
    assert line["beforeHash"] == "sha256:" + sha256(b"a\n").hexdigest()
    assert (line["sizeBefore"], line["sizeAfter"]) == (2, 8)


@pytest.mark.parametrize(("more", "has_blob"), [(0, False), (1, True)])
def test_a_diff_above_4096_bytes_is_kept_beside(
    folder: Folder, tmp_path: Path, more: int, *, has_blob: bool
) -> None:
    """Strictly above; the excerpt in the line stays below."""
    before = "y" * 100 + "\n"
    missing = 4096 - len(whole_diff("M.md", before, f"{before}x\n"))
    _record(folder, before, before + "x" * (1 + missing + more) + "\n")
    [line] = _lines(tmp_path)
    size = len(line["diff"].encode())
    assert ("blob" in line) is has_blob
    if has_blob:
        digest = sha256(before.encode()).hexdigest()
        assert line["blob"] == digest
        assert line["diff"].endswith(
            f"\n… [diff truncated; before-state in blob sha256:{digest}]"
        )
        kept = (tmp_path / "history-blobs" / f"{digest}.md").read_text()
        assert kept == before
    else:
        assert size == 4096


def test_a_cut_diff_is_whole_characters(folder: Folder, tmp_path: Path) -> None:
    """Of a page in Chinese."""
    _record(folder, "", "語" * 3000 + "\n")
    diff = _lines(tmp_path)[0]["diff"]
    assert "�" not in diff
    assert len(diff.split("\n… ")[0].encode()) <= 4096


def test_each_state_is_kept_once(folder: Folder, tmp_path: Path) -> None:
    """A change's second page is the next one's first."""
    pages = [f"{number}" * 5000 for number in range(4)]
    _write(folder, *pages)
    assert len(os.listdir(tmp_path / "history-blobs")) == 4
    assert _contents(folder) == [*reversed(pages)]


def test_a_kept_page_that_was_cut_by_a_crash_is_written_again(
    folder: Folder, tmp_path: Path
) -> None:
    """And one that is damaged otherwise is not shown."""
    _write(folder, "a" * 5000, "b" * 5000)
    blobs = tmp_path / "history-blobs"
    first = blobs / f"{sha256(b'a' * 5000).hexdigest()}.md"
    first.write_bytes(b"")
    _record(folder, "a" * 5000, "c", synced=True)
    assert first.stat().st_size == 5000
    first.write_bytes(b"x" * 5000)
    shown = _contents(folder)
    assert "x" * 5000 not in shown
    assert "a" * 5000 not in shown
    assert _history(folder).lost > 0


def test_a_page_that_will_be_destroyed_is_synced_first(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its kept copy, also one that was made without; then the line."""
    _write(folder, "a" * 5000)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    _record(folder, "a" * 5000, "b", synced=True)
    assert len(synced) == 2
    synced.clear()
    _record(folder, "new" * 5000, "b", synced=True)
    assert len(synced) == 3
    synced.clear()
    _record(folder, "c" * 5000, "d", synced=False)
    assert synced == []


def test_a_kept_page_that_cannot_be_synced_is_an_error(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text would be destroyed without a copy."""
    _write(folder, "a" * 5000)

    def refuse(_fd: int) -> None:
        raise OSError(5, "refused")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(NotWrittenError):
        _record(folder, "a" * 5000, "b", synced=True)


def test_a_kept_page_that_vanishes_before_it_is_synced_is_let_go(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody tidies the folder at this very moment."""
    _write(folder, "a" * 5000)
    monkeypatch.setattr(Folder, "open", lambda _self, _name: None)
    _record(folder, "a" * 5000, "b", synced=True)


def test_a_session_name_that_cannot_be_encoded_is_no_error(
    folder: Folder, tmp_path: Path
) -> None:
    """It is the host's own text."""
    origin = Origin("tool", "\ud83d")
    with Journal(folder, "user:u1", origin, prepare=_moves_nothing) as journal:
        journal.confirm()
        journal.record(_change("", "x"))
    assert _lines(tmp_path)[0]["sessionId"] == "?"


def test_states_come_newest_first_with_time_and_source(folder: Folder) -> None:
    """A deletion has no revision and no text."""
    _write(folder, "a\n", "b\n", "")
    changes = _history(folder).changes
    assert [change.content for change in changes] == [None, "b\n", "a\n"]
    assert changes[0].revision == ""
    assert changes[1].revision == sha256(b"b\n").hexdigest()
    assert changes[2].at == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert (changes[2].source, changes[2].actions) == ("tool", ("add",))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_recorded_state_is_shown(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Small and large pages, deletions, edits by hand in between."""
    pages = st.text(alphabet="ab\n ", max_size=9) | st.sampled_from("xyz").map(
        lambda letter: letter * 5000
    )
    path = tmp_path_factory.mktemp("home")
    wanted: list[str] = []
    with Root(path).folder(create=True) as folder:
        before = ""
        for _ in range(data.draw(st.integers(1, 6))):
            if data.draw(st.booleans()):
                before = data.draw(pages)
            after = data.draw(pages)
            if after != before:
                wanted += [before, after]
                with locked(folder), _journal(folder) as journal:
                    journal.record(_change(before, after))
                    journal.confirm()
                before = after
        (path / "M.md").write_text(before)
        shown = _contents(folder)
        assert set(filter(None, wanted)) - {before} <= {*shown, before}
        assert _history(folder).lost == 0


def test_a_page_written_by_hand_is_a_state_of_its_own(folder: Folder) -> None:
    """Before the first change, and between two."""
    replace(folder, "M.md", b"by hand\n")
    _write(folder, "a\n")
    replace(folder, "M.md", b"edited\n")
    _write(folder, "b\n")
    changes = _history(folder).changes
    assert [(change.content, change.source) for change in changes] == [
        ("b\n", "tool"),
        ("edited\n", "outside"),
        ("a\n", "tool"),
        ("by hand\n", "outside"),
    ]


def test_a_line_whose_change_never_happened_is_left_out(folder: Folder) -> None:
    """The process died between line and rename: twice, and then it went well."""
    _write(folder, "a\n")
    _record(folder, "a\n", "never\n")
    assert _contents(folder) == ["a\n"]
    _record(folder, "a\n", "nor this\n")
    _write(folder, "b\n")
    _record(folder, "b\n", "")
    assert _contents(folder) == ["b\n", "a\n"]


def test_a_change_that_was_undone_by_hand_happened(
    folder: Folder, tmp_path: Path
) -> None:
    """The page is as before, and the line was confirmed."""
    _write(folder, "a\n")
    (tmp_path / "M.md").unlink()
    assert _contents(folder) == ["a\n"]
    _write(folder, "b\n")
    assert _contents(folder) == ["b\n", "a\n"]


def test_a_withdrawn_line_is_gone(folder: Folder) -> None:
    """The page changed meanwhile, and the change was made anew."""
    _write(folder, "a\n")
    with _journal(folder) as journal:
        journal.withdraw()
        journal.record(_change("a\n", "b\n"))
        journal.withdraw()
    assert _history(folder) == History(_history(folder).changes, 0, 0)
    assert _contents(folder) == ["a\n"]


def test_pages_have_their_own_histories(folder: Folder) -> None:
    """All together in the order of the journal; what is no page is left out."""
    _write(folder, "a\n")
    _write(folder, "x\n", key="N.md")
    _write(folder, "b\n")
    _write(folder, "{}", key="memory-meta.json")
    assert _contents(folder, "N.md") == ["x\n"]
    assert _contents(folder, None) == ["b\n", "x\n", "a\n"]


def test_a_page_that_is_too_large_or_not_text_has_a_history(
    folder: Folder, tmp_path: Path
) -> None:
    """What it is now counts as an edit by hand."""
    _write(folder, "a\n")
    (tmp_path / "M.md").write_bytes(b"\xff\xfe")
    assert _contents(folder) == ["a\n"]
    (tmp_path / "M.md").write_bytes(b"x" * (LIMIT + 1))
    assert _contents(folder) == ["a\n"]


def _ethos(before: str, after: str, **fields: object) -> str:
    """Return a line as Ethos writes it: four lines of context."""
    line = {
        "ts": NOW_MS,
        "scopeId": "user:u1",
        "key": "M.md",
        "actions": ["replace"],
        "source": "dream",
        "beforeHash": f"sha256:{sha256(before.encode()).hexdigest()}",
        "afterHash": f"sha256:{sha256(after.encode()).hexdigest()}",
        "diff": excerpt("M.md", before, after),
    }
    return json.dumps({**line, **fields}) + "\n"


def test_ethos_s_own_lines_are_followed_both_ways(
    folder: Folder, tmp_path: Path
) -> None:
    """Back from the page as it is, and forwards from where it began."""
    start = "".join(f"{number}\n" for number in range(20))
    pages = ["", start, start.replace("3\n", "three\n"), "", "fresh\n", "last\n"]
    lines = [_ethos(*pair) for pair in pairwise(pages)]
    (tmp_path / journal.LIVE).write_text("".join(lines))
    (tmp_path / "M.md").write_text("last\n")
    assert _contents(folder) == [page or None for page in reversed(pages[1:])]
    (tmp_path / "M.md").write_text("edited by hand\n")
    assert _contents(folder) == [page or None for page in reversed(pages[1:])]


def test_a_state_whose_text_is_nowhere_is_counted(
    folder: Folder, tmp_path: Path
) -> None:
    """Ethos keeps four lines of context, and the page was edited since."""
    one = "".join(f"{number}\n" for number in range(20))
    (tmp_path / journal.LIVE).write_text(_ethos(one, one.replace("3", "three")))
    assert _history(folder) == History((), 0, 2)


@pytest.mark.parametrize(
    "damaged",
    [
        "half a li",
        "{}",
        "[1]",
        "[" * 100_000,
        '{"ts":"1","scopeId":"s","key":"M.md","source":"x"}',
        '{"ts":true,"scopeId":1,"key":"M.md","source":"x"}',
        '{"ts":1e300,"scopeId":"s","key":"M.md","source":"x"}',
        '{"ts":NaN,"scopeId":"s","key":"M.md","source":"x"}',
        '{"ts":-1,"scopeId":"s","key":"M.md","source":"x"}',
        '{"ts":1,"scopeId":"s","key":7,"source":"x"}',
        "\udcff",
    ],
)
def test_a_damaged_line_is_counted_and_harms_no_other(
    folder: Folder, tmp_path: Path, damaged: str
) -> None:
    """Torn, of another shape, of another encoding."""
    _write(folder, "a\n")
    with (tmp_path / journal.LIVE).open("ab") as live:
        live.write(damaged.encode(errors="surrogateescape"))
    _write(folder, "b\n")
    history = _history(folder)
    assert [change.content for change in history.changes] == ["b\n", "a\n"]
    assert history.damaged == 1


def test_lines_with_the_least_of_ethos_s_fields_are_passed_over(
    folder: Folder, tmp_path: Path
) -> None:
    """There is no state in them; a name that is no hash becomes no file name."""
    (tmp_path / journal.LIVE).write_text(
        '{"ts":1.5,"scopeId":"s","key":"M.md","source":"x","actions":"a"}\n\n'
        + _ethos("a\n", "\ud800"[:0] + "b\n", blob="../../../etc/passwd", diff="")
    )
    assert _history(folder) == History((), 0, 2)


def test_text_that_cannot_be_encoded_is_nobodys_text(
    folder: Folder, tmp_path: Path
) -> None:
    """A line may be damaged inside its diff."""
    line = _ethos("", "a\n").replace("+a", "+\\ud800")
    (tmp_path / journal.LIVE).write_text(line)
    (tmp_path / "M.md").write_text("other\n")
    assert _history(folder).lost == 1


def test_a_month_moves_to_its_file(folder: Folder, tmp_path: Path) -> None:
    """By UTC; damaged lines go with the line before, and nothing is lost."""
    _write(folder, "a\n", at_ms=NOW_MS - 31 * DAY_MS)
    _write(folder, "b\n", at_ms=NOW_MS - 1 * DAY_MS)
    with (tmp_path / journal.LIVE).open("ab") as live:
        live.write(b"torn\n")
    before = _history(folder)
    _maintain(folder, NOW_MS)
    assert sorted(filter(is_journal, os.listdir(tmp_path))) == [
        "memory-history-2026-10.jsonl",
        "memory-history-2026-11.jsonl",
    ]
    assert _history(folder) == before
    assert b"torn" in (tmp_path / "memory-history-2026-11.jsonl").read_bytes()
    _write(folder, "c\n")
    _maintain(folder, NOW_MS)
    assert (tmp_path / journal.LIVE).exists()
    assert _contents(folder) == ["c\n", "b\n", "a\n"]


def test_a_long_journal_moves_within_its_month(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The live file stays short."""
    monkeypatch.setattr(rotation, "LIVE_BYTES", 1000)
    for number in range(12):
        _maintain(folder, NOW_MS)
        _write(folder, f"{number}\n")
    assert (tmp_path / journal.LIVE).stat().st_size < 1600
    assert len(_contents(folder)) == 12


def test_a_journal_that_begins_with_a_damaged_line_moves_by_size(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its month cannot be told."""
    (tmp_path / journal.LIVE).write_bytes(b"torn\n")
    _maintain(folder, NOW_MS)
    assert (tmp_path / journal.LIVE).exists()
    monkeypatch.setattr(rotation, "LIVE_BYTES", 5)
    _maintain(folder, NOW_MS)
    assert (tmp_path / "memory-history-2026-11.jsonl").read_bytes() == b"torn\n"


def _die_after(patch: pytest.MonkeyPatch, name: str, calls: int) -> None:
    """Let a step of the rotation work so many times, and then kill the process."""
    real = getattr(rotation, name)
    left = [None] * calls

    def step(*args: object, **rest: object) -> object:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return real(*args, **rest)

    patch.setattr(rotation, name, step)


def test_a_rotation_that_dies_loses_nothing_and_doubles_nothing(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each step (W-09); the next one finishes."""
    _write(folder, "a\n", at_ms=NOW_MS - 61 * DAY_MS)
    _write(folder, "b\n", "c\n", at_ms=NOW_MS - 31 * DAY_MS)
    before = _history(folder)

    for step, calls_before in (("append_line", 1), ("remove", 0)):
        with monkeypatch.context() as patch:
            _die_after(patch, step, calls_before)
            with pytest.raises(KeyboardInterrupt):
                _maintain(folder, NOW_MS)
        assert _history(folder) == before
    _maintain(folder, NOW_MS)
    assert _history(folder) == before


def test_what_a_rotation_of_ethos_left_is_read_and_taken_up(
    folder: Folder, tmp_path: Path
) -> None:
    """Ethos would write over it (W-09)."""
    _write(folder, "a\n", "b\n")
    (tmp_path / journal.LIVE).rename(tmp_path / journal.ROTATING)
    assert _contents(folder) == ["b\n", "a\n"]
    _maintain(folder, NOW_MS)
    assert not (tmp_path / journal.ROTATING).exists()
    assert _contents(folder) == ["b\n", "a\n"]


@pytest.mark.parametrize("size", [10, 5000])
def test_the_oldest_changes_are_forgotten_beyond_the_limit(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Whole months, parts of a month, and kept pages that nothing names any more."""
    limit = 60_000
    monkeypatch.setattr(rotation, "HISTORY_LIMIT_BYTES", limit)
    monkeypatch.setattr(rotation, "LIVE_BYTES", 2000)
    pages = [f"{number:04d}" + "x" * size + "\n" for number in range(40 * 5000 // size)]
    pages = pages[:400]
    for number, page in enumerate(pages):
        at_ms = NOW_MS - (400 - number) * DAY_MS
        _maintain(folder, at_ms)
        _write(folder, page, at_ms=at_ms)
    total = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    shown = [content for content in _contents(folder) if content]
    assert total < limit * 1.3
    assert 3 < len(shown) < len(pages)
    assert shown == [*reversed(pages)][: len(shown)]
    assert _history(folder).damaged == 0


def test_kept_pages_that_nothing_names_go_first(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No change is forgotten when they alone are beyond the limit."""
    monkeypatch.setattr(rotation, "LIVE_BYTES", 1)
    monkeypatch.setattr(rotation, "HISTORY_LIMIT_BYTES", 100_000)
    _write(folder, "a" * 5000, "b" * 5000)
    (tmp_path / "history-blobs" / "x.md").write_bytes(b"x" * 100_000)
    _maintain(folder, NOW_MS)
    assert len(os.listdir(tmp_path / "history-blobs")) == 2
    assert _contents(folder) == ["b" * 5000, "a" * 5000]


def test_below_the_limit_nothing_is_forgotten(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept pages that nothing names included: they may be Ethos's."""
    monkeypatch.setattr(rotation, "LIVE_BYTES", 1)
    _write(folder, "a" * 5000)
    (tmp_path / "history-blobs" / "x.md").write_text("")
    _maintain(folder, NOW_MS)
    assert len(os.listdir(tmp_path / "history-blobs")) == 2


def test_a_kept_page_that_vanishes_is_not_counted(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between listing and looking."""
    monkeypatch.setattr(rotation, "LIVE_BYTES", 1)
    _write(folder, "a" * 5000)
    status = Folder.status
    monkeypatch.setattr(
        Folder,
        "status",
        lambda self, name: status(self, name) if "history" in name else None,
    )
    _maintain(folder, NOW_MS)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("memory-history.jsonl", True),
        ("memory-history.jsonl.rotating", True),
        ("memory-history-2026-11.jsonl", True),
        ("memory-history-x.jsonl", False),
        ("memory-pending.jsonl", False),
        ("MEMORY.md", False),
    ],
)
def test_journals_are_known_by_name(name: str, *, is_one: bool) -> None:
    """Erasing takes them."""
    assert is_journal(name) is is_one


_HAPPENINGS = st.lists(
    st.sampled_from(["write", "other", "vain", "hand", "torn"]), max_size=14
)


def _happen(folder: Folder, happenings: list[str]) -> None:
    """Let things happen to a page, twenty days apart."""
    for number, kind in enumerate(happenings):
        page, at_ms = f"- {kind} {number}\n", NOW_MS + number * 20 * DAY_MS
        if kind == "write":
            _write(folder, page, at_ms=at_ms)
        elif kind == "other":
            _write(folder, page, key="OTHER.md", at_ms=at_ms)
        elif kind == "vain":
            _record(folder, _page(folder, "M.md"), page)
        elif kind == "hand":
            replace(folder, "M.md", page.encode(), durability="fast")
        else:
            with LineFile(folder, journal.LIVE) as live:
                live.append(b'{"ts":', synced=False)
        if number % 5 == 4:
            _maintain(folder, at_ms)


@settings(max_examples=40)
@given(happenings=_HAPPENINGS)
def test_the_newest_states_are_those_of_the_whole_history(
    tmp_path_factory: pytest.TempPathFactory, happenings: list[str]
) -> None:
    """Whatever happened: in vain, by hand, over months, on other pages in between."""
    home = tmp_path_factory.mktemp("newest")
    with Root(home).folder(create=True) as folder, locked(folder):
        _happen(folder, happenings)
        for key in ("M.md", None):
            whole = read_history(folder, key, max_bytes=LIMIT)
            for limit in range(len(whole.changes) + 2):
                some = read_history(folder, key, max_bytes=LIMIT, limit=limit)
                assert some.changes == whole.changes[:limit]


def test_older_lines_are_not_parsed_for_the_newest_states(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long history costs what is asked of it."""
    _write(folder, *(f"- {number}\n" for number in range(50)))
    parsed: list[bytes] = []

    def parse(raw: bytes, original: Any = journal.parse) -> Any:
        parsed.append(raw)
        return original(raw)

    monkeypatch.setattr(journal, "parse", parse)
    found = read_history(folder, "M.md", max_bytes=LIMIT, limit=3)
    assert [change.content for change in found.changes] == [
        "- 49\n",
        "- 48\n",
        "- 47\n",
    ]
    assert len(parsed) == 4
