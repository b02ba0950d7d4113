"""The pages of a turn as files: Anthropic's six commands, with this library's care.

Texts and errors are those of the host's own file tool, so that a model that was trained
on it reads them as it is used to. What differs stands in `docs/reference/adapters.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.entry import Delete, Replace
from ethos_memory.errors import RevisionConflictError
from ethos_memory.guard.marker import holds_marker
from ethos_memory.policy.pages import is_personal
from ethos_memory.tools import arguments, listing
from ethos_memory.tools.answer import Declined, answered, unhidden
from ethos_memory.tools.binding import Bound
from ethos_memory.tools.page_names import check_name, is_listed
from ethos_memory.tools.paths import ROOT, key_of, path_of, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ethos_memory.entry import MemoryEntryRef, Update
    from ethos_memory.memory import Memory
    from ethos_memory.policy import View
    from ethos_memory.providers.guarded_edit import Cut
    from ethos_memory.providers.guarded_view import SeenPage
    from ethos_memory.scope import ScopeId
    from ethos_memory.tools.answer import ToolAnswer
    from ethos_memory.turn import Turn

__all__ = ["Files"]

#: Others may change the files meanwhile; each round means that somebody else got on.
_MOST_ROUNDS: Final = 100

_PROFILE: Final = "USER.md"

_MISSING: Final = "does not exist. Please provide a valid path."
_HIDDEN: Final = (
    "Nothing was written: the file holds something there that is not shown."
)

#: The most bytes of a page (DESIGN section 5). What is more would go to the archive,
#: and a file that is not what was written is no file.
_MOST_BYTES: Final = 512 * 1024

#: The most insert_line that is looked at.
_MOST_LINES: Final = 1_000_000


class Files:
    """The pages that a turn may read and write, as files below ``/memories``.

    ``USER.md`` is the person's profile; every other file is the personality's. A turn
    that grants the profile alone has that one file.

    Args:
        memory: An open home.
        turn: Whose memory it is. A model never names it.
    """

    def __init__(self, memory: Memory, turn: Turn) -> None:
        self._bound = Bound(memory, turn)
        self._provider = memory.provider
        self._commands: Mapping[str, Callable[[View, dict[str, Any]], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._str_replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }

    def run(self, command: Mapping[str, object]) -> ToolAnswer:
        """Do one command.

        Args:
            command: ``command`` names it: ``view``, ``create``, ``str_replace``,
                ``insert``, ``delete`` or ``rename``; the rest is Anthropic's own.

        Returns:
            The host's own words, or why nothing was done.
        """
        return answered(lambda: self._done(dict(command)))

    def paths(self) -> tuple[tuple[str, int], ...]:
        """Return every file with its size in bytes, sorted; none without a grant.

        Raises:
            EthosMemoryError: When the memory cannot be read.
        """
        view = self._bound.view()
        found = ((f"{ROOT}/{file}", ref.size) for _, file, ref in self._pages(view))
        return () if view.tools == "none" else tuple(sorted(found))

    def text(self, path: str) -> ToolAnswer:
        """Return a file as a model may read it, without numbers."""
        return answered(lambda: self._shown(self._granted(), path))

    def clear(self) -> ToolAnswer:
        """Delete every file, for a host; a model has no such command."""

        def call() -> str:
            view = self._granted()
            for scope in dict.fromkeys(scope for scope, _, _ in self._pages(view)):
                keys = [ref.key for own, _, ref in self._pages(view) if own == scope]
                self._sync(scope, *(Delete(key) for key in keys))
            return "All memory cleared"

        return answered(call)

    def _done(self, command: dict[str, object]) -> str:
        name = command.pop("command", None)
        if not isinstance(name, str) or name not in self._commands:
            raise Declined(f"Unknown command. Known: {', '.join(self._commands)}.")
        view = self._granted()
        lines = command.pop("view_range", None) if name == "view" else None
        given = arguments.checked(command, _SCHEMAS[name])
        return self._commands[name](view, {**given, "lines": lines})

    def _granted(self) -> View:
        view = self._bound.view()
        if view.tools == "none" or (view.tools == "profile" and not view.profile):
            raise Declined("Memory is not available here.", "not_available")
        return view

    def _view(self, view: View, given: dict[str, Any]) -> str:
        path = given["path"]
        name = relative(path)
        files = {file: ref for _, file, ref in self._pages(view)}
        if name in files:
            return listing.numbered(path, self._shown(view, path), given["lines"])
        below = f"{name}/" if name else ""
        inside = {
            file.removeprefix(below): ref.size
            for file, ref in files.items()
            if file.startswith(below)
        }
        if name and not inside:
            raise Declined(f"The path {path} {_MISSING}")
        return listing.folder(path, inside)

    def _create(self, view: View, given: dict[str, Any]) -> str:
        path = given["path"]
        scope, key = self._place(view, path)
        text = given["file_text"]
        _check_size(path, _size(text))
        try:
            self._sync(scope, Replace(key, text, if_revision=""))
        except RevisionConflictError:
            # Outside this block: the error holds what is there.
            pass
        else:
            return f"File created successfully at: {path}"
        raise Declined(f"File {path} already exists")

    def _str_replace(self, view: View, given: dict[str, Any]) -> str:
        path, old, new = given["path"], given["old_str"], given.get("new_str", "")
        if holds_marker(old):
            raise Declined(_HIDDEN)
        line = 0

        def change(page: SeenPage) -> Cut:
            nonlocal line
            cut = listing.replacing(path, page.text, old, new)
            line = page.text[: cut.start].count("\n")
            return cut

        self._changed(view, path, change)
        return listing.snippet(self._shown(view, path), line)

    def _insert(self, view: View, given: dict[str, Any]) -> str:
        path, at, text = given["path"], given["insert_line"], given["insert_text"]
        self._changed(view, path, lambda page: listing.inserting(page.text, at, text))
        return f"The file {path} has been edited."

    def _delete(self, view: View, given: dict[str, Any]) -> str:
        path = given["path"]
        moved = self._moving(view, path, "delete")
        self._sync(moved[0][0], *(Delete(ref.key) for _, _, ref in moved))
        return f"Successfully deleted {path}"

    def _rename(self, view: View, given: dict[str, Any]) -> str:
        old, new = given["old_path"], given["new_path"]
        target = relative(new)
        for _ in range(_MOST_ROUNDS):
            moved = self._moving(view, old, "rename")
            files = [file for _, file, _ in self._pages(view)]
            if not target or any(
                file == target or file.startswith(f"{target}/") for file in files
            ):
                raise Declined(f"The destination {new} already exists")
            try:
                self._move(view, moved, relative(old), target)
            except RevisionConflictError:
                continue
            return f"Successfully renamed {old} to {new}"
        raise Declined("Others keep changing the files. Nothing was renamed.")

    def _move(
        self,
        view: View,
        moved: list[tuple[ScopeId, str, MemoryEntryRef]],
        old: str,
        new: str,
    ) -> None:
        names: dict[str, str] = {}
        for scope, file, ref in moved:
            own, key = self._place(view, f"{ROOT}/{new}{file.removeprefix(old)}")
            if own != scope:
                raise Declined(f"{_PROFILE} is about the person, and stays where it is")
            names[ref.key] = key
        self._provider.move(moved[0][0], names, origin=self._bound.origin())

    def _moving(
        self, view: View, path: str, verb: str
    ) -> list[tuple[ScopeId, str, MemoryEntryRef]]:
        """Return the pages that a file or folder is."""
        name = relative(path)
        if not name:
            raise Declined(f"Cannot {verb} the {ROOT} directory itself")
        found = [
            page
            for page in self._pages(view)
            if page[1] == name or page[1].startswith(f"{name}/")
        ]
        if not found:
            raise Declined(f"The path {path} does not exist")
        return found

    def _changed(
        self, view: View, path: str, change: Callable[[SeenPage], Cut]
    ) -> None:
        """Change a piece of a file, as the model can see it."""
        scope, key = self._place(view, path)

        def checked(page: SeenPage) -> tuple[Cut]:
            cut = change(page)
            gone = page.text[cut.start : cut.end]
            _check_size(path, page.size + _size(cut.text) - _size(gone))
            return (cut,)

        with unhidden(_HIDDEN):
            edited = self._bound.edited(self._provider, scope, key, checked)
        if edited is None:
            raise Declined(f"The path {path} {_MISSING}")

    def _shown(self, view: View, path: str) -> str:
        """Return a file as a model may read it."""
        entry = self._provider.read(*self._place(view, path))
        if entry is None:
            raise Declined(f"The path {path} {_MISSING}")
        return entry.content

    def _place(self, view: View, path: str) -> tuple[ScopeId, str]:
        """Return whose page a file is, and its key."""
        key = key_of(relative(path))
        if key == _PROFILE and view.profile:
            return view.profile[0], key
        # What else is about a person is not a file to write in.
        if is_personal(key) or view.tools != "all" or view.memory is None:
            raise Declined(f"The path {path} is not available here", "not_available")
        check_name(self._provider, view.memory, relative(path))
        return view.memory, key

    def _pages(self, view: View) -> Iterator[tuple[ScopeId, str, MemoryEntryRef]]:
        """Yield the pages that are files: whose, under which path, and their size."""
        scopes = [view.memory] if view.tools == "all" and view.memory else []
        for scope in dict.fromkeys((*scopes, *view.profile[:1])):
            for ref in self._provider.list(scope):
                file = path_of(ref.key)
                is_profile = ref.key == _PROFILE
                if file is None or (is_personal(ref.key) and not is_profile):
                    continue
                if scope not in (view.profile[:1] if is_profile else scopes):
                    continue
                if is_listed(self._provider, scope, file):
                    yield scope, file, ref

    def _sync(self, scope: ScopeId, *updates: Update) -> None:
        self._provider.sync(scope, updates, origin=self._bound.origin())


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _check_size(path: str, size: int) -> None:
    if size >= _MOST_BYTES:
        raise Declined(f"File {path} would be larger than {_MOST_BYTES} bytes")


_PATH: Final = arguments.text("Where the file is.")
_TEXT: Final = arguments.text("Text.")
_SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "view": arguments.schema(("path",), path=_PATH),
    "create": arguments.schema(("path", "file_text"), path=_PATH, file_text=_TEXT),
    "str_replace": arguments.schema(
        ("path", "old_str"), path=_PATH, old_str=_TEXT, new_str=_TEXT
    ),
    "insert": arguments.schema(
        ("path", "insert_line", "insert_text"),
        path=_PATH,
        insert_line={**arguments.count(_MOST_LINES, "The line before."), "minimum": 0},
        insert_text=_TEXT,
    ),
    "delete": arguments.schema(("path",), path=_PATH),
    "rename": arguments.schema(
        ("old_path", "new_path"), old_path=_PATH, new_path=_PATH
    ),
}
