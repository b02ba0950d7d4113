"""The tools about a team's topics. The host says which team; a model never does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ethos_memory.entry import trim
from ethos_memory.scope import parse_key
from ethos_memory.tools import arguments, writing
from ethos_memory.tools.answer import Declined
from ethos_memory.tools.page_names import check_name, is_listed
from ethos_memory.tools.pages import DEFAULT_HITS, blocks

if TYPE_CHECKING:
    from ethos_memory.entry import SyncReport, Update
    from ethos_memory.policy import View
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.scope import ScopeId
    from ethos_memory.tools.binding import Bound

__all__ = ["read", "read_schema", "search", "write", "write_schema"]

_TOPIC = "The topic, such as decisions or decisions.md."


def read_schema() -> dict[str, Any]:
    """Return the arguments of ``team_memory_read``."""
    return arguments.schema(
        key=arguments.text(f"{_TOPIC} The topics are listed when it is left out.")
    )


def read(bound: Bound, view: View, given: dict[str, Any]) -> str:  # noqa: ARG001 - every tool's shape
    """Answer ``team_memory_read``. A topic that is not there is no error."""
    teams, team = _team(bound)
    if "key" not in given:
        keys = [ref.key for ref in teams.list(team)]
        topics = [key[: -len(".md")] for key in keys if is_listed(teams, team, key)]
        return "\n".join(f"- {topic}" for topic in topics) or "There are no topics yet."
    key = _key(given["key"])
    entry = teams.read(team, key)
    bound.has_read(team, key, entry)
    if entry is None or not trim(entry.content):
        return f"There is no team memory for {key} yet."
    return trim(entry.content)


def write_schema() -> dict[str, Any]:
    """Return the arguments of ``team_memory_write``."""
    return arguments.schema(
        ("action", "key"),
        action=arguments.choice(
            ("add", "replace", "remove", "delete"),
            "add appends a note. replace overwrites the topic. remove takes one entry "
            "out. delete deletes the topic.",
        ),
        key=arguments.text(_TOPIC),
        content=arguments.text("For add: the note. For replace: the whole new text."),
        substring_match=arguments.text(
            "For remove: the entry, or text that occurs in one entry only."
        ),
        under=arguments.text(
            "For remove: the heading it stands under, when it occurs twice."
        ),
    )


def write(bound: Bound, view: View, given: dict[str, Any]) -> str:  # noqa: ARG001 - every tool's shape
    """Answer ``team_memory_write``.

    Raises:
        Declined: When nothing was written, with the reason.
    """
    teams, team = _team(bound)
    key = _key(given["key"])
    if given["action"] in ("add", "replace"):
        check_name(teams, team, key)
    page = writing.Page(
        key,
        lambda update: _synced(bound, update),
        lambda change: bound.edited(teams, team, key, change),
        lambda: teams.read(team, key),
    )
    match given["action"]:
        case "add":
            return writing.append(page, given.get("content"))
        case "replace":
            seen = bound.seen(team, key)
            return writing.replace(page, given.get("content"), if_revision=seen)
        case "remove":
            needle = given.get("substring_match", given.get("content"))
            return writing.remove(page, needle, under=given.get("under"))
        case _:
            return writing.delete(page)


def search(bound: Bound, view: View, given: dict[str, Any]) -> str:  # noqa: ARG001 - every tool's shape
    """Answer ``team_memory_search``."""
    teams, team = _team(bound)
    limit = given.get("limit", DEFAULT_HITS)
    hits = teams.search(team, given["query"], limit=limit, mode=given.get("mode"))
    return blocks(hits)


def _team(bound: Bound) -> tuple[GuardedProvider, ScopeId]:
    if bound.team is None:
        raise Declined("There is no team here.", "not_available")
    return bound.memory.teams, bound.team


def _synced(bound: Bound, update: Update) -> SyncReport:
    teams, team = _team(bound)
    report = teams.sync(team, [update], origin=bound.origin())
    bound.has_written(team, report)
    return report


def _key(topic: str) -> str:
    return parse_key(topic if topic.endswith(".md") else f"{topic}.md")
