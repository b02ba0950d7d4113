"""What a person types finds the pages that hold it, as they are now."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101, PLR2004

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.errors import UnsupportedError
from ethos_memory.testing.contract.subject import Subject
from ethos_memory.testing.hostile import HOSTILE_QUERIES

if TYPE_CHECKING:
    from ethos_memory.entry import Update
    from ethos_memory.provider import MemoryProvider

__all__ = ["SearchingContract"]

#: A page, and something that a person would type to find it (cases B09 and B10).
_FOUND: Final = (
    ("keeps bees on the roof", "bees"),
    ("keeps bees on the roof", "BEES roof"),
    ("runs chat-send every night", "chat-send"),
    ("version 2.10.3 of node", "2.10.3"),
    ("the file /srv/data/a_b.txt", "a_b.txt"),
    ("Zoë Ångström", "zoe angstrom"),
    ("Zoe\u0308 drinks café au lait", "cafe"),
    ("新しい項目を確認する会議", "項目"),
    ("他喜欢设备管理", "设备"),
    ("다음 회의는 월요일", "회의"),
    ("Прогулка по парку", "прогулка"),
    ("party 🎉 on Friday", "🎉"),
    ("writes C++ and C#", "C++"),
    ("don't call before nine", "don't"),
)

#: What is never there.
_NOWHERE: Final = "quetzalcoatlus"


class SearchingContract(Subject):
    """`search`."""

    def _texts(self, provider: MemoryProvider, query: str) -> str:
        """Return everything that a search shows, in every mode."""
        shown = []
        for mode in (None, *self.capabilities.modes):
            for hit in provider.search(self.scope(), query, limit=99, mode=mode):
                shown += [hit.content, hit.snippet]
        return "\n".join(shown)

    def test_a_page_is_found_by_what_a_person_types(
        self, provider: MemoryProvider
    ) -> None:
        """In any script, whatever the case, accents or signs in between."""
        for number, (text, query) in enumerate(_FOUND):
            scope = self.scope(f"case-{number}")
            provider.sync(scope, [Add("it.md", text), Add("other.md", "walrus 42")])
            keys = self.find(provider, query, scope=scope)
            assert (query, keys) == (query, ["it.md"])

    def test_a_hit_shows_the_page_and_the_place(self, provider: MemoryProvider) -> None:
        """Its whole text, and the words around the hit."""
        filler = "\n".join(f"- filler number {number}" for number in range(200))
        self.write(provider, Add("a.md", f"{filler}\n- the walrus sings\n{filler}"))
        [hit] = provider.search(self.scope(), "walrus")
        entry = provider.read(self.scope(), "a.md")
        assert entry is not None
        assert (hit.key, hit.content) == ("a.md", entry.content)
        assert "walrus" in hit.snippet
        assert len(hit.snippet) < len(hit.content) / 4

    def test_nothing_is_found_where_nothing_is(self, provider: MemoryProvider) -> None:
        """A word that is on no page, and an empty query."""
        self.write(provider, Add("a.md", "bees"))
        for query in (_NOWHERE, "", "  \n"):
            assert self.find(provider, query) == []

    def test_the_best_comes_first(self, provider: MemoryProvider) -> None:
        """Pages with all the words before those with one of them."""
        self.write(provider, Add("a.md", "walrus walrus walrus tea"))
        self.write(provider, Add("b.md", "walrus pickle"))
        self.write(provider, Add("c.md", "pickle and milk"))
        keys = self.find(provider, "walrus pickle")
        assert keys[0] == "b.md"
        assert sorted(keys) == ["a.md", "b.md", "c.md"]
        for mode in (None, *self.capabilities.modes):
            hits = provider.search(self.scope(), "walrus pickle", mode=mode)
            scores = [hit.score for hit in hits]
            assert scores == sorted(scores, reverse=True)
            assert len({hit.key for hit in hits}) == len(hits)

    def test_a_limit_takes_the_best(self, provider: MemoryProvider) -> None:
        """0 is none, and below 0 an error; ten are enough unless it is said."""
        for number in range(12):
            self.write(provider, Add(f"{number:02}.md", f"walrus number-{number}"))
        for mode in (None, *self.capabilities.modes):
            find = provider.search
            all_of_it = find(self.scope(), "walrus", limit=99, mode=mode)
            assert len(all_of_it) == 12
            for limit in (0, 1, 5):
                hits = find(self.scope(), "walrus", limit=limit, mode=mode)
                assert hits == all_of_it[:limit]
            assert find(self.scope(), "walrus", mode=mode) == all_of_it[:10]
            with pytest.raises(ValueError, match="limit"):
                find(self.scope(), "walrus", limit=-1, mode=mode)

    def test_no_query_raises_or_is_syntax(self, provider: MemoryProvider) -> None:
        """Nothing that is typed can be a mistake."""
        self.write(provider, Add("a.md", "bees and tea"))
        for query in HOSTILE_QUERIES:
            for mode in (None, *self.capabilities.modes):
                assert isinstance(
                    provider.search(self.scope(), query, mode=mode), tuple
                )
        for query in ("* bees", "bees OR", 'bees "', "tea) bees", "bees:*"):
            assert (query, self.find(provider, query)) == (query, ["a.md"])

    def test_a_mode_that_is_not_there_says_so(self, provider: MemoryProvider) -> None:
        """Another one is never used in its place."""
        self.write(provider, Add("a.md", "bees"))
        modes: list[Any] = ["keyword", "semantic", "hybrid", "", "KEYWORD"]
        for mode in modes:
            if mode in self.capabilities.modes:
                provider.search(self.scope(), "bees", mode=mode)
            else:
                with pytest.raises(UnsupportedError):
                    provider.search(self.scope(), "bees", mode=mode)

    def test_what_is_gone_is_found_no_more(self, provider: MemoryProvider) -> None:
        """Removed, replaced or deleted: in every mode, at once (case B11)."""
        self.write(provider, Add("a.md", "- zebrafish quantum\n- keeps bees"))
        self.write(provider, Add("b.md", "- something else"))
        assert self.find(provider, "zebrafish") == ["a.md"]
        steps: tuple[tuple[Update, str], ...] = (
            (Remove("a.md", "zebrafish"), "zebrafish"),
            (Replace("a.md", "- keeps ducks"), "bees"),
            (Delete("a.md"), "ducks"),
        )
        for update, word in steps:
            assert word in self._texts(provider, word)
            self.write(provider, update)
            assert word not in self._texts(provider, word)
            assert self.find(provider, word) == []

    def test_what_is_new_is_found_at_once(self, provider: MemoryProvider) -> None:
        """Also on a page that an earlier search has seen."""
        self.write(provider, Add("a.md", "bees"))
        assert self.find(provider, "walrus") == []
        self.write(provider, Add("a.md", "walrus"), Add("b.md", "walrus"))
        assert sorted(self.find(provider, "walrus")) == ["a.md", "b.md"]

    def test_signals_that_wait_are_not_searched(self, provider: MemoryProvider) -> None:
        """`OBSERVATIONS.md` can be read and listed, and is no memory yet."""
        self.write(provider, Add("OBSERVATIONS.md", "- User likes walrus"))
        assert [ref.key for ref in provider.list(self.scope())] == ["OBSERVATIONS.md"]
        assert "walrus" not in self._texts(provider, "walrus")
