"""Random histories of any provider, compared with a dictionary after each step."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from typing_extensions import override

from ethos_memory.entry import Origin, Replace, apply_updates, trim
from ethos_memory.errors import GuardRefusedError, RevisionConflictError
from ethos_memory.testing.capabilities import Capabilities
from ethos_memory.testing.contract.subject import raw
from ethos_memory.testing.strategies import page_text, updates
from ethos_memory.words import terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.entry import Update
    from ethos_memory.provider import MemoryProvider

__all__ = ["ProviderStateMachine", "provider_state_machine"]

_KEYS: Final = ("MEMORY.md", "USER.md", "a.md", "B.md", "OBSERVATIONS.md")
_IDS: Final = ("ana", "ana_b", "bo")
_PERSON: Final = Origin("cli")
_ORIGINS: Final = (None, Origin("tool"), _PERSON)

#: One scope is used more than the others, so that histories grow in it.
_NUMBERS: Final = st.sampled_from((0, 0, 0, 0, 1, 2, 3, 4, 5))

#: Searches that are made again after each step.
_ASKED: Final = 4

#: Never found by a search.
_NOT_SEARCHED: Final = "OBSERVATIONS.md"


class ProviderStateMachine(RuleBasedStateMachine):
    """A provider beside a dictionary of pages; see `provider_state_machine`.

    Attributes:
        factory: Makes a fresh and empty provider.
        capabilities: What the provider declines.
        reopen: Makes another object over the same memory.
        provider: The provider of this run.
        model: What each page must hold, by scope and key.
    """

    factory: ClassVar[Callable[[], MemoryProvider]]
    reopen: ClassVar[Callable[[MemoryProvider], MemoryProvider] | None] = None
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(self) -> None:
        super().__init__()
        self.provider: MemoryProvider = type(self).factory()
        self.model: dict[tuple[str, str], str] = {}
        self._asked: list[tuple[str, str]] = []
        self._refs: dict[tuple[str, str], tuple[str, str]] = {}
        kinds = self.capabilities.kinds
        self._scopes = [f"{kind}:{id}" for kind in kinds for id in _IDS]

    @override
    def teardown(self) -> None:
        """Close the provider when it has something to close."""
        close = getattr(self.provider, "close", None)
        if close is not None:
            close()

    def _scope(self, number: int) -> str:
        return self._scopes[number % len(self._scopes)]

    def _pages(self, scope: str) -> dict[str, str]:
        return {
            key: text for (where, key), text in self.model.items() if where == scope
        }

    def _apply(self, scope: str, batch: list[Update]) -> None:
        for update in batch:
            place = (scope, update.key)
            after = apply_updates(self.model.get(place), [update])
            if after is None:
                self.model.pop(place, None)
            else:
                self.model[place] = after

    @rule(
        number=_NUMBERS,
        batch=st.lists(updates(st.sampled_from(_KEYS)), max_size=4),
        origin=st.sampled_from(_ORIGINS),
    )
    def sync(self, number: int, batch: list[Update], origin: Origin | None) -> None:
        """A batch does to the provider what it does to the dictionary."""
        scope = self._scope(number)
        before = self._pages(scope)
        try:
            report = self.provider.sync(scope, batch, origin=origin)
        except GuardRefusedError:
            # Then nothing is written, which the next comparison sees.
            return
        self._apply(scope, batch)
        after = self._pages(scope)
        assert [change.key for change in report.changes] == list(
            dict.fromkeys(update.key for update in batch)
        )
        for change in report.changes:
            is_other = before.get(change.key) != after.get(change.key)
            assert change.is_change == is_other
            assert change.size_after == len(after.get(change.key, "").encode())

    @rule(number=_NUMBERS, key=st.sampled_from(_KEYS), text=page_text())
    def compare_and_swap(self, number: int, key: str, text: str) -> None:
        """The current revision is good, and any other a conflict."""
        scope = self._scope(number)
        entry = self.provider.read(scope, key)
        revision = entry.revision if entry else ""
        wrong = "0" * 64 if entry is None else ""
        with pytest.raises(RevisionConflictError) as caught:
            self.provider.sync(
                scope, [Replace(key, text, if_revision=wrong)], origin=_PERSON
            )
        assert caught.value.revision == revision
        update = Replace(key, text, if_revision=revision)
        self.provider.sync(scope, [update], origin=_PERSON)
        self._apply(scope, [update])

    @rule(number=_NUMBERS, limit=st.integers(0, 6), data=st.data())
    def search(self, number: int, limit: int, data: st.DataObject) -> None:
        """What is found is there now, in this scope, and holds the word."""
        scope = self._scope(number)
        pages = self._pages(scope)
        found = (term.text for text in pages.values() for term in terms(text))
        words = sorted({word for word in found if word.isalnum()})
        word = data.draw(st.sampled_from([*words, "bees", "quetzalcoatlus"]))
        self._asked = [(scope, word), *self._asked[: _ASKED - 1]]
        self._check_hits(scope, word, limit)
        self._check_holders(scope, word, pages)

    def _check_hits(self, scope: str, word: str, limit: int) -> None:
        pages = self._pages(scope)
        for mode in (None, *self.capabilities.modes):
            hits = self.provider.search(scope, word, limit=limit, mode=mode)
            assert len(hits) <= limit
            assert len({hit.key for hit in hits}) == len(hits)
            scores = [hit.score for hit in hits]
            assert scores == sorted(scores, reverse=True)
            for hit in hits:
                assert hit.key in pages.keys() - {_NOT_SEARCHED}
                entry = self.provider.read(scope, hit.key)
                assert entry is not None
                assert hit.content == entry.content

    def _check_holders(self, scope: str, word: str, pages: dict[str, str]) -> None:
        if "keyword" not in self.capabilities.modes:
            return
        hits = self.provider.search(scope, word, limit=99, mode="keyword")
        holders = {
            key
            for key, text in pages.items()
            if key != _NOT_SEARCHED and word in {term.text for term in terms(text)}
        }
        assert holders <= {hit.key for hit in hits}

    @rule(number=_NUMBERS)
    @precondition(lambda self: self.capabilities.erase)
    def erase(self, number: int) -> None:
        """A scope goes whole, and no other."""
        provider: Any = self.provider
        scope = self._scope(number)
        provider.erase(scope)
        for key in self._pages(scope):
            del self.model[scope, key]

    @rule()
    @precondition(lambda self: type(self).reopen is not None)
    def open_again(self) -> None:
        """Another object sees the same memory."""
        reopen = type(self).reopen
        assert reopen is not None
        self.provider = reopen(self.provider)

    @invariant()
    def holds_what_the_dictionary_holds(self) -> None:
        """Every page of every scope, the lists, and what a prompt gets."""
        for scope in self._scopes:
            pages = self._pages(scope)
            for key in _KEYS:
                assert raw(self.provider, scope, key) == pages.get(key)
            listed = self.provider.list(scope)
            assert [ref.key for ref in listed] == sorted(pages)
            sizes = [ref.size for ref in listed]
            assert sizes == [len(pages[ref.key].encode()) for ref in listed]
            wanted = [key for key in _KEYS[:2] if trim(pages.get(key, ""))]
            found = [entry.key for entry in self.provider.prefetch(scope).entries]
            assert found == (wanted if self.capabilities.prefetch else [])

    @invariant()
    def finds_nothing_that_is_gone(self) -> None:
        """What was searched before is searched again after each change."""
        for scope, word in self._asked:
            self._check_hits(scope, word, len(_KEYS))

    @invariant()
    def has_a_revision_for_each_text(self) -> None:
        """It changes exactly when the text does."""
        for (scope, key), text in self.model.items():
            entry = self.provider.read(scope, key)
            assert entry is not None
            known, revision = self._refs.get((scope, key), ("", ""))
            assert (entry.revision == revision) == (text == known) or not revision
            self._refs[scope, key] = (text, entry.revision)


def provider_state_machine(
    factory: Callable[[], MemoryProvider],
    *,
    capabilities: Capabilities | None = None,
    reopen: Callable[[MemoryProvider], MemoryProvider] | None = None,
) -> type[ProviderStateMachine]:
    """Return a state machine that runs random histories of a provider.

    Run it with `hypothesis.stateful.run_state_machine_as_test`, or assign its
    ``TestCase`` to a name that pytest collects. After each step every page, list and
    prompt is compared with a dictionary.

    Args:
        factory: Makes a fresh and empty provider; called once a history.
        capabilities: What the provider declines.
        reopen: Makes another object over the same memory; `None` for memory that
            does not outlive its object.
    """
    members: dict[str, Any] = {
        "factory": staticmethod(factory),
        "reopen": None if reopen is None else staticmethod(reopen),
        "capabilities": capabilities or Capabilities(),
    }
    return type("ProviderStateMachine", (ProviderStateMachine,), members)
