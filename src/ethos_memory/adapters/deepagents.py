"""A backend for deepagents: the pages of one turn as its file tools see files.

Mount it below a folder, ``CompositeBackend(default=..., routes={"/memories/": ...})``:
what else an agent keeps in files, such as long tool results, is no memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from ethos_memory.entry import Replace
from ethos_memory.errors import MissingExtraError
from ethos_memory.page import find_placeholder
from ethos_memory.providers.guarded_edit import Cut
from ethos_memory.tools import Files
from ethos_memory.tools.answer import Declined, answered, unhidden
from ethos_memory.tools.paths import ROOT, key_of, relative

try:
    from deepagents.backends.protocol import (
        BackendProtocol,
        DeleteResult,
        EditResult,
        FileDownloadResponse,
        FileUploadResponse,
        GlobResult,
        GrepResult,
        LsResult,
        ReadResult,
        WriteResult,
    )
    from deepagents.backends.utils import (
        InvalidGlobPatternError,
        compile_grep_include_glob,
        grep_matches_from_files,
        perform_string_replacement,
        slice_read_response,
    )
except ImportError:
    raise MissingExtraError("deepagents") from None

if TYPE_CHECKING:
    from collections.abc import Callable

    from deepagents.backends.protocol import FileData, FileInfo

    from ethos_memory.entry import MemoryEntryRef, Update
    from ethos_memory.memory import Memory
    from ethos_memory.policy import View
    from ethos_memory.providers.guarded_view import SeenPage
    from ethos_memory.scope import ScopeId
    from ethos_memory.tools import ToolAnswer
    from ethos_memory.turn import Turn

__all__ = ["MemoryBackend"]

#: The most bytes of a page (DESIGN section 5). What is more would go to the archive,
#: and a file that is not what was written is no file.
_MOST_BYTES: Final = 512 * 1024

#: A path is echoed in part only.
_ECHOED_CHARACTERS: Final = 200

#: The host puts it before what was not read, and expects it for the rest.
_PREFIX: Final = "Error: "

_HIDDEN: Final = "Nothing was written: the text holds something that is not shown."
_PROMISED: Final = (
    "Nothing was written: the content promises the rest of the file instead of holding "
    "it. Send the whole file, or edit the part that changes."
)


class _Pages(Files):
    """What the host's tools do with files, and Anthropic's do not.

    Paths are the host's, from ``/``.
    """

    def entries(self, below: str) -> dict[str, MemoryEntryRef]:
        """Return the file of this name, or every file below the folder, sorted.

        Raises:
            EthosMemoryError: When the memory cannot be read.
        """
        view = self._bound.view()
        pages = () if view.tools == "none" else self._pages(view)
        found = {f"/{file}": ref for _, file, ref in pages}
        if below in found:
            return {below: found[below]}
        inside = [file for file in found if file.startswith(f"{below}/")]
        return {file: found[file] for file in sorted(inside)}

    def shown(self, path: str) -> ToolAnswer:
        """Return a file as a model may read it, and note that the model knows it."""

        def call() -> str:
            scope, key = self._place(self._granted(), _inner(path))
            entry = self._provider.read(scope, key)
            self._bound.has_read(scope, key, entry)
            if entry is None:
                raise _missing(path)
            return entry.content

        return answered(call)

    def written(self, path: str, text: str) -> ToolAnswer:
        """Create a file, or put a text in place of the one that the model knows."""

        def call() -> str:
            scope, key = self._place(self._granted(), _inner(path))
            _check_size(_size(text))
            if find_placeholder(text) and self._provider.read(scope, key) is not None:
                raise Declined(_PROMISED)
            known = self._bound.seen(scope, key)
            self._sync(scope, Replace(key, text, if_revision=known))
            return path

        return answered(call)

    def edited(self, path: str, old: str, new: str, *, every: bool) -> ToolAnswer:
        """Replace a text that is shown; the answer says how often it stood there."""
        counts: list[int] = []

        def change(page: SeenPage) -> tuple[Cut, ...]:
            cuts = _cuts(page, old, new, every=every)
            counts.append(len(cuts))
            return cuts

        def call() -> str:
            scope, key = self._place(*self._there(path))
            with unhidden(_HIDDEN):
                self._bound.edited(self._provider, scope, key, change)
            if not counts:
                raise _missing(path)
            return str(counts[-1])

        return answered(call)

    def deleted(self, path: str) -> ToolAnswer:
        """Delete a file, or a folder with what is in it."""

        def call() -> str:
            view, inner = self._there(path)
            return self._delete(view, {"path": inner})

        return answered(call)

    def _there(self, path: str) -> tuple[View, str]:
        """Return the turn's view and a path that is a file or folder."""
        view, inner = self._granted(), _inner(path)
        if not relative(inner) or not self.entries(f"/{relative(inner)}"):
            raise _missing(path)
        return view, inner

    @override
    def _sync(self, scope: ScopeId, *updates: Update) -> None:
        report = self._provider.sync(scope, updates, origin=self._bound.origin())
        self._bound.has_written(scope, report)


