"""Who was forgotten in one of the two places, and is held in the other still.

A copy is made while a bot is running, and once more when it is not. Whoever is forgotten
in between, or in the database later on, must not come back with it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.errors import InvalidNameError
from ethos_memory.identity_map.audit import AUDIT_NAME
from ethos_memory.identity_map.postgres_rows import read_document
from ethos_memory.moving.scopes import scopes_of
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.scope import LAYOUT, ScopeId
from ethos_memory.sessions.postgres import PostgresSessionStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.disk import Root
    from ethos_memory.identity_map.postgres_import import MapContents
    from ethos_memory.pg import Database
    from ethos_memory.providers.guarded import GuardedProvider

__all__ = ["Forgotten", "find_forgotten"]

#: A hundred bytes a line: more than a million deeds of operators.
_MOST_AUDIT_BYTES: Final = 128 * 1024 * 1024

#: What the audit says of somebody who is to be held no more.
_VERBS: Final = ("erase", "forget")

_FORGOTTEN: Final = """
    select distinct unnest(user_ids) from identity_audit where verb = any(%s)
"""


@frozen
class Forgotten:
    """People who were forgotten in one place only.

    Attributes:
        in_database: Ids of those whom the home holds still, sorted.
        in_home: Ids of those whom the database holds still, sorted.
    """

    in_database: tuple[str, ...] = ()
    in_home: tuple[str, ...] = ()


def find_forgotten(
    root: Root,
    provider: GuardedProvider,
    contents: MapContents,
    database: Database,
    *,
    has_said: Callable[[str], bool],
) -> Forgotten:
    """Compare what both audits say with what both places hold.

    Somebody who was linked to the same id again is held in both, and is not forgotten.

    Args:
        root: The home.
        provider: Keeps its pages.
        contents: Its map.
        database: The other place.
        has_said: Tells of an owner whether the home has conversations of theirs.

    Raises:
        EthosMemoryError: When something cannot be read.
    """
    at_home = _of_home(root)
    in_database = database.snapshot(
        lambda connection: _valid(
            id for (id,) in connection.execute(_FORGOTTEN, (list(_VERBS),))
        )
    )
    asked = at_home | in_database
    if not asked:
        return Forgotten()
    there = _held_there(database, asked)
    here = _held_here(root, provider, contents, asked, has_said)
    return Forgotten(
        tuple(sorted((in_database & here) - there)),
        tuple(sorted((at_home & there) - here)),
    )


def _of_home(root: Root) -> frozenset[str]:
    with root.folder(LAYOUT["user"]) as folder:
        stored = None
        if folder is not None:
            stored = folder.read(AUDIT_NAME, max_bytes=_MOST_AUDIT_BYTES)
    lines = () if stored is None else stored.data.splitlines()
    return _valid(id for line in lines for id in _named(line))


def _named(line: bytes) -> Iterable[object]:
    """Return whom a line of the audit says to be forgotten; a torn one says nothing."""
    with suppress(ValueError, RecursionError):
        told = json.loads(line)
        if isinstance(told, dict) and told.get("verb") in _VERBS:
            ids = told.get("userIds")
            return ids if isinstance(ids, list) else ()
    return ()


def _valid(ids: Iterable[object]) -> frozenset[str]:
    found = set()
    for id in ids:
        with suppress(InvalidNameError):
            if isinstance(id, str):
                found.add(ScopeId.user(id).id)
    return frozenset(found)


def _held_there(database: Database, asked: frozenset[str]) -> set[str]:
    pages, talk = PostgresProvider(database), PostgresSessionStore(database)
    held = asked & set(database.snapshot(read_document).user_ids)
    for id in asked - held:
        scope = ScopeId.user(id)
        if pages.files(scope) or talk.count_owner(str(scope)):
            held |= {id}
    return set(held)


def _held_here(
    root: Root,
    provider: GuardedProvider,
    contents: MapContents,
    asked: frozenset[str],
    has_said: Callable[[str], bool],
) -> set[str]:
    owners = {one.user_id for one in contents.accounts}
    merged = {id for pair in contents.merged for id in pair}
    folders = {scope.id for scope in scopes_of(root) if scope.kind == "user"}
    held = asked & (owners | merged)
    for id in asked - held:
        scope = ScopeId.user(id)
        has_pages = id in folders and any(
            file.is_memory for file in provider.files(scope)
        )
        if has_pages or has_said(str(scope)):
            held |= {id}
    return set(held)
