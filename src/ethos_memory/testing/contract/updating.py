"""What the four updates mean (DESIGN section 5), and what is told of them."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import pytest

from ethos_memory.entry import (
    Add,
    Delete,
    KeyChange,
    Origin,
    Remove,
    Replace,
    SyncReport,
    apply_updates,
)
from ethos_memory.testing.contract.subject import PERSON, Subject, raw
from ethos_memory.testing.hostile import HOSTILE_TEXTS

if TYPE_CHECKING:
    from ethos_memory.entry import Update
    from ethos_memory.provider import MemoryProvider

__all__ = ["UpdatingContract"]

_KEY: Final = "MEMORY.md"

#: A page, what is done to it, and the page after that; `None` is no page.
_MEANINGS: Final[tuple[tuple[str | None, tuple[Update, ...], str | None], ...]] = (
    (None, (Add(_KEY, "a"),), "a\n"),
    (None, (Add(_KEY, "\n  a  \n\n"),), "a\n"),
    (None, (Add(_KEY, " \n\ufeff"),), None),
    (None, (Add(_KEY, "a"), Add(_KEY, "b")), "a\n\nb\n"),
    ("a\n", (Add(_KEY, "b"),), "a\n\nb\n"),
    ("a\n", (Add(_KEY, "  "),), "a\n"),
    ("- a\n- b\n", (Add(_KEY, "- c\n- d"),), "- a\n- b\n\n- c\n- d\n"),
    ("a\n", (Replace(_KEY, "  b\nc "),), "b\nc\n"),
    ("a\n", (Replace(_KEY, ""),), "\n"),
    (None, (Replace(_KEY, "b"),), "b\n"),
    ("a\n", (Replace(_KEY, " b \r\n\nc  ", exact=True),), " b \r\n\nc  "),
    ("a\n", (Replace(_KEY, "", exact=True),), "\n"),
    ("- a1\n- b\n- a2\n", (Remove(_KEY, "a"),), "- b\n"),
    ("- a\n- b\n", (Remove(_KEY, "A"),), "- a\n- b\n"),
    ("- a.c\n- abc\n", (Remove(_KEY, "a.c"),), "- abc\n"),
    ("- a\n- b\n", (Remove(_KEY, ""),), "- a\n- b\n"),
    ("- a\n- b\n", (Remove(_KEY, "zzz"),), "- a\n- b\n"),
    ("- a\n", (Remove(_KEY, "a"),), "\n"),
    (None, (Remove(_KEY, "a"),), None),
    ("a\n", (Delete(_KEY),), None),
    (None, (Delete(_KEY),), None),
    ("a\n", (Delete(_KEY), Add(_KEY, "b")), "b\n"),
    ("a\n", (Add(_KEY, "b"), Delete(_KEY)), None),
    ("a\n", (Replace(_KEY, "b"), Replace(_KEY, "c")), "c\n"),
    ("a\n", (Add(_KEY, "b"), Remove(_KEY, "b")), "a\n"),
    ("a\r\nb\r\n", (Add(_KEY, "c\nd"),), "a\r\nb\r\n\r\nc\r\nd\r\n"),
    ("a\r\nb\r\nc\r\n", (Remove(_KEY, "b"),), "a\r\nc\r\n"),
)


class UpdatingContract(Subject):
    """Reading and writing pages."""

    def test_a_new_provider_is_empty(self, provider: MemoryProvider) -> None:
        """Fresh and empty is what the fixture promises."""
        assert provider.read(self.scope(), _KEY) is None
        assert provider.list(self.scope()) == ()
        assert provider.search(self.scope(), "a") == ()
        assert not provider.prefetch(self.scope())
        assert provider.prefetch(self.scope()).entries == ()

    def test_what_is_written_can_be_read(self, provider: MemoryProvider) -> None:
        """With the sha256 of its bytes as revision, and the time in UTC."""
        before = datetime.now(UTC) - timedelta(seconds=5)
        self.write(provider, Add("notes.md", "- ünï 項目 🎉"))
        entry = provider.read(self.scope(), "notes.md")
        assert entry is not None
        assert (entry.key, entry.content) == ("notes.md", "- ünï 項目 🎉\n")
        assert entry.revision == sha256(entry.content.encode()).hexdigest()
        assert entry.updated_at.utcoffset() == timedelta(0)
        assert before <= entry.updated_at <= datetime.now(UTC) + timedelta(seconds=5)

    def test_the_updates_mean_what_the_design_says(
        self, provider: MemoryProvider
    ) -> None:
        """Byte for byte, alone and several in one batch."""
        for number, (before, updates, after) in enumerate(_MEANINGS):
            scope = self.scope(f"case-{number}")
            if before is not None:
                provider.sync(scope, [Replace(_KEY, before)])
            if before is not None and "\r\n" not in before:
                assert raw(provider, scope, _KEY) == before
            provider.sync(scope, updates)
            assert (number, raw(provider, scope, _KEY)) == (number, after)

    def test_any_text_is_kept_as_it_is(self, provider: MemoryProvider) -> None:
        """But for trimming; half a character becomes U+FFFD."""
        for number, text in enumerate(HOSTILE_TEXTS):
            scope = self.scope(f"text-{number}")
            for update in (Add(_KEY, text), Replace("other.md", text), Add(_KEY, text)):
                provider.sync(scope, [update], origin=PERSON)
            once = apply_updates(None, [Replace(_KEY, text)])
            twice = apply_updates(None, [Add(_KEY, text), Add(_KEY, text)])
            assert raw(provider, scope, "other.md") == once
            assert raw(provider, scope, _KEY) == twice

    def test_the_report_tells_what_changed(self, provider: MemoryProvider) -> None:
        """Actions, revisions, sizes in bytes, and how many lines went."""
        self.write(provider, Add(_KEY, "- é\n- tea\n- tea too"))
        old = provider.read(self.scope(), _KEY)
        assert old is not None
        report = self.write(provider, Add(_KEY, "- x"), Remove(_KEY, "tea"))
        new = provider.read(self.scope(), _KEY)
        assert new is not None
        assert report.changes == (
            KeyChange(
                _KEY,
                ("add", "remove"),
                revision_before=old.revision,
                revision_after=new.revision,
                size_before=len(old.content.encode()),
                size_after=len("- é\n\n- x\n".encode()),
                lines_removed=2,
            ),
        )
        [gone] = self.write(provider, Delete(_KEY)).changes
        assert (gone.revision_before, gone.revision_after) == (new.revision, "")
        assert (gone.size_after, gone.actions, gone.is_change) == (0, ("delete",), True)

    def test_what_changes_nothing_is_told_as_no_change(
        self, provider: MemoryProvider
    ) -> None:
        """And nothing is written: the page's time stays."""
        self.write(provider, Add(_KEY, "a"))
        before = provider.read(self.scope(), _KEY)
        for update in (Add(_KEY, " "), Remove(_KEY, "zzz"), Replace(_KEY, " a\n")):
            [change] = self.write(provider, update).changes
            assert not change.is_change
            assert (change.size_before, change.size_after) == (2, 2)
            assert change.lines_removed == 0
        assert provider.read(self.scope(), _KEY) == before
        [change] = self.write(provider, Delete("other.md")).changes
        assert (change.revision_before, change.revision_after) == ("", "")

    def test_keys_are_told_in_the_order_they_are_first_named(
        self, provider: MemoryProvider
    ) -> None:
        """One change for each key; the order of the updates holds within it."""
        report = self.write(
            provider,
            Add("z.md", "1"),
            Add("a.md", "1"),
            Add("z.md", "2"),
            Remove("a.md", "1"),
            Add("a.md", "3"),
        )
        assert [change.key for change in report.changes] == ["z.md", "a.md"]
        assert report.changes[0].actions == ("add", "add")
        assert report.changes[1].actions == ("add", "remove", "add")
        assert raw(provider, self.scope(), "z.md") == "1\n\n2\n"
        assert raw(provider, self.scope(), "a.md") == "3\n"

    def test_any_iterable_is_a_batch(self, provider: MemoryProvider) -> None:
        """An empty one is none, and one that is used up by reading is read once."""
        assert self.write(provider) == SyncReport(())
        texts = ("one", "two")
        provider.sync(self.scope(), (Add(_KEY, text) for text in texts))
        assert raw(provider, self.scope(), _KEY) == "one\n\ntwo\n"

    def test_something_else_in_a_batch_is_refused(
        self, provider: MemoryProvider
    ) -> None:
        """Before anything of the batch is written."""
        wrong: list[Any] = [Add(_KEY, "x"), {"action": "add"}]
        with pytest.raises(TypeError):
            provider.sync(self.scope(), wrong)
        assert provider.list(self.scope()) == ()

    def test_an_origin_is_taken_from_anybody(self, provider: MemoryProvider) -> None:
        """It says who writes, and changes nothing else about an ordinary text."""
        for number, source in enumerate(("tool", "synthesis", "web-editor", "cli")):
            origin = Origin(source, "session-1", platform="telegram")
            provider.sync(self.scope(), [Add(_KEY, f"{number}")], origin=origin)
        assert raw(provider, self.scope(), _KEY) == "0\n\n1\n\n2\n\n3\n"

    def test_a_page_keeps_to_its_cap(self, provider: MemoryProvider) -> None:
        """512 KiB; the newest whole lines stay."""
        tea = "tea " * 60
        lines = "".join(f"- line {tea}{number:04}\n" for number in range(1_600))
        self.write(provider, Add("large.md", lines))
        self.write(provider, Add("large.md", lines.replace("line", "more")))
        text = raw(provider, self.scope(), "large.md")
        assert text is not None
        assert 500 * 1024 < len(text.encode()) <= 512 * 1024
        assert text.endswith(f"- more {tea}1599\n")
        assert text.split("\n")[0].startswith("- ")

    def test_the_head_of_a_page_is_text_or_kept(self, provider: MemoryProvider) -> None:
        """An `Add` keeps front matter in any case; the rest is as the flag says."""
        head = "---\ntags: [tea, 'ü']\n---\n"
        self.write(provider, Replace(_KEY, f"{head}\n- tea\n"))
        self.write(provider, Add(_KEY, "- milk"))
        assert raw(provider, self.scope(), _KEY) == f"{head}\n- tea\n\n- milk\n"
        self.write(provider, Remove(_KEY, "tea"))
        kept = f"{head}\n\n- milk\n" if self.capabilities.front_matter else None
        assert raw(provider, self.scope(), _KEY) == (kept or "---\n---\n\n\n- milk\n")
        self.write(provider, Replace(_KEY, "new"))
        kept = f"{head}new\n" if self.capabilities.front_matter else "new\n"
        assert raw(provider, self.scope(), _KEY) == kept
        provider.sync(self.scope(), [Replace(_KEY, "mine")], origin=PERSON)
        assert raw(provider, self.scope(), _KEY) == "mine\n"
