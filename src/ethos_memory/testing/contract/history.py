"""What a page used to be: shown, brought back, and erased for good."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ethos_memory.entry import Add, Delete, Origin, Remove, Replace
from ethos_memory.testing.contract.subject import Subject, raw

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

__all__ = ["HistoryContract"]


class HistoryContract(Subject):
    """`SupportsHistory` and `SupportsErase`; skipped where they are declined."""

    def test_history_tells_the_newest_state_first(
        self, provider: MemoryProvider
    ) -> None:
        """Each with its whole text, who made it, and what was done."""
        history = self.history_of(provider)
        assert history.history(self.scope()) == ()
        provider.sync(self.scope(), [Add("a.md", "one")], origin=Origin("tool"))
        provider.sync(self.scope(), [Add("a.md", "two")], origin=Origin("synthesis"))
        provider.sync(self.scope(), [Remove("a.md", "one")], origin=Origin("cli"))
        provider.sync(self.scope(), [Delete("a.md")], origin=Origin("web-editor"))
        told = [
            (change.source, change.actions, change.content)
            for change in history.history(self.scope())
        ]
        assert told == [
            ("web-editor", ("delete",), None),
            ("cli", ("remove",), "\ntwo\n"),
            ("synthesis", ("add",), "one\n\ntwo\n"),
            ("tool", ("add",), "one\n"),
        ]

    def test_a_state_has_the_revision_it_had(self, provider: MemoryProvider) -> None:
        """``""`` after a deletion; times are aware and in UTC."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "ünï"))
        self.write(provider, Delete("a.md"))
        gone, page = history.history(self.scope())
        assert (gone.key, gone.revision) == ("a.md", "")
        assert page.revision == sha256("ünï\n".encode()).hexdigest()
        for change in (gone, page):
            assert change.at.utcoffset() == timedelta(0)
        assert "ünï" not in repr(page)

    def test_history_of_one_page_is_of_that_page(
        self, provider: MemoryProvider
    ) -> None:
        """And what changed nothing is no state."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "one"), Add("b.md", "two"))
        self.write(provider, Remove("a.md", "zzz"), Add("b.md", " "), Delete("c.md"))
        assert {change.key for change in history.history(self.scope())} == {
            "a.md",
            "b.md",
        }
        [change] = history.history(self.scope(), "b.md")
        assert change.content == "two\n"
        assert history.history(self.scope(), "c.md") == ()

    def test_a_state_can_be_brought_back(self, provider: MemoryProvider) -> None:
        """Byte for byte, as a new change; found by search again."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "- one\r\n\r\n- a walrus  \r\n- tea"))
        self.write(provider, Remove("a.md", "one"))
        first = raw(provider, self.scope(), "a.md")
        assert first == "\r\n- a walrus  \r\n- tea\r\n"
        state, _ = history.history(self.scope(), "a.md")
        self.write(provider, Replace("a.md", "other"))
        report = history.restore(self.scope(), "a.md", state.revision)
        assert raw(provider, self.scope(), "a.md") == first
        assert [change.key for change in report.changes] == ["a.md"]
        assert report.changes[0].revision_after == state.revision
        newest = history.history(self.scope(), "a.md")[0]
        assert (newest.source, newest.content) == ("restore", first)
        assert len(history.history(self.scope(), "a.md")) == 4
        assert self.find(provider, "walrus") == ["a.md"]

    def test_a_deletion_can_be_undone_and_done_again(
        self, provider: MemoryProvider
    ) -> None:
        """Its revision is ``""``."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "one"))
        [state] = history.history(self.scope(), "a.md")
        self.write(provider, Delete("a.md"))
        history.restore(self.scope(), "a.md", state.revision)
        assert raw(provider, self.scope(), "a.md") == "one\n"
        history.restore(self.scope(), "a.md", "")
        assert raw(provider, self.scope(), "a.md") is None

    def test_a_state_that_never_was_is_not_brought_back(
        self, provider: MemoryProvider
    ) -> None:
        """Nor one of another page or scope; nothing changes."""
        history = self.history_of(provider)
        self.write(provider, Add("a.md", "one"), Add("b.md", "two"))
        provider.sync(self.scope("bo"), [Add("a.md", "three")])
        two = sha256(b"two\n").hexdigest()
        three = sha256(b"three\n").hexdigest()
        for revision in ("", "x", "0" * 64, two, three):
            with pytest.raises(LookupError):
                history.restore(self.scope(), "a.md", revision)
        assert raw(provider, self.scope(), "a.md") == "one\n"

    def test_erasing_leaves_nothing(self, provider: MemoryProvider) -> None:
        """Pages, history, what overflowed, and what a search knows."""
        eraser = self.eraser_of(provider)
        self.write(provider, Add("MEMORY.md", "walrus"), Add("b.md", "walrus"))
        self.write(provider, Delete("b.md"))
        assert self.find(provider, "walrus") == ["MEMORY.md"]
        report = eraser.erase(self.scope())
        assert str(report.scope) == self.scope()
        assert report.files
        assert provider.list(self.scope()) == ()
        assert provider.read(self.scope(), "MEMORY.md") is None
        assert not provider.prefetch(self.scope())
        assert provider.search(self.scope(), "walrus") == ()
        if self.capabilities.history:
            assert self.history_of(provider).history(self.scope()) == ()

    def test_erasing_can_be_repeated(self, provider: MemoryProvider) -> None:
        """And of a scope without memory it is no error."""
        eraser = self.eraser_of(provider)
        self.write(provider, Add("MEMORY.md", "walrus"))
        eraser.erase(self.scope())
        assert eraser.erase(self.scope()).files == ()
        assert eraser.erase(self.scope("nobody")).files == ()

    def test_an_erased_scope_begins_anew(self, provider: MemoryProvider) -> None:
        """With nothing of what was there."""
        eraser = self.eraser_of(provider)
        self.write(provider, Add("MEMORY.md", "walrus"))
        eraser.erase(self.scope())
        self.write(provider, Add("MEMORY.md", "bees"))
        assert raw(provider, self.scope(), "MEMORY.md") == "bees\n"
        assert self.find(provider, "walrus") == []
        assert self.find(provider, "bees") == ["MEMORY.md"]
