"""Search by meaning over the pages of a scope, always as they stand on disk."""

from __future__ import annotations

import logging
import threading
import time
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np
from attrs import field, frozen

from ethos_memory.disk import locked, remove, replace
from ethos_memory.errors import ScopeLockedError
from ethos_memory.providers.inventory import VECTORS
from ethos_memory.providers.vector_file import decode, encode
from ethos_memory.providers.vector_pages import SearchedPages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ethos_memory.disk import Folder, Signature
    from ethos_memory.providers.vector_embedding import Embedding
    from ethos_memory.providers.vector_file import Vectors

__all__ = ["Near", "VectorIndex"]

#: Texts that a model is asked for at once.
_BATCH: Final = 64

#: How long one search embeds what is new before it gives up for this once. A person
#: waits for the answer.
_PATIENCE_SECONDS: Final = 1.0

#: The largest file of vectors that is read: 250,000 of 1,024 numbers.
_MAX_FILE_BYTES: Final = 1024 * 1024 * 1024

_logger = logging.getLogger("ethos_memory")


@frozen
class Near:
    """A page that means what was asked for.

    Attributes:
        key: Its name.
        text: All of it. Private: in no `repr`.
        start: First code point of the part that is nearest.
        end: One past its last.
        score: The cosine of that part, from -1 to 1.
    """

    key: str
    text: str = field(repr=False)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)
    score: float = field(kw_only=True)


@frozen(eq=False)
class _Order:
    """Which rows belong to which page.

    Attributes:
        keys: The pages that have parts, sorted.
        starts: Where each one's begin in `rows`.
        rows: The row of each part's vector.
    """

    keys: tuple[str, ...]
    starts: NDArray[np.intp]
    rows: NDArray[np.intp] = field(repr=False)


