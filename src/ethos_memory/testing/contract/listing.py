"""What a scope holds: the list of its pages, and those for a prompt."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from ethos_memory.entry import Add, Delete, Replace
from ethos_memory.testing.contract.subject import Subject, raw

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

__all__ = ["ListingContract"]

#: In the order of their code points, which no language's alphabet has.
_SORTED: Final = (
    "0.md",
    "B.md",
    "MEMORY.md",
    "Z.md",
    "_.md",
    "a-b.md",
    "a.md",
    "a_b.md",
)


class ListingContract(Subject):
    """`list` and `prefetch`."""

    def _prefetched(self, provider: MemoryProvider) -> list[str]:
        return [entry.key for entry in provider.prefetch(self.scope()).entries]

    def test_pages_are_listed_by_name(self, provider: MemoryProvider) -> None:
        """In the order of code points, whatever order they were written in."""
        for key in (*_SORTED[::2], *reversed(_SORTED[1::2])):
            self.write(provider, Add(key, "x"))
        assert tuple(ref.key for ref in provider.list(self.scope())) == _SORTED

    def test_a_limit_takes_the_first(self, provider: MemoryProvider) -> None:
        """0 is none, and below 0 an error."""
        for key in _SORTED:
            self.write(provider, Add(key, "x"))
        for limit in (0, 1, 3, 99):
            refs = provider.list(self.scope(), limit=limit)
            assert tuple(ref.key for ref in refs) == _SORTED[:limit]
        with pytest.raises(ValueError, match="limit"):
            provider.list(self.scope(), limit=-1)
        with pytest.raises(ValueError, match="limit"):
            provider.list(self.scope("nobody"), limit=-1)

    def test_a_page_is_listed_with_its_measures(self, provider: MemoryProvider) -> None:
        """Size in bytes, and the time that `read` tells."""
        self.write(provider, Add("a.md", "ünï 項目 🎉"))
        [ref] = provider.list(self.scope())
        entry = provider.read(self.scope(), "a.md")
        assert entry is not None
        assert ref.size == len(entry.content.encode())
        assert ref.updated_at == entry.updated_at

    def test_a_summary_is_the_first_paragraph(self, provider: MemoryProvider) -> None:
        """Only when summaries are asked for."""
        self.write(provider, Add("a.md", "# Tea\nand milk\n\nsecond paragraph"))
        self.write(provider, Replace("b.md", ""))
        assert [ref.summary for ref in provider.list(self.scope())] == [None, None]
        refs = provider.list(self.scope(), summaries=True)
        assert [ref.summary for ref in refs] == ["# Tea\nand milk", ""]

    def test_a_deleted_page_is_listed_no_more(self, provider: MemoryProvider) -> None:
        """A blank one is."""
        self.write(provider, Add("a.md", "x"), Add("b.md", "x"))
        self.write(provider, Delete("a.md"), Replace("b.md", ""))
        assert [ref.key for ref in provider.list(self.scope())] == ["b.md"]
        assert raw(provider, self.scope(), "b.md") == "\n"

    def test_the_rolling_pages_are_prefetched(self, provider: MemoryProvider) -> None:
        """`MEMORY.md` before `USER.md`, and no other page."""
        for key in ("USER.md", "IDENTITY.md", "OBSERVATIONS.md", "a.md", "MEMORY.md"):
            self.write(provider, Add(key, f"text of {key}"))
        snapshot = provider.prefetch(self.scope())
        if not self.capabilities.prefetch:
            assert snapshot.entries == ()
            pytest.skip("prefetch is declined")
        assert self._prefetched(provider) == ["MEMORY.md", "USER.md"]
        assert str(snapshot.scope) == self.scope()
        for entry in snapshot.entries:
            assert entry == provider.read(self.scope(), entry.key)
            assert entry.content == f"text of {entry.key}\n"

    def test_a_blank_page_is_not_prefetched(self, provider: MemoryProvider) -> None:
        """Nor is one that was deleted."""
        self.write(provider, Replace("MEMORY.md", " \ufeff\n"), Add("USER.md", "x"))
        wanted = ["USER.md"] if self.capabilities.prefetch else []
        assert self._prefetched(provider) == wanted
        self.write(provider, Delete("USER.md"))
        assert self._prefetched(provider) == []
