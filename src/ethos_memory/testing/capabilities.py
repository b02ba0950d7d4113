"""What a provider declines. What it does not decline is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.provider import SearchMode

__all__ = ["Capabilities"]


def _kinds(value: Iterable[str]) -> tuple[str, ...]:
    return tuple(value)


def _modes(value: Iterable[SearchMode]) -> tuple[SearchMode, ...]:
    return tuple(value)


@frozen(kw_only=True)
class Capabilities:
    """What a provider can do. A flag declines, and the suite checks that as well.

    A backend that declines an ability must not show it: without `history` it has no
    such method, or one that raises `UnsupportedError`.

    Attributes:
        kinds: The kinds of scopes it has a place for; another one must raise
            `UnknownScopeError`.
        modes: How it can search; another one must raise `UnsupportedError`.
        prefetch: False when its prefetch is always empty, so that recall searches.
        history: Whether it has `SupportsHistory`.
        erase: Whether it has `SupportsErase`.
        durable: Whether memory outlives the object. Then the contract's `reopen` must
            be overridden.
        front_matter: Whether the fields at the head of a page stay when a `Replace`
            without such fields, or a `Remove`, by anybody but a person changes it.
    """

    kinds: tuple[str, ...] = field(default=("personality", "user"), converter=_kinds)
    modes: tuple[SearchMode, ...] = field(default=("keyword",), converter=_modes)
    prefetch: bool = True
    history: bool = True
    erase: bool = True
    durable: bool = True
    front_matter: bool = False
