"""Names are taken as they are or refused, the same way by every call."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from ethos_memory.entry import Add, Replace
from ethos_memory.errors import (
    InvalidKeyError,
    InvalidScopeError,
    UnknownScopeError,
    UnsafePathError,
)
from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory
from ethos_memory.scope import MAX_ID_LENGTH, MAX_KEY_BYTES, ScopeId
from ethos_memory.testing.contract.subject import ALIEN_SCOPE, Subject
from ethos_memory.testing.hostile import HOSTILE_KEYS, HOSTILE_SCOPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["NamesContract"]


class Liar(str):
    """A text that shows other characters than it has."""

    __slots__ = ()

    @override
    def __str__(self) -> str:
        return "../../etc/passwd"

    @override
    def __format__(self, spec: str) -> str:
        return "../../etc/passwd"

    def __fspath__(self) -> str:
        return "../../etc/passwd"


class NamesContract(Subject):
    """Scopes and keys."""

    def _calls(
        self, provider: MemoryProvider
    ) -> Iterator[tuple[str, Callable[[Any], object]]]:
        """Yield every call that takes a scope."""
        yield "prefetch", provider.prefetch
        yield "read", lambda scope: provider.read(scope, "MEMORY.md")
        yield "search", lambda scope: provider.search(scope, "x")
        yield "sync", lambda scope: provider.sync(scope, [Add("MEMORY.md", "x")])
        yield "sync nothing", lambda scope: provider.sync(scope, [])
        yield "list", provider.list
        if self.capabilities.history and isinstance(provider, SupportsHistory):
            yield "history", provider.history
            yield "restore", lambda scope: provider.restore(scope, "MEMORY.md", "")
        if self.capabilities.erase and isinstance(provider, SupportsErase):
            yield "erase", provider.erase

    def test_it_has_the_five_methods(self, provider: MemoryProvider) -> None:
        """With the protocol's own parameters, so that any caller fits."""
        assert isinstance(provider, MemoryProvider)
        for name in ("prefetch", "read", "search", "sync", "list"):
            wanted = inspect.signature(getattr(MemoryProvider, name)).parameters
            found = inspect.signature(getattr(provider, name)).parameters
            for parameter in list(wanted.values())[1:]:
                own = found[parameter.name]
                assert (name, own.kind) == (name, parameter.kind)
                assert (name, own.default) == (name, parameter.default)

    def test_a_hostile_scope_is_refused_by_every_call(
        self, provider: MemoryProvider
    ) -> None:
        """None answers as if it were merely absent, and nothing is altered."""
        for name, call in self._calls(provider):
            for scope in HOSTILE_SCOPES:
                with pytest.raises(InvalidScopeError) as caught:
                    call(scope)
                assert not isinstance(caught.value, UnknownScopeError), (name, scope)

    def test_another_kind_of_scope_is_unknown_to_every_call(
        self, provider: MemoryProvider
    ) -> None:
        """It is never kept somewhere else instead."""
        kinds = {"personality", "user", "team"} - set(self.capabilities.kinds)
        for scope in (ALIEN_SCOPE, *(f"{kind}:a" for kind in sorted(kinds))):
            for _, call in self._calls(provider):
                with pytest.raises(UnknownScopeError):
                    call(scope)
                with pytest.raises(UnknownScopeError):
                    call(ScopeId.parse(scope))

    def test_what_is_no_text_is_no_scope(self, provider: MemoryProvider) -> None:
        """Bytes, numbers and nothing are not turned into names."""
        for _, call in self._calls(provider):
            for scope in (None, b"user:a", 7, ("user", "a")):
                with pytest.raises(TypeError):
                    call(scope)

    def test_a_hostile_key_is_refused(self, provider: MemoryProvider) -> None:
        """`read` does not answer `None` as if the page were merely absent."""
        for key in HOSTILE_KEYS:
            with pytest.raises(InvalidKeyError):
                provider.read(self.scope(), key)
            if self.capabilities.history and isinstance(provider, SupportsHistory):
                with pytest.raises(InvalidKeyError):
                    provider.history(self.scope(), key)
                with pytest.raises(InvalidKeyError):
                    provider.restore(self.scope(), key, "")

    def test_a_refusal_makes_nothing(self, provider: MemoryProvider) -> None:
        """Neither a page nor a scope that would stand in the way later."""
        for id in ("Ana", "ana"):
            with pytest.raises(InvalidKeyError):
                provider.read(self.scope(id), "../x.md")
            provider.read(self.scope(id), "MEMORY.md")
            assert provider.list(self.scope(id)) == ()
        self.write(provider, Add("MEMORY.md", "x"))
        assert [ref.key for ref in provider.list(self.scope())] == ["MEMORY.md"]

    def test_the_longest_and_oddest_names_are_taken(
        self, provider: MemoryProvider
    ) -> None:
        """What the grammar allows is allowed."""
        ids = ("x" * MAX_ID_LENGTH, "-", "_", "0", "-a_B-9")
        keys = (
            "x" * (MAX_KEY_BYTES - 3) + ".md",
            "_.md",
            "0.md",
            "a.b-c_d.md",
            "md.md",
        )
        for id in ids:
            for key in keys:
                provider.sync(self.scope(id), [Add(key, f"{id} {key}")])
        for id in ids:
            for key in keys:
                entry = provider.read(self.scope(id), key)
                assert entry is not None
                assert (entry.key, entry.content) == (key, f"{id} {key}\n")
            assert [ref.key for ref in provider.list(self.scope(id))] == sorted(keys)

    def test_a_scope_is_the_same_as_text_and_value(
        self, provider: MemoryProvider
    ) -> None:
        """Every call parses at the edge."""
        self.write(provider, Add("MEMORY.md", "kept"))
        value = ScopeId.parse(self.scope())
        assert provider.read(value, "MEMORY.md") == provider.read(
            self.scope(), "MEMORY.md"
        )
        assert provider.prefetch(self.scope()).scope == value
        provider.sync(value, [Add("MEMORY.md", "more")])
        entry = provider.read(self.scope(), "MEMORY.md")
        assert entry is not None
        assert entry.content == "kept\n\nmore\n"

    def test_a_text_that_lies_is_taken_by_its_characters(
        self, provider: MemoryProvider
    ) -> None:
        """A subclass of `str` cannot pass a check as one name and open another."""
        provider.sync(Liar(self.scope()), [Add(Liar("MEMORY.md"), "kept")])
        entry = provider.read(Liar(self.scope()), Liar("MEMORY.md"))
        assert entry is not None
        assert entry.content == "kept\n"
        assert type(entry.key) is str
        assert [ref.key for ref in provider.list(self.scope())] == ["MEMORY.md"]
        with pytest.raises(InvalidScopeError):
            provider.read(Liar("user:.."), "MEMORY.md")

    def test_a_key_that_differs_only_in_case_is_not_made(
        self, provider: MemoryProvider
    ) -> None:
        """On a volume that ignores case the two would be one page."""
        self.write(provider, Add("Notes.md", "first"))
        for update in (Add("notes.md", "second"), Replace("NOTES.md", "second")):
            with pytest.raises(UnsafePathError):
                self.write(provider, update)
        assert [ref.key for ref in provider.list(self.scope())] == ["Notes.md"]

    def test_a_scope_that_differs_only_in_case_is_not_made(
        self, provider: MemoryProvider
    ) -> None:
        """Else two people would read each other's memory there."""
        self.write(provider, Add("MEMORY.md", "first"))
        with pytest.raises(UnsafePathError):
            provider.sync(self.scope("Ana"), [Add("MEMORY.md", "second")])
        entry = provider.read(self.scope(), "MEMORY.md")
        assert entry is not None
        assert entry.content == "first\n"
        assert provider.list(self.scope("Ana")) == ()