class VectorIndex:
    """The vectors of one scope. Safe for threads.

    What is searched are the pages as they are now; a vector is only ever looked up by
    the words of a part that stands in one. What is gone is therefore found no more,
    whatever the file of vectors still holds.

    Args:
        embedding: Makes the vectors.
    """

    def __init__(self, embedding: Embedding) -> None:
        self._embedding = embedding
        self._lock = threading.Lock()
        self._pages = SearchedPages()
        self._is_complete = False
        self._order: _Order | None = None
        #: The row of each vector in `_rows`.
        self._places: dict[bytes, int] = {}
        self._rows: Vectors = np.empty((0, 0), np.float32)
        #: The file as it was last read or written, and what it holds of this model.
        self._file: Signature | None = None
        self._in_file: frozenset[bytes] = frozenset()
        self._is_told = False

    def nearest(
        self, folder: Folder, query: str, limit: int, *, patient: bool
    ) -> tuple[Near, ...] | None:
        """Return the pages that are nearest to a query, nearest first.

        Args:
            folder: The scope's, open.
            query: Any text.
            limit: The most pages.
            patient: Embed all that is new first, however long that takes.

        Returns:
            `None` when there is more to embed than a search waits for; each one
            embeds some, unless another thread does.

        Raises:
            ModelFailedError: When the embedder raises.
            ValueError: When its answer is no vectors.
        """
        # Another thread may embed a whole scope, which can take minutes.
        if not self._lock.acquire(timeout=-1 if patient else _PATIENCE_SECONDS):
            return None
        try:
            self._refresh(folder)
            if not self._is_complete:
                self._embed(folder, patient=patient)
            return self._ranked(query, limit) if self._is_complete else None
        finally:
            self._lock.release()

    def complete(self, folder: Folder) -> int:
        """Embed all that is new, and keep it in the scope's file.

        Returns:
            How many parts were embedded.

        Raises:
            ModelFailedError: When the embedder raises; what it gave before is kept.
            ValueError: When its answer is no vectors.
        """
        with self._lock:
            self._refresh(folder)
            return self._embed(folder, patient=True)

    def _refresh(self, folder: Folder) -> None:
        if self._pages.refresh(folder):
            self._is_complete = False
            self._order = None

    def _missing(self) -> dict[bytes, str]:
        wanted = self._pages.wanted()
        return {
            digest: text
            for digest, text in wanted.items()
            if digest not in self._places
        }

    def _embed(self, folder: Folder, *, patient: bool) -> int:
        """Embed what is new, or as much as there is time for, and keep it."""
        started, count = time.monotonic(), 0
        while not self._is_complete:
            if self._missing():
                self._adopt(folder)
            made: dict[bytes, Vectors] = {}
            missing = iter(self._missing().items())
            try:
                while batch := dict(islice(missing, _BATCH)):
                    rows = self._embedding.vectors(tuple(batch.values()))
                    made |= zip(batch, rows, strict=True)
                    is_late = time.monotonic() - started >= _PATIENCE_SECONDS
                    if is_late and not patient:
                        break
            finally:
                count += len(made)
                self._arrange(made)
                self._keep(folder)
            if not patient:
                break
        return count

    def _arrange(self, made: Mapping[bytes, Vectors]) -> None:
        """Take new vectors in, and let go of those that no page wants any more."""
        wanted = self._pages.wanted()
        old = [digest for digest in self._places if digest in wanted]
        new = [digest for digest in made if digest in wanted]
        self._is_complete = len(old) + len(new) == len(wanted)
        if not new and len(old) == len(self._places):
            return
        width = made[new[0]].shape[0] if new else self._rows.shape[1]
        rows = np.empty((len(old) + len(new), width), np.float32)
        if old:
            places = [self._places[digest] for digest in old]
            # With another mode numpy would copy the rows once more.
            np.take(self._rows, places, axis=0, out=rows[: len(old)], mode="clip")
        for row, digest in enumerate(new, len(old)):
            rows[row] = made[digest]
        self._rows = rows
        self._places = {digest: row for row, digest in enumerate([*old, *new])}
        self._order = None

    # The file.

    def _adopt(self, folder: Folder) -> None:
        """Take over what another process, or an earlier one, has embedded."""
        identity = self._embedding.identity()
        try:
            signature = folder.signature(VECTORS)
            if signature is None or signature == self._file:
                return
            stored = folder.read(VECTORS, max_bytes=_MAX_FILE_BYTES)
        except OSError as error:
            self._tell(folder, "read", error)
            return
        found = decode(stored.data) if stored else None
        self._file, self._in_file = signature, frozenset()
        if found is None or not identity.made(found):
            _logger.info("%s: made anew", ascii(folder.label_of(VECTORS)))
            return
        self._in_file = frozenset(found.digests)
        missing = self._missing()
        self._arrange(
            {
                digest: row
                for digest, row in zip(found.digests, found.rows, strict=True)
                if digest in missing
            }
        )

    def _keep(self, folder: Folder) -> None:
        """Write the file, when there is something to write and the scope is free."""
        if self._in_file == self._places.keys():
            is_left_over = not self._pages.wanted() and folder.status(VECTORS)
            if not is_left_over:
                return
        # Otherwise a large scope would be written again for every batch.
        if not self._is_complete and len(self._places) < 2 * len(self._in_file):
            return
        try:
            with locked(folder, timeout_seconds=0):
                self._write(folder)
        except ScopeLockedError:
            # The next change tries again; until then the vectors are in memory.
            pass
        except OSError as error:
            self._tell(folder, "written", error)

    def _write(self, folder: Folder) -> None:
        # Under the lock once more: what was deleted meanwhile must not come back, and
        # what another process embedded must not go.
        self._refresh(folder)
        if self._missing():
            self._adopt(folder)
        self._arrange({})
        if self._places:
            identity = self._embedding.identity()
            data = encode(
                identity.name, identity.probe, tuple(self._places), self._rows
            )
            # Whatever the disk loses is embedded again.
            replace(folder, VECTORS, data, durability="fast")
        else:
            remove(folder, VECTORS, durability="fast")
        self._file = folder.signature(VECTORS)
        self._in_file = frozenset(self._places)

    def _tell(self, folder: Folder, what: str, error: OSError) -> None:
        if not self._is_told:
            self._is_told = True
            _logger.warning(
                "%s: not %s (%s); what is embedded is kept in memory only",
                ascii(folder.label_of(VECTORS)),
                what,
                error.strerror or type(error).__name__,
            )

    # The search.

    def _ranked(self, query: str, limit: int) -> tuple[Near, ...]:
        order = self._order = self._order or self._ordered()
        if not order.keys:
            return ()
        asked = self._embedding.vectors([query])[0]
        if not asked.any():
            return ()
        scores = (self._rows @ asked)[order.rows]
        best = np.maximum.reduceat(scores, order.starts)
        # Stable, so that equal pages stand in the order of their names.
        first = np.argsort(-best, kind="stable")[:limit]
        return tuple(self._near(order, scores, int(at)) for at in first)

    def _near(self, order: _Order, scores: Vectors, at: int) -> Near:
        page = self._pages.parts[order.keys[at]]
        start = int(order.starts[at])
        own = scores[start : start + len(page.chunks)]
        nearest = int(own.argmax())
        chunk = page.chunks[nearest]
        return Near(
            order.keys[at],
            page.text,
            start=chunk.start,
            end=chunk.end,
            score=float(own[nearest]),
        )

    def _ordered(self) -> _Order:
        keys, starts, rows = [], [], list[int]()
        for key, page in sorted(self._pages.parts.items()):
            if page.digests:
                keys.append(key)
                starts.append(len(rows))
                rows.extend(map(self._places.__getitem__, page.digests))
        return _Order(tuple(keys), np.array(starts, np.intp), np.array(rows, np.intp))
