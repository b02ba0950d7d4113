"""The embedder that a config names."""

from __future__ import annotations

from typing import Final

from ethos_memory.errors import UnsupportedError
from ethos_memory.providers.embedders.protocol import Embedder
from ethos_memory.providers.installed import attempt, find_registered

__all__ = ["GROUP", "load_embedder"]

#: Where packages register what makes an embedder.
GROUP: Final = "ethos_memory.embedders"


def load_embedder(setting: str, *, place: str = "memoryVector.embedder") -> Embedder:
    """Make the embedder that an installed package registered under a name.

    Args:
        setting: The name of an entry point in the group ``ethos_memory.embedders``,
            such as ``model2vec``; behind a colon may follow what it is called with,
            such as the name of a model.
        place: Where the setting stands, for the error.

    Raises:
        UnsupportedError: When no package, or more than one, registered the name, when
            it cannot be made, or is no embedder.
        MissingExtraError: When one of ours lacks its library.
    """
    name, colon, argument = setting.partition(":")
    found = find_registered(GROUP, name)
    if len(found) != 1:
        count = "more than one package has" if found else "no installed package has"
        msg = f"{place}: {count} {name!a} in the group {GROUP}"
        raise UnsupportedError(msg)
    what = f"{place}: the embedder {name!a}"
    make = attempt(found[0].load, what=what)
    embedder = attempt(make, *((argument,) if colon else ()), what=what)
    if not isinstance(embedder, Embedder):
        msg = f"{place}: what {name!a} makes is no embedder"
        raise UnsupportedError(msg)
    return embedder