class MemoryBackend(BackendProtocol):
    """The pages that a turn may read and write, for deepagents' file tools.

    ``USER.md`` is the person's profile; every other file is the personality's. A turn
    that grants the profile alone has that one file, and one that grants nothing none.
    Why something was not done stands in the result. Awaited twins work in threads.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
    """

    def __init__(self, memory: Memory, turn: Turn) -> None:
        self._pages = _Pages(memory, turn)

    @override
    def ls(self, path: str) -> LsResult:
        """List a folder; what is none, or not there, is empty."""
        folder = _folder(path)
        files, error = _attempted(lambda: self._pages.entries(folder))
        files.pop(folder, None)
        found: dict[str, FileInfo] = {}
        for file, ref in files.items():
            head, slash, _ = file.removeprefix(f"{folder}/").partition("/")
            name = f"{folder}/{head}{slash}"
            found[name] = {"path": name, "is_dir": True} if slash else _info(file, ref)
        return LsResult(
            error, None if error else [found[name] for name in sorted(found)]
        )

    @override
    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        """Return lines of a file, as a model may read them."""
        answer = self._pages.shown(file_path)
        if answer.error is not None:
            return ReadResult(_said(answer, file_path))
        return slice_read_response(_data(answer.text), offset, limit)

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        """Create a file, or replace the whole of it.

        One that was read here, and that somebody else changed since, is left alone.
        """
        error = _told(self._pages.written(file_path, content), file_path)
        return WriteResult(error, None if error else file_path)

    @override
    def edit(
        self,
        file_path: str,
        old_string: str,
        new_string: str,
        replace_all: bool = False,
    ) -> EditResult:
        """Replace a text in a file as it is at that moment: nobody's change is lost."""
        answer = self._pages.edited(
            file_path, old_string, new_string, every=replace_all
        )
        if answer.error is not None:
            return EditResult(_told(answer, file_path))
        return EditResult(path=file_path, occurrences=int(answer.text))

    @override
    def delete(self, file_path: str) -> DeleteResult:
        """Delete a file, or a folder with what is in it; the history keeps the text."""
        error = _told(self._pages.deleted(file_path), file_path)
        return DeleteResult(error, None if error else file_path)

    @override
    def grep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
    ) -> GrepResult:
        """Find a text, literally, in what a model may read."""
        files, error = _attempted(lambda: self._pages.entries(_folder(path)))
        if error is not None:
            return GrepResult(error)
        # A search shows lines: what it found, the model does not know as a whole.
        answers = {file: self._pages.text(ROOT + file) for file in files}
        result = grep_matches_from_files(
            {
                file: _data(said.text)
                for file, said in answers.items()
                if not said.error
            },
            *(pattern, path, glob),
            max_count=max_count,
        )
        unread = any(said.error == "execution_failed" for said in answers.values())
        result.truncated = result.truncated or unread
        return result

    @override
    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        """Find files by their names."""
        try:
            matches = compile_grep_include_glob(pattern)
        except InvalidGlobPatternError as error:
            return GlobResult(str(error))
        folder = _folder(path)
        files, problem = _attempted(lambda: self._pages.entries(folder))
        found = [
            _info(file, ref)
            for file, ref in files.items()
            # A path that is a file itself is searched by its name.
            if matches(file[len(folder) + 1 :] or file.rpartition("/")[2])
        ]
        return GlobResult(problem, None if problem else found)

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Write files for the host: whole, and each by itself. They must be text."""
        return [
            FileUploadResponse(path, self._upload(path, content))
            for path, content in files
        ]

    @override
    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Return files for the host, as a model may read them.

        What the turn does not grant is not found: `MemoryMiddleware` goes on without.
        """
        return [self._download(path) for path in paths]

    def _upload(self, path: str, content: bytes) -> str | None:
        if answered(lambda: key_of(relative(_inner(path)))).error is not None:
            return "invalid_path"
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return "Only text in UTF-8 can be remembered"
        answer = self._pages.written(path, text)
        is_refused = answer.error == "not_available"
        return "permission_denied" if is_refused else _told(answer, path)

    def _download(self, path: str) -> FileDownloadResponse:
        if answered(lambda: relative(_inner(path))).error is not None:
            return FileDownloadResponse(path, error="invalid_path")
        folder = _folder(path)
        files, error = _attempted(lambda: self._pages.entries(folder))
        if error is None and folder not in files:
            error = "is_directory" if files else "file_not_found"
        if error is not None:
            return FileDownloadResponse(path, error=error)
        answer = self._pages.shown(path)
        content = None if answer.error else answer.text.encode()
        return FileDownloadResponse(path, content, _told(answer, path))


