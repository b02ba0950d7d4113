"""Erasure: whatever can erase is asked by `forget`. Nobody keeps a list of it by hand."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import TYPE_CHECKING

import ethos_memory
from ethos_memory.identity_map import AccountMap
from ethos_memory.person import HOLDERS
from ethos_memory.provider import MemoryProvider
from ethos_memory.sessions import SessionStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Whatever has the shape of one of these is erased by its holder.
SHAPES = (MemoryProvider, SessionStore, AccountMap)


def classes() -> Iterator[type]:
    """Find every class of the package."""
    for module in pkgutil.walk_packages(ethos_memory.__path__, "ethos_memory."):
        # What tests providers keeps nothing.
        if module.name.endswith("__main__") or ".testing" in module.name:
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:
            # An extra that is not installed here; CI has them all.
            continue
        for _, one in inspect.getmembers(loaded, inspect.isclass):
            if one.__module__ == module.name:
                yield one


def calls_of(shape: type) -> set[str]:
    return {name for name in vars(shape) if not name.startswith("_")}


def unregistered(found: Iterable[type]) -> set[str]:
    """Name the classes that can erase, and that no holder asks."""
    return {
        f"{one.__module__}.{one.__qualname__}"
        for one in found
        if any(name.startswith("erase") for name in vars(one))
        and not getattr(one, "_is_protocol", False)
        and one not in HOLDERS
        and not any(calls_of(shape) <= set(dir(one)) for shape in SHAPES)
    }


class Gallery:
    """Keeps pictures of people."""

    def erase(self, user_id: str) -> int:
        return len(user_id)


class Half:
    """A provider, but for one call."""

    prefetch = read = search = sync = erase = None


def test_whatever_can_erase_is_registered() -> None:
    """Give a new keeper a holder in `ethos_memory.person`, and name it in `HOLDERS`."""
    assert unregistered(classes()) == set()


def test_a_keeper_without_a_holder_is_found() -> None:
    """The test above must be able to fail."""
    (gallery,) = unregistered([Gallery])
    assert gallery.endswith(".Gallery")
    assert len(unregistered([Gallery, Half, *classes()])) == 2


def test_the_search_sees_the_package() -> None:
    """All kinds of keepers are met, or the test above would prove nothing."""
    names = {one.__name__ for one in classes()}
    assert {"MarkdownProvider", "GuardedProvider", "SQLiteSessionStore"} <= names
    assert {one.__name__ for one in HOLDERS} <= names
