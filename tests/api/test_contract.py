"""The provider's contract is frozen: five methods, nothing more."""

from __future__ import annotations

import inspect

from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory


def public(protocol: type) -> list[str]:
    """List the public methods that a protocol asks for."""
    return sorted(
        name
        for name, _ in inspect.getmembers(protocol, inspect.isfunction)
        if not name.startswith("_")
    )


def test_the_provider_has_five_methods() -> None:
    """A sixth would break every provider that others wrote."""
    assert public(MemoryProvider) == ["list", "prefetch", "read", "search", "sync"]


def test_further_abilities_are_protocols_of_their_own() -> None:
    """A provider without them is whole."""
    assert public(SupportsHistory) == ["history", "restore"]
    assert public(SupportsErase) == ["erase"]
