"""The embedder that a config names."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

from ethos_memory.errors import UnsupportedError
from ethos_memory.providers.embedders.protocol import Embedder

__all__ = ["GROUP", "load_embedder"]

#: Where packages register what makes an embedder.
GROUP: Final = "ethos_memory.embedders"


def load_embedder(setting: str) -> Embedder:
    """Make the embedder that an installed package registered under a name.

    Args:
        setting: The name of an entry point in the group ``ethos_memory.embedders``,
            such as ``model2vec``; behind a colon may follow what it is called with,
            such as the name of a model.

    Raises:
        UnsupportedError: When no package, or more than one, registered the name, or
            what it made is no embedder.
        MissingExtraError: When one of ours lacks its library.
    """
    name, colon, argument = setting.partition(":")
    found = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if len(found) != 1:
        count = "more than one package has" if found else "no installed package has"
        msg = f"memoryVector.embedder: {count} {name!a} in the group {GROUP}"
        raise UnsupportedError(msg)
    [entry] = found.values()
    make = entry.load()
    embedder = make(argument) if colon else make()
    if not isinstance(embedder, Embedder):
        msg = f"memoryVector.embedder: what {name!a} makes is no embedder"
        raise UnsupportedError(msg)
    return embedder