def _cuts(page: SeenPage, old: str, new: str, *, every: bool) -> tuple[Cut, ...]:
    """Return the cuts that replace a text, in the host's words when there are none."""
    wanted, put = _with_line_ends(old, page.text), _with_line_ends(new, page.text)
    outcome = perform_string_replacement(page.text, wanted, put, every)
    if isinstance(outcome, str):
        raise Declined(outcome)
    _check_size(page.size + outcome[1] * (_size(put) - _size(wanted)))
    cuts, at = [], page.text.find(wanted)
    while at >= 0:
        cuts.append(Cut(at, at + len(wanted), put))
        at = page.text.find(wanted, at + len(wanted))
    return tuple(cuts)


def _with_line_ends(text: str, page: str) -> str:
    """Give a text the line ends that most lines of a page have; a read shows LF."""
    if 2 * page.count("\r\n") <= page.count("\n"):
        return text
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _check_size(size: int) -> None:
    if size >= _MOST_BYTES:
        raise Declined(f"A file must be smaller than {_MOST_BYTES} bytes")


def _attempted(
    call: Callable[[], dict[str, MemoryEntryRef]],
) -> tuple[dict[str, MemoryEntryRef], str | None]:
    """Return the files, or none and why."""
    files: dict[str, MemoryEntryRef] = {}

    def made() -> str:
        files.update(call())
        return ""

    answer = answered(made)
    return files, None if answer.error is None else answer.text


def _inner(path: str) -> str:
    """Return where `Files` has a file of the host."""
    if not path.startswith("/") or ".." in path.split("/"):
        raise Declined(f"{ascii(path)[:_ECHOED_CHARACTERS]} is no path from / down")
    return ROOT + path


def _folder(path: str | None) -> str:
    """Return a folder as the beginning of its files' paths, ``""`` for all."""
    name = (path or "").strip("/")
    return f"/{name}" if name else ""


def _missing(path: str) -> Declined:
    return Declined(f"File '{path[:_ECHOED_CHARACTERS]}' not found")


def _said(answer: ToolAnswer, path: str) -> str:
    """Return why something was not done, with the path as the host has it."""
    return answer.text.replace(ROOT + path, path)


def _told(answer: ToolAnswer, path: str) -> str | None:
    """Return it as the host has it for what it writes; `None` when it was done."""
    said = _said(answer, path).removeprefix(_PREFIX)
    return None if answer.error is None else _PREFIX + said


def _data(text: str) -> FileData:
    return {"content": text, "encoding": "utf-8"}


def _info(file: str, ref: MemoryEntryRef) -> FileInfo:
    at = ref.updated_at.isoformat()
    return {"path": file, "is_dir": False, "size": ref.size, "modified_at": at}
