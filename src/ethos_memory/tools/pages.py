"""The tools about the two pages of a turn, and what else a personality remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ethos_memory.entry import trim
from ethos_memory.policy.pages import is_personal
from ethos_memory.scope import parse_key
from ethos_memory.tools import arguments, writing
from ethos_memory.tools.answer import Declined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ethos_memory.entry import MemoryEntry, SearchHit, SyncReport, Update
    from ethos_memory.policy import View
    from ethos_memory.scope import ScopeId
    from ethos_memory.tools.binding import Bound

__all__ = [
    "SEARCH_MODES",
    "blocks",
    "read",
    "read_schema",
    "search",
    "search_schema",
    "stores",
    "write",
    "write_schema",
]

#: Hits of a search without a limit, and at most.
DEFAULT_HITS: Final = 5
MOST_HITS: Final = 20

#: How many more hits are asked for, since some may be about a person, and how many
#: times as many when those were not enough.
_AT_FIRST: Final = 3
_MORE: Final = 4

SEARCH_MODES: Final = ("keyword", "semantic", "hybrid")

_KEYS: Final = {"memory": "MEMORY.md", "user": "USER.md"}
_HEADINGS: Final = {"user": "## About You", "memory": "## Memory"}

#: Pages about a person that may be read. They come from the profile that the turn
#: grants: a guest of a private room must not read the personality's copy.
_ABOUT_A_PERSON: Final = frozenset({"USER.md", "IDENTITY.md"})


def stores(view: View) -> tuple[str, ...]:
    """Return which of the two pages a turn may read and write."""
    if view.tools == "none":
        return ()
    memory = ("memory",) if _memory(view) else ()
    return (*memory, *(("user",) if view.profile else ()))


def read_schema(view: View) -> dict[str, Any]:
    """Return the arguments of ``memory_read``."""
    about = "Which page: memory is MEMORY.md, user is USER.md. Both when left out."
    named = "A page by its name, such as projects.md, instead of a store."
    return arguments.schema(
        store=arguments.choice((*stores(view), "both"), about),
        key=arguments.text(named),
    )


def read(bound: Bound, view: View, given: dict[str, Any]) -> str:
    """Answer ``memory_read``.

    Raises:
        Declined: When there is no such page, or it is not the turn's to see.
    """
    if "key" in given:
        return _named(bound, view, parse_key(given["key"]))
    store = given.get("store", "both")
    asked = stores(view) if store == "both" else (store,)
    texts = {name: _shown(bound, view, _KEYS[name]) for name in asked}
    held = [name for name in _HEADINGS if texts.get(name)]
    if len(asked) == 1:
        return texts[asked[0]] or f"{_KEYS[asked[0]]} is empty."
    if not held:
        return "Memory is empty. No notes recorded yet."
    return "\n\n".join(f"{_HEADINGS[name]}\n\n{texts[name]}" for name in held)


def write_schema(view: View) -> dict[str, Any]:
    """Return the arguments of ``memory_write``."""
    return arguments.schema(
        ("store", "action"),
        store=arguments.choice(
            stores(view),
            "memory: what the agent should remember. user: what is true of the person.",
        ),
        action=arguments.choice(
            ("add", "replace", "remove"),
            "add appends a note. replace overwrites the whole page. remove takes one "
            "entry out.",
        ),
        content=arguments.text("For add: the note. For replace: the whole new page."),
        substring_match=arguments.text(
            "For remove: the entry, or text that occurs in one entry only."
        ),
        under=arguments.text(
            "For remove: the heading it stands under, when it occurs twice."
        ),
    )


def write(bound: Bound, view: View, given: dict[str, Any]) -> str:
    """Answer ``memory_write``.

    Raises:
        Declined: When nothing was written, with the reason.
    """
    key = _KEYS[given["store"]]
    scope, provider = _scopes(view, key)[0], bound.memory.provider
    page = writing.Page(
        key,
        lambda update: _remembered(bound, scope, update),
        lambda change: bound.edited(provider, scope, key, change),
        lambda: provider.read(scope, key),
    )
    match given["action"]:
        case "add":
            return writing.append(page, given.get("content"))
        case "replace":
            seen = bound.seen(scope, key)
            return writing.replace(page, given.get("content"), if_revision=seen)
        case _:
            needle = given.get("substring_match", given.get("content"))
            return writing.remove(page, needle, under=given.get("under"))


def search_schema() -> dict[str, Any]:
    """Return the arguments of a search."""
    return arguments.schema(
        ("query",),
        query=arguments.text("Words to look for. Text in double quotes is exact."),
        limit=arguments.count(MOST_HITS, f"The most pages; {DEFAULT_HITS} by default."),
        mode=arguments.choice(SEARCH_MODES, "How to look; the best way when left out."),
    )


def search(bound: Bound, view: View, given: dict[str, Any]) -> str:
    """Answer ``memory_search``: the personality's pages, never anybody's profile."""
    limit = given.get("limit", DEFAULT_HITS)
    (scope,) = _scopes(view, "MEMORY.md")
    wanted = limit + _AT_FIRST
    while True:
        hits = bound.memory.provider.search(
            scope, given["query"], limit=wanted, mode=given.get("mode")
        )
        found = [hit for hit in hits if not is_personal(hit.key)]
        # Otherwise fewer answers would tell that something else matches.
        if len(found) >= limit or len(hits) < wanted:
            return blocks(found[:limit])
        wanted *= _MORE


def blocks(hits: Iterable[SearchHit]) -> str:
    """Return pages that were found as a model reads them."""
    found = [f"### {hit.key}\n{trim(hit.snippet)}" for hit in hits]
    return "\n\n---\n\n".join(found) or "Nothing found."


def _memory(view: View) -> ScopeId | None:
    return view.memory if view.tools == "all" else None


def _remembered(bound: Bound, scope: ScopeId, update: Update) -> SyncReport:
    report = bound.memory.remember(bound.turn, update)
    bound.has_written(scope, report)
    return report


def _named(bound: Bound, view: View, key: str) -> str:
    text = _shown(bound, view, key)
    if not text:
        raise Declined(f"There is no memory entry {key}.", "not_available")
    return text


def _shown(bound: Bound, view: View, key: str) -> str:
    """Return the first page of that name that is not blank, as a model may read it."""
    for scope in _scopes(view, key):
        entry: MemoryEntry | None = bound.memory.provider.read(scope, key)
        bound.has_read(scope, key, entry)
        if entry is not None and trim(entry.content):
            return trim(entry.content)
    return ""


def _scopes(view: View, key: str) -> tuple[ScopeId, ...]:
    if key in _ABOUT_A_PERSON:
        return view.profile
    memory = _memory(view)
    return () if memory is None or is_personal(key) else (memory,)
