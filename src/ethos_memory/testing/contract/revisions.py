"""Nobody overwrites what they have not seen: `if_revision` and many writers."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import pytest

from ethos_memory.entry import Add, Delete, Replace
from ethos_memory.errors import RevisionConflictError
from ethos_memory.testing.contract.subject import Subject, raw

if TYPE_CHECKING:
    from ethos_memory.entry import MemoryEntry, Update
    from ethos_memory.provider import MemoryProvider

__all__ = ["RevisionsContract"]

_KEY: Final = "MEMORY.md"
_WRITERS: Final = 4


class RevisionsContract(Subject):
    """Revisions, and writers at the same time."""

    def _page(self, provider: MemoryProvider, text: str) -> MemoryEntry:
        self.write(provider, Replace(_KEY, text))
        entry = provider.read(self.scope(), _KEY)
        assert entry is not None
        return entry

    def test_the_revision_that_was_read_is_good(self, provider: MemoryProvider) -> None:
        """For a `Replace` and for a `Delete`."""
        page = self._page(provider, "one")
        self.write(provider, Replace(_KEY, "two", if_revision=page.revision))
        page = self._page(provider, "three")
        self.write(provider, Delete(_KEY, if_revision=page.revision))
        assert provider.read(self.scope(), _KEY) is None

    def test_an_old_revision_is_a_conflict(self, provider: MemoryProvider) -> None:
        """It carries what is there now, and nothing was written."""
        old = self._page(provider, "one")
        new = self._page(provider, "two")
        for update in (
            Replace(_KEY, "mine", if_revision=old.revision),
            Delete(_KEY, if_revision=old.revision),
            Replace(_KEY, "mine", if_revision=""),
            Replace(_KEY, "mine", if_revision="0" * 64),
        ):
            with pytest.raises(RevisionConflictError) as caught:
                self.write(provider, update)
            conflict = caught.value
            assert (conflict.scope, conflict.key) == (self.scope(), _KEY)
            assert (conflict.revision, conflict.content) == (new.revision, "two\n")
            assert conflict.written == ()
        assert provider.read(self.scope(), _KEY) == new

    def test_the_same_text_has_the_same_revision(
        self, provider: MemoryProvider
    ) -> None:
        """A revision is of bytes: there and back again is no change."""
        first = self._page(provider, "one")
        assert self._page(provider, "two").revision != first.revision
        assert self._page(provider, "one").revision == first.revision
        self.write(provider, Replace(_KEY, "three", if_revision=first.revision))
        assert raw(provider, self.scope(), _KEY) == "three\n"

    def test_no_revision_means_that_there_must_be_no_page(
        self, provider: MemoryProvider
    ) -> None:
        """So that two who create a page do not lose one of the two."""
        for revision in ("0" * 64, "x"):
            with pytest.raises(RevisionConflictError) as caught:
                self.write(provider, Replace(_KEY, "x", if_revision=revision))
            assert (caught.value.revision, caught.value.content) == ("", None)
        assert provider.list(self.scope()) == ()
        self.write(provider, Replace(_KEY, "first", if_revision=""))
        with pytest.raises(RevisionConflictError):
            self.write(provider, Replace(_KEY, "second", if_revision=""))
        assert raw(provider, self.scope(), _KEY) == "first\n"

    def test_a_conflict_leaves_the_whole_batch_unwritten(
        self, provider: MemoryProvider
    ) -> None:
        """Also what stands before it."""
        self.write(provider, Add("b.md", "kept"))
        batch: list[Update] = [
            Add("a.md", "new"),
            Add("b.md", "more"),
            Replace("c.md", "x", if_revision="0" * 64),
        ]
        with pytest.raises(RevisionConflictError) as caught:
            self.write(provider, *batch)
        assert caught.value.key == "c.md"
        assert [ref.key for ref in provider.list(self.scope())] == ["b.md"]
        assert raw(provider, self.scope(), "b.md") == "kept\n"

    def test_a_revision_is_checked_once_before_the_batch(
        self, provider: MemoryProvider
    ) -> None:
        """It is the page that the caller saw, whatever the batch does first."""
        page = self._page(provider, "one")
        self.write(
            provider,
            Add(_KEY, "two"),
            Replace(_KEY, "three", if_revision=page.revision),
            Add(_KEY, "four"),
        )
        assert raw(provider, self.scope(), _KEY) == "three\n\nfour\n"

    def test_a_conflict_tells_nobody_else_the_text(
        self, provider: MemoryProvider
    ) -> None:
        """What was remembered is in no message: those end up in logs."""
        self._page(provider, "zebrafish marmalade")
        with pytest.raises(RevisionConflictError) as caught:
            self.write(provider, Replace(_KEY, "walrus pickle", if_revision=""))
        error: BaseException | None = caught.value
        while error is not None:
            told = f"{error} {error!r} {error.args}"
            assert "zebrafish" not in told
            assert "walrus" not in told
            error = error.__cause__ or error.__context__

    def test_values_show_no_text(self, provider: MemoryProvider) -> None:
        """What is remembered is in no `repr`."""
        report = self.write(provider, Add(_KEY, "zebrafish marmalade"))
        values = (
            report,
            provider.read(self.scope(), _KEY),
            provider.prefetch(self.scope()),
            provider.search(self.scope(), "zebrafish"),
            provider.list(self.scope(), summaries=True),
        )
        for value in values:
            assert "marmalade" not in repr(value)

    def test_writers_at_the_same_time_lose_nothing(
        self, provider: MemoryProvider
    ) -> None:
        """Every line of every thread is there once."""

        def write(number: int) -> None:
            for line in range(5):
                self.write(provider, Add(_KEY, f"- {number}.{line}"))

        with ThreadPoolExecutor(_WRITERS) as threads:
            list(threads.map(write, range(_WRITERS)))
        text = raw(provider, self.scope(), _KEY) or ""
        lines = sorted(line for line in text.split("\n") if line)
        assert lines == sorted(f"- {n}.{m}" for n in range(_WRITERS) for m in range(5))

    def test_of_writers_with_one_revision_one_wins(
        self, provider: MemoryProvider
    ) -> None:
        """The others get a conflict, and see what won."""
        for number in range(5):
            seen = self._page(provider, f"round {number}").revision

            def write(name: int, seen: str = seen) -> str:
                try:
                    self.write(
                        provider, Replace(_KEY, f"writer {name}", if_revision=seen)
                    )
                except RevisionConflictError as conflict:
                    return conflict.content or ""
                return "won"

            with ThreadPoolExecutor(_WRITERS) as threads:
                told = list(threads.map(write, range(_WRITERS)))
            winner = f"writer {told.index('won')}\n"
            assert raw(provider, self.scope(), _KEY) == winner
            assert sorted(told) == sorted(["won", *[winner] * (_WRITERS - 1)])
