"""Team memory on disk: a provider of its own, so that no setting mixes it with others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.providers.layout import TEAMS
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from ethos_memory.disk import Durability, Root

__all__ = ["markdown_teams"]


def markdown_teams(
    root: str | os.PathLike[str] | Root,
    *,
    durability: Durability = "full",
    trusted_links: Iterable[str | os.PathLike[str]] = (),
) -> MarkdownProvider:
    """Return a provider that knows ``team:`` scopes only.

    A topic is the page ``teams/<id>/memory/<topic>.md``. Each team has its own folder.

    Args:
        root: The home that holds ``teams/``; an open `disk.Root` stays open.
        durability: ``"fast"`` skips the syncs, never the atomic rename.
        trusted_links: Folders that links below the root may lead into.
    """
    return MarkdownProvider.with_layout(
        root, TEAMS, durability=durability, trusted_links=trusted_links
    )
