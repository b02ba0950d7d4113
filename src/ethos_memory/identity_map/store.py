"""The map's file on disk: looked at, read, and changed in one replace."""

from __future__ import annotations

import errno
import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.disk import (
    Staged,
    append_line,
    locked,
    parse_durability,
    replace,
    through,
)
from ethos_memory.disk.opening import signature_of
from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    EthosMemoryError,
    NotWrittenError,
)
from ethos_memory.identity_map.audit import AUDIT_NAME
from ethos_memory.identity_map.document import EMPTY, Document
from ethos_memory.identity_map.parsing import parse
from ethos_memory.identity_map.splice import spliced
from ethos_memory.scope import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from ethos_memory.disk import Durability, Folder, Root, Signature
    from ethos_memory.identity_map.audit import Operation
    from ethos_memory.identity_map.plans import Change

__all__ = ["BACKUP_NAME", "MAP_NAME", "MAX_MAP_BYTES", "MapStore"]

#: Ethos's name, in the folder of the users.
MAP_NAME: Final = "identity-map.json"

#: The last good copy, for a person who damaged the map.
BACKUP_NAME: Final = f"{MAP_NAME}.bak"

#: The most that is read. A million accounts take 182 MB (reliability 3.5); PostgreSQL
#: takes over long before.
MAX_MAP_BYTES: Final = 512 * 1024 * 1024

#: How often a change is made again because an editor wrote meanwhile.
_ATTEMPTS: Final = 16

_logger = logging.getLogger("ethos_memory")


@frozen(eq=False)
class _Seen:
    """The map as it was last read.

    Attributes:
        document: The last one that could be understood.
        signature: Of its file, `None` when there was none, or it was just written.
        is_settled: Whether an equal signature means an equal file.
    """

    document: Document
    signature: Signature | None = None
    is_settled: bool = False


@frozen(eq=False)
class _Fault:
    """A file that was understood to be damaged: it need not be parsed again."""

    signature: Signature
    reason: str = field(repr=False)


