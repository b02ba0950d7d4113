"""The folder that an export is written to: private, and there as a whole or not at all.

Everything is written into a folder beside it, whose name begins with a dot, and the
manifest comes last. Then that folder is given its name. A crash before leaves
something that nobody takes for an export.
"""

# Everything here is relative to descriptors, which `pathlib` cannot say.
# ruff: noqa: PTH208

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ethos_memory.disk import Root, flush_folder, replace, writing
from ethos_memory.disk.opening import flush
from ethos_memory.errors import NotWrittenError, UnsafePathError
from ethos_memory.person.report import ExportedFile
from ethos_memory.scope import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from ethos_memory.disk import Folder

__all__ = ["MANIFEST", "ExportFolder"]

#: Written last: an export without it is none.
MANIFEST: Final = "manifest.json"

_MISSING: Final = OSError(errno.ENOENT, os.strerror(errno.ENOENT))


class ExportFolder:
    """A folder that becomes an export; for a `with` block.

    Args:
        destination: Must not be there, or be an empty folder. What it stands in must
            be there. ``~`` is not expanded.
        outside: A home that it must not stand in: an export there would be one more
            thing that is held about the person.

    Attributes:
        path: The destination, absolute.
        files: What was put into it, in order.

    Raises:
        NotWrittenError: When the disk refuses.
        UnsafePathError: When the destination is a link, a file, a folder that holds
            something, or stands in `outside`.
        ValueError: When the destination has no name.
    """

    def __init__(
        self, destination: str | os.PathLike[str], *, outside: Path | None = None
    ) -> None:
        given = Path(plain_text(os.fspath(destination), what="destination"))
        if given.name in ("", ".."):
            msg = "an export needs a folder of its own name"
            raise ValueError(msg)
        # What it stands in is resolved once; below that no link is followed.
        above = Path(os.path.realpath(given.parent))
        self.path: Path = above / given.name
        self.files: list[ExportedFile] = []
        if outside is not None and self.path.is_relative_to(outside):
            raise UnsafePathError(str(self.path), "inside the home; export elsewhere")
        self._root = Root(above, volume=lambda *_: None)
        self._draft = f".ethos-memory-{os.urandom(8).hex()}.export"
        self._names = {MANIFEST}
        self._is_done = False

    def __enter__(self) -> Self:
        # Nothing is made yet: who only looks leaves no trace.
        with writing(str(self.path)), self._root.folder() as above:
            if above is None:
                raise NotWrittenError(str(self.path), cause=_MISSING)
            self._check(above)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError), self._root.folder() as above:
            if above is not None and not self._is_done:
                shutil.rmtree(self._draft, ignore_errors=True, dir_fd=above.fd)
        self._root.close()

    def _check(self, above: Folder) -> None:
        """Refuse a destination that is something already."""
        status = above.status(self.path.name)
        if status is None:
            return
        if stat.S_ISLNK(status.st_mode):
            raise UnsafePathError(str(self.path), "a link; name where it leads to")
        if not stat.S_ISDIR(status.st_mode):
            raise UnsafePathError(str(self.path), "there is a file already")
        with above.folder(self.path.name) as folder:
            if folder is not None and os.listdir(folder.fd):
                raise UnsafePathError(str(self.path), "the folder is not empty")

    def put(self, path: str, data: bytes, *, what: str, source: str) -> None:
        """Write one file.

        Args:
            path: Below the export's folder, with ``/``; each part is a plain name. When
                it is taken, in any casing, the file is given another name.
            data: All of its bytes.
            what: What it is, for the manifest.
            source: Where it came from, for the manifest.

        Raises:
            NotWrittenError: When the disk refuses.
        """
        free = self._free(path)
        self._write(free, data)
        digest = sha256(data).hexdigest()
        self.files.append(
            ExportedFile(free, len(data), digest, what=what, source=source)
        )

    def put_json(self, path: str, value: object, *, what: str, source: str) -> None:
        """Write one file as indented JSON; see `put`."""
        self.put(path, _json(value), what=what, source=source)

    def _free(self, path: str) -> str:
        folder, slash, name = path.rpartition("/")
        free, number = path, 1
        while free.lower() in self._names:
            number += 1
            free = f"{folder}{slash}{number}-{name}"
        self._names.add(free.lower())
        return free

    def _write(self, path: str, data: bytes) -> None:
        with self._folder_of(path) as (folder, name):
            # Flushed together at the end: a scope may be locked until all is copied.
            replace(folder, name, data, durability="fast")

    def _flush(self, path: str) -> None:
        with self._folder_of(path) as (folder, name):
            fd = folder.open(name)
            if fd is None:
                raise _MISSING
            try:
                flush(fd)
            finally:
                os.close(fd)
            flush(folder.fd)

    @contextmanager
    def _folder_of(self, path: str) -> Iterator[tuple[Folder, str]]:
        *folders, name = path.split("/")
        with writing(str(self.path)), ExitStack() as stack:
            folder = stack.enter_context(self._root.folder(self._draft, create=True))
            for one in folders:
                folder = stack.enter_context(folder.folder(one, create=True))
            yield folder, name

    def finish(self, manifest: dict[str, object]) -> None:
        """Write the manifest, and put the export in its place.

        Args:
            manifest: What it tells beside the list of files.

        Raises:
            NotWrittenError: When the disk refuses, or something took the destination's
                place meanwhile.
            DurabilityUnknownError: When the export is there, and the disk did not
                confirm it.
        """
        files = [
            {
                "path": file.path,
                "size": file.size,
                "sha256": file.sha256,
                "what": file.what,
                "from": file.source,
            }
            for file in self.files
        ]
        for file in self.files:
            self._flush(file.path)
        self._write(MANIFEST, _json({**manifest, "files": files}))
        self._flush(MANIFEST)
        with self._root.folder(create=True) as above:
            with writing(str(self.path)):
                # It takes the place of an empty folder, and of nothing else.
                os.rename(
                    self._draft,
                    self.path.name,
                    src_dir_fd=above.fd,
                    dst_dir_fd=above.fd,
                )
            self._is_done = True
            flush_folder(above, self.path.name)


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # What a host passed may hold half a character.
    return f"{text}\n".encode(errors="backslashreplace")
