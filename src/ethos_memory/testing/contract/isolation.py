"""Memory of one scope is never seen, found, changed or erased from another."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.testing.contract.subject import Subject, raw

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

__all__ = ["IsolationContract"]


class IsolationContract(Subject):
    """Many scopes in one provider."""

    def _scopes(self) -> tuple[str, ...]:
        """Return scopes whose ids are near each other.

        One begins with another, and ``_`` and ``-`` are wildcards or separators in
        some stores.
        """
        ids = ("a_b", "axb", "a-b", "ab", "a_", "a", "a_b_c")
        first = tuple(self.scope(id) for id in ids)
        others = self.capabilities.kinds[1:]
        return (*first, *(f"{kind}:{id}" for kind in others for id in ("a_b", "a")))

    def _fill(self, provider: MemoryProvider) -> None:
        for scope in self._scopes():
            for key in ("MEMORY.md", "USER.md", "notes.md"):
                provider.sync(scope, [Add(key, f"needle of <{scope}>")])

    def test_each_scope_has_its_own_pages(self, provider: MemoryProvider) -> None:
        """The same key in each is another page, by every way to read it."""
        self._fill(provider)
        for scope in self._scopes():
            text = f"needle of <{scope}>\n"
            for key in ("MEMORY.md", "USER.md", "notes.md"):
                assert raw(provider, scope, key) == text
            found = provider.prefetch(scope).entries
            assert {entry.content for entry in found} <= {text}
            assert len(provider.list(scope)) == 3
            refs = provider.list(scope, summaries=True)
            assert {ref.summary for ref in refs} == {text.strip()}

    def test_a_search_stays_in_its_scope(self, provider: MemoryProvider) -> None:
        """However many pages elsewhere answer better; the limit counts own pages."""
        self._fill(provider)
        for scope in self._scopes():
            hits = provider.search(scope, "needle", limit=99)
            assert {hit.content for hit in hits} == {f"needle of <{scope}>\n"}
            assert len(hits) == 3
            assert len(provider.search(scope, "needle", limit=2)) == 2
        empty = self.scope("nobody")
        assert provider.search(empty, "needle", limit=99) == ()

    def test_a_change_stays_in_its_scope(self, provider: MemoryProvider) -> None:
        """Each of the four updates, in each scope."""
        self._fill(provider)
        changed = self._scopes()[0]
        provider.sync(changed, [Add("MEMORY.md", "more"), Replace("USER.md", "other")])
        provider.sync(changed, [Remove("MEMORY.md", "needle"), Delete("notes.md")])
        for scope in self._scopes()[1:]:
            for key in ("MEMORY.md", "USER.md", "notes.md"):
                assert raw(provider, scope, key) == f"needle of <{scope}>\n"
        assert raw(provider, changed, "MEMORY.md") == "\nmore\n"
        assert raw(provider, changed, "notes.md") is None

    def test_history_and_erasure_stay_in_their_scope(
        self, provider: MemoryProvider
    ) -> None:
        """One person who leaves takes nobody else's memory along."""
        eraser = self.eraser_of(provider)
        self._fill(provider)
        gone, *others = self._scopes()
        eraser.erase(gone)
        assert provider.list(gone) == ()
        for scope in others:
            assert len(provider.list(scope)) == 3
            assert len(provider.search(scope, "needle", limit=99)) == 3
        if self.capabilities.history:
            history = self.history_of(provider)
            assert history.history(gone) == ()
            for scope in others:
                texts = {change.content for change in history.history(scope)}
                assert texts == {f"needle of <{scope}>\n"}