class MapStore:
    """The file, and the last state of it that could be understood.

    Args:
        root: The home.
        durability: Whether to wait for the disk.
        now: The clock of the audit journal.
    """

    __slots__ = ("_durability", "_fault", "_now", "_path", "_root", "_seen", "_told")

    def __init__(
        self, root: Root, *, durability: Durability, now: Callable[[], datetime]
    ) -> None:
        self._root = root
        self._durability = parse_durability(durability)
        self._now = now
        self._path = str(root.path / LAYOUT["user"] / MAP_NAME)
        self._seen = _Seen(EMPTY)
        self._fault: _Fault | None = None
        self._told = ""

    @property
    def last(self) -> Document:
        """The last state that could be understood, without a look at the disk."""
        return self._seen.document

    def glance(self) -> Document | None:
        """Return the map when one look shows that it is still the one last read."""
        seen = self._seen
        if not seen.is_settled:
            return None
        try:
            # By its path: that also notices another folder in the place of this one.
            # Only what it is, never what it holds, comes from this look.
            status = os.stat(self._path)  # noqa: PTH116 - a third of a hit's time
        except OSError:
            return None
        return seen.document if signature_of(status) == seen.signature else None

    def current(self) -> Document:
        """Return the map as it is on disk; an empty one when there is none.

        Raises:
            CorruptFileError: When it cannot be read or understood.
            UnsafePathError: When a link or a device stands in its place.
            PageTooLargeError: When it is larger than `MAX_MAP_BYTES`.
        """
        document = self.glance()
        if document is not None:
            return document
        reason = ""
        try:
            with self._root.folder(LAYOUT["user"]) as folder:
                document = EMPTY if folder is None else self._read(folder).document
        except EthosMemoryError as error:
            self._tell(str(error))
            raise
        except OSError as error:
            reason = f"cannot be read ({error.strerror})"
        if document is None:
            self._tell(f"{self._path}: {reason}")
            raise CorruptFileError(self._path, reason)
        self._told = ""
        return document

    def _tell(self, fault: str) -> None:
        # Once, not for every message that comes in while it lasts.
        if fault != self._told:
            _logger.warning(
                "identity map: %s; no new account is given an id, known ones keep theirs",
                fault,
            )
            self._told = fault

    def _read(self, folder: Folder) -> _Seen:
        seen, signature = self._seen, folder.signature(MAP_NAME)
        if signature is None:
            seen = self._missing(folder)
        elif not (seen.is_settled and seen.signature == signature):
            seen = self._parsed(folder, signature)
        self._seen = seen
        return seen

    def _missing(self, folder: Folder) -> _Seen:
        if folder.status(BACKUP_NAME) is None:
            return _Seen(EMPTY)
        # The first map of all comes before its copy, and may have come since the look.
        signature = folder.signature(MAP_NAME)
        if signature is not None:
            return self._parsed(folder, signature)
        raise CorruptFileError(
            self._path,
            f"gone, but not {BACKUP_NAME}: put that in its place, or remove it as well "
            "to begin anew",
        )

    def _parsed(self, folder: Folder, signature: Signature) -> _Seen:
        fault = self._fault
        if fault is not None and fault.signature == signature:
            raise CorruptFileError(self._path, fault.reason)
        stored = folder.read(MAP_NAME, max_bytes=MAX_MAP_BYTES)
        if stored is None:
            return self._missing(folder)
        try:
            document = parse(stored.data, path=self._path, previous=self._seen.document)
        except CorruptFileError as error:
            if stored.is_settled:
                self._fault = _Fault(stored.signature, error.reason)
            raise
        self._fault = None
        return _Seen(document, stored.signature, stored.is_settled)

    def change(
        self, plan: Callable[[Document, Folder], Change], *, create: bool = True
    ) -> tuple[Document, Document]:
        """Change the map under its lock.

        Args:
            plan: Says what to change in the map as it is now; asked again when an
                editor, who takes no lock, wrote meanwhile.
            create: Make the folder of the users when there is none.

        Returns:
            The map before and after. They are the same when nothing was to change.

        Raises:
            CorruptFileError: When it cannot be understood; it is left as it is.
            NotWrittenError: When the disk refuses; it is left as it is.
            DurabilityUnknownError: When it was changed, and the disk did not confirm.
            ScopeLockedError: When another writer held the lock for too long.
        """
        with self._typed(), self._root.folder(LAYOUT["user"], create=create) as folder:
            if folder is None:
                return EMPTY, EMPTY
            with locked(folder):
                for _ in range(_ATTEMPTS):
                    before = self._read(folder)
                    change = plan(before.document, folder)
                    after = self._changed(folder, before, change)
                    if after is not None:
                        return before.document, after
        raise NotWrittenError(
            self._path, cause=OSError(errno.EBUSY, "something keeps writing it")
        )

    @contextmanager
    def _typed(self) -> Iterator[None]:
        try:
            yield
        except EthosMemoryError:
            raise
        except OSError as error:
            raise NotWrittenError(self._path, cause=error) from error

    def _changed(
        self, folder: Folder, before: _Seen, change: Change
    ) -> Document | None:
        """Make a change; `None` when the map is no longer what it was before."""
        document = before.document
        if not change:
            if change.purges_backup:
                self._purge_backup(folder, document)
            if change.operation is not None:
                self._record(folder, change.operation)
                change.operation.log()
            return document
        data = spliced(
            document,
            relinked=change.relinked,
            dropped=change.dropped,
            added=change.added,
        )
        # Nothing is written that could not be read again.
        after = parse(data, path=self._path, previous=document)
        if not self._write(folder, data, before=before, operation=change.operation):
            return None
        # Its time is now: whether it stays as written is for the next look to tell.
        self._seen = _Seen(after)
        if change.operation is not None:
            change.operation.log()
        return after

    def _write(
        self, folder: Folder, data: bytes, *, before: _Seen, operation: Operation | None
    ) -> bool:
        durability = self._durability
        with (
            through(folder, MAP_NAME) as (home, name),
            Staged(home, name, data, durability=durability) as staged,
            Staged(folder, BACKUP_NAME, data, durability=durability) as backup,
        ):
            # Whatever can fail is tried before the map is replaced.
            staged.flush()
            backup.flush()
            if operation is not None:
                self._record(folder, operation)
            is_new = before.signature is None
            if not is_new:
                self._prepare(backup)
            if folder.signature(MAP_NAME) != before.signature:
                return False
            staged.commit()
            if is_new:
                # Not sooner: a copy without its map looks like a map that was lost.
                self._complete(backup)
        return True

    def _prepare(self, backup: Staged) -> None:
        try:
            backup.commit()
        except DurabilityUnknownError as error:
            # The copy is in place, and the map was not touched.
            raise NotWrittenError(self._path, cause=error) from error

    def _complete(self, backup: Staged) -> None:
        try:
            backup.commit()
        except NotWrittenError as error:
            # The map is in place, and its copy will come with the next change.
            raise DurabilityUnknownError(self._path, cause=error) from error

    def _record(self, folder: Folder, operation: Operation) -> None:
        line = operation.line(self._now())
        append_line(folder, AUDIT_NAME, line, synced=self._durability == "full")

    def _purge_backup(self, folder: Folder, document: Document) -> None:
        stored = folder.read(BACKUP_NAME, max_bytes=MAX_MAP_BYTES)
        if stored is not None and stored.data != document.data:
            replace(folder, BACKUP_NAME, document.data, durability=self._durability)

    def close(self) -> None:
        """Forget what was read; the disk is looked at through the root again."""
        self._seen = _Seen(EMPTY)
