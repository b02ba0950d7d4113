"""Memory that is found by what it means: markdown files, with vectors beside them.

The pages are those of `MarkdownProvider`, and stay the only truth. The vectors are kept
in a file of their own that can be removed at any time; they are made again.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import evolve
from typing_extensions import override

from ethos_memory.entry import MemorySnapshot, SearchHit
from ethos_memory.errors import MissingExtraError, UnsupportedError
from ethos_memory.providers.lru import LruCache
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.rank_fusion import reciprocal_rank
from ethos_memory.scope import plain_text
from ethos_memory.words import snippet

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import Self

    from ethos_memory.disk import Durability, Root
    from ethos_memory.entry import EraseReport
    from ethos_memory.provider import SearchMode
    from ethos_memory.providers.embedders import Embedder
    from ethos_memory.providers.layout import Layout
    from ethos_memory.providers.vector_index import Near
    from ethos_memory.scope import ScopeId

__all__ = ["VectorProvider"]

#: How many scopes keep their vectors in memory. A scope of 1,000 parts takes 1 MB.
_KEPT_SCOPES: Final = 16

#: So many of the best by words, and of the best by meaning, are merged by rank. Every
#: page has some rank by meaning; further down it says nothing.
_POOL: Final = 50

_logger = logging.getLogger("ethos_memory")


class VectorProvider(MarkdownProvider):
    """Keeps memory in markdown files, and finds it by meaning as well as by words.

    It differs from `MarkdownProvider` in three things:

    - `prefetch` is empty, so that a recall searches for what the turn is about.
    - `search` knows the modes ``"semantic"`` and ``"hybrid"``, and `None` is hybrid.
    - A scope's folder also holds ``memory-vectors.bin``, which `erase` takes along.

    Every part of a page is handed to the embedder, and so is every query: with an
    embedder that asks a server, that server sees them.

    Args:
        root: As for `MarkdownProvider`.
        embedder: Makes the vectors. The file records which one did; with another
            one, a search is by keyword until all parts were embedded anew.
        durability: ``"fast"`` skips the syncs, never the atomic rename.
        trusted_links: Folders that links below the root may lead into.

    Raises:
        MissingExtraError: When numpy is not installed.
        UnsupportedError: On Windows.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | Root,
        embedder: Embedder,
        *,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        try:
            # numpy takes ten times as long to import as all of the rest.
            from ethos_memory.providers.vector_embedding import (  # noqa: PLC0415
                Embedding,
                ModelFailedError,
            )
            from ethos_memory.providers.vector_index import (  # noqa: PLC0415
                VectorIndex,
            )
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise MissingExtraError("vector") from error
        super().__init__(root, durability=durability, trusted_links=trusted_links)
        self._model_failed = ModelFailedError
        self._vectors = LruCache(
            _KEPT_SCOPES, partial(VectorIndex, Embedding(embedder))
        )
        self._is_told = False

    @override
    @classmethod
    def with_layout(
        cls,
        root: str | os.PathLike[str] | Root,
        layout: Layout,
        *,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
        embedder: Embedder | None = None,
    ) -> Self:
        """Keep other kinds of scopes in other places, such as teams.

        Args:
            root: As for the class.
            layout: Where each kind is kept.
            durability: As for the class.
            trusted_links: As for the class.
            embedder: As for the class.

        Raises:
            TypeError: Without an embedder.
        """
        if embedder is None:
            msg = "an embedder is needed"
            raise TypeError(msg)
        provider = cls(
            root, embedder, durability=durability, trusted_links=trusted_links
        )
        provider._layout = layout
        return provider

    @override
    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return nothing: what a turn needs is searched for."""
        id, _ = self._place(scope)
        return MemorySnapshot(id, ())

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that answer a query, best first, as they are now.

        Args:
            scope: Whose memory; no other is searched.
            query: Any text; nothing in it is query syntax.
            limit: The most hits; 0 gives none.
            mode: ``"keyword"`` looks for words and asks no model. ``"semantic"`` ranks
                every page by its part that is nearest in meaning. ``"hybrid"`` merges
                both by rank. Both first embed all that is new. `None` is hybrid as
                well, but embeds for about a second at most; when more is left, or
                the embedder raises, it is made by keyword this once.

        Raises:
            UnsupportedError: For another mode.
            ValueError: When `limit` is below 0, or the embedder's answer is no
                vectors.
            Exception: What the embedder raises, for ``"semantic"`` and ``"hybrid"``.
            UnsafePathError: When a link or file stands in the scope's place.
        """
        id, _ = self._place(scope)
        if mode not in (None, "keyword", "semantic", "hybrid"):
            msg = "memory is searched by keyword, semantic or hybrid"
            raise UnsupportedError(msg)
        wanted = plain_text(query, what="query")
        depth = max(limit, _POOL)
        by_words = {"keyword": limit, "semantic": 0}.get(mode or "", depth)
        # It also judges the limit.
        most = min(limit, by_words) if limit < 1 else by_words
        found = super().search(id, wanted, limit=most, mode="keyword")
        if mode == "keyword" or not limit or not wanted.strip():
            return found
        near = self._near(id, wanted, depth, mode)
        if near is None:
            return found[:limit]
        if mode == "semantic":
            return tuple(map(_hit, near[:limit]))
        return _merged(found, near, limit)

    def rebuild(self, scope: ScopeId | str) -> int:
        """Embed all of a scope that is not embedded yet, however long it takes.

        For the first time, and after a change of the embedder: a search embeds for a
        second at most.

        Returns:
            How many parts were embedded.

        Raises:
            ValueError: When the embedder's answer is no vectors.
            Exception: What the embedder raises; what it gave before is kept.
            UnsafePathError: When a link or file stands in the scope's place.
        """
        id, names = self._place(scope)
        with self._root.folder(*names) as folder:
            if folder is None:
                return 0
            try:
                return self._vectors.use(str(id)).complete(folder)
            except self._model_failed as failed:
                error = failed.error
            raise error

    @override
    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase pages, vectors, copies, archive and history of a scope.

        Raises:
            EthosMemoryError: As `MarkdownProvider.erase`.
        """
        report = super().erase(scope)
        self._vectors.forget(str(report.scope))
        return report

    def _near(
        self, id: ScopeId, query: str, depth: int, mode: SearchMode | None
    ) -> tuple[Near, ...] | None:
        with self._root.folder(*self._layout.place(id)) as folder:
            if folder is None:
                return ()
            self._copies.look(folder, str(id))
            try:
                index = self._vectors.use(str(id))
                return index.nearest(folder, query, depth, patient=mode is not None)
            except self._model_failed as failed:
                error = failed.error
        if mode is not None:
            raise error
        self._tell(error)
        return None

    def _tell(self, error: Exception) -> None:
        if not self._is_told:
            self._is_told = True
            # Its class only: nobody knows what private text is in it.
            _logger.warning(
                "the embedder raised %s; memory is searched by keyword until it answers",
                type(error).__name__,
            )


def _hit(near: Near) -> SearchHit:
    shown = snippet(near.text, near.start, near.end)
    return SearchHit(near.key, near.text, snippet=shown, score=near.score)


def _merged(
    found: tuple[SearchHit, ...], near: tuple[Near, ...], limit: int
) -> tuple[SearchHit, ...]:
    """Merge two rankings whose scores do not compare, by reciprocal rank.

    Behind what either has in its pool come the rest by words, then by meaning. How
    many are asked for changes nothing in their order.
    """
    by_words = {hit.key: hit for hit in found}
    by_meaning = {page.key: page for page in near}
    scores = dict.fromkeys([*by_words, *by_meaning], 0.0)
    for ranking in (by_words, by_meaning):
        for rank, key in enumerate(list(ranking)[:_POOL], 1):
            scores[key] += reciprocal_rank(rank)
    best = sorted(scores, key=lambda key: -scores[key])[:limit]
    return tuple(
        evolve(by_words.get(key) or _hit(by_meaning[key]), score=scores[key])
        for key in best
    )
